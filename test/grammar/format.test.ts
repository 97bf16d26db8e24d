import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format, parse, print } from '../../grammar/index.js';
import { parseCases } from '../support/casefile.js';
import { cpuSince } from '../support/cpu.js';
import { withoutOffsets } from './support.js';
import { AT, trees } from './trees.js';

function tidy(text: string): string {
  const result = format(text);
  if (!('text' in result)) throw new Error(`${result.message}: ${text}`);
  return result.text;
}

/** What no layout may change: everything but blanks, newlines and continuations. */
const ink = (text: string): string => text.replace(/[\s\\]/g, '');

/** Nothing is lost, nothing means something else, and what is tidy stays as it is. */
function expectSame(text: string): void {
  const tidied = tidy(text);
  expect(ink(tidied)).toBe(ink(text));
  expect(withoutOffsets(parse(tidied).commands)).toEqual(withoutOffsets(parse(text).commands));
  expect(tidy(tidied)).toBe(tidied);
}

const MESSY = `#!/bin/sh


  # what it is for
if  a  ;then # first
b   >f  2>&1
      # of b


# before else
else
	c|d   &&
e ||
# why
 f \\
   --long   x
fi   # last
case $x in
# before a pattern
a|b) one;;
(c)
two # here
;;
*)
# nothing to do
esac
f ()
{
cat <<E; g&
  kept   as it is
  # no comment
E
for i in 1 \\
2
do ( cd x;y )
done
}
x="  a
  b"   y  'c
  # d'
`;

const TIDY = `#!/bin/sh

# what it is for
if a; then # first
  b >f 2>&1
  # of b

  # before else
else
  c | d &&
    e ||
    # why
    f \\
    --long x
fi   # last
case $x in
  # before a pattern
  a|b) one ;;
  (c)
    two # here
    ;;
  *)
    # nothing to do
esac
f()
{
  cat <<E; g &
  kept   as it is
  # no comment
E
  for i in 1 \\
    2
  do ( cd x; y )
  done
}
x="  a
  b" y 'c
  # d'
`;

describe('a tidied script', () => {
  it('keeps every comment, on its line, at the level of what is around it', () => {
    expect(tidy(MESSY)).toBe(TIDY);
    expectSame(MESSY);
  });

  it.each([
    ['', ''],
    ['\n\n# all\n\n\n# there is', '# all\n\n# there is\n'],
    ['a&&b|c&', 'a && b | c &\n'],
    ['a;b ; c', 'a; b; c\n'],
    ['a $(b   c\n  # d\n) e', 'a $(b   c\n  # d\n) e\n'],
    ['a \\\n\\\n   b', 'a \\\n  b\n'],
    ['a \\\n', 'a\n'],
    ['cat <<-E\n\t x\n\tE\n\n\n\nb', 'cat <<-E\n\t x\n\tE\n\nb\n'],
    ['cat <<E\nx', 'cat <<E\nx'],
    ['( ( a ) )', '( ( a ) )\n'],
    ['while a\ndo {\nb\n} |\nc |\nd\ndone', 'while a\ndo {\n  b\n} |\n  c |\n  d\ndone\n'],
    ['for ((i=0;i<2;i++)) {\na\n}\nb', 'for ((i=0;i<2;i++)) {\n  a\n}\nb\n'],
    ['case a in b) c;; esac; d', 'case a in b) c ;; esac; d\n'],
    ['a # x  \t \nb', 'a # x\nb\n'],
    ['a;# x\nb   # y', 'a; # x\nb   # y\n'],
  ])('%j is %j', (text, expected) => {
    expect(tidy(text)).toBe(expected);
    expectSame(text);
  });

  it('is the same script: of the rows', { timeout: 60_000 }, () => {
    const folder = new URL('../cases/', import.meta.url);
    let tried = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.cases'),
    )) {
      for (const { script } of Object.values(parseCases(readFileSync(new URL(name, folder), 'utf8'), name))) {
        if (typeof script !== 'string' || parse(script).problem !== undefined) continue;
        expectSame(script);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(800);
  });

  it('is the same script: of any tree', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(trees.list, (list) => expectSame(print({ kind: 'CompleteCommand', ...AT, list }))),
      { numRuns: 40 },
    );
  });

  it('is told where it is none', () => {
    expect(format('a\nif b; then\n')).toMatchObject({ kind: 'syntax' });
    expect(format('a )')).toMatchObject({ message: "syntax error near unexpected token ')'" });
  });

  it('takes time in proportion to its length', () => {
    const milliseconds = (n: number): number => {
      const text = '# comment\nif a; then\n  b   |  c # d\nfi\n'.repeat(n);
      const start = process.cpuUsage();
      expect(tidy(text).length).toBeLessThan(text.length);
      return cpuSince(start);
    };
    milliseconds(1000);
    // quadratic growth would be 16 times
    expect(milliseconds(4000)).toBeLessThan(12 * milliseconds(1000) + 100);
  });
});
