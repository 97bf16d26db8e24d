import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lsof } from '../../builtins/lsof.js';
import { makeTree, temporaryDirectory } from '../support/builtin-tree.js';
import { runReal } from '../support/host-tools.js';
import { ORACLES_REQUIRED } from '../support/oracles.js';
import { runBuiltin } from '../support/run-builtin.js';

describe('lsof', () => {
  let root = '';
  const descriptors: number[] = [];
  beforeAll(() => {
    root = makeTree({ 'kept.log': 'kept\n' });
    const gone = openSync(join(root, 'gone.log'), 'w');
    writeSync(gone, 'x'.repeat(5000));
    unlinkSync(join(root, 'gone.log'));
    descriptors.push(gone, openSync(join(root, 'kept.log'), 'r'), openSync('/etc/passwd', 'r'));
  });
  afterAll(() => {
    for (const fd of descriptors) closeSync(fd);
  });

  const run = (words: readonly string[], cwd = root) => runBuiltin(lsof, words, { cwd });
  const rows = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.trim().split(/ +/));

  it('shows deleted files that are still open', async () => {
    const { stdout, status } = await run(['-a', '-p', `${process.pid}`, '+L1']);
    expect(status).toBe(0);
    const own = rows(stdout).filter((row) => row.at(-1) === '(deleted)' && row.at(-2)?.startsWith(root));
    expect(own).toHaveLength(1);
    const [row = []] = own;
    expect(row.slice(1, 2)).toEqual([`${process.pid}`]);
    expect(row.slice(3, 5)).toEqual([`${descriptors[0]}w`, 'REG']);
    expect([row[6], row[7]]).toEqual(['5000', '0']);
  });

  it('does not tell names outside the roots', async () => {
    const { stdout } = await run(['-p', `${process.pid}`]);
    const open = (fd: number | undefined) => rows(stdout).find((row) => row[3]?.replace(/[a-z]$/, '') === `${fd}`);
    expect(open(descriptors[1])?.at(-1)).toBe(join(root, 'kept.log'));
    expect(open(descriptors[2])?.at(-1)).toBe('(restricted)');
    expect(stdout).not.toContain('/etc/passwd');
    const elsewhere = await run(['-p', `${process.pid}`], temporaryDirectory());
    expect(elsewhere.stdout).not.toContain(root);
    expect(elsewhere.stdout).toContain('(restricted) (deleted)');
  });

  it('finds who has a file open', async () => {
    expect(await run(['-t', 'kept.log'])).toMatchObject({ stdout: `${process.pid}\n`, status: 0 });
    expect(await run(['nofile'])).toMatchObject({
      status: 1,
      stderr: 'lsof: status error on nofile: No such file or directory\n',
    });
    expect(await run(['/etc/passwd'])).toMatchObject({
      status: 1,
      stderr: 'lsof: status error on /etc/passwd: Permission denied\n',
    });
  });

  it('takes any of what is asked for, with -a all of it', async () => {
    expect((await run(['-t', '-a', '-p', '1', 'kept.log'])).status).toBe(1);
    expect((await run(['-t', '-p', '999999999', 'kept.log'])).stdout).toBe(`${process.pid}\n`);
    expect((await run(['-t', '-a', '-c', 'nosuchname', 'kept.log'])).status).toBe(1);
  });

  it('refuses what it does not know', async () => {
    expect((await run(['-i'])).stderr).toContain("write 'ss -tunap'");
    expect(await run(['+D', '.'])).toMatchObject({ status: 1, stderr: "lsof: '+D' is not supported\n" });
    expect(await run(['-u', 'nosuchuser'])).toMatchObject({ status: 1 });
    expect(await run(['-p', 'x'])).toMatchObject({ status: 1 });
  });

  const real = runReal('lsof', '-v') !== undefined;
  it.skipIf(!real && !ORACLES_REQUIRED)('says what the real one says of each descriptor', { retry: 2 }, async () => {
    const words = ['-nP', '-a', '-p', `${process.pid}`];
    const ours = (await runBuiltin(lsof, words, { cwd: '/', roots: [{ path: '/', writable: false }] })).stdout;
    const theirs = runReal('lsof', words.join(' '))?.stdout ?? '';
    // Sockets have more to them in the real one, and mapped files are not ours to show.
    const files = (text: string) =>
      rows(text).filter((row) => ['REG', 'DIR', 'CHR', 'FIFO'].includes(row[4] ?? '') && row[3] !== 'mem');
    expect(files(ours).length).toBeGreaterThan(5);
    // The roots of the run are open in ours alone.
    const common = (text: string, other: string) => {
      const places = new Set(files(other).map((row) => row[3]));
      return files(text).filter((row) => places.has(row[3]));
    };
    expect(common(ours, theirs)).toEqual(common(theirs, ours));
    expect(ours.split('\n')[0]?.trim().split(/ +/)).toEqual(theirs.split('\n')[0]?.trim().split(/ +/));
  });
});
