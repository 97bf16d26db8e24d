import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Arithmetic,
  type ArithmeticSubscript,
  isProblem,
  parse,
  parseArithmetic,
  printArithmetic,
} from '../../grammar/index.js';
import { wordsOf } from './support.js';

/** An expression in prefix form. */
function prefix(node: Arithmetic): string {
  switch (node.kind) {
    case 'Number':
      return `${node.value}`;
    case 'Variable':
      return target(node);
    case 'Parameter':
      return `$${node.name}`;
    case 'Unary':
      return `(${node.operator} ${prefix(node.operand)})`;
    case 'Binary':
    case 'Logical':
      return `(${node.operator} ${prefix(node.left)} ${prefix(node.right)})`;
    case 'Conditional':
      return `(? ${prefix(node.test)} ${prefix(node.then)} ${prefix(node.otherwise)})`;
    case 'Assignment':
      return `(${node.operator ?? ''}= ${target(node)} ${prefix(node.value)})`;
    case 'Increment':
      return node.prefix
        ? `(${node.by > 0 ? '++' : '--'} ${target(node)})`
        : `(${target(node)} ${node.by > 0 ? '++' : '--'})`;
    case 'Comma':
      return `(, ${prefix(node.left)} ${prefix(node.right)})`;
  }
}

function target({ name: variable, subscript }: { name: string; subscript: ArithmeticSubscript | undefined }): string {
  if (subscript === undefined) return variable;
  return `${variable}[${subscript.expression === undefined ? `'${subscript.text}'` : prefix(subscript.expression)}]`;
}

function read(text: string): string {
  const result = parseArithmetic(text);
  return isProblem(result) ? result.message : prefix(result);
}

