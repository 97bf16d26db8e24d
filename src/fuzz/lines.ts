/** Single lines that read, write and remove, by every way a command can be reached; and what changes the meaning of lines. */
import type { Arbitrary } from 'fast-check';
import { quoteAlways } from '../text/quote.js';
import { commandLines } from './commands.js';
import fc from './fast-check.js';
import { SCRIPT_FILES } from './removals.js';
import { BASE } from './scenario.js';

const path = fc.constantFrom(
  ...'f g d/h d new d/new link away/f away hard ../out/f ../ro/f d/../f d/../../out/f leak up/out/f dirlink/h'.split(
    ' ',
  ),
  ...'up/ro/f up/../box/out/f dangling loop loop/f ./d//h d/ f/ dirlink/ dirlink/../../out/f ro/k ro/new'.split(' '),
  ...['rw/f', 'ro/f', 'ro/new', 'out/f', 'rw/../out/f', 'rw/away/e/f'].map((name) => `${BASE}/${name}`),
  ...['/etc/passwd', '/dev/null', '"$x"', 'f*', '*/f', '"$PWD/f"', '-', '.', '..', 'missing/f', '/proc/self/environ'],
  ...['/proc/self/cwd/f', `/proc/self/root${BASE}/out/f`, '/dev/fd/1', '/dev/stdin', '"$OLDPWD"', '~/f', '/', '//'],
);

const NAMES =
  'cat|head|wc -c|grep x|sort|tee|tee -a|mkdir|rm|rm -v|rm -rf|rm -f|touch|ls|ls -l|tac|head -n 1|sha1sum|/bin/cat|/usr/bin/rm|' +
  'command cat|command rm|find|sed p|chmod 644|cd|. |stat|rmdir|truncate -s 0|\\rm|"cat"|$c|readlink|realpath|test -e|[ -r|' +
  'logrotate|gzip -k|od|cmp f|diff f|split -l 1|sort -o|sed -i s/x/y/|cp -r|mkdir -p|ls -R|grep -r canary|chmod -R 600|du -a';

const command: Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES.split('|')), fc.array(path, { minLength: 1, maxLength: 2 }))
      .map(([name, paths]) => `${name} ${paths.join(' ')}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('mv', 'cp', 'ln', 'ln -s', 'ln -f', 'cp -f', 'mv -n', 'cp -a', 'ln -sf', 'mv -t d'),
        path,
        path,
      )
      .map((words) => words.join(' ')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'echo x',
        'printf x',
        ':',
        'true',
        'foo f',
        'sudo ls',
        'ps',
        'rm 1 2 3 4 5 6 7 8 9 10 11',
        'mv f new',
        'cp g new',
      ],
      ...[
        'ln -s ../out o',
        'command -v ls',
        'seq 3',
        'pwd',
        'awk 1 f',
        'x=1',
        'export x=f',
        'ls | xargs cat',
        'read y',
      ],
      ...[
        'test -e /etc/passwd',
        'type ls',
        'umask 022',
        'cd away; cat f',
        'cd ..; cat out/f',
        'cd -P up; pwd',
        'set -C',
      ],
      ...['tar -cf t.tar f d', 'tar -xf t.tar', 'find . -follow -type f', 'find -L . -delete', 'gzip f; gunzip f.gz'],
      ...[
        'awk "{print > \\"new2\\"}" f',
        'sed "w new3" f',
        'sed "r ../out/f" f',
        'awk "BEGIN{while((getline x<\\"../out/f\\")>0)print x}"',
      ],
      ...[
        'cp -r away n',
        'cp -rL . ../ro/n',
        'mv away n2; cat n2/f',
        'ln -s /etc o2; cat o2/passwd',
        'exec 5<leak; cat <&5',
      ],
      ...[
        'test -s leak && echo yes',
        '[ leak -nt f ] && echo yes',
        'xargs -a leak echo',
        'mapfile q < leak; echo "$q"',
      ],
      ...['env cat ../out/f', 'env X=1 rm f', 'timeout 5 rm -r d', 'ls | xargs -n 1 rm -r', 'find d -exec rm -f {} +'],
    ),
  },
  { weight: 2, arbitrary: commandLines() },
  {
    weight: 1,
    arbitrary: fc
      .subarray(
        Object.keys(SCRIPT_FILES).filter((name) => !name.includes(' ')),
        { minLength: 1, maxLength: 12 },
      )
      .map((list) => `rm ${list.join(' ')}`),
  },
);

const redirection: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('>', '>>', '<', '2>', '>|', '<>', '&>'), path)
      .map(([op, to]) => ` ${op} ${to}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(' 2>&1', ' >/dev/null 2>&1', ' </dev/null > new', ' < missing > /etc/x') },
);

/** Ways that all run a command once or more. */
export const WAYS: readonly ((one: string) => string)[] = [
  (one) => `( ${one} )`,
  (one) => `y=$(${one})`,
  (one) => `${one} | cat`,
  (one) => `for i in 1 2; do ${one}; done`,
  (one) => `eval ${quoteAlways(one)}`,
  (one) => `sh -c ${quoteAlways(one)}`,
  (one) => `if ${one}; then :; fi`,
  (one) => `fn() { ${one}; }; fn`,
  (one) => `{ ${one}; } 2>&1 >/dev/null`,
  (one) => `cat <<< "$(${one})"`,
];

/** One command, mostly as it is. */
export const line: Arbitrary<string> = fc
  .tuple(command, redirection, fc.integer({ min: 0, max: WAYS.length + 6 }))
  .map(([base, to, way]) => {
    // A redirection of a special built-in that fails would end the shell, and the lines after it.
    const one = /^(?::|\.|x=|export|set|exec)/.test(base) ? base : base + to;
    return WAYS[way]?.(one) ?? one;
  });

const rare = fc.constantFrom(
  'eval "$nothing"',
  'alias cat=rm',
  'rm() { :; }',
  'cat() { command cat "$@"; }',
  'PATH=.',
  '$nothing',
);

/** A script as its lines. */
export const lines: Arbitrary<readonly string[]> = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.option(rare, { freq: 6 }), fc.nat(6))
  .map(([list, odd, at]) => (odd === null ? list : [...list.slice(0, at), odd, ...list.slice(at)]));
