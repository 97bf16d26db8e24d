/** What bash has beyond POSIX, laid over the rules of `posix.ts`. */
import { GUARD } from './posix.js';
import { format, from, type Grammar, listOf } from './texts.js';

/** What every script of this kind starts with, after the prelude that all have; `set -e` in `$( )` as in POSIX. */
export const BASH_PRELUDE = `x=(p 'q r' '' s); y=([2]=b [5]='c d'); declare -A m=([k]=v); declare -i q=2; z=w; shopt -s inherit_errexit
`;

const array = from('x', 'x', 'y', 'm');
const index = from('0', '1', '2', '-1', 'n', 'n-2', '$q', 'k', '5', '9');
const each = from('@', '*');

export const BASH_GRAMMARS: readonly Grammar[] = [
  (use) => ({
    braced: [
      [2, format('${%[%]}', array, index)],
      [2, format('${%[%]}', array, each)],
      [1, format('${#%[%]}', array, each)],
      [1, format('${!%[%]}', array, each)],
      [1, format('${%[%]%%}', array, each, from('-', ':-', '+', '#', '%', '##'), use('operand'))],
      [
        1,
        format(
          '${%:%}',
          from('a', 'w', 'b', '@', '*', 'x[@]', 'y[*]', 'u', '1'),
          from('0', '1', ' -1', '2:1', '1:2', '0:0', 'n', ' -2:1', '0:-1'),
        ),
      ],
      [
        2,
        format(
          '${%%%/%}',
          from('a', 'w', 'b', '@', 'x[@]', 'u'),
          from('/', '//', '/#', '/%'),
          use('pattern'),
          use('operand'),
        ),
      ],
      [
        1,
        format(
          '${%%}',
          from('a', 'w', 'b', '@', 'x[@]', 'm[k]', 'u'),
          from('^', '^^', ',', ',,', '^^[a-b]', '@Q', '@U', '@u', '@L', '@E', '@a', '//b'),
        ),
      ],
      [
        1,
        from(
          '${!z}',
          '${!w}',
          '${!m*}',
          '${!n@}',
          '${!z-d}',
          '${z@A}',
          '${x[@]@Q}',
          '${PIPESTATUS[*]}',
          '${FUNCNAME[0]}',
        ),
      ],
    ],
    arithmetic: [
      [1, from('x[1]', 'q++', '--n', 'n--', '2#101', '16#fF', 'x[0]=3', 'n**2', '(1,2)', 'q+=2', 'a', 'y[5-3]')],
    ],
    part: [
      [
        1,
        from(
          '{a,b}',
          '{1..3}',
          '{a..c}',
          '{a,b{c,d}}',
          '{x,}',
          '{3..1..2}',
          '{01..3}',
          '{a}',
          '{,}',
          '{$a,b}',
          '"{a,b}"',
        ),
      ],
      [1, format("$'%'", from('a\\tb', '\\x41', "\\'", '\\n', '\\101', '\\\\', '', 'é', '\\u00e9', '\\e'))],
    ],
    assignment: [
      [1, format('%+=%', from('a', 'w', 'n', 'q', 'u', 'x[1]'), use('word'))],
      [1, format('%[%]=%', array, index, use('word'))],
      [1, format('x=(%)', use('words'))],
      [1, format('x+=(%)', use('words'))],
      [1, format('y=([1]=% [3]=%)', use('word'), use('word'))],
    ],
    redirection: [
      [1, from('&> f', '&>> f', '>& f', '{fd}> f', '<<< "$a"', '<<< $b', "<<< 'x  y'", '< <(p 1; p 2)', '> >(cat >f)')],
    ],
    simple: [
      [1, format('((%))', use('arithmetic'))],
      [1, format('let "%"', use('arithmetic'))],
      [1, format('[[ % % % ]]', use('word'), from('==', '!=', '=', '<', '>'), use('pattern'))],
      [
        1,
        format(
          '[[ % ]]',
          from(
            '-n $a',
            '-z $u',
            '-f in',
            '-v x',
            '-v x[9]',
            '! -e in',
            '$n -gt 2',
            'a < b && -n $e',
            '( -z $e || x ) && y',
            '-v m[k]',
            '-o errexit',
            '$n -eq 1+2',
          ),
        ),
      ],
      [
        1,
        format(
          '[[ % =~ % ]] && p "${BASH_REMATCH[@]}"',
          from('$a', 'abcab', '"$b"', '$w'),
          from('^a', '(a)(b)', 'b$', '.c(.*)', '[[:alpha:]]+', '"."', '$w', '(x)?a', '^(a|b)+', '( )'),
        ),
      ],
      [1, format('p "${%[%]%}"', array, each, from('', ':1', '/a/b', '@Q', '^^'))],
      [1, format('declare % %=%', from('', '-i', '-x', '-l', '-u', '-a', '-r'), from('d', 'd', 'v'), use('word'))],
      [1, format('declare -p %', listOf(from('x', 'y', 'm', 'a', 'n', 'q', 'e', 'u'), ' ', 1, 2))],
      [1, format('unset %', from("'x[1]'", "'y[2]'", 'x', "'m[k]'", "'x[-1]'", 'm'))],
      [
        1,
        format(
          "printf -v % '%' %",
          from('a', 'x[2]', 'm[j]', 'v'),
          from('%s', '%q', '%03d', '%s-'),
          from('1', '"a b"', '7 8', "''"),
        ),
      ],
      [1, format('% %', from("printf '%q '"), use('words'))],
      [1, format('read -% x < in', from('a', 'ra', 'd o', 'n 2', 'N 4', 'rd " "'))],
      [1, format('mapfile % x < in', from('', '-t', '-n 1', '-s 1', '-O 2', '-td o'))],
      [1, format('shopt % %', from('-s', '-u', '-q'), from('nullglob', 'dotglob', 'nocasematch', 'failglob'))],
      [1, format('set %', from('-o pipefail', '+o pipefail', '-E'))],
      [1, format("trap '%' ERR", from('p E $?', 'p E; false', ''))],
      [
        1,
        from(
          'p "${PIPESTATUS[@]}"',
          'p ${FUNCNAME[@]}',
          'p "${!x[@]}"',
          'p "${#m[@]}"',
          'export -n a',
          'local q=1',
          'true | false | (exit 3)',
        ),
      ],
      [1, format('select v in %; do p "$v" $REPLY; break; done 2>g <<< 2', use('words'))],
    ],
    compound: [
      [1, format('for ((j = 0; j < 3; j++)); do %; done', use('list'))],
      [1, format('for a in "${%[@]}"; do %; done', array, use('list'))],
      [1, format('if ((%)); then %; fi', use('arithmetic'), use('list'))],
      [1, format(`function f { ${GUARD}%; }; f %`, use('list'), use('words'))],
      [1, format(`function f() { ${GUARD}local -a x=(%); %; }; f`, use('words'), use('list'))],
      [1, format(`f() { ${GUARD}declare -i n=%; local -r a=%; %; }; f`, use('word'), use('word'), use('list'))],
      [
        1,
        format(
          'case % in %) %;& %) %;;& *) p d;; esac',
          use('word'),
          use('pattern'),
          use('list'),
          use('pattern'),
          use('list'),
        ),
      ],
      [1, format('while IFS= read -r v; do %; done < <(%)', use('list'), use('list'))],
    ],
    pipeline: [[1, format('% |& cat', use('command'))]],
    documentPart: [
      [1, from('${x[1]}', '${x[@]}', '${a/a/b}', '${w^^}', '${y[*]}', '${#x[@]}', '{a,b}', "$'a'", '${a@Q}')],
    ],
  }),
];
