/**
 * Random options of the text commands, from their own definitions, on random input: beside GNU's, many runs in one shell, since
 * starting a shell is what costs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { builtins } from '../../builtins/index.js';
import type { Flag } from '../../builtins/kit/define.js';
import { encode } from '../../src/text/bytes.js';
import { runBuiltin } from '../support/run-builtin.js';
import { awkWords, sedWords } from './programs.js';

export interface CommandRun {
  readonly name: string;
  readonly words: readonly string[];
  readonly stdin: Uint8Array;
}

export interface Difference {
  readonly run: CommandRun;
  readonly wanted: string;
  readonly ours: string;
}

const SMALL = ['0', '1', '2', '3', '5', '9', '20', '+2', '-1', '01', 'x', '', '1x', '99999999999999999999'];
const COUNTS = ['0', '1', '2', '3', '7', '-1', '-2', '-0', '+1', '+2', '1k', 'x'];
const LISTS = ['1', '2', '1,3', '2-', '-2', '1-2,4', '3-1', '0', 'x', '2-3,3-9', '', '1,,2', '4-,2'];
const STRINGS = ['', ':', ',', 'ab', ' ', 'é', '\t', '\\n', '-'];
const PATTERNS = [
  'a',
  'b*',
  '^a',
  'a$',
  '[ab]',
  '.',
  'a.b',
  '\\(a\\)\\1',
  'a\\{2\\}',
  '(a|b)+',
  'é',
  '',
  '[[:digit:]]',
  'x\\+',
  '^$',
];
const SETS = [
  'a-z',
  'A-Z',
  '[:upper:]',
  '[:lower:]',
  'abc',
  '\\n',
  'a',
  '\\0-\\377',
  '[:space:]',
  'z-a',
  '[a*3]',
  '[a*]',
  '[=a=]',
  '0-9',
  '',
];
const KEYS = ['1', '2', '1,1', '2n', '1.2', '2,2r', '1.2,2.1', '0', '2b', '1nr', '1f', '3,1', '1V', '2h', 'x'];

/** What a command is given besides its options; `-` is the random input, `other` is a file. */
interface Subject {
  readonly operands: readonly (readonly string[])[];
  /** For options by their key in the definition; others go by the name of their value. */
  readonly values?: { readonly [flag: string]: readonly string[] };
  /** Options that are left out, and why. */
  readonly without?: { readonly [flag: string]: string };
  /** Lines are sorted first. */
  readonly sorted?: true;
  /** In place of options from the definition: words with a program. */
  readonly program?: fc.Arbitrary<readonly string[]>;
}

const INPUT: Subject['operands'] = [
  [],
  [],
  [],
  ['-'],
  ['other'],
  ['-', 'other'],
  ['other', '-'],
  ['gone', '-'],
  ['dir'],
];
/** Not `-` twice: the real ones close it twice, and say so or not. */
const PAIR: Subject['operands'] = [['-', 'other'], ['other', '-'], ['other', 'gone'], ['-']];
/** Not a directory: cksum takes it for an empty file, od skips bytes in it, and tac says what the file system says of its size. */
const FILES: Subject['operands'] = [[], [], ['-'], ['other'], ['-', 'other'], ['gone', '-']];

