/** Random options of the file commands, beside the real tools. */
import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chmod } from '../../builtins/chmod.js';
import { du } from '../../builtins/du.js';
import { find } from '../../builtins/find.js';
import { type Builtin, defineBuiltin } from '../../builtins/kit/define.js';
import { ls } from '../../builtins/ls.js';
import { stat } from '../../builtins/stat.js';
import { xargs } from '../../builtins/xargs.js';
import { makeTree, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, FINDUTILS, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const now = Math.floor(Date.now() / 1000);
const tree: Tree = {
  a: { content: 'a'.repeat(700), mtime: now - 86_400 * 2 - 100, atime: now - 5000 },
  'a.b': { content: '', mode: 0o755, mtime: now - 3000 },
  'B c': { content: 'x'.repeat(5000), mtime: now - 500_000 },
  'd/a': { content: 'q', mode: 0o600, mtime: now - 100 },
  'd/e/b.log': { content: 'z'.repeat(2000), mtime: now - 40 },
  'd/e/f10': { content: '', mtime: now - 50 },
  'd/e/f9': { content: '', mtime: now - 60 },
  'd/h': { hardlink: 'a' },
  void: { dir: true, mtime: now - 90_000 },
  link: { symlink: 'd' },
  'd/up': { symlink: '../a' },
  broken: { symlink: 'gone' },
  '.hid': { content: '', mtime: now - 70 },
  'é\n': { content: 'u', mtime: now - 71 },
  p: { fifo: true },
};
const cwd = makeTree(tree);
const runs = Number(process.env['RMSH_FUZZ_RUNS'] ?? 60);

interface Beside {
  readonly stdin?: string;
  readonly builtins?: readonly Builtin[];
}

async function same(
  builtin: Builtin,
  words: readonly string[],
  sorted: boolean,
  { stdin = '', builtins = [] }: Beside = {},
): Promise<void> {
  const theirs = spawnSync(builtin.name, words, {
    cwd,
    input: stdin,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' },
  });
  const ours = await runBuiltin(builtin, words, { cwd, stdin, builtins });
  const order = (text: string) => (sorted ? text.split(/[\n\0]/).sort() : text);
  expect({ words, stdin, out: order(ours.stdout), err: order(ours.stderr), status: ours.status }).toEqual({
    words,
    stdin,
    out: order(theirs.stdout.toString()),
    err: order(theirs.stderr.toString()),
    status: theirs.status,
  });
}

const number = fc.constantFrom('0', '1', '2', '+0', '+1', '-1', '-2', '+2', '3');
const pattern = fc.constantFrom(
  '*',
  'a*',
  '*.log',
  '[ab]*',
  '?',
  '*e*',
  '.*',
  '[!a]',
  'f[0-9]',
  '*\n*',
  './d/*',
  '*/a',
  '\\a',
);
const file = fc.constantFrom('a', 'd', 'link', 'a.b', 'broken');
const test = fc.oneof(
  fc.tuple(fc.constantFrom('-name', '-iname', '-path', '-ipath', '-lname'), pattern),
  fc.tuple(fc.constantFrom('-type', '-xtype'), fc.constantFrom('f', 'd', 'l', 'p', 'f,d', 'l,p')),
  fc.tuple(fc.constantFrom('-mtime', '-links', '-size', '-ctime', '-mmin'), number),
  fc.tuple(fc.constant('-size'), fc.constantFrom('+1k', '-1M', '700c', '2b', '-3k', '+0c', '350w')),
  // No access times: whoever looks first moves them for the other.
  fc.tuple(fc.constantFrom('-newer', '-cnewer', '-samefile', '-newermm', '-newercm'), file),
  fc.tuple(fc.constant('-perm'), fc.constantFrom('644', '-u+x', '/111', '755', '-600', 'u=rw', '/u+s', '777')),
  fc.tuple(fc.constantFrom('-empty', '-true', '-false', '-prune', '-print', '-executable', '-quit', '-readable')),
  fc.tuple(fc.constant('-regex'), fc.constantFrom('.*a', './d/.*', '.*\\.log', '.*[0-9]+', '.*e?f.*', '\\(./\\)?a')),
  fc.tuple(fc.constant('-printf'), fc.constantFrom('%p %s\\n', '[%5d|%-8f|%y%Y]\\n', '%h/%f %P %l\\n', '%m %M %n\\n')),
);
// Without the comma: GNU's optimizer moves tests across it, and the value of the whole changes.
const { expression } = fc.letrec<{ expression: string[] }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    test.map((words) => [...words]),
    fc
      .tuple(tie('expression'), fc.constantFrom('-a', '-o', ''), tie('expression'))
      .map(([a, operator, b]) => [...a, ...(operator === '' ? [] : [operator]), ...b]),
    tie('expression').map((inner) => ['!', '(', ...inner, ')']),
    tie('expression').map((inner) => ['(', ...inner, ')']),
  ),
}));
const finding = fc
  .tuple(
    fc.constantFrom([], ['-L'], ['-H'], ['-P']),
    fc.constantFrom([], ['.'], ['d'], ['link'], ['d', 'a'], ['link/'], ['./d/']),
    fc.constantFrom(
      [],
      [],
      ['-depth'],
      ['-maxdepth', '1'],
      ['-mindepth', '1'],
      ['-mindepth', '1', '-maxdepth', '2'],
      ['-xdev'],
    ),
    fc.oneof(fc.constant([]), expression),
  )
  .map((parts) => parts.flat());

