/** What others get: types that resolve, a program that starts, and nothing else in the package. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withTree } from './support/tree.js';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the package', { timeout: 60_000 }, () => {
  it.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])('has types for module %s, resolution %s', (module, moduleResolution) =>
    withTree({}, (directory) => {
      mkdirSync(join(directory, 'node_modules/@types'), { recursive: true });
      symlinkSync(root, join(directory, 'node_modules/rmsh'));
      symlinkSync(join(root, 'node_modules/@types/node'), join(directory, 'node_modules/@types/node'));
      writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        strict: true,
        noEmit: true,
        types: ['node'],
      };
      writeFileSync(
        join(directory, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['use.ts', 'misuse.ts'] }),
      );
      writeFileSync(
        join(directory, 'use.ts'),
        `import { createShell } from 'rmsh';
        import type { CompleteCommand } from 'rmsh/grammar';
        const result = await createShell({ mode: 'remediation', allowedPaths: ['a:rw'] }).run(':', { args: ['x'] });
        export const made: number = result.removals.made;
        export const status: 'exited' | 'aborted' | 'timeout' | 'limit' | 'audit' = result.status;
        export const start = (command: CompleteCommand): number => command.start;`,
      );
      // Types that are `any` would let this pass; then the directive itself is an error.
      writeFileSync(
        join(directory, 'misuse.ts'),
        `import { createShell } from 'rmsh';
        // @ts-expect-error: there is no such mode
        createShell({ mode: 'everything' });
        // @ts-expect-error: nor such a grammar
        import { nothing } from 'rmsh/grammar';`,
      );
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', directory], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    }),
  );

  it('has a program that runs by itself', () => {
    const program = join(root, 'dist/rmsh.js');
    expect(statSync(program).mode & 0o111).toBe(0o111);
    expect(readFileSync(program, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(execFileSync(program, ['-c', 'echo it runs'], { encoding: 'utf8', cwd: '/' })).toBe('it runs\n');
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^rmsh \d+\.\d+\.\d+/);
  });

  it('starts from compiled code, where it was built', () => {
    const dist = join(root, 'dist');
    const [cache = '', ...others] = readdirSync(dist).filter((name) => name.endsWith('.cache'));
    expect(others).toEqual([]);
    const source = readFileSync(join(dist, cache.replace(/cache$/, 'js')), 'latin1');
    const script = new Script(source, { cachedData: readFileSync(join(dist, cache)) });
    expect(script.cachedDataRejected).toBe(false);
  });

  it('loads as a library without a dependency beside it', () => {
    const script = `import(${JSON.stringify(join(root, 'dist/index.mjs'))}).then(async ({ createShell }) => {
      const { stdout } = await createShell({}).run('echo $((6 * 7))');
      process.stdout.write(stdout);
    })`;
    expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: '/' })).toBe('42\n');
  });

  it('holds what is built, the example, the README and the licence', () => {
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(listing) as [{ files: { path: string }[] }];
    const names = files.map(({ path }) => path);
    expect(names).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/rmsh.js', 'dist/index.mjs', 'package.json']),
    );
    expect(names.filter((name) => !/^(?:dist|examples)\/|^(?:LICENSE|README\.md|package\.json)$/.test(name))).toEqual(
      [],
    );
  });
});
