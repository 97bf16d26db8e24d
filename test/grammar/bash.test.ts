import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WordPart } from '../../grammar/index.js';
import { parse, print } from '../../grammar/index.js';
import { shape, wordsOf } from './support.js';

const HAS_BASH = spawnSync('/bin/bash', ['-c', ':']).status === 0;
if (!HAS_BASH && process.env['RMSH_REQUIRE_ORACLES']) throw new Error('bash is not installed');

/** The shape of the arguments in `echo TEXT`. */
function argument(text: string): string {
  return wordsOf(`echo ${text}`)
    .slice(1)
    .map((word) => shape(word.parts))
    .join(' | ');
}

describe('the parameters of bash', () => {
  it.each([
    ['${x:1} ${x: -1:2} ${x:-1}', 'P(x from L(1)) | P(x from L( -1) : L(2)) | P(x :Default L(1))'],
    ['${x:a?b:c:d} ${x:(a?b:c):d}', 'P(x from L(a?b:c) : L(d)) | P(x from L((a?b:c)) : L(d))'],
    ['${x:$a+1:${#x}} ${@:2} ${x::3}', 'P(x from P(a) L(+1) : P(#x)) | P(@ from L(2)) | P(x from  : L(3))'],
    [
      '${x/a/b} ${x//a/b} ${x/#a/b} ${x/%a/b}',
      'P(x replace L(a) / L(b)) | P(x replace all L(a) / L(b)) | P(x replace start L(a) / L(b)) | P(x replace end L(a) / L(b))',
    ],
    [
      '${x/a} ${x//a/} ${x////_} ${x/\\//"/"}',
      'P(x replace L(a)) | P(x replace all L(a) / ) | P(x replace all L(/) / L(_)) | P(x replace E(/) / D(L(/)))',
    ],
    ['"${x/\'a\'/\'b\'}" "${x/"a b"/$y}"', 'D(P(x replace S(a) / S(b))) | D(P(x replace D(L(a b)) / P(y)))'],
    ['${x^} ${x^^} ${x,[a-z]} ${x~~}', 'P(x upper) | P(x upper!) | P(x lower L([a-z])) | P(x toggle!)'],
    [
      '${!x} ${!x*} ${!x@} ${!x[1]} ${!x[@]} ${!1} ${!#}',
      'P(!x) | P(x names*) | P(x names@) | P(!x[L(1)]) | P(x[@] keys) | P(!1) | P(!#)',
    ],
    ['${!x:-a} ${!} ${!-a}', 'P(!x :Default L(a)) | P(!) | P(! Default L(a))'],
    [
      '${a[0]} ${a[@]} ${a[*]} ${a[$i]} ${a[b[1]]} ${a["c d"]}',
      'P(a[L(0)]) | P(a[@]) | P(a[*]) | P(a[P(i)]) | P(a[L(b[1])]) | P(a[D(L(c d))])',
    ],
    [
      '${#a[@]} ${#a[1]} "${a[@]:1:2}" ${a[@]/b/c} ${a[1]:-d}',
      'P(#a[@]) | P(#a[L(1)]) | D(P(a[@] from L(1) : L(2))) | P(a[@] replace L(b) / L(c)) | P(a[L(1)] :Default L(d))',
    ],
    ['${x@Q} ${a[@]@A} ${@@Q}', 'P(x @Q) | P(a[@] @A) | P(@ @Q)'],
    ['$"a $x" $"b"c', 'D(L(a ) P(x)) | D(L(b)) L(c)'],
    ['<(a; b) >(c) x<(d)y ${x-<(a)} "<(a)"', 'F<(2) | F>(1) | L(x) F<(1) L(y) | P(x Default F<(1)) | D(L(<(a)))'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });

  it.each(['${x:}', '${x@Z}', '${x@}', '${a[]}', '${x^', '${a[1', '${!x[}'])('%j is wrong', (text) => {
    expect(parse(`echo ${text}`).problem?.kind).toBe('syntax');
  });
});

describe('braces', () => {
  it.each([
    ['{a,b}', 'B(L(a) , L(b))'],
    ['x{a,"b c",$d}y', 'L(x) B(L(a) , D(L(b c)) , P(d)) L(y)'],
    ['{a,{b,c}d}{1..3}', 'B(L(a) , B(L(b) , L(c)) L(d)) R(1 3 1)'],
    ['{,}{a,}', 'B( , ) B(L(a) , )'],
    ['{1..9..3} {3..1} {a..e..2} {01..10} {-5..05..-2}', 'R(1 9 3) | R(3 1 -1) | R(a e 2) | R(1 10 1 2) | R(-5 5 2 2)'],
    ['{a},b} a{b,c{d,e} {x..{a,b}}', 'B(L(a}) , L(b)) | L(a{b,c) B(L(d) , L(e)) | B(L(x..) B(L(a) , L(b)))'],
    [
      '{} {a} {a,b a,b} {a..} {1..x} {1..$n} \\{a,b} {a\\,b} "{a,b}" ${x}{',
      'L({}) | L({a}) | L({a,b) | L(a,b}) | L({a..}) | L({1..x}) | L({1..) P(n) L(}) | E({) L(a,b}) | L({a) E(,) L(b}) | D(L({a,b})) | P(x) L({)',
    ],
    ['{~,~root}/x ~/{a,b}', 'B(T() , T(root)) L(/x) | T() L(/) B(L(a) , L(b))'],
  ])('%j is %j', (text, expected) => {
    expect(argument(text)).toBe(expected);
  });

  it.each([
    'x={a,b}',
    'case {a,b} in {a,b}) c;; esac',
    '[[ {a,b} == {a,b} ]]',
    'cat <<{a,b}\n{a,b}\n',
    'a >{b,c}',
    'a <<<{b,c}',
  ])('%j has none to expand', (text) => {
    expect(JSON.stringify(parse(text))).not.toContain('BraceList');
  });

  const pieces = fc.constantFrom(
    '{',
    '}',
    '{',
    '}',
    ',',
    ',',
    'a',
    '..',
    '1',
    '3',
    '01',
    '-2',
    'c',
    '{1..3}',
    '{a,b}',
    '"{"',
  );

  it.skipIf(!HAS_BASH)('are expanded as bash expands them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(pieces, { minLength: 1, maxLength: 9 }), { minLength: 100, maxLength: 100 }),
        (texts) => {
          const words = texts.map((text) => `x${text.join('')}`);
          const script = words.map((word) => `echo ${word}`).join('\n');
          const { stdout } = spawnSync('/bin/bash', ['-c', `set -f\n${script}`], { encoding: 'utf8' });
          const expected = stdout.split('\n');
          words.forEach((word, index) => {
            const found = wordsOf(`echo ${word}`).slice(1);
            const text = found.flatMap(({ parts }) => expanded(parts)).join(' ');
            expect(text.replaceAll('"', ''), word).toBe(expected[index]);
          });
        },
      ),
      { numRuns: 5 },
    );
  });
});