withGnu('find', FINDUTILS, () => {
  it('finds what GNU finds, for any expression', async () => {
    // What -quit leaves out depends on the order of a directory; so does a -prune of what was met before.
    const fixed = finding.filter((words) => !words.includes('-quit'));
    await fc.assert(
      fc.asyncProperty(fixed, (words) => same(find, words, true)),
      { numRuns: runs },
    );
  });
  it('refuses what GNU refuses, for any words', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '!',
        '-a',
        '-o',
        ',',
        '-not',
        '-name',
        'a',
        '-type',
        'f',
        '-print',
        '-true',
        '-size',
        '1',
      ),
      test.map(([name]) => name),
    );
    const words = fc
      .array(word, { maxLength: 6 })
      .filter((list) => !list.includes('-quit') && !list.includes('-printf'));
    await fc.assert(
      fc.asyncProperty(words, (list) => same(find, ['void', ...list], true)),
      { numRuns: runs },
    );
  });
});

withGnu('ls', COREUTILS, () => {
  it('lists as GNU does, for any options', async () => {
    const options = fc.subarray([...'1aAdFhilnpqQrRsStucXvogG']);
    const more = fc.subarray(['--group-directories-first', '--time-style=long-iso', '--full-time', '-C', '-x']);
    const files = fc.subarray(['d', 'a', 'link', 'broken', 'p', 'B c'], { minLength: 1 });
    await fc.assert(
      // `-a` shows the directory above, which is outside of the root.
      fc.asyncProperty(options, more, files, (letters, words, operands) =>
        same(ls, [...letters.filter((l) => l !== 'a').map((letter) => `-${letter}`), ...words, ...operands], false),
      ),
      { numRuns: runs },
    );
  });
});

