import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sort } from '../../builtins/sort.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { batch, oracleThere } from '../support/text-oracle.js';

const tree = {
  a: 'b 2\na 10\nB 1\n\n  c 3\na 9\na 10\nZ\n',
  n: '10\n9\n-1\n-10\n 5\nabc\n1.5\n1.50\n-0\n0\n00012\n123456789012345678901\n123456789012345678900\n.5\n1e3\n',
  g: '1e3\n1e-3\ninf\n-inf\nnan\nabc\n0x10\n15\n-1e400\n1e400\n1e401\n0.1\n0.10\n+5\n1e5000\n',
  h: '2K\n1M\n3\n1G\n-1K\n-2M\n0\n900\n1k\n10K\n1.5K\n0K\nK\n1T\n1P\n1E\n1Z\n1Y\n1m\n',
  m: 'mar\nJAN\n dec\nfoo\nFebruary\njan 2\n\n',
  v: 'a1.2\na1.10\na1.2.tar.gz\na1.10~rc1\n1.0\n1.0.1\n.hidden\n..\n.\na\na0\na00\nb-1\nb_1\nfoo.txt\nfoo1.txt\nfoo10.txt\nfoo2.txt\n\n.b\n.4 b-\n.a1\n.a.b\n.4\n.~\n.b.c\n.b~\n...\n..a\n.1.a\n.a.1\na.b\na.\na~\na.~\n.a b\n..b\n..4\n',
  t: 'b:2:x\na:10:y\na:9:z\n:1:w\nc\n',
  f: 'b\nB\na\nA\na-b\na b\nab\n\x01a\n',
  open: 'no end',
  z: 'b\0a\0c',
  high: '\udcff\né\nz\n\udc80\n\n',
  sorted1: 'a\nc\ne\n',
  sorted2: 'b\nc\nd\n',
  dup: 'a 2\na 1\nb 1\na 2\n',
  d: { dir: true },
} as const;