/** The texts of all words that braces make of one. */
function expanded(parts: readonly WordPart[]): string[] {
  let texts = [''];
  for (const part of parts) {
    const choices = part.kind === 'BraceList' ? part.items.flatMap(expanded) : sequence(part);
    texts = texts.flatMap((text) => choices.map((choice) => text + choice));
  }
  return texts;
}

function sequence(part: WordPart): string[] {
  if (part.kind !== 'BraceSequence') return [print(part)];
  const { letters, from, to, step, width } = part;
  const values: string[] = [];
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
    const sign = value < 0 ? '-' : '';
    const digits = String(Math.abs(value)).padStart(width - sign.length, '0');
    values.push(letters ? String.fromCharCode(value) : sign + digits);
  }
  return values;
}

/** What bash accepts. */
const ACCEPTED: readonly string[] = [
  '[[ a ]]',
  '[[\n-n a\n]]',
  '[[ -n $x && ( a == b || c != d ) ]]',
  '[[ ! -f x ]]',
  '[[ a =~ (b c|d) && e ]]',
  '[[ a =~ ^[0-9]{2}$ ]]',
  '[[ a < b ]] || [[ a > b ]]',
  '[[ -n a # c\n && b ]]',
  'if [[ a ]]; then b; fi',
  '((a))',
  '((a = (1 + 2) * 3)) && b',
  '((a); (b))',
  'for ((i = 0; i < 3; i++)); do a; done',
  'for ((;;))\ndo a; done',
  'for ((;;)) { a; }',
  'function f { a; }',
  'function f() { a; }',
  'function f ()\n{ a; }',
  'function f\n(a)',
  'select i in a; do b; done',
  'time a',
  'time -p a | b',
  'time',
  'time; a',
  '! time a',
  'a=()',
  'a=(b c)',
  'a=(\n b # c\n [d]=e\n)',
  'a[1]=b',
  'a[b c]=d',
  'a+=b c+=(d)',
  'local a=(b) c',
  'declare -A m=([a]=b [c]+=d)',
  'a <<<b',
  'a <<< b <<<c',
  'a <(b) >(c)',
  'a < <(b) > >(c)',
  'a &>b &>>c >&d',
  'a |& b',
  'a |&\n b',
  'exec {fd}>a {fd}>&-',
  'case a in b) c;;& d) e;; esac',
  'echo ${x:1:2} ${x/a/b} ${x^^} ${!x} ${!x*} ${!a[@]} ${#a[@]} ${x@Q}',
  'echo $"a"',
  'echo {a,b} {1..3}',
  'a <<E <<<b\nx\nE\n',
  '[[ a &&\n b ]] <<E\nx\nE\n',
];

