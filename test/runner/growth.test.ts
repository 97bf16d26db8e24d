/** Expansion, splitting and matching take time in proportion to what they are given. */
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { cpuSince } from '../support/cpu.js';
import { removeTree, temporaryTree } from '../support/tree.js';

/** Scripts on a text of `$n` characters. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'a pattern of many stars that does not match': 'case $x in *a*a*a*b) echo no;; esac',
  'a condition with such a pattern': '[[ $x == *a*a*a*b ]] && echo no',
  'the longest prefix': 'y=${x##*a*a*b}',
  'the longest suffix': 'y=${x%%b*a*a*}',
  'a replacement of every character': 'y=${x//a/bc}; [ ${#y} -eq $((2 * n)) ]',
  'a replacement that never matches': 'y=${x//a*b/c}',
  'splitting, at each second character': 'y=${x//a/ a}; set -f; set -- $y; [ $# -eq $n ]',
  'splitting by what is no blank': 'y=${x//a/:a}; IFS=:; set -f; set -- $y; [ $# -eq $((n + 1)) ]',
  joining: 'y=${x//a/ a}; set -f; set -- $y; z="$*"; [ ${#z} -eq $((2 * n - 1)) ]',
  'a part of it': 'y=${x:$((n / 2))}; [ ${#y} -eq $((n / 2)) ]',
};

async function milliseconds(script: string, n: number): Promise<number> {
  const directory = temporaryTree({});
  try {
    const shell = createShell({ allowedPaths: [directory] });
    const start = process.cpuUsage();
    const made = `n=${n}; x=$(printf "%0${n}d" 0); x=\${x//0/a}; ${script}`;
    const { exitCode, stdout, stderr } = await shell.run(made, { cwd: directory, timeoutMs: 60_000 });
    expect({ ok: exitCode === 0 || script.includes('no'), stdout, stderr }).toEqual({
      ok: true,
      stdout: '',
      stderr: '',
    });
    return cpuSince(start);
  } finally {
    removeTree(directory);
  }
}

describe('growth', () => {
  it.each(Object.entries(SCRIPTS))(
    '%s: four times the text takes no more than some times the time',
    async (_, script) => {
      await milliseconds(script, 25_000);
      const small = Math.min(await milliseconds(script, 25_000), await milliseconds(script, 25_000));
      const large = Math.min(await milliseconds(script, 100_000), await milliseconds(script, 100_000));
      // quadratic growth would be 16 times
      expect(large).toBeLessThan(10 * small + 100);
    },
  );

  it('splits a million fields, and meets a limit that has a name with more than it allows', async () => {
    const shell = createShell({});
    const script = 'x=$(yes w | head -n 1000000); set -f; set -- $x; echo $#';
    expect((await shell.run(script)).stdout).toBe('1000000\n');
    const limited = await createShell({ limits: { maxFields: 999_999 } }).run(script);
    expect(limited.stdout).toBe('');
    expect(limited.message ?? limited.stderr).toContain('maxFields');
  });
});
