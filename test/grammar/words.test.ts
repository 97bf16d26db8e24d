import { describe, expect, it } from 'vitest';
import { parse, parseDoubleQuotedText } from '../../grammar/index.js';
import { shape, statementOf, wordsOf } from './support.js';

/** The shape of the argument in `echo TEXT`. */
function argument(text: string): string {
  return wordsOf(`echo ${text}`)
    .slice(1)
    .map((word) => shape(word.parts))
    .join(' | ');
}

describe('quoting', () => {
  it.each([
    ['abc', 'L(abc)'],
    ['a#b', 'L(a#b)'],
    ['a b', 'L(a) | L(b)'],
    ['\\a\\ b', 'E(a) E( ) L(b)'],
    ["'a b'", 'S(a b)'],
    ["''", 'S()'],
    ['""', 'D()'],
    ['a"b"\'c\'', 'L(a) D(L(b)) S(c)'],
    ['"a\'b"', "D(L(a'b))"],
    ['"\\a \\$ \\` \\" \\\\"', 'D(L(\\a ) E($) L( ) E(`) L( ) E(") L( ) E(\\))'],
    ['"a\\\nb"', 'D(L(ab))'],
    ["'a\\\nb'", 'S(a\\\nb)'],
    ['a\\\nb', 'L(ab)'],
    ['a\\\n\\\n b', 'L(a) | L(b)'],
    ['"$"', 'D(L($))'],
    ['a$', 'L(a$)'],
    ['$%', 'L($%)'],
    ['"$\'a\'"', "D(L($'a'))"],
    ['\\\u{1f600}', 'E(\u{1f600})'],
    ["$'a\\n\\t\\'\\\\\\x41\\101\\u00e9\\cA\\?\\e'", "S$(a\n\t'\\AA\u00e9\x01?\x1b)"],
    ["$'\\xc3\\xa9\\xff'", 'S$(\u00e9\udcff)'],
    ["$'a\\0b'", 'S$(a)'],
    ["$'a\\zb'", 'S$(a\\zb)'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });
});

describe('parameters', () => {
  it.each([
    ['$x$y', 'P(x) P(y)'],
    ['${x}y', 'P(x) L(y)'],
    ['$10', 'P(1) L(0)'],
    ['${10}', 'P(10)'],
    ['$@$*$#$?$-$$$!$0', 'P(@) P(*) P(#) P(?) P(-) P($) P(!) P(0)'],
    ['$\\\nx ${\\\nx} ${x\\\n-a}', 'P(x) | P(x) | P(x Default L(a))'],
    ['$a\\\nb', 'P(ab)'],
    ['${#x} ${#} ${##} ${#-} ${#?} ${#10}', 'P(#x) | P(#) | P(##) | P(#-) | P(#?) | P(#10)'],
    ['${#-x} ${#:-x}', 'P(# Default L(x)) | P(# :Default L(x))'],
    ['${#%a} ${##a} ${###a}', 'P(# end L(a)) | P(# start L(a)) | P(# start! L(a))'],
    [
      '${x-a b} ${x:=a} ${x+} ${x?}',
      'P(x Default L(a b)) | P(x :Assign L(a)) | P(x Alternative ) | P(x Error nothing)',
    ],
    ['${x#a} ${x##*/} ${x%.*} ${x%%}', 'P(x start L(a)) | P(x start! L(*/)) | P(x end L(.*)) | P(x end! )'],
    ['${x-\'a}\'"b}"\\}}', 'P(x Default S(a}) D(L(b})) E(}))'],
    ['"${x-\'a\'}"', "D(P(x Default L('a')))"],
    ['"${x-a"b}"c}"', 'D(P(x Default L(a) D(L(b})) L(c)))'],
    ['"${x-\\}\\a}"', 'D(P(x Default E(}) L(\\a)))'],
    ['"${x#\'p\'}"', 'D(P(x start S(p)))'],
    ['"${x%"p"}"', 'D(P(x end D(L(p))))'],
    ['${x-${y-z}}', 'P(x Default P(y Default L(z)))'],
    ['${x-~/a} "${x-~}" "${x#~/}"', 'P(x Default T() L(/a)) | D(P(x Default L(~))) | D(P(x start T() L(/)))'],
    ['${x-a;b|c(d)}', 'P(x Default L(a;b|c(d)))'],
    ['${!} ${-} ${$}', 'P(!) | P(-) | P($)'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });
});

describe('substitutions', () => {
  it.each([
    ['$(a; b)', 'C(2)'],
    ['$()', 'C(0)'],
    ['"$(a "b")"', 'D(C(1))'],
    ['`a \\`b\\` \\$x \\\\`', 'C`(a `b` $x \\)'],
    ['"`a \\"b\\"`"', 'D(C`(a "b"))'],
    ['`a \\"b\\"`', 'C`(a \\"b\\")'],
    ['$((1 + x))', 'A(L(1 + x) =)'],
    ['$(($x + ${y}))', 'A(P(x) L( + ) P(y) =)'],
    ['$(($x$y))', 'A(P(x) P(y))'],
    ['$((1$x))', 'A(L(1) P(x))'],
    ['$((${x-1}))', 'A(P(x Default L(1)))'],
    ['$((1 +))', 'A(L(1 +))'],
    ['$(("1"))', 'A(D(L(1)))'],
    ['$((a); b)', 'C(2)'],
    ['$( (a) )', 'C(1)'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });

  it('takes parentheses that close apart for two subshells, as bash does', () => {
    expect(parse('echo $((a)-(b))').problem?.message).toBe("syntax error near unexpected token '-'");
    expect(argument('$(( (a)-(b) ))')).toBe('A(L( (a)-(b) ) =)');
  });
});

describe('tildes', () => {
  it.each([
    ['~', 'T()'],
    ['~/a', 'T() L(/a)'],
    ['~user/a', 'T(user) L(/a)'],
    ['a~', 'L(a~)'],
    ['~"a"', 'L(~) D(L(a))'],
    ['~a"b"', 'L(~a) D(L(b))'],
    ['\\~', 'E(~)'],
    ['~$x', 'L(~) P(x)'],
    ['~a:b', 'L(~a:b)'],
    ['x=~', 'L(x=~)'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });

  it.each([
    ['x=~', 'T()'],
    ['x=~/a:~b:c~', 'T() L(/a:) T(b) L(:c~)'],
    ['x=a"b":~', 'L(a) D(L(b)) L(:) T()'],
    ['x=":"~', 'D(L(:)) L(~)'],
    ['x=a\\:~', 'L(a) E(:) L(~)'],
  ])('%j assigns %j', (text, expected) => {
    const statement = statementOf(text);
    if (statement.kind !== 'SimpleCommand') throw new Error('not simple');
    const value = statement.assignments[0]?.value;
    expect(value?.kind === 'Word' && shape(value.parts)).toBe(expected);
  });

  it('stand in the arguments of commands that assign', () => {
    const declared = (text: string): string[] => {
      const statement = statementOf(text);
      if (statement.kind !== 'SimpleCommand') throw new Error('not simple');
      return statement.declared.map(({ index, assignment }) => {
        return `${index} ${assignment.value.kind === 'Word' ? shape(assignment.value.parts) : '()'}`;
      });
    };
    expect(declared('export x=~/a:~')).toEqual(['1 T() L(/a:) T()']);
    expect(declared('command export -p x=~ y z=1')).toEqual(['3 T()', '4 L(1)']);
    expect(declared('echo export x=~')).toEqual([]);
  });
});

describe('what a word is known to be', () => {
  it.each([
    ['abc', 'abc'],
    ['a"b"\'c\'\\d', 'abcd'],
    ["''", ''],
    ['\'*\'\\?"["', '*?['],
    ['*', undefined],
    ['a?', undefined],
    ['[x]', undefined],
    ['~', undefined],
    ['$x', undefined],
    ['"$x"', undefined],
    ['a{b}', 'a{b}'],
  ])('%j is %j', (text, expected) => {
    expect(wordsOf(`echo ${text}`)[1]?.literal).toBe(expected);
  });

  it('knows patterns and quoted operands, but not what will be split', () => {
    const operand = (text: string): unknown => {
      const [, word] = wordsOf(`echo ${text}`);
      const part = word?.parts[0];
      const inner = part?.kind === 'DoubleQuoted' ? part.parts[0] : part;
      if (inner?.kind !== 'ParameterExpansion' || inner.operation === undefined) throw new Error(text);
      const { operation } = inner;
      if (operation.kind === 'Strip') return operation.pattern.literal;
      return 'word' in operation ? operation.word?.literal : undefined;
    };
    expect(operand('${x%.txt}')).toBe('.txt');
    expect(operand('${x%"*"}')).toBe('*');
    expect(operand('${x%*}')).toBeUndefined();
    expect(operand('"${x-*}"')).toBe('*');
    expect(operand('${x-a b}')).toBeUndefined();
  });
});

describe('forms of bash that are not supported', () => {
  it.each([
    ['coproc a', 'coproc'],
    ['! coproc a', 'coproc'],
  ])('%j says so', (text, feature) => {
    const { problem, commands } = parse(`true\n${text}`);
    expect(problem?.kind).toBe('unsupported');
    expect(problem?.message).toContain(feature);
    expect(commands).toHaveLength(1);
  });
});

describe('a text that is expanded as in double quotes', () => {
  it('has expansions and ordinary double quotes', () => {
    const word = parseDoubleQuotedText('"$x" \\$ $(a) \'~\' *');
    if (word.kind !== 'Word') throw new Error(word.message);
    expect(shape(word.parts)).toBe('L(") P(x) L(" ) E($) L( ) C(1) L( \'~\' *)');
  });

  it('may be wrong', () => {
    expect(parseDoubleQuotedText('$(').kind).toBe('syntax');
    expect(parseDoubleQuotedText('${x').kind).toBe('syntax');
  });
});

describe('characters', () => {
  it('takes every character beyond ASCII for one of a word', () => {
    for (let code = 0x80; code < 0x10000; code += 17) {
      const character = String.fromCharCode(code);
      expect(wordsOf(character)[0]?.literal).toBe(character);
    }
    for (const character of ['\ufeff', '\ufe0f', '\uffff', '\udcff', '\u00a0']) {
      expect(wordsOf(`${character} a`)[0]?.literal).toBe(character);
      expect(wordsOf(`a ${character}`)[1]?.literal).toBe(character);
    }
  });
});