describe('an expression', () => {
  it.each([
    ['', '0'],
    [' \n\t ', '0'],
    ['1', '1'],
    ['1+2*3', '(+ 1 (* 2 3))'],
    ['(1+2)*3', '(* (+ 1 2) 3)'],
    ['1-2-3', '(- (- 1 2) 3)'],
    ['2**3**2', '(** 2 (** 3 2))'],
    ['-2**2', '(** (- 2) 2)'],
    ['2*3**2', '(* 2 (** 3 2))'],
    ['1<<2+3', '(<< 1 (+ 2 3))'],
    ['1|2^3&4==5<6<<7', '(| 1 (^ 2 (& 3 (== 4 (< 5 (<< 6 7))))))'],
    ['a||b&&c', '(|| a (&& b c))'],
    ['a?b:c?d:e', '(? a b (? c d e))'],
    ['a?b,c:d', '(? a (, b c) d)'],
    ['a?b=1:c', '(? a (= b 1) c)'],
    ['a=b=1', '(= a (= b 1))'],
    ['a+=1,b<<=2', '(, (+= a 1) (<<= b 2))'],
    ['a*=b|=c', '(*= a (|= b c))'],
    ['!~-+a', '(! (~ (- (+ a))))'],
    ['a++ + ++b', '(+ (a ++) (++ b))'],
    ['a---b', '(- (a --) b)'],
    ['a - -b', '(- a (- b))'],
    ['--5', '(- (- 5))'],
    ['a>=b!=c<=d', '(!= (>= a b) (<= c d))'],
    ['010+0x1F+0XfF', '(+ (+ 8 31) 255)'],
    ['2#101+36#z+16#Ff+64#_', '(+ (+ (+ 5 35) 255) 63)'],
    ['10#08', '8'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', '-9223372036854775808'],
    ['18446744073709551615', '-1'],
    ['0xffffffffffffffff', '-1'],
    ['a[1]+b[i + 1]', '(+ a[1] b[(+ i 1)])'],
    ['a[b[2]]=c', '(= a[b[2]] c)'],
    ['a[i]++, --b[x y]', "(, (a[i] ++) (-- b['x y']))"],
    ['a[]', "a['']"],
    ['a[1', 'bad array subscript (error token is "a[1")'],
    ['a b', 'syntax error in expression (error token is "b")'],
    ['1+', 'syntax error: operand expected (error token is "+")'],
    ['1++2', '(+ 1 (+ 2))'],
    ['*1', 'syntax error: operand expected (error token is "*1")'],
    ['(1', 'missing `)\' (error token is "1")'],
    ['1)', 'syntax error in expression (error token is ")")'],
    ['1=2', 'attempted assignment to non-variable (error token is "=2")'],
    ['a?b', '`:\' expected for conditional expression (error token is "b")'],
    ['08', 'value too great for base (error token is "08")'],
    ['2#2', 'value too great for base (error token is "2#2")'],
    ['1a', 'value too great for base (error token is "1a")'],
    ['65#1', 'invalid arithmetic base (error token is "65#1")'],
    ['1.5', 'syntax error: invalid arithmetic operator (error token is ".5")'],
    ['$x', 'syntax error: operand expected (error token is "$x")'],
    ['"1"', 'syntax error: operand expected (error token is ""1"")'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('has constants that are plain numbers while they are safe', () => {
    const value = (text: string): unknown => {
      const result = parseArithmetic(text);
      return 'value' in result ? result.value : undefined;
    };
    expect(value('9007199254740991')).toBe(9007199254740991);
    expect(value('9007199254740992')).toBe(9007199254740992n);
    expect(value('18446744073709551616')).toBe(0);
    expect(value('9'.repeat(1000))).toBe(Number(BigInt.asIntN(64, 10n ** 1000n - 1n)));
  });

  it('may be known before its parameters are', () => {
    const expression = (text: string): string | undefined => {
      const part = wordsOf(`echo ${text}`)[1]?.parts[0];
      if (part?.kind !== 'ArithmeticExpansion') throw new Error(text);
      return part.expression === undefined ? undefined : prefix(part.expression);
    };
    expect(expression('$((i+1))')).toBe('(+ i 1)');
    expect(expression('$(($1-${10}*$#))')).toBe('(- $1 (* $10 $#))');
    expect(expression('$((-$x))')).toBe('(- $x)');
    expect(expression('$((x = $y + 1))')).toBe('(= x (+ $y 1))');
    for (const text of [
      '$(($x$y))',
      '$((1$x))',
      '$(($x=1))',
      '$((a$op b))',
      '$(($x ++))',
      '$((${x-1}))',
      '$((`a`))',
      '$((1+))',
      '$(($x#1))',
    ]) {
      expect(expression(text)).toBeUndefined();
    }
  });

  it('has a limit to its depth', () => {
    for (const text of [
      `${'('.repeat(1000)}1`,
      `${'-'.repeat(100_001)}1`,
      `${'!'.repeat(1000)}1`,
      'a='.repeat(1000),
      '1?'.repeat(1000),
      '1?1:'.repeat(1000),
      '1**'.repeat(1000),
      '1+'.repeat(100_000),
    ]) {
      expect(read(text)).toBe('nesting too deep');
      expect(read(`${text}1`)).toBe('nesting too deep');
    }
    expect(read('('.repeat(100) + '1' + ')'.repeat(100))).toBe('1');
    expect(parse(`echo $((${'('.repeat(1000)}1${')'.repeat(1000)}))`).problem?.kind).toBe('nesting');
  });
});

const name = fc.constantFrom('a', 'b_1', 'X');
const tree: fc.Arbitrary<Arithmetic> = fc.letrec<{ node: Arithmetic }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(fc.maxSafeNat(), fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }))
      .map((value) => ({ kind: 'Number' as const, value })),
    name.map((variable) => ({ kind: 'Variable' as const, name: variable, subscript: undefined })),
    fc.record({
      kind: fc.constant('Unary' as const),
      operator: fc.constantFrom('+', '-', '!', '~'),
      operand: tie('node'),
    }),
    fc.record({
      kind: fc.constant('Binary' as const),
      operator: fc.constantFrom(
        '+',
        '-',
        '*',
        '/',
        '%',
        '**',
        '<<',
        '>>',
        '&',
        '|',
        '^',
        '<',
        '<=',
        '>',
        '>=',
        '==',
        '!=',
      ),
      left: tie('node'),
      right: tie('node'),
    }),
    fc.record({
      kind: fc.constant('Logical' as const),
      operator: fc.constantFrom('&&', '||'),
      left: tie('node'),
      right: tie('node'),
    }),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([test, yes, otherwise]) => {
      // biome-ignore lint/suspicious/noThenProperty: the node's own name for it
      return { kind: 'Conditional' as const, test, then: yes, otherwise };
    }),
    fc.record({
      kind: fc.constant('Assignment' as const),
      name,
      subscript: fc.constant(undefined),
      operator: fc.constantFrom(undefined, '+', '<<'),
      value: tie('node'),
    }),
    fc.record({
      kind: fc.constant('Increment' as const),
      name,
      subscript: fc.constant(undefined),
      by: fc.constantFrom(1 as const, -1 as const),
      prefix: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('Comma' as const), left: tie('node'), right: tie('node') }),
  ) as fc.Arbitrary<Arithmetic>,
})).node;

describe('a printed expression', () => {
  it('is read as the same tree', () => {
    fc.assert(
      fc.property(tree, (node) => {
        expect(parseArithmetic(printArithmetic(node))).toEqual(node);
      }),
    );
  });
});
