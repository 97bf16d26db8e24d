/**
 * Random scripts out of the whole language, for comparing shells: quoting, expansions, splitting, redirections, `set -e`, functions
 * and here-documents, thrown together as nobody would write them. They print and write to a few files of their own
 * directory; no path leaves it, whatever a script makes of its variables, since every target of a redirection is literal.
 */
import fc from 'fast-check';

type Text = fc.Arbitrary<string>;

/** What every script starts with: `p` shows its arguments as fields. */
export const PRELUDE = `p() { printf '%s:' "$#"; for arg do printf '<%s>' "$arg"; done; echo; }
unset u v; e=; a='a b'; b=' x:y  z '; c='*'; n=3; w=abcab; set -- 'q r' '' :s
echo one > in; echo 'two words' >> in; echo kept > ab; : > cab
`;

const from = (...texts: string[]): Text => fc.constantFrom(...texts);

/** `format('a% b%', x, y)`: each `%` is the next part. */
function format(template: string, ...parts: Text[]): Text {
  const fixed = template.split('%');
  return fc.tuple(...parts).map((texts) => fixed.map((text, i) => text + (texts[i] ?? '')).join(''));
}

const listOf = (item: Text, separator: string, minLength: number, maxLength: number): Text =>
  fc.array(item, { minLength, maxLength }).map((items) => items.join(separator));

const name = from('a', 'b', 'c', 'u', 'v', 'e', 'n', 'w');
const parameter = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 1, arbitrary: from('1', '2', '3', '@', '*', '#', '?') },
);
/** No unset one: an error in a command's here-document ends the shell (POSIX 2.8.1) or, in most, only the process that runs it. */
const setParameter = from('a', 'b', 'c', 'e', 'n', 'w', '1', '3', '@', '*', '#');
const literal = from('a', 'b', 'x', ':', '-', '=', '1', '%', '}', 'ab', 'xyz', '~', '#');
const unquoted = from('a', 'b', 'x', ':', '-', '=', '1', 'ab', 'z', '*', '?', '[ab]', '[!a]b', 'a*', '~', '{', '}');
const status = from('0', '1', '2', '3', '7');
const separators = from("':'", "' :'", "''", "'x'", "' '", "'ab'", "': '", "' x'");

