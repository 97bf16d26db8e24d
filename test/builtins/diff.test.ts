/** diff. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diff } from '../../builtins/diff.js';
import { makeTree, temporaryDirectory } from '../support/builtin-tree.js';
import { gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const DIFFUTILS = /\(GNU diffutils\) 3\.8\b/;

const at = (content: string, mtime = 1_700_000_000.25) => ({ content, mtime });

const tree = {
  a: at('a\nb\nc\n'),
  b: at('b\nc\nd\n'),
  same: at('a\nb\nc\n'),
  open: at('a\nb\nc'),
  opened: at('a\nx\nc'),
  empty: at(''),
  upper: at('A\nb\nC\n'),
  spaces: at(' a\nb  \nc\t \n'),
  wide: at('a\nb\n\n\nc\n'),
  blanks: at('\na\n \nb\n\nc\n\n'),
  long: at(Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')),
  longer: at(Array.from({ length: 60 }, (_, i) => ([5, 12, 20, 40].includes(i) ? `l ${i}\n` : `line ${i}\n`)).join('')),
  binary: at('a\0b'),
  other: at('a\0c'),
  late: at(`${'x'.repeat(70_000)}\0b`),
  later: at(`${'x'.repeat(70_000)}\0c`),
  'sp ace': at('x\n'),
  'é"q\\\t': at('y\n', -1.5),
  'one/f': at('1\n'),
  'one/same': at('s\n'),
  'one/only': at('o\n'),
  'one/sub/deep': at('d\n'),
  'one/sub/a': at('d\n'),
  'one/type': at('d\n'),
  'one/x y': at('d\n'),
  'one/kind/x': at(''),
  'one/void': at(''),
  'two/f': at('2\n'),
  'two/same': at('s\n'),
  'two/new/n': at('n\n'),
  'two/sub/deep': at('e\n'),
  'two/type/x': at(''),
  'two/x y': at('e\n'),
  'two/kind': at('k'),
  'two/void/x': at('k'),
  link: { symlink: 'a' },
  'loop/one/up': { symlink: '..' },
  'pool/one/up': { symlink: '..' },
} as const;

const FORMATS = ['', '-u', '-U 0', '-U 1', '-q', '-s', '-i', '-w', '-b', '-B', '-uB', '-bB -u', '-U 1 -wB', '-qi'];
const PAIRS = ['a b', 'a same', 'a open', 'open a', 'open opened', 'a empty', 'empty a', 'a upper', 'a spaces'];
const MORE = ['spaces a', 'a wide', 'blanks a', 'long longer', 'open spaces', 'wide blanks', 'binary other', 'a link'];

withGnu('diff', DIFFUTILS, () => {
  gnuRows(
    diff,
    FORMATS.flatMap((format) => [...PAIRS, ...MORE].map((pair) => `${format} ${pair}`)),
    { tree },
  );
  gnuRows(
    diff,
    [
      'binary binary',
      'binary other -s',
      '-a binary other',
      'late later',
      '-q late later',
      'a -',
      '- a',
      '- -',
      '-s - -',
      '-q a -',
      'a /dev/null',
      ['-u', 'sp ace', 'é"q\\\t'],
      ['-q', 'sp ace', 'é"q\\\t'],
      'one two',
      '-r one two',
      '-ru one two',
      '-rq one two',
      '-rs one two',
      '-s one two',
      '-rN one two',
      '-ruN --unified=1 one two',
      '-N one two',
      '-Nq one two',
      'one -r two --unified',
      '-r one/ two/ --',
      'one/f two',
      'one two/f',
      'one/f two/',
      'one/nothing two',
      'one/only two',
      '- one',
      'one -',
      'one one',
      '-s one one',
      '-r one gone',
      'gone a',
      'a gone',
      'gone gone2',
      '-N gone a',
      '-Nu gone a',
      '-N a gone',
      '-N gone gone2',
      '-N gone gone',
      '-rN one gone',
      '-N one gone',
      '-N gone one',
      '-s gone gone',
      '-r loop pool',
      'one/sub two/sub',
      '',
      'a',
      '-u',
      '-u a',
      'a b c',
      '-j a b',
      '--nothing a b',
      '--brief=x a b',
      '-U',
      '-U x a b',
      '-U -1 a b',
      '-U 2x a b',
      '--unified=x a b',
      ['-U', '', 'a', 'b'],
      '-U 99999999999999999999 a b',
      '-u -U 1 long longer',
      '-U 1 -U 4 long longer',
      '-U 7 long longer',
      '-U 10 long longer',
      '--recursive --report-identical-files --brief one two',
      '--ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines a spaces',
      '--text --new-file a b',
    ],
    { tree, stdin: 'a\nb\nx\n', environment: {} },
  );
  gnuRows(diff, ['-u a b'], { tree, timeZone: 'EST5EDT,M3.2.0,M11.1.0' });
});

/** Pairs of files, as lists of lines: random ones, and ones that are edits of each other. */
function filePair(alphabet: number, length: number) {
  const line = fc.integer({ min: 0, max: alphabet - 1 }).map((n) => ['', ' ', 'x'][n] ?? `l${n}`);
  const text = fc.array(line, { maxLength: length, size: 'max' });
  const edits = fc.array(
    fc.record({ at: fc.nat(length), remove: fc.nat(4), insert: fc.array(line, { maxLength: 4 }) }),
    { maxLength: 12 },
  );
  return fc.record({
    a: text,
    b: fc.option(text, { freq: 2 }),
    edits,
    openA: fc.boolean(),
    openB: fc.boolean(),
  });
}

