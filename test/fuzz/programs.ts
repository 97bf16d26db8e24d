/** Small sed scripts and awk programs, as they are written by hand: addresses, groups and loops; patterns, fields and functions. */
import fc from 'fast-check';

const REGEXES = [
  'a',
  'b*',
  '^a',
  'c$',
  '[ab]',
  '.',
  'a.*c',
  '^$',
  'x',
  '[0-9][0-9]*',
  '\\(a\\)\\(b*\\)',
  'b\\{1,2\\}',
  'a\\|c',
];
const regex = fc.constantFrom(...REGEXES);
const address = fc.oneof(
  fc.constantFrom('1', '2', '3', '$', '0~2', '2~3'),
  regex.map((text) => `/${text}/`),
);
const second = fc.oneof(address, fc.constantFrom('+1', '~2', '4', '1'));
const where = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: address },
  { weight: 2, arbitrary: fc.tuple(address, second).map((pair) => pair.join(',')) },
);
const replacement = fc.constantFrom('', 'X', '<&>', '&&', '\\n', '\\U&', '\\u&\\E-', 'a\\&b');
const flags = fc.constantFrom('', '', 'g', '2', 'p', 'gp', '2g', 'I', 'M');
const simple = fc.oneof(
  fc.constantFrom(...'pdDgGhHnNxP='.split(''), 'l', 'l 5', 'q', 'Q', 'q3', 'z', 'b', 't', 'T', 'F', 'be', 'te'),
  fc.tuple(regex, replacement, flags).map(([from, to, more]) => `s/${from}/${to}/${more}`),
  fc.constantFrom('y/abc/xyz/', 'y/a\\n/\\nb/', 's/\\(.\\)\\(.\\)/\\2\\1/', 's/$/!/', 's//-/', 's/x*/-/g', 's/\\n/+/'),
  fc.constantFrom('a text', 'i text', 'c text', 'a\\\n  two', 'r other', 'R other', 'w /dev/stdout'),
);
const command: fc.Arbitrary<string> = fc
  .tuple(where, fc.constantFrom('', '', '', '!'), simple)
  .filter(([at, , text]) => !/^0~|^0/.test(text) && !(at.includes(',') && /^[qQ]/.test(text)))
  .map((parts) => parts.join(''));
const block = fc.oneof(
  { weight: 4, arbitrary: command },
  {
    weight: 1,
    arbitrary: fc
      .tuple(where, fc.array(command, { minLength: 1, maxLength: 3 }))
      .map(([at, list]) => `${at}{\n${list.join('\n')}\n}`),
  },
);

/** The words after `sed`. `:e` stands last, so that jumps only go forward: every script ends. */
export const sedWords = fc
  .tuple(fc.constantFrom([], [], ['-n'], ['-s'], ['-z']), fc.array(block, { minLength: 1, maxLength: 4 }))
  .map(([options, list]) => [...options, `${list.join('\n')}\n:e`]);

const { expression } = fc.letrec<{ expression: string; value: string }>((tie) => ({
  value: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('$1', '$2', '$NF', 'NR', 'NF', '$0', 'x', 'y', 'n["a"]', 'n[$1]') },
    {
      weight: 3,
      arbitrary: fc.constantFrom('0', '1', '2', '-1', '0.5', '10', '"a"', '""', '"10"', '"b c"', '1e3', '" 3 "'),
    },
  ),
  expression: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'awk' },
    tie('value'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', ' ', '<', '<=', '==', '!=', '>=', '~', '!~', '&&', '||'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `((${a}) ${operator} (${b}))`),
    fc.tuple(fc.constantFrom('!', '-', '+'), tie('expression')).map(([sign, a]) => `${sign}(${a})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
    fc
      .tuple(fc.constantFrom('length', 'int', 'toupper', 'tolower'), tie('expression'))
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('1', '2', '0', '-1', '1.5'), fc.constantFrom('1', '2', '99', '0', '-1'))
      .map(([a, from, count]) => `substr(${a}, ${from}, ${count})`),
    fc
      .tuple(fc.constantFrom('index', 'match'), tie('expression'), fc.constantFrom('"a"', '"b"', '"1"'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(
        fc.constantFrom('%d', '%s', '%5s|', '%-5s|', '%.2f', '%05d', '%x', '%c', '%e', '%+d', '%.3s|'),
        tie('expression'),
      )
      .map(([format, a]) => `sprintf("${format}", ${a})`),
  ),
}));
const pattern = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/a/',
      '!/a/',
      'NR==2',
      'NR==1,NR==3',
      '/a/,/b/',
      '$1 > 2',
      '$1 == "a"',
      'NF',
      'BEGIN',
      'END',
    ),
  },
  { weight: 1, arbitrary: expression },
);
const statement: fc.Arbitrary<string> = fc.oneof(
  expression.map((text) => `print ${text.startsWith('(') ? `"" ${text}` : text}`),
  fc.tuple(expression, expression).map(([a, b]) => `print (${a}), (${b})`),
  fc
    .tuple(fc.constantFrom('x', 'y', '$1', '$2', '$3', 'n[$1]', '$0'), fc.constantFrom('=', '+=', '-='), expression)
    .map((parts) => parts.join(' ')),
  fc
    .tuple(
      fc.constantFrom('sub', 'gsub'),
      fc.constantFrom('/a/', '/b*/', '/[0-9]+/', '/^/', '/x|y/'),
      fc.constantFrom('"X"', '"<&>"', '"\\\\\\\\&"', '""'),
    )
    .map(([name, re, to]) => `${name}(${re}, ${to}); print`),
  fc.constantFrom(
    'n[$1]++',
    'x++',
    '--y',
    'next',
    'NF = 2; print',
    'print NF, $0',
    'print length()',
    'k = split($0, p, /[ :]/); print k, p[1], p[k]',
    'for (i = 1; i <= NF; i++) printf "%s,", $i; print ""',
    'print x y',
    'OFS = "-"; $1 = $1; print',
    'if ($1 in n) print "in"; else print "out"',
    'delete n[$1]',
    'while (z++ < 3) if (z == 2) continue; else print z',
    'do { w++ } while (w < 2); print w',
    'print substr($0, 2)',
    'FS = ":"',
    'exit 3',
    'print -$1, +$2',
    'print $1^2, $1%3',
    'print 1==1.0, "a" < "b", $1 < $2',
    'printf "%s %d\\n", $1, $2',
    'print > "/dev/stderr"',
    'getline; print',
    'getline x; print x, NR',
    'print index($0, ":"), match($0, /b+/), RSTART, RLENGTH',
  ),
);
const rule = fc
  .tuple(pattern, fc.array(statement, { minLength: 1, maxLength: 3 }))
  .map(([when, list]) => `${when} { ${list.join('; ')} }`);
/** The words after `awk`. */
export const awkWords = fc
  .tuple(
    fc.constantFrom([], [], ['-F:'], ['-F', '[ab]'], ['-v', 'x=3'], ['-v', 'OFS=_']),
    fc.array(rule, { minLength: 1, maxLength: 3 }),
  )
  .map(([options, rules]) => [...options, rules.join('\n')]);
