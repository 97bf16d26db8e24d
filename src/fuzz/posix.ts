/**
 * Random scripts out of the whole language of POSIX, for comparing shells: quoting, expansions, splitting, redirections, `set -e`,
 * functions, traps and here-documents, thrown together as nobody would write them. They print and write to a few files of their own
 * directory; no path leaves it, whatever a script makes of its variables, since every target of a redirection is literal.
 */
import fc from './fast-check.js';
import { format, from, type Grammar, listOf, type Text } from './texts.js';

/** What every script starts with: `p` shows its arguments as fields. */
export const PRELUDE = `p() { printf '%s:' "$#"; for arg do printf '<%s>' "$arg"; done; echo; }
HOME=h0; unset u v; e=; a='a b'; b=' x:y  z '; c='*'; n=3; w=abcab; set -- 'q r' '' :s
printf '%s\n' one 'two words' ' t:h\\ree ' > in; echo kept > ab; : > cab; echo 'p s; a=$1; (exit 5)' > s
`;

const name = from('a', 'b', 'c', 'u', 'v', 'e', 'n', 'w');
export const parameter: Text = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 1, arbitrary: from('1', '2', '3', '@', '*', '#', '?') },
);
/** No unset one: an error in a command's here-document ends the shell (POSIX 2.8.1) or, in most, only the process that runs it. */
const setParameter = from('a', 'b', 'c', 'e', 'n', 'w', '1', '3', '@', '*', '#');
const literal = from('a', 'b', 'x', ':', '-', '=', '1', '%', '}', 'ab', 'xyz', '#');
const unquoted = from('a', 'b', 'x', ':', '-', '=', '1', 'ab', 'z', '*', '?', '[ab]', '[!a]b', 'a*');
const status = from('0', '1', '2', '3', '7');
const separators = from("':'", "' :'", "''", "'x'", "' '", "'ab'", "': '", "' x'", "'*'", "'3'", "'\\\\'");
const operator = from('-', ':-', '+', ':+', '=', ':=', '-', ':-', '+', '?', ':?');
const strip = from('#', '##', '%', '%%');
const option = from(
  '-e',
  '+e',
  '-u',
  '+u',
  '-f',
  '+f',
  '-C',
  '+C',
  '-a',
  '-eu',
  '-o errexit',
  '+o noglob',
  '-o nounset',
);

