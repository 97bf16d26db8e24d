import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../src/text/bytes.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue, quote, quoteAlways, quoteVisible } from '../../src/text/quote.js';
import { runReal, withOracle } from './oracle.js';

/** Names with everything odd in them, but not `/` or NUL, and no Unicode so new that a C library may not know it. */
const names = fc
  .array(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 3 }),
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '\n',
        '\t',
        '\x01',
        '\x7f',
        '#',
        '~',
        '{',
        '}',
        ':',
        '@',
        '=',
        '^',
        '!',
        ' ',
        'é',
        '€',
        '\u{1f600}',
        '\u2028',
        '\udcff',
        '\udcc3',
        '’',
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => decode(encode(parts.join('').replaceAll('/', '%').replaceAll('\0', ''))))
  .filter((name) => !['', '.', '..', '-'].includes(name));

const SAMPLE = fc.sample(names, 400);

describe('quote', () => {
  it.each([
    ['', "''"],
    ['abc', 'abc'],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['~x', "'~x'"],
    ['a=b', "'a=b'"],
  ])('%j', (text, quoted) => expect(quote(text)).toBe(quoted));

  it('shows controls and invalid bytes where asked', () => {
    expect(quoteVisible("a\n\udcff'é")).toBe("$'a\\n\\377\\'é'");
    expect(quoteVisible('a b')).toBe("'a b'");
  });

  for (const shell of ['bash', 'dash']) {
    withOracle(shell, /./, () => {
      it('is read back as it was', () => {
        const script = SAMPLE.map((name) => `printf '%s\\0' ${quote(name)} ${quoteAlways(name)}`).join('\n');
        const said = runReal([shell], encode(script)).stdout;
        expect(decode(said)).toBe(SAMPLE.map((name) => `${name}\0${name}\0`).join(''));
      });
    });
  }

  withOracle('bash', /bash/, () => {
    it('is read back also when made visible', () => {
      const script = SAMPLE.map((name) => `printf '%s\\0' ${quoteVisible(name)}`).join('\n');
      expect(decode(runReal(['bash'], encode(script)).stdout)).toBe(SAMPLE.map((name) => `${name}\0`).join(''));
    });
  });
});

withOracle('rm', /coreutils\) 9\./, () => {
  it('gnuQuote is how rm names a file', () => {
    // printf hands the names on as bytes, which spawn's own encoding of arguments could not.
    const input = Buffer.concat(
      SAMPLE.flatMap((name) => [Buffer.from('/nonexistent/'), encode(name), Buffer.from([0])]),
    );
    const said = runReal(['xargs', '-0', 'rm', '--'], input).stderr;
    const expected = SAMPLE.map(
      (name) => `rm: cannot remove ${gnuQuote(`/nonexistent/${name}`)}: No such file or directory\n`,
    );
    expect(decode(said)).toBe(expected.join(''));
  });

  it('gnuQuote knows a first character', () => {
    const first = SAMPLE.filter((name) => encode(name).length < 200);
    const input = Buffer.concat(first.flatMap((name) => [encode(name), Buffer.from([0])]));
    const said = runReal(['xargs', '-0', 'rm', '--'], input, '/proc/self/task').stderr;
    expect(decode(said)).toBe(
      first.map((name) => `rm: cannot remove ${gnuQuote(name)}: No such file or directory\n`).join(''),
    );
  });

  it('gnuQuoteIfNeeded is how cat names a file', () => {
    const input = Buffer.concat(SAMPLE.flatMap((name) => [encode(name), Buffer.from([0])]));
    const said = runReal(['xargs', '-0', 'cat', '--'], input, '/proc/self/task').stderr;
    expect(decode(said)).toBe(
      SAMPLE.map((name) => `cat: ${gnuQuoteIfNeeded(name)}: No such file or directory\n`).join(''),
    );
  });

  it('gnuQuoteValue is how head names a wrong number', () => {
    for (const name of SAMPLE.slice(0, 60)) {
      const said = runReal(['xargs', '-0', 'head', '-n'], Buffer.concat([encode(`x${name}`), Buffer.from([0])])).stderr;
      expect(decode(said)).toBe(`head: invalid number of lines: ${gnuQuoteValue(`x${name}`)}\n`);
    }
  });
});