export const SUBJECTS: { readonly [name: string]: Subject } = {
  // Awks differ: what two of them agree in is asked of ours.
  awk: { operands: [[], [], ['-', 'other'], ['other', '-']], program: awkWords },
  base64: { operands: [[], ['-'], ['other']], values: { wrap: SMALL } },
  cat: { operands: INPUT },
  cksum: { operands: FILES },
  cmp: {
    operands: [
      ['-', 'other'],
      ['other', '-'],
      ['-', 'gone'],
    ],
    values: { skip: ['0', '1', '2:1'], limit: ['0', '1', '5', '100'] },
  },
  comm: { operands: PAIR, values: { delimiter: STRINGS }, sorted: true },
  cut: {
    operands: INPUT,
    without: { zero: 'GNU leaves out the NUL at the end where the last field of a line is empty' },
    values: { delimiter: [':', ' ', 'ab', '', 'é', '\t'], outputDelimiter: STRINGS },
  },
  expand: { operands: INPUT, values: { tabs: ['4', '1', '2,5', '0', 'x', '3,+4', '/3', '2,1', '8'] } },
  fold: { operands: INPUT, values: { width: ['1', '2', '3', '7', '80', '0', 'x'] } },
  grep: {
    operands: PATTERNS.flatMap((pattern) => [[pattern], ['--', pattern, '-', 'other'], ['--', pattern, 'gone', '-']]),
    values: {
      patterns: PATTERNS,
      patternFile: ['other'],
      include: ['*', 'o*', 'x'],
      exclude: ['*', 'o*', 'x'],
      binaryFiles: ['text', 'without-match', 'binary', 'x'],
      color: ['always', 'never'],
    },
    without: {
      recursive: 'the order of a directory',
      dereference: 'the order of a directory',
      perl: 'refused',
    },
  },
  head: { operands: INPUT, values: { lines: COUNTS, bytes: COUNTS } },
  join: {
    operands: PAIR,
    values: {
      list: ['0', '1.1', '1.2,2.1', 'auto', '0,2.2', 'x', '1.0'],
      empty: ['E', ''],
      separator: [',', ' ', 'ab', ''],
      unpaired: ['1', '2', '3'],
      only: ['1', '2', 'x'],
    },
    sorted: true,
  },
  md5sum: { operands: INPUT, without: { check: 'a list of sums is no random text' } },
  nl: {
    operands: INPUT,
    values: {
      body: ['a', 't', 'n', 'pa', 'p^b'],
      header: ['a', 't', 'n'],
      footer: ['a', 't', 'n'],
      format: ['ln', 'rn', 'rz'],
    },
  },
  od: {
    // Not one that is missing: the real one warns of a width after it has looked for the first.
    operands: [[], ['-'], ['other'], ['-', 'other'], ['other', '-']],
    values: { type: ['x1', 'c', 'd2', 'a', 'o2', 'u4', 'x1z', 'f4', 'q', ''], radix: ['x', 'd', 'o', 'n', 'q'] },
  },
  paste: {
    operands: [[], ['-', '-'], ['-', 'other'], ['other', '-'], ['gone', '-']],
    values: { delimiters: [':', '', '\\n', '\\0', 'ab', '\\t', 'é'] },
  },
  rev: { operands: [[], ['other']] },
  sed: { operands: [[], [], ['-', 'other'], ['other', '-']], program: sedWords },
  sha256sum: { operands: INPUT, without: { check: 'a list of sums is no random text' } },
  sort: {
    operands: INPUT,
    values: {
      key: KEYS,
      separator: [':', ' ', 'ab', '\\0', ''],
      sort: ['numeric', 'month'],
      checkLong: ['quiet', 'silent', 'diagnose-first'],
    },
    without: { output: 'a file', random: 'is random', randomSort: 'is random' },
  },
  strings: {
    operands: [[], ['other']],
    values: { radix: ['x', 'd', 'o'], least: ['1', '2', '4', '9', '0', 'x', '+2'] },
  },
  tac: { operands: FILES, values: { separator: ['a', '', ':', 'ab', '\n'] } },
  tail: { operands: INPUT, values: { lines: COUNTS, bytes: COUNTS }, without: { follow: 'never ends' } },
  tee: { operands: [[]] },
  tr: { operands: SETS.flatMap((a) => [[a], ...['a-z', 'A-Z', 'x', '[:lower:]', '[x*]', ''].map((b) => [a, b])]) },
  unexpand: { operands: INPUT, values: { tabs: ['4', '1', '2,5', '0', 'x', '3,+4', '8'] } },
  uniq: { operands: [[], ['-'], ['other'], ['gone']] },
  wc: { operands: INPUT },
};

const byMetavar = (value: string): readonly string[] =>
  /LIST/.test(value) ? LISTS : /N|SIZE|COL|WIDTH|BYTES|COUNT/.test(value) ? SMALL : STRINGS;

/** One option as a word or two. */
function option(key: string, flag: Flag, subject: Subject): fc.Arbitrary<readonly string[]> {
  const long = typeof flag.long === 'string' ? [flag.long] : (flag.long ?? []);
  const names = [...[...(flag.short ?? '')].map((letter) => `-${letter}`), ...long.map((name) => `--${name}`)];
  const value =
    flag.value === undefined ? fc.constant('') : fc.constantFrom(...(subject.values?.[key] ?? byMetavar(flag.value)));
  return fc.tuple(fc.constantFrom(...names), value, fc.boolean()).map(([name, text, apart]) => {
    if (flag.value === undefined) return [name];
    if (flag.optional === true && (apart || text === '')) return [name];
    if (name.startsWith('--')) return flag.optional !== true && apart ? [name, text] : [`${name}=${text}`];
    return apart || text === '' ? [name, text] : [name + text];
  });
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ab:, 0-9.-]{0,6}$/) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a\tb', '  a  b', 'Jan 5', '1.5K', '-3', 'B', 'aB:c', 'a b a b', '\t\t', '1e3'),
  },
  { weight: 1, arbitrary: fc.constantFrom('é', 'É', '漢字', 'e\u0301', '\u00ad', '😀') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\udcff', '\udc80a', '\udce6\udcbc', '\0', 'a\0b', '\r', '\b', '\f', '\v', '\x7f'),
  },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 300 }).map((length) => 'long '.repeat(length)) },
);

