/**
 * Removals by every route there is. What counts is not what the shell says it removed but what is gone: each file has contents of
 * its own, and however the script goes about it, no more of them may be lost than the budget allows.
 */
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { removeTree, withTree } from '../support/tree.js';

const BUDGET = 3;
/** A file system that is not the one of temporary trees, where there is one. */
const OTHER = ['/dev/shm', '/var/tmp'].find(
  (path) => ![undefined, statSync(tmpdir()).dev].includes(statSync(path, { throwIfNoEntry: false })?.dev),
);
const NAMES = Array.from({ length: 8 }, (_, i) => `f${i}`);

/** Contents that are still somewhere below `root`, compressed ones included. */
function survivors(root: string): Set<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    const text = (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    for (const name of NAMES) if (text.includes(`<${name}>`)) found.add(name);
  }
  return found;
}

async function lossOf(root: string, script: string, files: readonly string[] = NAMES, roots: readonly string[] = []) {
  for (const name of files) writeFileSync(join(root, name), `<${name}>\n`);
  const shell = createShell({
    mode: 'remediation',
    allowedPaths: [`${root}:rw`, ...roots],
    limits: { maxRemovalsPerRun: BUDGET },
  });
  const result = await shell.run(script, { cwd: root, timeoutMs: 15_000 });
  const left = survivors(root);
  return { result, lost: files.filter((name) => !left.has(name)) };
}

describe(`of ${NAMES.length} files ${BUDGET} are lost at most`, () => {
  it.each([
    'rm f*',
    'rm f0 f1; rm f2 f3; rm f4 f5',
    'for f in f*; do rm "$f"; done',
    'for f in f*; do rm "$f" & done; wait',
    'for f in f*; do (rm "$f"); done',
    'for f in f*; do x=$(rm "$f"); done',
    'for f in f*; do cat <(rm "$f"); done',
    'rm f0 | rm f1 | rm f2 | rm f3 | rm f4 | rm f5',
    'ls f* | xargs -n 1 rm',
    'ls f* | xargs -P 8 -n 1 rm',
    'ls f* | xargs -n 1 env rm',
    "ls f* | xargs -I{} sh -c 'rm {}'",
    'find . -name "f*" -delete',
    'find . -name "f*" -exec rm {} \\;',
    'find . -name "f*" -exec rm {} +',
    'find . -name "f*" -execdir rm {} \\;',
    'find . -name "f[0-3]" -delete & find . -name "f[4-7]" -delete; wait',
    'for f in f*; do sh -c "rm $f"; done',
    'for f in f*; do bash -c "sh -c \'rm $f\'"; done',
    'for f in f*; do eval "rm $f"; done',
    'for f in f*; do command rm "$f"; done',
    'for f in f*; do /bin/rm "$f"; done',
    'printf "rm %s\\n" f* | sh',
    'printf "rm %s\\n" f* > s; . ./s',
    'printf "#!/bin/sh\\nrm f*" > s; chmod +x s; ./s',
    "trap 'rm f4 f5 f6 f7' EXIT; rm f0 f1 f2 f3",
    "trap 'rm f4 f5' EXIT; (trap 'rm f6 f7' EXIT); rm f0 f1",
    "trap 'rm f4 f5 f6 f7' USR1; kill -USR1 $$; rm f0 f1 f2 f3",
    'g() { [ $# -eq 0 ] || { rm "$1"; shift; g "$@"; }; }; g f*',
    'for f in f*; do : > e; mv e "$f"; done',
    'for f in f*; do : > e; mv -f e "$f"; done',
    'for f in f*; do : > e; mv -T e "$f"; done',
    'mkdir n; for f in f*; do : > "n/$f"; done; mv n/* .',
    'mkdir n; for f in f*; do : > "n/$f"; done; mv -t . n/*',
    'for f in f*; do : > "e$f"; ln -f "e$f" "$f"; done',
    'for f in f*; do ln -sf e "$f"; done',
    'for f in f*; do : > e; cp --remove-destination e "$f"; done',
    'mkdir n; for f in f*; do : > "n/$f"; done; cp --remove-destination n/* .',
    'mkdir n; for f in f*; do : > "n/$f"; done; tar -C n -cf a.tar .; tar -xf a.tar',
    'exec rm f*',
    "exec sh -c 'rm f*'",
    'mkdir n; mv f* n; cd n; rm f*',
    'rm f* 2>/dev/null; rm f* 2>/dev/null; rm f* 2>/dev/null; rm f*',
    'while :; do set -- f*; [ -e "$1" ] || break; rm "$1" || break; done',
    'ulimit -n 20; readonly maxRemovalsPerRun=99; export maxRemovalsPerRun; set -- f*; rm "$@"',
  ])('%s', (script) =>
    withTree({}, async (root) => {
      const { result, lost } = await lossOf(root, script);
      expect(lost.length).toBeLessThanOrEqual(BUDGET);
      // It did try: the budget was what stood in its way.
      expect(result.removals).toEqual({ made: BUDGET, left: 0 });
      expect(result.stderr).toContain(`run-wide budget of ${BUDGET} file removals is exhausted`);
      expect(result.status).toBe('exited');
    }),
  );

  it('gzip takes the names of what it has compressed, and is charged for each', () =>
    withTree({}, async (root) => {
      const { result, lost } = await lossOf(root, 'gzip f*');
      expect(lost).toEqual([]);
      expect(result.removals).toEqual({ made: BUDGET, left: 0 });
      expect(readdirSync(root).filter((name) => /^f\d$/.test(name))).toHaveLength(NAMES.length - BUDGET);
    }));

  it('moving to free names costs nothing, and loses nothing', () =>
    withTree({}, async (root) => {
      const { result, lost } = await lossOf(root, 'mkdir n; mv f* n; for f in n/*; do mv "$f" "$f.old"; done');
      expect(lost).toEqual([]);
      expect(result.removals.made).toBe(0);
    }));

  it.skipIf(OTHER === undefined)('moving to another file system is a copy and a removal', () =>
    withTree({}, async (root) => {
      const other = mkdtempSync(join(OTHER ?? '', 'rmsh-test-'));
      try {
        const { result, lost } = await lossOf(root, `mv f* ${other}/`, NAMES, [`${other}:rw`]);
        expect(result.removals).toEqual({ made: BUDGET, left: 0 });
        const moved = survivors(other);
        expect(lost.filter((name) => !moved.has(name))).toEqual([]);
        expect(result.stderr).toContain('is exhausted');
      } finally {
        removeTree(other);
      }
    }),
  );
});
