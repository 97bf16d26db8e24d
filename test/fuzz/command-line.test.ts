/** `rmsh fuzz` as a user has it: the built program, the example, and a fault in a command of the user. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of this folder, in JavaScript because it runs without a build
import { measure, patched } from '../property/faults.mjs';
// @ts-expect-error: as above
import { faulty, RACE_FAULTS } from '../property/race-faults.mjs';
// @ts-expect-error: as above
import { FAULTS } from '../property/seeded-faults.mjs';
import { parseCases } from '../support/casefile.js';
import { PROGRAM } from '../support/cli.js';
import { withTree } from '../support/tree.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'examples/fuzz/README.md'), 'utf8');

function fuzz(cwd: string, words: readonly string[], program = PROGRAM) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'fuzz', ...words], {
    cwd,
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

/** A folder with the example in it, in which the package is there by its name. */
const withExample = (body: (cwd: string) => void | Promise<void>): Promise<void> =>
  withTree({}, (cwd) => {
    cpSync(join(root, 'examples/fuzz'), cwd, { recursive: true });
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules/rmsh'));
    symlinkSync(join(root, 'node_modules/fast-check'), join(cwd, 'node_modules/fast-check'));
    return body(cwd);
  });

const commands = [...guide.matchAll(/^\$ rmsh fuzz (.*)$/gm)].map((match) => match[1] ?? '');

describe('the ten minutes', { timeout: 120_000 }, () => {
  it('has commands', () => expect(commands.length).toBeGreaterThanOrEqual(5));

  it.each(commands)('rmsh fuzz %s', (line) =>
    withExample((cwd) => {
      const { stdout, stderr, status } = fuzz(cwd, line.split(' '));
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      if (line === '--list') expect(stdout).toMatch(/^removals +no script removes more/);
      else
        expect(stdout).toMatch(
          / holds for \d+ scenarios[\s\S]* scenarios, \d+ a second; \d+ kinds of syntax, \d+ of \d+ options of commands; 0 finds; seed 1\n$/,
        );
    }),
  );

  it('and a test of one’s own', () =>
    withExample((cwd) => {
      const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? [];
      writeFileSync(join(cwd, 'own.mjs'), program);
      const { stderr, status } = spawnSync(process.execPath, ['own.mjs'], { cwd, encoding: 'utf8' });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    }));
});