const expansions: Grammar = (use) => ({
  braced: [
    [3, format('${%}', parameter)],
    [1, format('${#%}', name)],
    [3, format('${%%%}', parameter, operator, use('operand'))],
    [2, format('${%%%}', name, strip, use('pattern'))],
  ],
  substitution: [
    [1, format('`p %`', from('a', '$a', '"$b"', "'x  y'", '\\$a', "'\\$a'", '"\\$w"', '\\\\a', '\\`p $w\\`'))],
    [2, format('$(%)', use('list'))],
    [1, format('$(%)', from('p "$@"', 'cat in', 'false', 'echo $?', 'printf "a\\n\\n"', '', 'exit 3'))],
  ],
  arithmetic: [
    [2, from('1', '2', '10', 'n', 'n', '$n', '${#a}', 'zz', '010', '0x1F', '-1', '07')],
    [
      1,
      format(
        '% % %',
        use('arithmetic'),
        from('+', '-', '*', '<', '==', '&&', '||', '|', '<<', '%', '/', '>=', '!=', '&', '^', '>>', '<=', '>'),
        use('arithmetic'),
      ),
    ],
    [1, format('(%)', use('arithmetic'))],
    [1, format('% ? % : %', use('arithmetic'), use('arithmetic'), use('arithmetic'))],
    [
      1,
      format(
        'n % %',
        from('=', '+=', '-=', '*=', '|=', '<<=', '%=', '/='),
        from('1', '2', '10', 'n', '(n + 1)', '(zz ? 1 : 2)'),
      ),
    ],
    [1, format('%%', from('-', '!', '~', '+', '- -', '!!'), from('1', 'n', '(n + 1)', 'zz', '0'))],
  ],
  quotedPart: [
    [3, literal],
    [1, from(' ', '  ', "'", '\\$', '\\\\', '\\"', '\\x', '*', '\\\n')],
    [3, format('$%', parameter)],
    [3, use('braced')],
    [1, use('substitution')],
    [1, format('$((%))', use('arithmetic'))],
  ],
  part: [
    [4, unquoted],
    [2, format("'%'", from('', 'a', ' ', '$a', '*', 'x  y', '\\', '"', '\n'))],
    [3, format('"%"', listOf(use('quotedPart'), '', 0, 3))],
    [1, from('\\a', '\\ ', '\\*', '\\$', "\\'", '\\\\', '\\\n')],
    [4, format('$%', parameter)],
    [4, use('braced')],
    [1, use('substitution')],
    [1, format('$((%))', use('arithmetic'))],
  ],
  word: [[1, listOf(use('part'), '', 1, 3)]],
  operand: [[1, listOf(use('part'), '', 0, 2)]],
  pattern: [
    [
      1,
      listOf(
        fc.oneof(
          {
            weight: 3,
            arbitrary: from('a', 'b', '*', '?', '[ab]', '[!a]', '\\*', ' ', '[[:alpha:]]', '[]a]', '[a-c]', '['),
          },
          { weight: 2, arbitrary: from('"*"', "'a'", '"$w"', '"["', '\\?', '[\\*]', '["a"]') },
          { weight: 2, arbitrary: format('$%', name) },
        ),
        '',
        1,
        3,
      ),
    ],
  ],
  words: [[1, listOf(use('word'), ' ', 0, 3)]],
});

