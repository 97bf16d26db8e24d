/** What others' tools say of the package as it is packed: publint of its package.json, attw of its types under each way to resolve them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { checkBuild } from '../support/cli.js';
import { installOthers, installPacked } from '../support/packed.js';

checkBuild();

/** The versions this was written for: a newer one may find more. */
const LINTERS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

let project = '';
let archive = '';
let there = false;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'rmsh-linters-'));
  archive = installPacked(project);
  there = installOthers(project, LINTERS);
}, 180_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the packed package', { timeout: 60_000 }, () => {
  const run = (context: TestContext, command: string, ...words: string[]) => {
    context.skip(!there, `${LINTERS.join(' and ')} could not be installed`);
    return spawnSync(join(project, 'node_modules/.bin', command), words, { cwd: project, encoding: 'utf8' });
  };

  it('is clean for publint', (context) => {
    const { status, stdout } = run(context, 'publint', '--strict', archive);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('All good!') });
  });

  it('is clean for attw: ESM alone, from every way to resolve that has that', (context) => {
    const { status, stdout } = run(context, 'attw', archive, '--profile', 'esm-only', '--format', 'json');
    expect(status).toBe(0);
    const { analysis } = JSON.parse(stdout);
    expect(Object.keys(analysis.entrypoints).sort()).toEqual(
      ['.', './fuzz', './grammar', './memory', './policy.schema.json'].sort(),
    );
    const judged = ['node16-esm', 'bundler'];
    const problems = (analysis.problems as { resolutionKind?: string }[]).filter(
      ({ resolutionKind }) => resolutionKind === undefined || judged.includes(resolutionKind),
    );
    expect(problems).toEqual([]);
  });
});