describe('rmsh fuzz', { timeout: 120_000 }, () => {
  const FAULTY = `import { defineBuiltin } from 'rmsh';
    export const bad = defineBuiltin({ name: 'bad', summary: 'x', usage: 'bad [-x]', needs: [], statuses: {},
      flags: { x: { short: 'x', help: 'fails' } }, run({ flags }) { if (flags.x) throw new TypeError('slip'); return 0; } });`;

  it('finds a command that throws, makes it small, keeps it as a case, and shows it again', () =>
    withExample((cwd) => {
      writeFileSync(join(cwd, 'bad.mjs'), FAULTY);
      const words = [
        '--builtins',
        'bad.mjs',
        '--property',
        'outside',
        '--seed',
        '2',
        '--runs',
        '40',
        '--out',
        'found.cases',
      ];
      const { stdout, status } = fuzz(cwd, [...words, '--json', '--workers', '1']);
      expect(status).toBe(1);
      const { find } = JSON.parse(stdout.split('\n')[0] ?? '') as {
        find: { why: string; path: string; seed: number; scenario: { script: string } };
      };
      expect(find.why).toContain('TypeError: slip');
      expect(find.scenario.script).toMatch(/^bad -x\s*$/);
      const rows = parseCases(readFileSync(join(cwd, 'found.cases'), 'utf8'), 'found.cases');
      expect(Object.values(rows)).toHaveLength(1);
      const again = fuzz(cwd, [
        '--builtins',
        'bad.mjs',
        '--property',
        'outside',
        '--seed',
        String(find.seed),
        '--path',
        find.path,
      ]);
      expect(again.status).toBe(1);
      expect(again.stdout).toContain('TypeError: slip');
    }));

  it('says the words that make it again', () =>
    withExample((cwd) => {
      writeFileSync(join(cwd, 'bad.mjs'), FAULTY);
      const words = ['--builtins', 'bad.mjs', '--property', 'outside', '--seed', '2', '--runs', '40'];
      const said = /^--- again: rmsh fuzz (.*)$/m.exec(fuzz(cwd, [...words, '--workers', '1']).stdout)?.[1] ?? '';
      const again = fuzz(cwd, said.split(' '));
      expect(again.status).toBe(1);
      expect(again.stdout).toContain(`--- again: rmsh fuzz ${said}\n`);
    }));

  it('keeps it as a test that runs as it stands, and fails until the fault is gone', () =>
    withExample((cwd) => {
      writeFileSync(join(cwd, 'bad.mjs'), FAULTY);
      const words = ['--builtins', 'bad.mjs', '--property', 'outside', '--seed', '2', '--runs', '40'];
      expect(fuzz(cwd, [...words, '--out', 'found.test.mjs', '--workers', '1']).status).toBe(1);
      const run = () => spawnSync(process.execPath, ['--test', 'found.test.mjs'], { cwd, encoding: 'utf8' });
      const failing = run();
      expect(failing.status).toBe(1);
      expect(failing.stdout).toContain('TypeError: slip');
      writeFileSync(join(cwd, 'bad.mjs'), FAULTY.replace('if (flags.x)', 'if (false)'));
      const mended = run();
      expect(mended.stdout).toMatch(/pass 1\n[\s\S]*fail 0/);
      expect(mended.status).toBe(0);
    }));

  it('tries as many scenarios as it is told to', () =>
    withExample((cwd) => {
      for (const runs of ['3', '41'])
        expect(fuzz(cwd, ['--property', 'operands', '--workers', '2', '--runs', runs]).stdout).toContain(
          `operands   holds for ${runs} scenarios`,
        );
    }));

  it('goes on where it stopped', () =>
    withExample((cwd) => {
      const words = ['--property', 'operands', '--seed', '5', '--workers', '2', '--resume', 'state.json', '--runs'];
      expect(fuzz(cwd, [...words, '80']).status).toBe(0);
      const first = JSON.parse(readFileSync(join(cwd, 'state.json'), 'utf8')) as { rounds: number[]; runs: object };
      expect(first).toMatchObject({ rounds: [1, 1], runs: { operands: 80 } });
      expect(fuzz(cwd, [...words, '160']).stdout).toContain('operands   holds for 160 scenarios');
      expect(fuzz(cwd, [...words, '160']).stdout).toContain('operands   holds for 160 scenarios');
    }));

  it('says what it lacks', () =>
    withTree({}, (cwd) => {
      cpSync(join(root, 'dist'), join(cwd, 'dist'), { recursive: true });
      expect(fuzz(cwd, ['--list'], join(cwd, 'dist/rmsh.js'))).toEqual({
        stdout: '',
        stderr: 'rmsh: fuzz: needs the package fast-check, beside rmsh or here: npm install --save-dev fast-check\n',
        status: 2,
      });
    }));

  it.each([
    [['--property', 'none'], "rmsh: fuzz: --property: 'none' is not one of removals"],
    [['--policy', 'gone.json'], 'rmsh: fuzz: --policy: gone.json: No such file or directory'],
    [['--corpus', 'gone'], 'rmsh: fuzz: --corpus: gone: '],
    [['--corpus', 'empty'], 'rmsh: fuzz: --corpus: empty: no scripts in it'],
    [['--oracle', 'zsh'], "rmsh: fuzz: --oracle: 'zsh' is not one of bash"],
    [['--builtins', 'gone.mjs'], 'rmsh: fuzz: --builtins: gone.mjs: '],
  ])('refuses %j', (words, message) =>
    withTree({ empty: { dir: true } }, (cwd) => {
      const { stderr, status } = fuzz(cwd, words);
      expect(stderr).toContain(message);
      expect(status).toBe(2);
    }),
  );
});

describe('seeded faults', { timeout: 120_000 }, () => {
  it('are at least thirty, and each can still be put in', () => {
    expect(FAULTS.length).toBeGreaterThanOrEqual(30);
    for (const fault of FAULTS) expect(patched(join(root, 'dist'), fault).text.length).toBeGreaterThan(0);
    for (const fault of RACE_FAULTS) {
      const text = readFileSync(join(root, fault.file), 'utf8');
      expect(faulty(text, fault)).not.toBe(text);
    }
  });

  it.each(['one removal too many', 'a read-only root can be written'])('%s is found', async (name) => {
    const { how, runs } = await measure(FAULTS.find((fault: { name: string }) => fault.name === name));
    expect({ name, how }).toEqual({ name, how: 'does not hold' });
    expect(runs).toBeLessThan(10_000);
  });
});
