/** What somebody has who installs the package: packed, installed by npm into an empty project, on every Node that is at hand. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPacked } from '../support/packed.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Other Nodes, separated by colons; `.ci/run` names them. */
const others = (process.env['RMSH_NODES'] ?? '').split(':').filter((path) => path !== '');
if (others.length === 0) console.warn(`RMSH_NODES is not set: the package is tried on ${process.version} alone`);

/** What works with nothing else installed; `rmsh/fuzz` wants its optional peer. */
const ENTRIES = ['rmsh', 'rmsh/grammar', 'rmsh/memory'];
const FUZZ = 'rmsh/fuzz';

function withPeer<T>(wanted: boolean, use: () => T): T {
  const link = join(project, 'node_modules/fast-check');
  if (wanted) symlinkSync(join(root, 'node_modules/fast-check'), link);
  try {
    return use();
  } finally {
    rmSync(link, { force: true });
  }
}

/** In bytes. Whoever needs more says in the commit what for: what is read at start is paid for by each run. */
const MOST = { core: 480_000, packed: 1_800_000, unpacked: 5_500_000 };

const began = Date.now();
let project = '';
let packed = 0;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'rmsh-installed-'));
  packed = statSync(installPacked(project)).size;
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the installed package', { timeout: 60_000 }, () => {
  it.each([process.execPath, ...others])('runs as a program, and as a library: %s', (node) => {
    const started = spawnSync(
      node,
      [join(project, 'node_modules/.bin/rmsh'), '-c', 'seq 3 | sort -rn | head -n 1; exit 7'],
      {
        cwd: project,
        encoding: 'utf8',
      },
    );
    expect(started).toMatchObject({ status: 7, stdout: '3\n', stderr: '' });
    const script = `
      const { createShell } = await import('rmsh');
      const { memoryFs } = await import('rmsh/memory');
      const { parse } = await import('rmsh/grammar');
      const files = memoryFs({ '/d/f': 'x' });
      const shell = createShell({ mode: 'remediation', allowedPaths: ['/d:rw'] }, { files });
      const run = await shell.run('rm -v /d/f; jq -n 1+1');
      console.log(run.stdout, parse('a; b').commands.length);`;
    const used = spawnSync(node, ['--input-type=module', '-e', script], { cwd: project, encoding: 'utf8' });
    expect(used).toMatchObject({ status: 0, stdout: "removed '/d/f'\n2\n 1\n", stderr: '' });
  });

  it.each([process.execPath, ...others])(
    'starts from code that is compiled for the Node it is installed with: %s',
    (node) => {
      const dist = join(project, 'node_modules/rmsh/dist');
      const [cache = ''] = readdirSync(dist).filter((name) => name.endsWith('.cache'));
      // npm gives what it unpacks an age of decades.
      if (node === process.execPath) expect(statSync(join(dist, cache)).mtimeMs).toBeGreaterThan(began);
      else
        expect(spawnSync(node, [join(dist, 'compile.js')], { encoding: 'utf8' })).toMatchObject({
          status: 0,
          stderr: '',
        });
      const script = `
      const { readFileSync } = require('node:fs');
      const [source, cachedData] = [readFileSync(${JSON.stringify(join(dist, cache.replace(/cache$/, 'js')))}, 'latin1'), readFileSync(${JSON.stringify(join(dist, cache))})];
      console.log(new (require('node:vm').Script)(source, { cachedData }).cachedDataRejected);`;
      expect(spawnSync(node, ['-e', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: 'false\n' });
    },
  );

  it('is started by npx', () => {
    const started = spawnSync('npx', ['--no-install', 'rmsh', '-c', 'echo ok'], { cwd: project, encoding: 'utf8' });
    expect(started).toMatchObject({ status: 0, stdout: 'ok\n' });
  });

  it.each([
    ['node16', 'node16', ENTRIES],
    ['esnext', 'bundler', ENTRIES],
    ['node16', 'node16', [FUZZ]],
    ['esnext', 'bundler', [FUZZ]],
  ])('has whole declarations for module %s, resolution %s: %j', (module, moduleResolution, entries) => {
    writeFileSync(
      join(project, 'use.ts'),
      `${entries.map((entry, index) => `import * as part${index} from '${entry}';`).join('\n')}
      export const parts = [${entries.map((_, index) => `part${index}`).join(', ')}];`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = `--noEmit --strict --target es2022 --module ${module} --moduleResolution ${moduleResolution} --types node`;
    const words = [tsc, ...options.split(' '), '--typeRoots', join(root, 'node_modules/@types'), 'use.ts'];
    const checked = withPeer(entries.includes(FUZZ), () =>
      spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' }),
    );
    expect({ status: checked.status, said: checked.stdout }).toEqual({ status: 0, said: '' });
  });

  it.each([...ENTRIES, FUZZ])(
    'does nothing when %s is imported: no globals, no listeners, nothing that waits, no word',
    (entry) => {
      const script = `
      const own = (value) => Reflect.ownKeys(value).map((key) => [key, Reflect.getOwnPropertyDescriptor(value, key)?.value]);
      const shared = [Object, Array, String, Number, RegExp, Map, Set, Promise, Error, Uint8Array, Buffer, Function];
      const seen = () => [
        Reflect.ownKeys(globalThis).map((key) => [key]),
        ...shared.flatMap((one) => [own(one), own(one.prototype)]),
        own(process),
        process.eventNames().map((name) => [name, process.listenerCount(name)]),
        process.getActiveResourcesInfo().map((name) => [name]),
        own(process.env),
      ];
      const changed = (a, b) => a.length !== b.length || a.some(([key, value], at) => key !== b[at][0] || !Object.is(value, b[at][1]));
      const stackLimit = Error.stackTraceLimit;
      const before = seen();
      await import('${entry}');
      // node itself closes the files it has read
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      const after = seen();
      if (stackLimit !== Error.stackTraceLimit) console.log('the limit of stack traces');
      after.forEach((list, at) => { if (changed(before[at], list)) console.log('changed', at); });`;
      const used = withPeer(entry === FUZZ, () =>
        spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: project, encoding: 'utf8' }),
      );
      expect(used).toMatchObject({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('keeps to its size', () => {
    const folder = join(project, 'node_modules/rmsh');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map((entry) => ({ name: entry.name, size: statSync(join(entry.parentPath, entry.name)).size }));
    const core = sizes.filter(({ name }) => /^rmsh-core-.*\.js$/.test(name));
    expect(core).toHaveLength(1);
    expect(core[0]?.size).toBeLessThan(MOST.core);
    expect(packed).toBeLessThan(MOST.packed);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST.unpacked);
  });
});
