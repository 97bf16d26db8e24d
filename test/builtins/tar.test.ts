/** tar. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tar } from '../../builtins/tar.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot, temporaryDirectory } from '../support/builtin-tree.js';
import { expectLikeGnu, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const TAR = /\(GNU tar\) 1\.34\b/;

const mtime = 1_600_000_000;
const LONG = 'n'.repeat(120);

const tree = {
  'd/f': { content: 'hello\n', mtime, mode: 0o644 },
  'd/run': { content: '#!', mtime, mode: 0o755 },
  'd/big': { size: 70_000, mtime, mode: 0o600 },
  'd/l': { symlink: 'f' },
  'd/s/deep': { content: 'x', mtime },
  'd/s/up': { symlink: '../f' },
  [`d/${LONG}/${LONG}`]: { content: 'long', mtime },
  'd/wei\nrd\\é\udcff': { content: '', mtime },
  'd/empty': { dir: true, mode: 0o755, mtime },
  one: { content: '1', mtime },
  junk: { content: 'j'.repeat(2000) },
  short: { content: 'j' },
  nothing: { content: '' },
} as const;

function prepare(cwd: string): void {
  const run = (...words: string[]) => execFileSync('tar', ['--sort=name', `--mtime=@${mtime}`, ...words], { cwd });
  execFileSync('ln', ['d/f', 'd/h'], { cwd });
  execFileSync('ln', ['-s', `${LONG}${LONG}`, 'd/ll'], { cwd });
  run('-cf', 'a.tar', 'd');
  run('-czf', 'a.tgz', 'd');
  run('-H', 'pax', '-cf', 'pax.tar', 'd');
  run('-H', 'ustar', '-cf', 'ustar.tar', 'd/f', 'd/s');
  run('-H', 'v7', '-cf', 'v7.tar', 'd/f', 'd/s');
  run('-cf', 'two.tar', 'd/f', 'one');
  writeFileSync(join(cwd, 'cut.tar'), readFileSync(join(cwd, 'two.tar')).subarray(0, 700));
  writeFileSync(join(cwd, 'ends.tar'), readFileSync(join(cwd, 'two.tar')).subarray(0, 1024));
  writeFileSync(join(cwd, 'lone.tar'), readFileSync(join(cwd, 'two.tar')).subarray(0, 2560));
  writeFileSync(join(cwd, 'cut.tgz'), readFileSync(join(cwd, 'a.tgz')).subarray(0, 100));
  execFileSync('rm', ['-r', 'd'], { cwd });
}

withGnu('tar', TAR, () => {
  gnuRows(
    tar,
    [
      '-tf a.tar',
      '-tvf a.tar',
      'tvf a.tar',
      'tf a.tgz',
      '-tzvf a.tgz',
      '-tvf pax.tar',
      '-tvf ustar.tar',
      '-tvf v7.tar',
      '-tf a.tar d/s d/f',
      '-tf a.tar d/s/ d/nope nope',
      '-tf gone.tar',
      '-tf short',
      '-tf nothing',
      '-tzf a.tar',
      '-tf cut.tar',
      '-tf ends.tar',
      '-tf lone.tar',
      '-tf d',
      '--list --file=a.tar --verbose',
      '',
      '-c',
      '-cf',
      '-cf x.tar',
      '-xtf a.tar',
      '--nothing',
      '-t --file',
      '-tf -',
    ],
    { tree, prepare },
  );
  gnuRows(tar, ['-tvf a.tar'], { tree, prepare, timeZone: 'EST5EDT,M3.2.0,M11.1.0' });
  gnuRows(
    tar,
    [
      '-xf a.tar',
      'xvf a.tar',
      '-xvvf two.tar',
      'xzf a.tgz',
      '-xf pax.tar',
      '-xf v7.tar d/s',
      '-xf a.tar d/f d/nope',
      '-xf two.tar -C nope',
      '-xf gone.tar',
      '-xf ends.tar',
      '-C out -xvf two.tar',
      '-xf two.tar -C out d/f -C ../other one',
    ],
    { tree: { ...tree, 'out/d/f': 'old', 'other/x': '' }, prepare, writes: true },
  );

  for (const words of [
    ['one'],
    ['d/f', 'one'],
    ['d/s/deep', 'd/l'],
    ['d/empty'],
    [`d/${LONG}`],
    ['-C', 'd', 'f', '-C', 's', 'deep'],
  ]) {
    it(`writes the same bytes for ${words.join(' ').slice(0, 40)}`, async () => {
      const cwd = makeTree(tree);
      const theirs = spawnSync('tar', ['-cf', '-', ...words], { cwd, maxBuffer: 1 << 28 });
      const ours = await runBuiltin(tar, ['-cf', '-', ...words], { cwd });
      expect(ours.stdoutBytes.equals(theirs.stdout)).toBe(true);
      expect(ours.status).toBe(theirs.status);
    });
  }

  gnuRows(
    tar,
    [
      '-cvf new.tar one d/f',
      '-cvvf new.tar one',
      '-cf new.tar nope one',
      '-cf new.tar ./one d/../one',
      '-cf no/where one',
    ],
    { tree, writes: true },
  );

  it('makes what GNU tar extracts', async () => {
    const cwd = makeTree(tree);
    execFileSync('ln', ['d/f', 'd/h'], { cwd });
    expect(await runBuiltin(tar, ['-czf', 'new.tgz', 'd'], { cwd })).toMatchObject({ status: 0, stderr: '' });
    const out = temporaryDirectory();
    execFileSync('tar', ['-xf', join(cwd, 'new.tgz'), '-C', out]);
    expect(snapshot(join(out, 'd'))).toEqual(snapshot(join(cwd, 'd')));
    expect(statSync(join(out, 'd/f')).mtimeMs).toBe(mtime * 1000);
  });

  it('strips what leads out of names', () => expectLikeGnu(tar, ['-tf', 'evil.tar'], { prepare: makeEvil }));

  it('takes names that lead out, and links, as far as they are harmless', async () => {
    const cwd = temporaryDirectory();
    makeEvil(cwd);
    const result = await runBuiltin(tar, ['-xf', 'evil.tar', '-C', 'out'], { cwd });
    expect(result.status).toBe(2);
    expect(snapshot(join(cwd, 'out')).map((line) => line.split(' ')[0])).toEqual([
      'abs/',
      'abs/x',
      'hl3',
      'in',
      'ln/',
      'ln/passwd',
      'ok',
      'sub/',
      'sub/deep',
    ]);
    expect(readdirSync(cwd).sort()).toEqual(['evil.tar', 'out', 'victim']);
    expect(readFileSync(join(cwd, 'victim'), 'utf8')).toBe('safe');
    for (const name of ['ln', 'ln2', 'tricky']) expect(result.stderr).toContain(`tar: ${name}: Cannot create symlink`);
    for (const name of ['../up', 'a/../../b'])
      expect(result.stderr).toContain(`tar: ${name}: Member name contains '..'`);
  });
});

/** An archive that tries to get out. */
function makeEvil(cwd: string): void {
  const script = `
import tarfile, io
t = tarfile.open('evil.tar', 'w', format=tarfile.GNU_FORMAT)
def file(name):
    i = tarfile.TarInfo(name); i.size = 1; t.addfile(i, io.BytesIO(b'1'))
def link(name, target, kind):
    i = tarfile.TarInfo(name); i.type = kind; i.linkname = target; t.addfile(i)
for n in ['/abs/x', '../up', 'a/../../b', 'ok', 'sub/deep']: file(n)
link('ln', '/etc', tarfile.SYMTYPE)
file('ln/passwd')
link('ln2', '..', tarfile.SYMTYPE)
link('in', 'sub/deep', tarfile.SYMTYPE)
link('tricky', 'sub/../..', tarfile.SYMTYPE)
link('hl', '/etc/passwd', tarfile.LNKTYPE)
link('hl2', '../victim', tarfile.LNKTYPE)
link('hl3', 'ok', tarfile.LNKTYPE)
t.close()
`;
  execFileSync('python3', ['-c', script], { cwd });
  execFileSync('mkdir', ['out'], { cwd });
  writeFileSync(join(cwd, 'victim'), 'safe');
}