const tree = fc.letrec<Record<string, string>>((tie) => {
  const use = (key: string): Text => tie(key);
  const some = (...choices: [number, Text][]): Text =>
    fc.oneof(
      { maxDepth: 4, depthIdentifier: 'script' },
      ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
    );

  const operator = from('-', ':-', '+', ':+', '=', ':=', '-', ':-', '+');
  const strip = from('#', '##', '%', '%%');
  const braced = some(
    [3, format('${%}', parameter)],
    [1, format('${#%}', name)],
    [3, format('${%%%}', parameter, operator, use('operand'))],
    [2, format('${%%%}', name, strip, use('pattern'))],
  );
  const substitution = some([2, format('$(%)', use('list'))], [1, format('`p %`', from('a', '$a', '"$b"', "'x  y'"))]);

  return {
    arithmetic: some(
      [2, from('1', '2', '10', 'n', 'n', '$n', '${#a}', 'zz')],
      [
        1,
        format(
          '% % %',
          use('arithmetic'),
          from('+', '-', '*', '<', '==', '&&', '||', '|', '<<', '%', '/'),
          use('arithmetic'),
        ),
      ],
      [1, format('(%)', use('arithmetic'))],
      [1, format('% ? % : %', use('arithmetic'), use('arithmetic'), use('arithmetic'))],
      [1, format('n % %', from('=', '+=', '-=', '*='), use('arithmetic'))],
      [1, format('%%', from('-', '!', '~'), from('1', 'n', '(n + 1)'))],
    ),
    quotedPart: some(
      [3, literal],
      [1, from(' ', '  ', "'", '\\$', '\\\\', '\\"', '\\x', '*')],
      [3, format('$%', parameter)],
      [3, braced],
      [1, substitution],
      [1, format('$((%))', use('arithmetic'))],
    ),
    part: some(
      [4, unquoted],
      [2, format("'%'", from('', 'a', ' ', '$a', '*', 'x  y', '\\', '"'))],
      [3, format('"%"', listOf(use('quotedPart'), '', 0, 3))],
      [1, from('\\a', '\\ ', '\\*', '\\$', "\\'", '\\\\')],
      [4, format('$%', parameter)],
      [4, braced],
      [1, substitution],
      [1, format('$((%))', use('arithmetic'))],
    ),
    word: listOf(use('part'), '', 1, 3),
    operand: listOf(use('part'), '', 0, 2),
    pattern: listOf(
      some(
        [3, from('a', 'b', '*', '?', '[ab]', '[!a]', '\\*', ' ')],
        [2, from('"*"', "'a'", '"$w"')],
        [2, format('$%', name)],
      ),
      '',
      1,
      3,
    ),
    words: listOf(use('word'), ' ', 0, 3),
    assignment: some(
      [4, format('%=%', name, use('word'))],
      [1, format('n=$((%))', use('arithmetic'))],
      [1, format('%=$(%)', name, use('list'))],
    ),
    redirection: from(
      '> f',
      '>> f',
      '2> g',
      '> f 2>&1',
      '2>&1 > f',
      '< in',
      '< none',
      '3> f',
      '3>&1 >&2 2>&3',
      '> "h i"',
      '>&-',
      '< f',
    ),
    simple: some(
      [6, format('p %', use('words'))],
      [3, use('assignment')],
      [1, format('% p %', use('assignment'), use('words'))],
      [1, format('export %', use('assignment'))],
      [1, format('set -- %', use('words'))],
      [1, format('IFS=%', separators)],
      [1, from('shift', 'shift 2', 'true', 'false', ':', 'unset a', 'unset IFS', 'wait', 'cat in', 'cat f', 'p "$?"')],
      [1, from('set -e', 'set +e', 'set -u', 'set -f', 'set +f')],
      [1, format('% %', from('exit', 'return', 'break', 'continue'), from('', '1', '2'))],
      [1, format('(exit %)', status)],
      [1, format('p % %', use('words'), use('redirection'))],
      [1, format('read % < in', listOf(name, ' ', 1, 3))],
      [1, format('eval %', from('\'p "$@"\'', '"p $a"', "p '$b'", "'a=$b; p $a'", "'(exit 3)'", "'set -- $b'"))],
      [1, format("trap 'p t %' EXIT", from('$?', '"$a"', '; exit 4', ''))],
      [1, format('f%', from('', ' a', ' "$@"', ' $b'))],
      [1, format('[ % = % ]', from('"$a"', '"$e"', 'x', '"$n"'), from('"$b"', '3', 'x', '""'))],
    ),
    compound: some(
      [2, format('{ %; }', use('list'))],
      [2, format('(%)', use('list'))],
      [2, format('if %; then %; else %; fi', use('list'), use('list'), use('list'))],
      [1, format('if %; then %; fi', use('list'), use('list'))],
      [2, format('for a in %; do %; done', use('words'), use('list'))],
      [1, format('for v do %; done', use('list'))],
      [1, format('i=0; while [ $((i += 1)) -le 3 ]; do %; done', use('list'))],
      [1, format('i=0; until [ $((i += 1)) -gt 2 ]; do %; done', use('list'))],
      [
        2,
        format('case % in %) %;; %) %;; esac', use('word'), use('pattern'), use('list'), use('pattern'), use('list')),
      ],
      [1, format('f() { %; }; f %', use('list'), use('words'))],
      [1, format('f() { local a=1 v; %; }; f %', use('list'), use('words'))],
      [1, format('{ %; } %', use('list'), use('redirection'))],
      [1, format('(%) %', use('list'), use('redirection'))],
      [1, format('for a in 1 2; do %; done %', use('list'), use('redirection'))],
    ),
    command: some([5, use('simple')], [2, use('compound')]),
    pipeline: some(
      [8, use('command')],
      [1, format('! %', use('command'))],
      [1, format('% | cat', use('command'))],
      [1, format('% | { %; cat; }', use('command'), use('list'))],
      [1, format('echo "$b" | while read %; do %; done', listOf(name, ' ', 1, 2), use('list'))],
    ),
    andOr: some(
      [6, use('pipeline')],
      [1, format('% && %', use('pipeline'), use('pipeline'))],
      [1, format('% || %', use('pipeline'), use('pipeline'))],
    ),
    list: listOf(use('andOr'), '; ', 1, 2),
    documentLine: listOf(
      some(
        [3, literal],
        [1, from(' ', '"', "'", '\\$', '\\\\', '\\x', '*')],
        [3, format('$%', setParameter)],
        [1, format('$((%))', from('1 + 2', 'n * 2', 'n = 4', '$n - 1'))],
      ),
      '',
      0,
      4,
    ),
    document: format(
      '%\n%\nE',
      from('cat <<E', "cat <<'E'", 'read a b <<E', 'while read v; do p "$v"; done <<E', 'cat <<-E'),
      use('documentLine'),
    ),
    line: some([5, use('andOr')], [1, use('document')]),
  };
});

/** A script: complete commands, one a line. */
export const languageScript: Text = fc
  .array(tree['line'] as Text, { minLength: 1, maxLength: 6 })
  .map((lines) => `${lines.join('\n')}\n`);
