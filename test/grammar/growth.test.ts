import { describe, expect, it } from 'vitest';
import { formatProblem, parse } from '../../grammar/index.js';
import { cpuSince } from '../support/cpu.js';

/** Texts that made parsers take forever or crash; `n` is about their length. */
const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  'open parentheses': (n) => '('.repeat(n),
  'open arithmetic': (n) => '$(('.repeat(n / 3),
  'open arithmetic as arguments': (n) => `echo ${'$((a '.repeat(n / 5)}`,
  'open arithmetic in quotes': (n) => `echo ${`"$((a)' `.repeat(n / 8)}`,
  'open quotes': (n) => "echo 'a\n".repeat(n / 8),
  'open double quotes': (n) => 'echo "a\n'.repeat(n / 8),
  'open backquotes': (n) => '`'.repeat(n | 1),
  'open substitutions': (n) => '$('.repeat(n / 2),
  'open parameters': (n) => `echo ${'${x-'.repeat(n / 4)}`,
  'open braces': (n) => '{ '.repeat(n / 2),
  'open ifs': (n) => 'if '.repeat(n / 3),
  'open cases': (n) => 'case x in a) '.repeat(n / 12),
  'closing parentheses': (n) => ')'.repeat(n),
  'words on a line': (n) => `echo ${'w '.repeat(n / 2)}`,
  'assignments on a line': (n) => 'a=1 '.repeat(n / 4),
  'redirections on a line': (n) => `a${' >f'.repeat(n / 3)}`,
  'commands on a line': (n) => 'a;'.repeat(n / 2),
  'pipes on a line': (n) => `a${'|a'.repeat(n / 2)}`,
  'conditions on a line': (n) => `a${'&&a'.repeat(n / 3)}`,
  'a long quote': (n) => `echo '${'a'.repeat(n)}'`,
  'a long double quote': (n) => `echo "${'$x'.repeat(n / 2)}"`,
  'a long comment': (n) => `#${'x'.repeat(n)}`,
  'a long word': (n) => 'a'.repeat(n),
  'a word of escapes': (n) => '\\a'.repeat(n / 2),
  'a word of continuations': (n) => `a${'\\\na'.repeat(n / 3)}`,
  'a name of continuations': (n) => `echo $a${'\\\na'.repeat(n / 3)}`,
  'an operator of continuations': (n) => `a &${'\\\n'.repeat(n / 2)}& b`,
  'empty lines': (n) => '\n'.repeat(n),
  tildes: (n) => `a=${'~:'.repeat(n / 2)}`,
  'braces in a word': (n) => `echo ${'{a}'.repeat(n / 3)}`,
  'open braces in a word': (n) => `echo ${'{$x'.repeat(n / 3)}`,
  'open brackets': (n) => 'a[b;'.repeat(n / 4),
  'brackets in brackets': (n) => `${'a['.repeat(n / 4)}${']=1;'.repeat(n / 4)}`,
  'brackets in parameters': (n) => `echo ${'${a['.repeat(n / 4)}`,
  'brackets in arithmetic': (n) => `echo $((${'a['.repeat(n / 2)}))`,
  'lists of braces': (n) => `echo ${'{a,b}'.repeat(n / 5)}`,
  'lists in lists of braces': (n) => `echo ${'{a,'.repeat(n / 4)}${'}'.repeat(n / 4)}`,
  'braces without a comma': (n) => `echo ${'{a}'.repeat(n / 6)}${'}'.repeat(n / 2)}`,
  'braces before a comma': (n) => `echo ${'{a}'.repeat(n / 6)},${'}'.repeat(n / 2)}`,
  'commas in braces': (n) => `echo {${','.repeat(n)}}`,
  sequences: (n) => `echo ${'{1..3}'.repeat(n / 6)}`,
  'dots in braces': (n) => `echo {${'.'.repeat(n)}}`,
  'open conditions': (n) => '[[ ( '.repeat(n / 5),
  'groups in a condition': (n) => `[[ ${'( '.repeat(n / 2)}`,
  'joined conditions': (n) => `[[ a ${'&& a '.repeat(n / 5)}]]`,
  'negated conditions': (n) => `[[ ${'! '.repeat(n / 2)}a ]]`,
  'an open regular expression': (n) => `[[ a =~ ${'('.repeat(n)}`,
  'an open pattern': (n) => `[[ a == ${'@('.repeat(n / 2)} ]]`,
  'open arithmetic commands': (n) => '(( '.repeat(n / 3),
  'open arithmetic loops': (n) => 'for (( '.repeat(n / 7),
  'arithmetic commands': (n) => '((a));'.repeat(n / 6),
  'separators in an arithmetic loop': (n) => `for ((${';'.repeat(n)})); do a; done`,
  'open arrays': (n) => 'a=('.repeat(n / 3),
  'a long array': (n) => `a=(${'b '.repeat(n / 2)})`,
  'a long array with keys': (n) => `a=(${'[b]=c '.repeat(n / 7)})`,
  'an array of open brackets': (n) => `a=(${'[b '.repeat(n / 3)})`,
  'declared assignments': (n) => `declare ${'a=1 '.repeat(n / 4)}`,
  'open process substitutions': (n) => 'a <('.repeat(n / 4),
  'process substitutions': (n) => 'a <(b) '.repeat(n / 7),
  'open replacements': (n) => `echo ${'${x/'.repeat(n / 4)}`,
  'slashes in a replacement': (n) => `echo \${x/${'/'.repeat(n)}}`,
  'colons in a substring': (n) => `echo \${x:${'1:'.repeat(n / 2)}}`,
  'questions in a substring': (n) => `echo \${x:${'1?'.repeat(n / 2)}}`,
  'indirect parameters': (n) => `echo ${'${!x}'.repeat(n / 5)}`,
  'functions of bash': (n) => 'function f { a; };'.repeat(n / 18),
  'times of nothing': (n) => 'time '.repeat(n / 5),
  'here-documents': (n) => 'cat <<E\nx\nE\n'.repeat(n / 12),
  'here-documents on a line': (n) => `cat ${'<<E '.repeat(n / 6)}\n${'E\n'.repeat(n / 6)}`,
  'here-documents without an end': (n) => 'cat <<E\n'.repeat(n / 8),
  'a here-document of continuations': (n) => `cat <<E\n${'a\\\n'.repeat(n / 3)}E\n`,
  'a here-document of backslashes': (n) => `cat <<E\n${'\\'.repeat(n)}\nE\n`,
  'a here-document of tabs': (n) => `cat <<-E\n${'\t$x\n'.repeat(n / 4)}E\n`,
  substitutions: (n) => 'a $(b "$(c)") `d`\n'.repeat(n / 18),
  'backquotes on a line': (n) => `a ${'`b`'.repeat(n / 3)}`,
  'a long sum': (n) => `echo $((${'1+'.repeat(n / 2)}1))`,
  'a long number': (n) => `echo $((${'9'.repeat(n)}))`,
  'case patterns': (n) => `case x in ${'a|'.repeat(n / 2)}b) ;; esac`,
  binary: (n) => Array.from({ length: n }, (_, i) => String.fromCharCode((i * 7919) % 256)).join(''),
  'binary beyond Latin': (n) => Array.from({ length: n }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join(''),
  zeros: (n) => '\0'.repeat(n),
};

