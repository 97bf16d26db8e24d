import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/text/bytes.js';
import {
  compilePattern,
  escapePattern,
  hasPatternCharacters,
  type Pattern,
  unescapePattern,
} from '../../src/text/pattern.js';
import { dollarQuote } from '../../src/text/quote.js';
import { cpuSince } from '../support/cpu.js';
import { runReal, withOracle } from './oracle.js';

function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern).matches(text);
}

describe('a pattern', () => {
  it.each<[string, string, boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['a', 'a', true],
    ['a*', 'a', true],
    ['*a*', 'bab', true],
    ['a*a', 'a', false],
    ['a**a', 'aa', true],
    ['?', '\u{1f600}', true],
    ['?', '\udcff', true],
    ['??', '\udcff\udc80', true],
    ['[!a]', '\udcff', true],
    ['[a-z]', '\udc80', false],
    ['[\udc80-\udcff]', '\udc90', true],
    ['\udc80', '\ud83d\udc80', false],
    ['*\udc80', '\ud83d\udc80', false],
    ['[a-c]', 'b', true],
    ['[c-a]', 'b', false],
    ['[]a]', ']', true],
    ['[!]a]', ']', false],
    ['[^]a]', 'b', true],
    ['[a', '[a', true],
    ['[]', '[]', true],
    ['[a-]', '-', true],
    ['[\\]a]', ']', true],
    ['[\\]a]', '\\', false],
    ['[a\\-z]', 'b', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['\\', '\\', true],
    ['[[:alpha:]]', 'é', true],
    ['[[:digit:]]', '5', true],
    ['[[:upper:][:digit:]x]', 'x', true],
    ['[![:space:]]', ' ', false],
    ['[[:nonsense:]]', 'n', false],
    ['[[=a=]]', 'a', true],
    ['[[.-.]a]', '-', true],
    ['[[.a.]-c]', 'b', true],
    ['[a-\\c]', 'b', true],
    ['.*', '.x', true],
    ['*', '.x/y', true],
    ['é*', 'e\u0301x', false],
  ])('%j against %j: %s', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

  it('strips the shortest and the longest', () => {
    const ends = (p: Pattern, s: string) => [
      p.shortestPrefix(s),
      p.longestPrefix(s),
      p.shortestSuffix(s),
      p.longestSuffix(s),
    ];
    expect(ends(compilePattern('*/'), 'a/b/c/')).toEqual([2, 6, 5, 0]);
    expect(ends(compilePattern('*.'), 'a.b')).toEqual([2, 2, -1, -1]);
    expect(ends(compilePattern('.*'), 'a.b.c')).toEqual([-1, -1, 3, 1]);
    expect(ends(compilePattern('*'), 'abc')).toEqual([0, 3, 3, 0]);
    expect(ends(compilePattern('x'), 'abc')).toEqual([-1, -1, -1, -1]);
    expect(ends(compilePattern('?'), '\u{1f600}\u{1f600}')).toEqual([2, 2, 2, 2]);
  });

  it('that was escaped matches only its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapePattern(text);
        expect(compilePattern(escaped).matches(text)).toBe(true);
        expect(unescapePattern(escaped)).toBe(text);
        expect(hasPatternCharacters(escaped)).toBe(false);
      }),
    );
    expect(matches(`[${escapePattern('a-c')}]`, 'b')).toBe(false);
    expect(matches(`[${escapePattern('!a')}]`, '!')).toBe(true);
  });
});

/** Milliseconds that `work` takes, at best of three. */
function time(work: () => void): number {
  const times = [0, 1, 2].map(() => {
    const start = process.cpuUsage();
    work();
    return cpuSince(start);
  });
  return Math.min(...times);
}

describe('time', () => {
  const long = 'a'.repeat(100_000);

  it.each(['*a*a*a*b', '*a*a*a*a*a*a*[b]', '*[a]*[a]*[a]b*', '[[[[[[[[a', `${'*a'.repeat(500)}b`])(
    'is linear in the text for %s',
    (pattern) => {
      expect(
        time(() => {
          const p = compilePattern(pattern);
          expect(p.matches(long)).toBe(false);
          p.longestPrefix(long);
          p.longestSuffix(long);
          p.shortestPrefix(long);
          p.shortestSuffix(long);
        }),
      ).toBeLessThan(250);
    },
  );

  it('of compiling is linear in the pattern', () => {
    expect(time(() => compilePattern('['.repeat(100_000)))).toBeLessThan(250);
    expect(time(() => compilePattern('[[.'.repeat(50_000)))).toBeLessThan(250);
  });
});

const patterns = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'é', '\u{1f600}', '*', '?', '-') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '[ab]',
          '[!a]',
          '[^b]',
          '[a-c]',
          '[]a]',
          '[!]]',
          '[',
          ']',
          '\\*',
          '\\a',
          '\\[',
          '[[:alpha:]]',
          '[[:punct:]b]',
          '[é-ü]',
          '[\\]]',
          '[a\\-c]',
          '[-a]',
          '!',
          '^',
        ),
      },
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(''));
const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'é', '\u{1f600}', '*', ']', '[', '-', '!'),
  maxLength: 8,
});

withOracle('bash', /version 5/, () => {
  it('case and the four strips agree on random patterns', () => {
    const pairs = fc.sample(fc.tuple(patterns, texts), 4000).map(([p, t]) => [decode(encode(p)), t] as const);
    const script = pairs.map(
      ([p, t]) =>
        `p=${dollarQuote(p)} t=${dollarQuote(t)}; case $t in $p) m=true;; *) m=false;; esac; ` +
        `printf '%s,%s,%s,%s,%s\\n' $m "\${t#$p}" "\${t##$p}" "\${t%$p}" "\${t%%$p}"`,
    );
    const said = runReal(['bash'], `set -f\n${script.join('\n')}\n`)
      .stdout.toString()
      .split('\n');
    pairs.forEach(([p, t], i) => {
      const pattern = compilePattern(p);
      const prefix = (end: number) => (end < 0 ? t : t.slice(end));
      const suffix = (start: number) => (start < 0 ? t : t.slice(0, start));
      const ours = [
        pattern.matches(t),
        prefix(pattern.shortestPrefix(t)),
        prefix(pattern.longestPrefix(t)),
        suffix(pattern.shortestSuffix(t)),
        suffix(pattern.longestSuffix(t)),
      ];
      expect(`${p} on ${t}: ${ours.join(',')}`).toBe(`${p} on ${t}: ${said[i]}`);
    });
  });
});

describe('picomatch', () => {
  const options = { posix: true, nobrace: true, noextglob: true, noglobstar: true, dot: true, strictBrackets: false };

  it('agrees on file names, where its notation and ours are one', () => {
    const simple = fc
      .array(fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[a-c]', '[[:alpha:]]', '\\*'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join(''));
    // It has its own ideas of names with special characters in them and of stars side by side.
    fc.assert(
      fc.property(
        simple,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 8 }),
        (p, t) => {
          fc.pre(!p.includes('**'));
          expect(`${p} ${t} ${matches(p, t)}`).toBe(`${p} ${t} ${picomatch.isMatch(t, p, options)}`);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