/** Short lines and long ones, with and without a last newline; text, and bytes that are none. */
const input: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.array(piece, { maxLength: 9 }), fc.boolean())
  .map(([lines, ended]) => encode(lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')));

function runOf(name: string): fc.Arbitrary<CommandRun> {
  const subject = SUBJECTS[name] as Subject; // one of its keys
  const { flags } = definitionOf(name);
  const options = Object.entries(flags)
    .filter(([key]) => subject.without?.[key] === undefined)
    .map(([key, flag]) => option(key, flag, subject));
  const program = subject.program?.map((words) => [words]);
  const some = program ?? (options.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...options), { maxLength: 4 }));
  return fc.tuple(some, fc.constantFrom(...subject.operands), input).map(([given, operands, text]) => ({
    name,
    words: [...given.flat(), ...operands],
    stdin: subject.sorted === undefined ? text : sortedLines(text),
  }));
}

function sortedLines(bytes: Uint8Array): Uint8Array {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  return Buffer.from(
    lines
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
    'latin1',
  );
}

function builtinOf(name: string) {
  const found = builtins.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function definitionOf(name: string) {
  return builtinOf(name).definition;
}

/** `count` runs of each of `names`, the same for a seed. */
export function commandRuns(names: readonly string[], count: number, seed: number): readonly CommandRun[] {
  return names.flatMap((name) => fc.sample(runOf(name), { numRuns: count, seed }));
}

const OTHER = '1 a b\n2 c\n\n3:x,y\tz\na\nb 10\n';

/** Runs all of them both ways. What is written to the two streams, and the status, must be the same. */
export async function differences(runs: readonly CommandRun[]): Promise<readonly Difference[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'rmsh-fuzz-'));
  try {
    spawnSync('mkdir', [join(cwd, 'dir')]);
    writeFileSync(join(cwd, 'other'), OTHER);
    const script = runs.map(({ name, words, stdin }, i) => {
      writeFileSync(join(cwd, `${i}.in`), stdin);
      const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
      // Through a pipe, which is what ours reads.
      const run = (program: string, end: string) => `cat ${i}.in | ${program} ${quoted} >${i}.out${end} 2>${i}.err`;
      if (name !== 'awk') return `${run(name, '')}; echo $?`;
      const second = `${run('timeout 10 mawk', '2')}; b=$?`;
      return `${run('timeout 10 gawk --posix', '')}; a=$?; grep -q 'invalid regexp' ${i}.err && a=x; ${second}; cmp -s ${i}.out ${i}.out2 || b=x; [ $a = $b ] && echo $a || echo x`;
    });
    const shell = spawnSync('/bin/sh', [], {
      cwd,
      input: encode(script.join('\n')),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' },
      maxBuffer: 1 << 28,
      // A shell that waits for ever would end the search without a word.
      timeout: 120_000,
    });
    if (shell.error !== undefined) throw shell.error;
    const statuses = shell.stdout.toString().split('\n');
    const found: Difference[] = [];
    for (const [i, run] of runs.entries()) {
      if (statuses[i] === 'x') continue;
      const half = Math.floor(run.stdin.length / 2);
      const result = await runBuiltin(builtinOf(run.name), run.words, {
        cwd,
        // A NUL makes all bytes binary that grep reads with it.
        stdin: run.name === 'grep' ? run.stdin : [run.stdin.subarray(0, half), run.stdin.subarray(half)],
        slow: i % 4 === 3,
      });
      const inOwnWords = run.name === 'awk';
      const ours = shown(result.stdoutBytes.toString('latin1'), inOwnWords ? '' : result.stderr, result.status);
      const errors = inOwnWords ? '' : readFileSync(join(cwd, `${i}.err`), 'utf8');
      const wanted = shown(readFileSync(join(cwd, `${i}.out`), 'latin1'), errors, Number(statuses[i]));
      if (ours !== wanted && !isMeant(run, errors)) found.push({ run, wanted, ours });
    }
    return found;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function shown(stdout: string, stderr: string, status: number): string {
  return `status ${status}\nstderr ${JSON.stringify(stderr)}\nstdout ${JSON.stringify(stdout)}`;
}

/**
 * Where we go on: bytes that are no characters are no reason for rev to stop or to lose the end of its input, and a NUL does not end a line. Empty matches are between
 * characters, never inside one.
 */
function isMeant({ name, words, stdin }: CommandRun, theirs: string): boolean {
  if (name === 'sed' || name === 'awk')
    return stdin.some((byte) => byte >= 0x80) && words.some((word) => /[bx]\*/.test(word));
  const cut = (stdin.at(-1) ?? 0) >= 0x80;
  return name === 'rev' && (theirs.includes('Invalid or incomplete multibyte') || stdin.includes(0) || cut);
}