function milliseconds(text: string): number {
  const start = process.cpuUsage();
  const { problem } = parse(text);
  if (problem !== undefined) formatProblem('script', text, problem);
  return cpuSince(start);
}

describe('hostile texts', () => {
  it.each(Object.entries(TEXTS))('%s: four times the text takes no more than some times the time', (_, make) => {
    const size = 12_000;
    milliseconds(make(size));
    const small = Math.min(milliseconds(make(size)), milliseconds(make(size)));
    const large = Math.min(milliseconds(make(4 * size)), milliseconds(make(4 * size)));
    // quadratic growth would be 16 times; what takes a few milliseconds says nothing
    expect(large).toBeLessThan(12 * small + 100);
  });

  it.each(Object.entries(TEXTS).slice(0, 13))('%s: half a million characters are an answer, not a crash', (_, make) => {
    expect(() => parse(make(1 << 19))).not.toThrow();
  });

  it('stops at a command that is too long', () => {
    expect(parse('a;'.repeat(1000), { maxParts: 999 }).problem?.message).toContain('command too long');
    expect(parse(`a ${'$x'.repeat(1000)}`, { maxParts: 999 }).problem?.message).toContain('command too long');
    expect(parse('a\n'.repeat(1000), { maxParts: 999 }).problem).toBeUndefined();
  });
});

describe('nesting', () => {
  const NESTED: readonly (readonly [string, string, string])[] = [
    ['{ ', 'a', '; }'],
    ['( ', 'a', ' )'],
    ['if a; then ', 'b', '; fi'],
    ['if ', 'a', '; then b; fi'],
    ['while a; do ', 'b', '; done'],
    ['for i in a; do ', 'b', '; done'],
    ['case x in a) ', 'b', ';; esac'],
    ['f() { ', 'a', '; }'],
    ['a && ! { ', 'a', '; }'],
    ['a | { ', 'a', '; }'],
    ['a $(', 'b', ')'],
    ['a "$(', 'b', ')"'],
    ['a ${x-', 'b', '}'],
    ['a "${x-', 'b', '}"'],
    ['a $((', '1', '))'],
    ['a ${x/', 'b', '}'],
    ['a <(', 'b', ')'],
    ['a=($(', 'c', '))'],
    ['{b,', 'c', '}'],
    ['for ((;;)); do ', 'a', '; done'],
    ['for ((;;)) { ', 'a', '; }'],
    ['select i in a; do ', 'b', '; done'],
    ['function f { ', 'a', '; }'],
    ['[[ $(', 'a', ') ]]'],
  ];

  it.each(NESTED)('%j is good up to the limit and an answer beyond it', (open, middle, close) => {
    const nested = (depth: number): string => open.repeat(depth) + middle + close.repeat(depth);
    expect(parse(nested(200)).problem).toBeUndefined();
    expect(parse(nested(201)).problem?.kind).toBe('nesting');
    expect(parse(nested(100_000)).problem?.kind).toBe('nesting');
    expect(parse(nested(10), { maxNesting: 10 }).problem).toBeUndefined();
    expect(parse(nested(11), { maxNesting: 10 }).problem?.kind).toBe('nesting');
  });

  it('counts all kinds together', () => {
    const nested = (depth: number): string => '{ a "$('.repeat(depth) + 'b' + ')"; }'.repeat(depth);
    expect(parse(nested(100)).problem).toBeUndefined();
    expect(parse(nested(101)).problem?.kind).toBe('nesting');
    expect(parse(`cat <<E\n${'$('.repeat(201)}a${')'.repeat(201)}\nE\n`).problem?.kind).toBe('nesting');
  });

  it('does not grow from command to command', () => {
    expect(parse('{ a "$(b ${c-`d`})"; }\ncase x in a) ;; esac\n'.repeat(500)).problem).toBeUndefined();
  });

  it('is an answer also where the stack is nearly used up', () => {
    const dig = (): string | undefined => {
      try {
        return dig();
      } catch {
        return parse('{ '.repeat(150) + 'a' + '; }'.repeat(150)).problem?.message;
      }
    };
    expect([undefined, 'nesting too deep']).toContain(dig());
    expect(parse('a').problem).toBeUndefined();
  });
});