/** What bash rejects. */
const REJECTED: readonly string[] = [
  '[[ a b ]]',
  '[[ a == ]]',
  '[[ -f ]]',
  '[[ ( a ]]',
  '[[ a ) ]]',
  '[[ a; ]]',
  '[[ a =~ b) ]]',
  '[[ a',
  ']]',
  '((a)',
  '(( a',
  'for ((a; b)); do c; done',
  'for ((a; b; c; d)); do e; done',
  'for ((;;)); { a;',
  'function { a; }',
  'function f a',
  'select in a; do b; done; done',
  'time || a',
  'a=(b',
  'a=(b;)',
  'a=(b | c)',
  'echo a=(b)',
  'a <<<',
  'a <<< | b',
  'a |& ; b',
  'a &> ; b',
  'a <(b',
  'a <(fi)',
];

/** What bash finds only when it runs, or never. */
const STRICTER: readonly string[] = ['[[ ]]', '[[ a && ]]', '!', 'a[1]=()', 'echo ${a.b}', 'echo ${=a}'];

describe('what is a command in bash and what is not', () => {
  const judge = (text: string): boolean => {
    const { status, stderr } = spawnSync('/bin/bash', ['-n'], { input: text, encoding: 'utf8' });
    return status === 0 && (stderr === '' || stderr.includes('warning'));
  };

  it.each(ACCEPTED)('accepts %j', (text) => {
    expect(parse(text).problem).toBeUndefined();
  });

  it.each([...REJECTED, ...STRICTER])('rejects %j', (text) => {
    expect(parse(text).problem?.kind).toBe('syntax');
  });

  it.skipIf(!HAS_BASH)('agrees with bash', () => {
    expect(ACCEPTED.filter((text) => !judge(text))).toEqual([]);
    expect(REJECTED.filter((text) => judge(text))).toEqual([]);
  });
});

describe('modes', () => {
  it.each([
    ['[[ a && b', '[[ a && b'],
    ['time -p a', 'time -p a'],
    ['select i in a', 'select i in a'],
    ['a &>b', 'a & >b'],
    ['((a); b)', undefined],
    ['((a))', undefined],
    ['echo {a,b} {x}>f', 'echo {a,b} {x} >f'],
    ['echo $"a" $[1]', 'echo $"a" $[1]'],
  ])('posix: %j is %j', (text, expected) => {
    const { commands, problem } = parse(text, { posix: true });
    expect(problem).toBeUndefined();
    expect(JSON.stringify(commands)).not.toMatch(/Conditional|Arithmetic|Brace[LS]|Select|timed":"yes/);
    if (expected !== undefined) expect(commands.map(print).join('').trim()).toBe(expected);
  });

  it.each(['a <(b)', 'for ((;;)); do a; done', 'function f { a; }', 'a |& b'])('posix: %j is wrong', (text) => {
    expect(parse(text, { posix: true }).problem?.kind).toBe('syntax');
  });

  it('extended patterns are words when they are on', () => {
    expect(parse('echo @(a)').problem?.message).toContain('shopt -s extglob');
    expect(parse('[[ a == @(b|c)* ]]').problem).toBeUndefined();
    const { commands } = parse('echo @(a|b c)* !(d)', { extendedPatterns: true });
    expect(commands.map(print)).toEqual(['echo @(a|b c)* !(d)\n']);
    expect(parse('case a in +(b)|c) d;; esac', { extendedPatterns: true }).problem).toBeUndefined();
  });
});
