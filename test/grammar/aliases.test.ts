import { describe, expect, it } from 'vitest';
import { formatProblem, parse, print } from '../../grammar/index.js';
import { cpuSince } from '../support/cpu.js';
import { commandsOf, eachSpan, withoutOffsets } from './support.js';

/** The tree of a text in which every alias is written out: what substitution has to come to. */
function expectSame(text: string, aliases: Readonly<Record<string, string>>, writtenOut: string): void {
  const { commands, problem } = parse(text, { aliases: new Map(Object.entries(aliases)) });
  expect(problem).toBeUndefined();
  expect(withoutOffsets(commands)).toEqual(withoutOffsets(commandsOf(writtenOut)));
}

describe('alias substitution', () => {
  it('finds the end of a token wherever it lies after the alias', () => {
    // what is read of the text after the word grows in steps: a token may end just before, at or after each of them
    const values = [
      'echo "',
      "echo '",
      'echo $(echo ',
      'echo `echo ',
      'echo ${x:-',
      'x[',
      'echo $((1 + ',
      'x=(',
      'echo <<E; echo "',
    ];
    const closers = ['"', "'", ')', '`', '}', ']=2', '))', ')', '"\nE'];
    for (const [i, value] of values.entries()) {
      for (const length of [
        1, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 250, 254, 255, 256, 257, 1023, 1024, 1025, 5000,
      ]) {
        const rest = `${'y'.repeat(length)}${closers[i]}`;
        expectSame(`a ${rest}; echo z\n`, { a: value }, `${value} ${rest}; echo z\n`);
      }
    }
  });

  it('sees a parenthesis, an operator and a comment far behind the name', () => {
    for (const gap of [1, 50, 60, 61, 62, 63, 64, 65, 200, 256, 300]) {
      const blanks = ' '.repeat(gap);
      expectSame(`a${blanks}() { b; }\n`, { a: 'f' }, 'f () { b; }\n');
      expectSame(`a${blanks}&& b\n`, { a: 'c' }, 'c && b\n');
      expectSame(`a ${'x'.repeat(gap)}\nb\n`, { a: 'c #' }, 'c #\nb\n');
      expectSame(`a${'\\\n'.repeat(gap)}<b\n`, { a: 'c 2' }, 'c 2<b\n');
    }
  });

  it('reads here-documents that start in an alias, in it, after it, and through others', () => {
    const body = 'line $(a) b\n'.repeat(40);
    expectSame(`h\n${body}E\nb\n`, { h: 'cat <<E', a: 'c d' }, `cat <<E\n${body.replaceAll(/a/g, 'c d')}E\nb\n`);
    expectSame('{ h b\n}\n', { h: 'cat <<-E\n\tx\n\tE\n' }, '{ cat <<-E\n\tx\n\tE\n b\n}\n');
    expectSame(`h i <<F\nx\nE\ny\nF\n`, { h: 'cat <<E ', i: 'j' }, 'cat <<E  j <<F\nx\nE\ny\nF\n');
  });

  it('gives every node the place of the word, in order and inside of each other', () => {
    const text = 'b; a x; a; { a y\n}\na "\n';
    const aliases = new Map([
      ['a', 'if c "$d" $(e; a); then f; fi; { b >g; }; z'],
      ['z', 'echo "${x:-y}"'],
    ]);
    const { commands } = parse(text, { aliases });
    let nodes = 0;
    eachSpan(commands, (inner, outer) => {
      nodes += 1;
      expect(inner.start).toBeLessThanOrEqual(inner.end);
      expect(inner.end).toBeLessThanOrEqual(text.length);
      if (inner.kind !== 'HereDocument') expect(inner.start).toBeGreaterThanOrEqual(outer.start);
    });
    expect(nodes).toBeGreaterThan(50);
  });

  it('prints what was substituted', () => {
    const aliases = new Map([
      ['a', 'echo "one" | '],
      ['w', 'while x; do'],
      ['h', 'cat <<E'],
    ]);
    const { commands } = parse('a b; w a c; done\nh\n$x\nE\n', { aliases });
    const text = commands.map(print).join('');
    expect(withoutOffsets(commandsOf(text))).toEqual(withoutOffsets(commands));
    expect(text).toContain('echo "one" | b');
  });

  it('says where the alias stands when its text is wrong', () => {
    const aliases = new Map([
      ['bad', 'echo; fi'],
      ['open', 'echo "$('],
    ]);
    const text = 'echo\n  bad x\n';
    const { problem } = parse(text, { aliases });
    expect(problem && formatProblem('s', text, problem)).toBe(
      "s: line 2: syntax error near unexpected token 'fi'\n  bad x\n  ^\n",
    );
    expect(parse('open x\n', { aliases }).incomplete).toBe(true);
    expect(parse('open x)"\n', { aliases }).problem).toBeUndefined();
  });

  it('does not let the value of an alias end the substitution it stands in', () => {
    const { problem } = parse('echo $(a; b', { aliases: new Map([['a', ')']]) });
    expect(problem?.message).toContain("unexpected token ')'");
  });

  it('meets a limit where aliases double each other, and where they are nested', () => {
    const doubling = new Map(Array.from({ length: 40 }, (_, i) => [`a${i}`, `a${i + 1};a${i + 1}`]));
    expect(parse('a0\n', { aliases: doubling }).problem?.message).toContain('command too long');
    const chain = new Map(Array.from({ length: 1000 }, (_, i) => [`a${i}`, `a${i + 1}`]));
    expect(parse('a0\n', { aliases: chain }).problem?.message).toBe('nesting too deep');
  });

  it.each<[string, Readonly<Record<string, string>>, (n: number) => string]>([
    ['on one line', { a: 'b' }, (n) => 'a;'.repeat(n)],
    ['in one command', { a: 'b' }, (n) => `{\n${'a c\n'.repeat(n)}}`],
    ['with open quotes', { a: 'b "' }, (n) => 'a c";'.repeat(n)],
    ['with comments', { a: 'b #' }, (n) => `{\n${'a c\n'.repeat(n)}}`],
    ['with what is never closed', { a: 'b $(( "' }, (n) => 'a '.repeat(n)],
    ['before one long token', { a: 'b "' }, (n) => `a ${'c'.repeat(20 * n)}"`],
    ['with here-documents', { a: 'b <<E' }, (n) => `{\n${'a\nc\nE\n'.repeat(n)}}`],
  ])('%s: four times the text takes no more than some times the time', (_, names, make) => {
    const aliases = new Map(Object.entries(names));
    const milliseconds = (n: number): number => {
      const text = `${make(n)}\n`;
      const start = process.cpuUsage();
      parse(text, { aliases });
      return cpuSince(start);
    };
    const small = Math.min(milliseconds(1500), milliseconds(1500));
    const large = Math.min(milliseconds(6000), milliseconds(6000));
    // quadratic growth would be 16 times; what takes a few milliseconds is not to be measured
    expect(large).toBeLessThan(12 * small + 100);
  });

  it('reads a long value once, however many aliases are in it', () => {
    const milliseconds = (n: number): number => {
      const aliases = new Map([
        ['a', 'b;'.repeat(n)],
        ['b', 'c'],
      ]);
      const start = process.cpuUsage();
      parse('a\n', { aliases });
      return cpuSince(start);
    };
    const small = Math.min(milliseconds(1500), milliseconds(1500));
    expect(Math.min(milliseconds(6000), milliseconds(6000))).toBeLessThan(12 * small + 100);
  });
});