const OPTIONS = [[], ['-u'], ['-U0'], ['-U1'], ['-w'], ['-b', '-U2'], ['-B'], ['-B', '-u'], ['-bB', '-U1']] as const;

async function compareMany(alphabet: number, length: number, runs: number): Promise<void> {
  const cwd = temporaryDirectory();
  const samples = fc.sample(filePair(alphabet, length), { numRuns: runs, seed: 7 * alphabet + length });
  const script: string[] = [];
  for (const [i, { a, b, edits, openA, openB }] of samples.entries()) {
    const edited = [...a];
    for (const edit of edits) edited.splice(edit.at, edit.remove, ...edit.insert);
    const write = (name: string, lines: readonly string[], open: boolean) =>
      writeFileSync(join(cwd, name), open ? lines.join('\n') : lines.map((line) => `${line}\n`).join(''));
    write(`${i}.a`, a, openA);
    write(`${i}.b`, b ?? edited, openB);
    const words = OPTIONS[i % OPTIONS.length] ?? [];
    script.push(`diff ${words.join(' ')} ${i}.a ${i}.b | grep -v '^[+-][+-][+-] '; echo "<$i>"`);
  }
  const shell = spawnSync('/bin/sh', [], {
    cwd,
    input: script.join('\n'),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' },
    maxBuffer: 1 << 28,
  });
  const expected = shell.stdout.toString('latin1').split('<>\n');
  for (let i = 0; i < runs; i++) {
    const words = OPTIONS[i % OPTIONS.length] ?? [];
    const ours = await runBuiltin(diff, [...words, `${i}.a`, `${i}.b`], { cwd });
    const text = ours.stdout.replace(/^(?:---|\+\+\+) .*\n/gm, '');
    expect({ i, words, text }).toEqual({ i, words, text: expected[i] });
  }
}

withGnu('diff', DIFFUTILS, () => {
  it('is GNU diff on random small files', () => compareMany(4, 12, 400), 60_000);
  it('is GNU diff on random files of few different lines', () => compareMany(8, 300, 150), 60_000);
  it('is GNU diff on random files of many different lines', () => compareMany(400, 800, 100), 60_000);
  it('is GNU diff on random long files', () => compareMany(60, 6000, 8), 60_000);

  it('is GNU diff where the search is cut short', async () => {
    const cwd = temporaryDirectory();
    let state = 1;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (const name of ['a', 'b']) {
      writeFileSync(join(cwd, name), Array.from({ length: 30_000 }, () => `${random(40)}\n`).join(''));
    }
    const theirs = spawnSync('diff', ['a', 'b'], { cwd, maxBuffer: 1 << 28 });
    const ours = await runBuiltin(diff, ['a', 'b'], { cwd });
    expect(ours.stdout === theirs.stdout.toString()).toBe(true);
  }, 60_000);
});

describe('diff', () => {
  it('waits where it must', async () => {
    const cwd = makeTree(tree);
    const slow = await runBuiltin(diff, ['-u', 'long', 'longer'], { cwd, slow: true });
    expect(slow).toMatchObject(
      await runBuiltin(diff, ['-u', 'long', 'longer'], { cwd }).then(({ stdout }) => ({ stdout })),
    );
  });

  it('ends at the limit, and not with the memory', async () => {
    const cwd = makeTree({ a: { size: 70_000 }, b: { content: 'x'.repeat(70_000) } });
    const limits = { maxVariableBytes: 100_000 };
    await expect(runBuiltin(diff, ['-a', 'a', 'b'], { cwd, limits })).rejects.toMatchObject({ code: 'limit' });
    expect((await runBuiltin(diff, ['a', 'b'], { cwd, limits })).stdout).toBe('Binary files a and b differ\n');
  });
});
