import { describe, expect, it } from 'vitest';
import { defineBuiltin } from '../../builtins/kit/define.js';
import { rm } from '../../builtins/rm.js';
import { xargs } from '../../builtins/xargs.js';
import { removalBudget } from '../../src/files/files.js';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { expectLikeGnu, FINDUTILS, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

function command(name: string, run: (words: readonly string[]) => string | number) {
  return defineBuiltin({
    name,
    summary: name,
    usage: name,
    needs: [],
    options: 'none',
    helpless: true,
    flags: {},
    statuses: {},
    run({ operands, out }) {
      const answer = run(operands);
      if (typeof answer === 'number') return answer;
      out.write(answer);
      return 0;
    },
  });
}

/** What the rows run; `printf` shows where arguments begin and end. */
const builtins = [
  command('echo', (words) => `${words.join(' ')}\n`),
  command('printf', ([, ...items]) => (items.length > 0 ? items : ['']).map((item) => `<${item}>`).join('')),
  command('false', () => 1),
  command('sh', (words) => Number(/exit (\d+)/.exec(words[1] ?? '')?.[1] ?? 0)),
];

const echo = (...words: string[]) => [...words, 'printf', '<%s>'];

withGnu('xargs', FINDUTILS, () => {
  const rows: readonly (readonly [input: string, ...words: string[]])[] = [
    ['a b\n c "d e" \'f g\' h\\ i\n', 'echo'],
    ['a\\', 'echo'],
    ["a 'b\nc", 'echo'],
    ['a "b', 'echo'],
    ['a b c d e', '-n2', 'echo'],
    ['a b\nc d\ne', '-L1', 'echo'],
    ['a b \nc d\ne', '-L1', 'echo'],
    ['a b\n\nc\n', '-L1', 'echo'],
    ['a b\nc\nd e\n', '-L2', 'echo'],
    ['  a b  \nc d\n\n', '-I{}', 'echo', '<{}>', '{}'],
    ['a\n', '-I', 'X', 'echo', 'X', 'XX'],
    ['a\0b c\0', '-0', 'echo'],
    ['a\0\0b', '-0', '-n1', 'echo'],
    ['a,b,c\n', '-d,', 'echo'],
    ['axbxc', '-d', 'x', '-n1', 'echo'],
    ['a:b', '-d', '\\x3a', 'echo'],
    ['a:b', '-d', '\\072', 'echo'],
    ['a\tb', '-d', '\\t', 'echo'],
    ['', '-d', 'xx', 'echo'],
    ['', '-d', '\\q', 'echo'],
    ['', '-d', '', 'echo'],
    ['', '-d', '\\777', 'echo'],
    ['', '-d', '\\08', 'echo'],
    ['a b STOP c', '-E', 'STOP', 'echo'],
    ['a b _ c', '-e_', 'echo'],
    ['a STOP', '-E', '', 'echo'],
    ['', 'echo'],
    ['', '-r', 'echo'],
    ['\n\n', 'echo', 'e'],
    ['\n\n', '-r', 'echo', 'e'],
    ['a b', '-t', 'echo'],
    ['a b', '-t', 'echo', "it's", 'x  y', ''],
    ['a b', '-t', '-n1', '-I{}', 'echo', '{} x'],
    ['a b', 'false'],
    ['a b', 'sh', '-c', 'exit 255'],
    ['a b', '-n1', 'sh', '-c', 'exit 255'],
    ['a b', '-n1', 'sh', '-c', 'exit 3'],
    ['a b', '-n1', 'sh', '-c', 'exit 126'],
    ['a b c', '-n', '0', 'echo'],
    ['a', '-n', 'x', 'echo'],
    ['a', '-n', '-1', 'echo'],
    ['a', '-L', '0', 'echo'],
    ['a', '-P', 'x', 'echo'],
    ['a', '-P', '-1', 'echo'],
    ['a b', '-n', '99999999999999999999', 'echo'],
    ['a', '-s', '5', 'echo'],
    ['a', '-s', '3', 'echo'],
    ['a', '-s', '0', 'echo'],
    ['a', '-s', 'x', 'echo'],
    ['aaaaaaaaaa', '-s', '10', 'echo'],
    ['a b c d e f g h', '-s', '12', 'echo'],
    ['a b cccccccccccccccc d', '-s', '15', 'echo'],
    ['a b c d', '-s', '12', '-n', '4', '-x', 'echo'],
    ['a b c d', '-s', '10', '-x', 'echo'],
    ['aa bb cc dd', '-s', '12', '-L', '1', 'echo'],
    ['aaaa\n', '-s', '14', '-I{}', 'echo', '{}', '{}'],
    ['aaaa\n', '-s', '15', '-I{}', 'echo', '{}', '{}'],
    ['a b c', '-n2', '-L1', 'echo'],
    ['a b c\nd', '-L1', '-n2', 'echo'],
    ['a b\nc\n', '-I{}', '-n1', 'echo', '{}'],
    ['a\nb\n', '-n2', '-L2', '-I{}', 'echo', '{}'],
    ['a\nb\n', '-I{}', '-L1', 'echo', '{}'],
    ['a\n', '-i', 'echo', '{}'],
    ['a\n', '-iX', 'echo', 'X'],
    ['a b\nc', '-l', 'echo'],
    ['a b\nc', '-l2', 'echo'],
    ['a b'],
    ['x\0y', 'echo'],
    ['a\nb\n', '-0', '-E', 'a', 'echo'],
    ['a\nb\n', '-0', '-I{}', 'echo', '[{}]'],
    ['a\n', '-I', '', 'echo'],
    ['""\n', ...echo()],
    ['""', ...echo()],
    ['"" b\n', ...echo('-n1')],
    ['b "" c', ...echo('-n1')],
    ["''\n", '-I{}', 'echo', '[{}]'],
    ['a\vb\fc', ...echo('-n1')],
    ['a\\\nb c\n', ...echo()],
    ['q"b c"d\n', ...echo()],
    [' a\\ b "c  d"  e \n', '-I{}', 'echo', '[{}]'],
    ['a b\nA\nc\n', '-E', 'A', '-I{}', 'echo', '{}'],
    ['a é \n', ...echo()],
    ['a b\n', '-Q'],
    ['a', '--foo'],
    ['a', '--max-args'],
    ['a', '-n'],
    ['a,b', '--max-procs=1', '--max-args=1', '--max-chars=100', '--exit', '--delimiter=,', '--no-run-if-empty', 'echo'],
    ['', '-a', 'gone', 'echo'],
    ['z', '-a', 'items', 'echo'],
  ];
  for (const [stdin, ...words] of rows) {
    const title = `${JSON.stringify(stdin).slice(0, 40)} xargs ${words.join(' ')}`;
    it(title, () => expectLikeGnu(xargs, words, { stdin, builtins, tree: { items: 'a b' } }));
  }

  it('fills lines to the same byte', async () => {
    const stdin = Array.from({ length: 60_000 }, (_, i) => `${i}`).join('\n');
    const count = command('sh', (words) => `${words.length - 2}\n`);
    await expectLikeGnu(xargs, ['sh', '-c', 'echo $(($#+1))'], { stdin, builtins: [count] });
  });
});

describe('xargs', () => {
  const run = (stdin: string, words: readonly string[], slow = false) =>
    runBuiltin(xargs, words, { cwd: makeTree({}), stdin, builtins, slow });

  it('does the same where everything waits', async () => {
    for (const words of [
      ['-n1', 'echo'],
      ['-L1', 'echo'],
      ['-I{}', 'echo', '{}'],
      ['-s', '12', 'echo'],
    ]) {
      const stdin = 'a "b c"\nd\ne f g\n';
      expect((await run(stdin, words, true)).stdout).toBe((await run(stdin, words)).stdout);
    }
  });

  it('names the end when a command cannot be found or run: 127, and nothing more is run', async () => {
    const result = await run('a b', ['-n1', 'nosuch']);
    expect(result).toMatchObject({ status: 127, stdout: '' });
    expect(result.stderr.match(/not found/g)).toHaveLength(1);
  });

  it('-P runs so many at once, and not more', async () => {
    let now = 0;
    let most = 0;
    const slowly = defineBuiltin({
      name: 'slowly',
      summary: '',
      usage: '',
      needs: [],
      options: 'none',
      flags: {},
      statuses: {},
      async run() {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now--;
        return 0;
      },
    });
    const options = { cwd: makeTree({}), stdin: 'a b c d e f g h', builtins: [slowly] };
    expect((await runBuiltin(xargs, ['-n1', '-P3', 'slowly'], options)).status).toBe(0);
    expect(most).toBe(3);
    most = 0;
    await runBuiltin(xargs, ['-n1', '-P0', 'slowly'], { ...options, stdin: 'a b c d e f g h' });
    expect(most).toBe(8);
    most = 0;
    await runBuiltin(xargs, ['-n1', 'slowly'], options);
    expect(most).toBe(1);
    expect(now).toBe(0);
  });

  it('does not split for rm, whose budget holds', async () => {
    const cwd = makeTree(Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`f${i}`, ''])));
    const stdin = Array.from({ length: 15 }, (_, i) => `f${i}`).join('\n');
    const budget = removalBudget(12);
    const whole = await runBuiltin(xargs, ['rm'], { cwd, stdin, budget, builtins: [rm] });
    expect(whole.stderr).toContain('rm: refusing to remove 15 files: exceeds the 10-file limit per invocation');
    expect(whole.status).toBe(123);
    expect(snapshot(cwd)).toHaveLength(15);
    const tens = await runBuiltin(xargs, ['-n', '10', 'rm'], { cwd, stdin, budget, builtins: [rm] });
    expect(tens.stderr).toContain('run-wide budget of 12 file removals is exhausted');
    expect(tens.status).toBe(123);
    expect(snapshot(cwd)).toHaveLength(3);
  });

  it('gives its commands no input, but with -a its own', async () => {
    const show = defineBuiltin({
      name: 'show',
      summary: '',
      usage: '',
      needs: ['read'],
      options: 'none',
      flags: {},
      statuses: {},
      run: async ({ stdin, out }) => {
        out.write((await stdin?.fill()) ? 'input\n' : 'nothing\n');
        return 0;
      },
    });
    const cwd = makeTree({ items: 'a' });
    expect((await runBuiltin(xargs, ['show'], { cwd, stdin: 'a', builtins: [show] })).stdout).toBe('nothing\n');
    const result = await runBuiltin(xargs, ['-a', 'items', 'show'], { cwd, stdin: 'x', builtins: [show] });
    expect(result.stdout).toBe('input\n');
  });
});