withGnu('sort', COREUTILS, () => {
  gnuRows(
    sort,
    [
      '',
      'a',
      'a open high',
      '- a',
      '-b a',
      '-d f',
      '-f f',
      '-i f',
      '-g g',
      '-h h',
      '-n n',
      '-M m',
      '-V v',
      '-r a',
      '-R -u dup -o /dev/null',
      '-u a a',
      '-s -k1,1 dup',
      '-k1,1 dup',
      '-k2n a',
      '-k 2,2nr -k 1,1 a',
      '-k1.2,1.2 v',
      '-k1.2b a',
      '-k2.1,2.2 a',
      '-k 2b,2b a',
      '-t: -k1,1 -k2,2n t',
      '-t : -k 2 t',
      '-t: -k2,2nr t',
      '-t: -k3 t',
      '-t: -k1.1,2.1 t',
      '-t: -k1,1 -u t',
      '-c a',
      '-cz a',
      '-cz nul',
      '-c sorted1',
      '-C a',
      '-C sorted1',
      '-cu dup',
      '-c -n n',
      '-m sorted1 sorted2',
      '-mu sorted1 sorted2 sorted1',
      '-m a sorted1',
      '-mr a sorted1',
      '-z z',
      '-zr z',
      '-nu n',
      '-nr n',
      '-hr h',
      '-gr g',
      '-Vr v',
      '-Mr m',
      '-fu f',
      '-df f',
      '-fh h',
      '-fr f',
      '-sf f',
      '-rs a',
      '-bf a',
      '-nb a',
      '-k1f a',
      '-k1r -r a',
      '-r -k1,1 dup',
      '-r -k1,1n dup',
      '-rn -k1,1 dup',
      '-ru -k1,1 dup',
      '-t \\0 a',
      '--sort=numeric n',
      '--sort=ver v',
      '--sort=foo n',
      '--check a',
      '--check=quiet a',
      '--check=silent a',
      '--check=diagnose-first a',
      '--check=x a',
      '--check=x -Z a',
      '--sort=x -Z a',
      '--sort= a',
      '--sort=n a',
      '--check= a',
      '--check=s a',
      '-Z --check=x a',
      '--key=2 --reverse --numeric-sort a',
      '--ignore-case --unique f',
      '--stable --field-separator=: --key=1,1 t',
      '--dictionary-order --ignore-leading-blanks f',
      '--general-numeric-sort g',
      '--human-numeric-sort --month-sort h',
      '--zero-terminated z',
      '-k 0',
      '-k',
      '-k 1.0',
      '-k 1,0',
      '-k a',
      '-k 1x',
      '-k 1,2.x',
      '-k 1.x',
      '-k 1,',
      '-k ,2',
      '-k -1',
      '-k 1.2.3',
      '-k 99999999999999999999999 a',
      '-nR a',
      '-gh a',
      '-Mn a',
      '-dn a',
      '-in a',
      '-fdn a',
      '-VR -o /dev/null a',
      '-k2nd a',
      '-k1V,1n a',
      '-c a a',
      '-cC a',
      '-co x a',
      '-o x -o y a',
      '-o x -o x a gone',
      '-t xx a',
      '-t é a',
      '-t a -t b a',
      'gone a',
      'a gone',
      'd',
      '-c gone',
      '-x',
      '--bad',
      '--re a',
      ['-t', '', 'a'],
      ['-t', ' ', '-k2,2', 'a'],
      ['a', 'no such'],
    ],
    { tree, stdin: 'in\nput' },
  );
  gnuRows(sort, ['-o a a', '-o new -n n', '-uo a a a', '-o gone/x a', '-o d a'], { tree, writes: true });

  it.skipIf(!oracleThere())(
    'any input with any keys',
    async () => {
      const line = fc.oneof(
        fc.stringMatching(/^[ab:. \t-]{0,8}$/),
        fc.stringMatching(/^-?[0-9]{0,3}(\.[0-9]{0,2})?[kKMG]?$/),
        fc.stringMatching(/^[ab][0-9.~]{0,6}(\.[a-z]{0,3})?$/),
        fc.stringMatching(/^-?[0-9]{14,24}(\.[0-9]{0,3})?$/),
        fc.constantFrom(
          'jan',
          'DEC',
          ' feb',
          'a\u00e9',
          'common prefix of some length a',
          'common prefix of some length b',
        ),
        fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replaceAll('\n', ' ')),
      );
      const input = fc.tuple(fc.array(line, { maxLength: 40 }), fc.boolean()).map(([lines, open]) => {
        return Buffer.from(lines.join('\n') + (open ? '' : '\n'));
      });
      const letters = fc.subarray(['b', 'f', 'r'], { maxLength: 2 });
      const how = fc
        .tuple(fc.constantFrom('', 'n', 'g', 'h', 'M', 'V', 'd', 'i'), letters)
        .map(([c, l]) => c + l.join(''));
      const position = fc.tuple(
        fc.integer({ min: 1, max: 3 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      );
      const written = ([field, character]: [number, number | undefined]) =>
        character === undefined ? `${field}` : `${field}.${character}`;
      const key = fc
        .tuple(position, fc.option(position, { nil: undefined }), how)
        .map(([from, to, letters]) => `-k${written(from)}${to === undefined ? '' : `,${written(to)}`}${letters}`);
      const words = fc
        .tuple(
          fc.array(key, { maxLength: 2 }),
          fc.option(
            how.filter((h) => h !== ''),
            { nil: undefined },
          ),
          fc.option(fc.constantFrom('-t:', '-ta', '-t.'), { nil: undefined }),
          fc.subarray(['-s', '-u', '-c', '-m', '-z'], { maxLength: 2 }),
        )
        .map(([keys, global, separator, others]) => [
          ...keys,
          ...(global === undefined ? [] : [`-${global}`]),
          ...(separator === undefined ? [] : [separator]),
          ...others,
        ]);
      await batch(
        fc
          .sample(fc.tuple(words, input), { numRuns: 800, seed: 3 })
          .map(([words, stdin]) => ({ builtin: sort, words, stdin })),
      );
    },
    60_000,
  );
});

describe('sort', () => {
  it('sorts long lines and many with the same beginning', async () => {
    const beginning = 'x'.repeat(1000);
    const lines = Array.from({ length: 3000 }, (_, i) => `${beginning}${(i * 7919) % 3000}`);
    const result = await runBuiltin(sort, [], { cwd: makeTree({}), stdin: lines.join('\n'), slow: true });
    expect(result.stdout).toBe(`${lines.sort().join('\n')}\n`);
  });

  it('puts the same keys together at random', async () => {
    const result = await runBuiltin(sort, ['-R'], { cwd: makeTree({}), stdin: 'a\nb\na\nc\nb\n' });
    const lines = result.stdout.trim().split('\n');
    expect([...lines].sort()).toEqual(['a', 'a', 'b', 'b', 'c']);
    expect(new Set(lines.filter((line, i) => line !== lines[i - 1])).size).toBe(
      lines.filter((line, i) => line !== lines[i - 1]).length,
    );
  });

  it('ends the run where the input is beyond the limit', async () => {
    const options = { cwd: makeTree({}), stdin: 'x\n'.repeat(1000), limits: { maxVariableBytes: 1000 } };
    await expect(runBuiltin(sort, [], options)).rejects.toThrow('maxVariableBytes');
  });

  it('ticks while it sorts', async () => {
    const stdin = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 200_000).join('\n');
    const result = await runBuiltin(sort, ['-n', '-o', '/dev/null'], { cwd: makeTree({}), stdin });
    expect(result.ticks).toBeGreaterThan(50);
  });
});