describe('tar', () => {
  it('goes through no link that leads out of the directory', async () => {
    const cwd = makeTree({
      'a/x/f': 'new',
      'out/keep': '',
      'elsewhere/f': 'old',
      'out/x': { symlink: '../elsewhere' },
    });
    execFileSync('tar', ['-C', 'a', '-cf', 'a.tar', 'x/f'], { cwd });
    const result = await runBuiltin(tar, ['-xf', 'a.tar', '-C', 'out'], { cwd });
    expect(result).toMatchObject({ status: 2 });
    expect(result.stderr).toContain('a link leads out of out');
    expect(readFileSync(join(cwd, 'elsewhere/f'), 'utf8')).toBe('old');
  });

  it('draws on the budget for each file it replaces, and stops when it is spent', async () => {
    const cwd = makeTree({ a: '1', b: '2', c: '3' });
    execFileSync('tar', ['-cf', 't.tar', 'a', 'b', 'c'], { cwd });
    for (const name of ['a', 'b', 'c']) writeFileSync(join(cwd, name), 'old');
    const budget = removalBudget(2);
    const result = await runBuiltin(tar, ['-xf', 't.tar'], { cwd, budget });
    expect(budget.used).toBe(2);
    expect(result).toMatchObject({ status: 2 });
    expect(result.stderr).toMatch(/^tar: c: Cannot open: .*exhausted\ntar: Error is not recoverable: exiting now\n$/);
    expect(['a', 'b', 'c'].map((name) => readFileSync(join(cwd, name), 'utf8'))).toEqual(['1', '2', 'old']);
  });

  it('removes no directory', async () => {
    const cwd = makeTree({ a: '1' });
    execFileSync('tar', ['-cf', 't.tar', 'a'], { cwd });
    execFileSync('sh', ['-c', 'rm a; mkdir a'], { cwd });
    expect(await runBuiltin(tar, ['-xf', 't.tar'], { cwd })).toMatchObject({
      status: 2,
      stderr: 'tar: a: Cannot open: File exists\ntar: Exiting with failure status due to previous errors\n',
    });
  });

  it('lists in read-only mode, and does nothing more', async () => {
    const cwd = makeTree({ a: '1' });
    execFileSync('tar', ['-cf', 't.tar', 'a'], { cwd });
    const remediation = false;
    expect(await runBuiltin(tar, ['-tf', 't.tar'], { cwd, remediation })).toMatchObject({ stdout: 'a\n', status: 0 });
    expect(await runBuiltin(tar, ['-xf', 't.tar'], { cwd, remediation })).toMatchObject({ status: 2 });
    expect(await runBuiltin(tar, ['-cf', 'n.tar', 'a'], { cwd, remediation })).toMatchObject({ status: 2 });
    expect((await runBuiltin(tar, ['-c', 'a'], { cwd, remediation })).stdoutBytes.length).toBe(10_240);
  });

  it('reads an archive from a stream, in pieces of any size', async () => {
    const cwd = makeTree(tree);
    const bytes = execFileSync('tar', ['-cf', '-', 'd/f', `d/${LONG}`], { cwd });
    const stdin = Array.from({ length: Math.ceil(bytes.length / 37) }, (_, i) => bytes.subarray(i * 37, i * 37 + 37));
    const expected = `d/f\nd/${LONG}/\nd/${LONG}/${LONG}\n`;
    expect((await runBuiltin(tar, ['-t'], { cwd, stdin })).stdout).toBe(expected);
    expect((await runBuiltin(tar, ['-t'], { cwd, stdin: bytes, slow: true })).stdout).toBe(expected);
    const packed = execFileSync('gzip', ['-c'], { input: bytes });
    expect((await runBuiltin(tar, ['-tz'], { cwd, stdin: packed })).stdout).toBe(expected);
    expect(await runBuiltin(tar, ['-t'], { cwd, stdin: packed })).toMatchObject({
      status: 2,
      stderr: 'tar: Archive is compressed. Use -z option\ntar: Error is not recoverable: exiting now\n',
    });
  });

  it('needs no working directory that it may read', async () => {
    const root = makeTree({ a: '1' });
    const options = { cwd: '/', roots: [{ path: root, writable: false }] };
    expect(await runBuiltin(tar, ['-cf', '-', '-C', root, 'a'], options)).toMatchObject({ status: 0, stderr: '' });
    expect(await runBuiltin(tar, ['-cf', '-', join(root, 'a')], options)).toMatchObject({
      status: 0,
      stderr: "tar: Removing leading `/' from member names\n",
    });
  });

  it('writes through no link that it made or found', async () => {
    const cwd = makeTree({ 'out/x': { symlink: '../elsewhere' }, 'out/sub/f': '', 'elsewhere/s/f': 'old' });
    const script = `
import tarfile, io
t = tarfile.open('t.tar', 'w', format=tarfile.GNU_FORMAT)
def link(name, target):
    i = tarfile.TarInfo(name); i.type = tarfile.SYMTYPE; i.linkname = target; t.addfile(i)
def file(name):
    i = tarfile.TarInfo(name); i.size = 1; t.addfile(i, io.BytesIO(b'1'))
link('y', 'sub'); file('y/g'); link('y', 'x/s'); file('y/f'); t.close()
`;
    execFileSync('python3', ['-c', script], { cwd });
    expect(await runBuiltin(tar, ['-xf', 't.tar', '-C', 'out'], { cwd })).toMatchObject({ status: 2 });
    expect(readFileSync(join(cwd, 'elsewhere/s/f'), 'utf8')).toBe('old');
  });

  it('does not put an archive into itself', async () => {
    const cwd = makeTree({ 'd/a': '1' });
    const result = await runBuiltin(tar, ['-cf', 'd/t.tar', 'd'], { cwd });
    expect(result).toMatchObject({ status: 0, stderr: 'tar: d/t.tar: file is the archive; not dumped\n' });
    expect(execFileSync('tar', ['-tf', 'd/t.tar'], { cwd }).toString()).toBe('d/\nd/a\n');
  });

  it('refuses a -C that nothing follows', async () => {
    expect(await runBuiltin(tar, ['-cf', 'x', 'a', '-C', 'd'], { cwd: makeTree(tree) })).toMatchObject({ status: 2 });
  });
});
