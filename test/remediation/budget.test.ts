/** One budget for everything a run removes: 102 files, and 100 of them go, by whatever way. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import type { Policy } from '../../src/policy/policy.js';
import { type FilesSpec, listFiles, withTree } from '../support/tree.js';

const numbered = (prefix: string, from: number, count: number): FilesSpec =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${prefix}${String(from + i).padStart(3, '0')}.log`, `${i}\n`]),
  );

const HUNDRED_AND_TWO = numbered('f', 0, 102);
const SPENT = 'run-wide budget of 100 file removals is exhausted';

async function run(root: string, script: string, policy: Policy = {}) {
  const shell = createShell({ mode: 'remediation', allowedPaths: [{ path: root, access: 'rw' }], ...policy });
  return shell.run(script, { cwd: root, timeoutMs: 15_000 });
}

describe('of 102 files, 100 are removed', () => {
  const ways = {
    'by a loop': 'for f in *.log; do rm "$f"; done',
    'by while and read': 'ls | while read -r f; do rm "$f"; done',
    'by find and xargs -n1': "find . -name '*.log' -print0 | xargs -0 -n1 rm",
    'by xargs -P4 -n1': "find . -name '*.log' -print0 | xargs -0 -P4 -n1 rm",
    'by xargs -n 10': "find . -name '*.log' -print0 | xargs -0 -n 10 rm",
    'by find -exec ;': "find . -name '*.log' -exec rm {} \\;",
    'by find -delete': "find . -name '*.log' -delete",
    'by sh -c for each': 'for f in *.log; do sh -c \'rm "$1"\' sh "$f"; done',
    'by a function that calls itself': 'go() { [ $# -eq 0 ] || { rm "$1"; shift; go "$@"; }; }; go *.log',
    'by jobs at one time': 'for f in *.log; do rm "$f" & done; wait',
    'by stages at one time':
      '{ for f in f00*; do rm "$f"; done; } | { for f in f0[1-4]*; do rm "$f"; done; } | for f in f0[5-9]* f1*; do rm "$f"; done',
    'by mv onto them, which takes a name away each time': 'for f in *.log; do [ -e one ] || : > one; mv one "$f"; done',
  };

  for (const [way, script] of Object.entries(ways)) {
    it(way, () =>
      withTree(HUNDRED_AND_TWO, async (root) => {
        const moving = script.includes('mv');
        const result = await run(root, `${script}\necho "---"\nls`);
        expect(result.stderr).toContain(SPENT);
        expect(result.removals).toEqual({ made: 100, left: 0 });
        const left = listFiles(root);
        if (moving) {
          // What was moved took the names of a hundred: all 102 names are there, and the one that could not be moved.
          expect(left).toHaveLength(103);
        } else expect(left).toHaveLength(2);
        // The script went on.
        expect(result.stdout).toBe(`---\n${left.join('\n')}\n`);
        expect(result).toMatchObject({ exitCode: 0, status: 'exited' });
      }),
    );
  }

  it('by all of them in one run: function, subshell, substitution, two stages and a job at one time, sh -c, eval', () =>
    withTree(
      { ...HUNDRED_AND_TWO, ...numbered('p', 0, 40), ...numbered('q', 0, 40), ...numbered('j', 0, 40) },
      async (root) => {
        const result = await run(
          root,
          `f() { rm f000.log f001.log; }
        f
        (rm f002.log f003.log)
        x=$(rm -v f004.log f005.log); printf '%s\\n' "$x"
        sh -c 'rm f006.log f007.log'
        eval 'rm f008.log f009.log'
        for f in j*; do rm "$f"; done &
        { for f in p*; do rm "$f"; done; } | for f in q*; do rm "$f"; done
        wait
        echo went on`,
        );
        expect(result.removals).toEqual({ made: 100, left: 0 });
        expect(listFiles(root)).toHaveLength(102 + 120 - 100);
        expect(result.stderr).toContain(SPENT);
        expect(result.stdout).toBe("removed 'f004.log'\nremoved 'f005.log'\nwent on\n");
        // The first ten were there for the taking.
        for (let i = 0; i < 10; i++) expect(existsSync(join(root, `f00${i}.log`))).toBe(false);
      },
    ));
});

describe('the budget', () => {
  it('is not charged for a removal that failed', () =>
    withTree({ ...HUNDRED_AND_TWO, d: { dir: true } }, async (root) => {
      const result = await run(
        root,
        'i=0; while [ $i -lt 150 ]; do rm missing d /outside; i=$((i+1)); done 2>/dev/null; for f in *.log; do rm "$f"; done',
      );
      expect(result.removals).toEqual({ made: 100, left: 0 });
      expect(listFiles(root)).toHaveLength(2);
    }));

  it('is whole again in the next run of the same shell', () =>
    withTree(numbered('f', 0, 250), async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      for (const left of [150, 50, 0]) {
        const result = await shell.run('for f in *.log; do rm "$f"; done', { cwd: root });
        expect(listFiles(root)).toHaveLength(left);
        expect(result.removals.made).toBe(left === 0 ? 50 : 100);
      }
    }));

  it('is its own of each of two runs at one time', () =>
    withTree({ ...numbered('a', 0, 110), ...numbered('b', 0, 110) }, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const script = (prefix: string): string => `for f in ${prefix}*; do rm "$f"; done | cat`;
      const results = await Promise.all(['a', 'b'].map((prefix) => shell.run(script(prefix), { cwd: root })));
      expect(results.map(({ removals }) => removals.made)).toEqual([100, 100]);
      expect(listFiles(root)).toHaveLength(20);
    }));

  it('is set by the host, lower or higher', () =>
    withTree(HUNDRED_AND_TWO, async (root) => {
      const three = await run(root, 'rm f00[0-4].log', { limits: { maxRemovalsPerRun: 3 } });
      expect(three.removals).toEqual({ made: 3, left: 0 });
      expect(three.stderr).toContain("rm: cannot remove 'f003.log': run-wide budget of 3 file removals is exhausted\n");
      // It stopped there: the last one is not even tried.
      expect(three.stderr).not.toContain('f004.log');
      expect(three.exitCode).toBe(1);
      const many = await run(root, 'rm *.log', { limits: { maxRemovalsPerRun: 200, maxRemoveOperands: 200 } });
      expect(many.removals).toEqual({ made: 99, left: 101 });
      expect(listFiles(root)).toEqual([]);
    }));

  it('of nothing removes nothing', () =>
    withTree({ a: '' }, async (root) => {
      const result = await run(root, 'rm a', { limits: { maxRemovalsPerRun: 0 } });
      expect(result.removals).toEqual({ made: 0, left: 0 });
      expect(listFiles(root)).toEqual(['a']);
    }));

  it.each([
    'maxRemovalsPerRun=1000; export maxRemovalsPerRun',
    'set -o maxRemovalsPerRun=1000',
    'ulimit -f unlimited',
    'exec sh -c \'for f in *.log; do rm "$f"; done\'',
    'trap \'for f in *.log; do rm "$f"; done\' EXIT',
    'sh -c \'for f in *.log; do rm "$f"; done\'; bash -c \'for f in *.log; do rm "$f"; done\'',
  ])('is not raised by %s', (attempt) =>
    withTree(HUNDRED_AND_TWO, async (root) => {
      const result = await run(root, `{ ${attempt}; } 2>/dev/null\nfor f in *.log; do rm "$f"; done 2>/dev/null`);
      expect(result.removals.made).toBeLessThanOrEqual(100);
      expect(listFiles(root).length).toBe(102 - result.removals.made);
    }),
  );
});