const simple: Grammar = (use) => ({
  /** One that may stand before a command. */
  plainAssignment: [[1, format('%=%', name, use('word'))]],
  assignment: [
    [4, format('%=%', name, use('word'))],
    [1, format('n=$((%))', use('arithmetic'))],
    [1, format('%=$(%)', name, use('list'))],
  ],
  redirection: [
    [
      4,
      from(
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
    ],
    [
      1,
      from('>| f', '<> f', '1<> in', '3< in 4<&3 <&4', '<&-', '0<in', '> none/f', '3>&- 2>&1', '> f > g', '>&3', '<&3'),
    ],
  ],
  simple: [
    [6, format('p %', use('words'))],
    [3, use('assignment')],
    [1, format('% p %', use('plainAssignment'), use('words'))],
    [1, format('% % %', use('plainAssignment'), from('eval', 'command', 'f', 'cat', 'true'), use('word'))],
    [1, format('export %', use('assignment'))],
    [1, format('readonly %', format('%=%', from('r', 'v'), use('word')))],
    [1, format('set -- %', use('words'))],
    [1, format('IFS=%', separators)],
    [
      1,
      from(
        'shift',
        'shift 2',
        'true',
        'false',
        ':',
        'unset a',
        'unset IFS',
        'wait',
        'cat in',
        'cat f',
        'p "$?"',
        'shift 9',
      ),
    ],
    [
      1,
      from(
        'unset -f f',
        'command p x',
        'command -v p',
        'command -v cat >f',
        '. ./s',
        '. ./s x',
        'cd .',
        'type p >&-',
        'p $-',
      ),
    ],
    [1, format('set %', option)],
    [1, format('% %', from('exit', 'return', 'break', 'continue'), from('', '1', '2'))],
    [1, format('(exit %)', status)],
    [1, format('p % %', use('words'), use('redirection'))],
    [
      1,
      format(
        'exec %',
        from('> f', '>> f', '2> g', '> f 2>&1', '2>&1 > f', '< in', '3> f', '3< in', '>&-', '<&-', '<> f', '3>&- 2>&1'),
      ),
    ],
    [1, format('read % %', listOf(name, ' ', 1, 3), from('< in', '<&3', '< none', '< cab'))],
    [1, format('IFS=% read -r % < in', separators, listOf(name, ' ', 1, 3))],
    [
      1,
      format(
        'eval %',
        from('\'p "$@"\'', '"p $a"', "p '$b'", "'a=$b; p $a'", "'(exit 3)'", "'set -- $b'", "'p \\$a'", '"$c"'),
      ),
    ],
    [1, format("trap 'p t %' EXIT", from('$?', '"$a"', '; exit 4', '', '; false', '; (exit 7)', '; set -e; false'))],
    [1, format('trap % EXIT', from('-', "''", '"p $a"', "'exit'"))],
    [1, format('f%', from('', ' a', ' "$@"', ' $b'))],
    [1, format('[ % = % ]', from('"$a"', '"$e"', 'x', '"$n"'), from('"$b"', '3', 'x', '""'))],
    [
      1,
      format(
        '[ % ]',
        from('-n "$u"', '! -z "$a"', '$n -gt 2', '"$n" -eq 3 -a x', '-f in', '-d in', '"$@"', '', '-e none', '! x'),
      ),
    ],
    [1, format('getopts % o; p "$o" "$OPTIND" "${OPTARG-unset}"', from('ab', 'a:b', ':a:b', 'q'))],
    [
      1,
      format(
        "printf '%' %",
        from('%s-', '<%s>\\n', '%d ', '%3s|', '%-3s|', '%b', '%x', '%c', '%%', '\\101\\n', '%.1s'),
        from('1', 'a', '"$n"', 'a b', '', "'x\\ty'", '1 2 3'),
      ),
    ],
  ],
});

/** A function that calls itself does so a few times. */
export const GUARD = '[ $((d += 1)) -gt 5 ] && return; ';

const compound: Grammar = (use) => ({
  compound: [
    [2, format('{ %; }', use('list'))],
    [2, format('(%)', use('list'))],
    [2, format('if %; then %; else %; fi', use('list'), use('list'), use('list'))],
    [1, format('if %; then %; fi', use('list'), use('list'))],
    [1, format('if %; then %; elif %; then %; fi', use('list'), use('list'), use('list'), use('list'))],
    [2, format('for a in %; do %; done', use('words'), use('list'))],
    [1, format('for v do %; done', use('list'))],
    [1, format('i=0; while [ $((i += 1)) -le 3 ]; do %; done', use('list'))],
    [1, format('i=0; until [ $((i += 1)) -gt 2 ]; do %; done', use('list'))],
    [1, format('i=0; while [ $((i += 1)) -le 3 ] && { %; }; do %; done', use('list'), use('list'))],
    [2, format('case % in %) %;; %) %;; esac', use('word'), use('pattern'), use('list'), use('pattern'), use('list'))],
    [1, format('case % in (%|%) %;; *) esac', use('word'), use('pattern'), use('pattern'), use('list'))],
    [1, format(`f() { ${GUARD}%; }; f %`, use('list'), use('words'))],
    [1, format(`f() { local a=1 v; ${GUARD}%; }; f %`, use('list'), use('words'))],
    [1, format(`f() (${GUARD}%); f %`, use('list'), use('words'))],
    [1, format(`f() { ${GUARD}%; } %; f %`, use('list'), use('redirection'), use('words'))],
    [1, format(`f() for v do ${GUARD}%; done; f %`, use('list'), use('words'))],
    [1, format(`f() { ${GUARD}[ $# -gt 0 ] || return %; shift; f "$@"; %; }; f a b`, from('', '3'), use('list'))],
    [1, format('{ %; } %', use('list'), use('redirection'))],
    [1, format('(%) %', use('list'), use('redirection'))],
    [1, format('for a in 1 2; do %; done %', use('list'), use('redirection'))],
    [1, format('while read %; do %; done %', listOf(name, ' ', 1, 2), use('list'), from('< in', '< cab', '< none'))],
    [
      1,
      format(
        "eval '%'",
        use('list').filter((text) => !text.includes("'")),
      ),
    ],
  ],
  command: [
    [5, use('simple')],
    [2, use('compound')],
  ],
  pipeline: [
    [8, use('command')],
    [1, format('! %', use('command'))],
    [1, format('% | cat', use('command'))],
    [1, format('% | { %; cat; }', use('command'), use('list'))],
    [1, format('echo "$b" | while read %; do %; done', listOf(name, ' ', 1, 2), use('list'))],
    [1, format('% & wait $!', use('command'))],
  ],
  andOr: [
    [6, use('pipeline')],
    [1, format('% && %', use('pipeline'), use('pipeline'))],
    [1, format('% || %', use('pipeline'), use('pipeline'))],
  ],
  list: [[1, listOf(use('andOr'), '; ', 1, 2)]],
  documentPart: [
    [3, literal],
    [1, from(' ', '"', "'", '\\$', '\\\\', '\\x', '*', '\t', '\\\n', '\n', '\\"')],
    [3, format('$%', setParameter)],
    [1, format('$((%))', from('1 + 2', 'n * 2', '$n - 1'))],
    [1, from('${u-"x  y"}', "${u-'a'}", '${a#a}', '$(p "$a")', '`p $b`', '${w%"b"}', '${u:-\\}}')],
  ],
  documentLine: [[1, listOf(use('documentPart'), '', 0, 5)]],
  document: [
    [
      3,
      format(
        '%\n%\nE',
        from('cat <<E', "cat <<'E'", 'read a b <<E', 'while read v; do p "$v"; done <<E', 'cat <<-E'),
        use('documentLine'),
      ),
    ],
    [1, format('{ cat; % } <<E\n%\nE', format('%;', use('list')), use('documentLine'))],
    [1, format('cat <<E | { cat; }; p $?\n%\nE', use('documentLine'))],
    [1, format('cat <<E; cat <<\\F\n%\nE\n%\nF', use('documentLine'), use('documentLine'))],
    [1, format('f() { cat <<E; }; f a; f b c\n%\nE', use('documentLine'))],
    [1, format('a=$(cat <<E\n%\nE\n); p "$a"', use('documentLine'))],
    [1, format('if cat <<E; then %; fi\n%\nE', use('list'), use('documentLine'))],
  ],
  line: [
    [5, use('andOr')],
    [1, use('document')],
    [1, format('% # "comment', use('andOr'))],
    // What is rare by itself: errexit and what spares a command from it, fields joined by IFS, and a shell whose changes are its own.
    [1, format('(set -e; %; p $?)', use('andOr'))],
    [1, format('(IFS=%; p "$*" "a$*" $* "$@")', separators)],
    [1, format('(%); p "$a" "$b" "$n"', use('simple'))],
    // What a command had for its time is given back to the shell that changes it next, and to no other.
    [1, format('(% true; %=%; p "$a" "$b"); p "$a" "$b" "$n"', use('plainAssignment'), from('a', 'b'), use('word'))],
    [1, format('p ${%%%} "${%%%}"', name, strip, use('pattern'), name, strip, use('pattern'))],
  ],
});

/**
 * Apart, because bash has its own mind: it expands tildes in `echo x=~` and `~:`, and the here-document of a program in the program's
 * process, where an assignment is lost; and one before a special built-in does not stay.
 */
const alone: Grammar = (use) => ({
  quotedPart: [[1, from('~')]],
  part: [[1, from('~', '~/a', 'a:~', '{', '}')]],
  documentPart: [[1, from('$((n = 4))', '$((n += 1))')]],
  simple: [
    [1, format('% % %', use('plainAssignment'), from(':', 'export', 'set --', 'readonly', 'eval'), use('word'))],
  ],
});

export const POSIX_ALONE: readonly Grammar[] = [alone];

export const POSIX_GRAMMARS: readonly Grammar[] = [expansions, simple, compound];