withGnu('du', COREUTILS, () => {
  it('counts as GNU does, for any options', async () => {
    const options = fc.subarray([
      '-a',
      '-b',
      '-c',
      '-h',
      '-k',
      '-m',
      '-S',
      '-0',
      '--inodes',
      '--si',
      '--apparent-size',
    ]);
    const more = fc.constantFrom([], ['-d1'], ['-t', '1K'], ['-t', '-4K'], ['--exclude=e'], ['-s'], ['-d', '0']);
    const files = fc.subarray(['d', 'a', 'link', 'd/e', 'p'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(options, more, files, (letters, words, operands) =>
        same(du, [...letters, ...words, ...operands], true),
      ),
      { numRuns: runs },
    );
  });
});

withGnu('stat', COREUTILS, () => {
  it('formats as GNU does, for any directive', async () => {
    const directive = fc
      .tuple(
        fc.subarray([...'-+ #0']).map((flags) => flags.join('')),
        fc.constantFrom('', '1', '5', '12'),
        fc.constantFrom('', '.0', '.2', '.9', '.12'),
        fc.constantFrom(...'aAbBdDfFgGhinNorRstTuUxXyYzZ%q'),
      )
      .map((parts) => `%${parts.join('')}`);
    const format = fc.array(directive, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('|'));
    await fc.assert(
      fc.asyncProperty(format, fc.constantFrom('a', 'd', 'p', 'a.b'), (text, operand) =>
        same(stat, ['-c', text, operand], false),
      ),
      { numRuns: runs * 2 },
    );
  });
});

const echo = defineBuiltin({
  name: 'echo',
  summary: 'print words',
  usage: 'echo [WORD]...',
  needs: [],
  options: 'none',
  helpless: true,
  flags: {},
  statuses: {},
  run({ operands, out }) {
    out.write(`${operands.join(' ')}\n`);
    return 0;
  },
});

withGnu('xargs', FINDUTILS, () => {
  it('reads and fills lines as GNU does, for any input and options', async () => {
    const piece = fc.constantFrom(
      'a',
      'bb',
      'ccc',
      ' ',
      '  ',
      '\t',
      '\n',
      '\n\n',
      '"',
      "'",
      '\\',
      'é',
      '_',
      ',',
      '{}',
      'x y',
    );
    const input = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(''));
    const options = fc
      .array(
        fc.constantFrom(
          ...[['-n2'], ['-n', '1'], ['-L1'], ['-L', '2'], ['-I{}'], ['-i'], ['-l'], ['-0'], ['-d', ','], ['-d', '\\n']],
          ...[['-r'], ['-t'], ['-x'], ['-s', '14'], ['-s', '20'], ['-E', '_'], ['-e_'], ['-P', '1']],
        ),
        { maxLength: 3 },
      )
      .map((list) => list.flat());
    const command = fc.constantFrom([], ['echo'], ['echo', '<{}>'], ['echo', '{}', '-', '{}']);
    await fc.assert(
      // GNU does not see the end of -E in a last word without a newline.
      fc.asyncProperty(input, options, command, (text, words, argv) =>
        same(xargs, [...words, ...argv], false, {
          stdin: words.includes('_') || words.includes('-e_') ? `${text}\n` : text,
          builtins: [echo],
        }),
      ),
      { numRuns: runs * 2 },
    );
  });
});

withGnu('chmod', COREUTILS, () => {
  it('makes of a mode what GNU does, for any mode', async () => {
    const letters = (all: string, most: number) =>
      fc.array(fc.constantFrom(...all), { maxLength: most }).map((list) => list.join(''));
    const action = fc.tuple(
      fc.constantFrom('+', '-', '='),
      fc.oneof(letters('rwxXst', 4), fc.constantFrom('u', 'g', 'o', '4', '77', '6755')),
    );
    const clause = fc
      .tuple(letters('ugoa', 2), fc.array(action, { minLength: 1, maxLength: 2 }))
      .map(([who, actions]) => who + actions.flat().join(''));
    const mode = fc.oneof(
      fc.array(clause, { minLength: 1, maxLength: 3 }).map((clauses) => clauses.join(',')),
      letters('01234567', 5),
      letters('ugo+-=rw7', 5),
    );
    const changed = fc.tuple(mode, fc.integer({ min: 0, max: 0o7777 }), fc.constantFrom('a.b', 'd'));
    await fc.assert(
      fc.asyncProperty(changed, async ([text, before, file]) => {
        const results = [];
        for (const ours of [false, true]) {
          chmodSync(`${cwd}/${file}`, before);
          const words = ['-v', '--', text, file];
          const result = ours
            ? await runBuiltin(chmod, words, { cwd })
            : spawnSync('chmod', words, { cwd, encoding: 'utf8', env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' } });
          const { mode: after } = statSync(`${cwd}/${file}`);
          results.push({ text, out: result.stdout, err: result.stderr, status: result.status, after });
          chmodSync(`${cwd}/${file}`, 0o755);
        }
        expect(results[1]).toEqual(results[0]);
      }),
      { numRuns: runs * 2 },
    );
  });
});
