/** A deadline ends whatever is going on, wherever it goes on, and keeps what was printed; so does an endless input, in bounded memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandBraces } from '../../src/expansion/braces.js';
import { createShell } from '../../src/index.js';
import { watched } from '../../src/text/work.js';
import { withTree } from '../support/tree.js';

/** Never gives anything, and never ends. */
async function* never(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {});
  yield new Uint8Array();
}

const TIMEOUT = 300;
/** A machine that runs other tests beside this one may be late; a run that was not stopped would not end at all. */
const LATEST = 4000;

describe(`after ${TIMEOUT} ms, with status 124`, { timeout: 30_000 }, () => {
  it.each([
    'sleep 100',
    'sleep 100 | cat',
    'cat | sleep 100',
    ': | sleep 100 | :',
    '(sleep 100)',
    '{ sleep 100; }',
    'x=$(sleep 100)',
    'x=`sleep 100`',
    'echo "$(sleep 100)" "$(sleep 100)"',
    'cat <(sleep 100)',
    'f() { sleep 100; }; f',
    "trap 'sleep 100' EXIT",
    "trap 'sleep 100' USR1; kill -USR1 $$; :",
    "trap 'sleep 100' ERR; false",
    'sleep 100 &',
    'sleep 100 & wait',
    'sleep 100 & wait $!',
    '(sleep 100 &) & wait; wait; sleep 100',
    'exec sleep 100',
    'eval "sleep 100"',
    "sh -c 'sleep 100'",
    'env sleep 100',
    'command sleep 100',
    'echo 100 | xargs sleep',
    'echo 100 100 | xargs -n 1 -P 2 sleep',
    'find . -maxdepth 0 -exec sleep 100 \\;',
    'time sleep 100',
    '! sleep 100',
    'if sleep 100; then :; fi',
    'while sleep 100; do :; done',
    'case $(sleep 100) in *) ;; esac',
    'sleep infinity',
    'cat',
    'cat -',
    'cat /dev/stdin',
    'read x',
    'read -n 1 x',
    'mapfile x',
    'sort',
    'tac',
    'grep x',
    "sed 's/a/b/'",
    'awk 1',
    'wc',
    'head -n 1',
    'tail -n 1',
    'xargs echo',
    'tee /dev/null',
    'sh',
    'cat | cat | cat',
    'tail -f big',
    'yes >/dev/null',
    'yes | cat >/dev/null',
    'yes | sleep 100',
    'cat /dev/zero >/dev/null',
    'cat /dev/zero | grep -c x',
    "yes | sed 's/y/z/' >/dev/null",
    "yes | awk '{ n++ }'",
    "awk 'BEGIN { while (1) n++ }'",
    'awk \'BEGIN { s = sprintf("%9000000s", ""); while (1) { gsub(/ /, "b", s); gsub(/b/, " ", s) } }\'',
    'seq 1e15 >/dev/null',
    'yes | wc -l',
    'yes | uniq',
    'yes | tr y z >/dev/null',
    'yes | gzip >/dev/null',
    'yes | sha256sum',
    'yes | od >/dev/null',
    'while :; do find . -type f >/dev/null; done',
    'while :; do grep -c needle big >/dev/null; done',
    'while :; do sort big >/dev/null; done',
    'while :; do :; done',
    'for ((;;)); do x=$((x+1)); done',
    'while ((1)); do ((1)); done',
    'while ((1)); do ((x*=/1)); done',
    'until [[ a == b ]]; do [[ a ]]; done',
    'while case x in x) ;; esac; do case x in y) ;; esac; done',
    'f() { f | f; }; f',
    'x=$(printf "%5000s" | tr " " a); while :; do case $x in *a*a*a*a*a*a*b) ;; esac; done',
    'x=$(printf "%50000s" | tr " " a); while :; do y=${x//a*b/c}; done',
    'x=$(printf "%50000s" | tr " " a); while :; do [[ $x =~ (a*)*b ]]; done',
    'yes | grep -E "(y|yy)*z"',
    'trap "" TERM INT; while :; do :; done',
    'while :; do (exit 1); done || :',
  ])('%s', (script) =>
    withTree({}, async (root) => {
      writeFileSync(join(root, 'big'), 'hay\n'.repeat(500_000));
      const shell = createShell({ timeoutMs: TIMEOUT, allowedPaths: [root] });
      const began = performance.now();
      const result = await shell.run(`trap 'echo trapped' HUP; echo one\n${script}\necho $? >/dev/null; sleep 100`, {
        cwd: root,
        stdin: never(),
      });
      expect(result).toMatchObject({ status: 'timeout', exitCode: 124, message: 'timed out after 0.3 s' });
      expect(result.stdout.startsWith('one\n')).toBe(true);
      expect(performance.now() - began).toBeLessThan(LATEST);
    }),
  );
});

/** Each of these would be at work far longer, in one stretch in which nothing else has its turn, or end in another way. */
const ZEROS = 'z=$(cat zeros)';
const TEXT = 'x=$(cat text)';

describe('one long piece of work looks at the clock itself', { timeout: 60_000 }, () => {
  it.each([
    "grep -E '(0{1,200}){1,200}1' zeros",
    "grep -o -E '(0{1,200}){1,200}1' zeros",
    "sed -E 's/(0{1,200}){1,200}1/x/' zeros",
    "awk '/(0{1,200}){1,200}1/' zeros",
    'awk -v "re=(0{1,200}){1,200}1" \'{ gsub(re, "x") }\' zeros',
    'jq -R \'test("(0{1,200}){1,200}1")\' zeros',
    `${ZEROS}; [[ $z =~ (0{1,200}){1,200}1 ]]`,
    `${ZEROS}; expr "$z" : '\\(0\\{1,200\\}\\)\\{1,200\\}1'`,
    `${ZEROS}; p=; while [ \${#p} -lt 30000 ]; do p="$p[0]"; done; case $z$z$z in *\${p}1*) ;; esac; echo \${z//$p[1]/x}`,
    `${TEXT}; for i in 1 2 3 4 5 6 7 8; do x=\${x//[a-z]/yz}; x=\${x//[yz]/q}; done`,
    `${TEXT}; shopt -s extglob; for i in 1 2 3 4 5 6 7 8; do y=\${x//+([a-z])1/q}; done`,
    `${TEXT}; for i in 1 2 3 4 5 6 7 8; do x=\${x~~}; done; for i in 1 2 3 4 5 6 7 8; do x=\${x~~}; done`,
    `${TEXT}; for i in 1 2 3 4 5 6 7 8 9; do y=\${x@Q}; y=\${x@A}; printf -v y %q "$x"; done`,
    'awk \'BEGIN { s = sprintf("%60000000s", ""); for (i = 0; i < 120; i++) t = toupper(s); print length(t) }\'',
    'awk \'BEGIN { s = sprintf("%9000000s", "\\303\\251"); for (i = 0; i < 500; i++) t = toupper(s) }\'',
    'jq -n \'"x" * 30000000 | [., .] | map(ascii_upcase | explode | implode) | length\'',
    'jq -n \'"x," * 10000000 | [., .] | map(split(",") | join(";")) | length\'',
    'jq -n \'"x," * 10000000 | gsub(","; "y") | length\'',
    'jq -n \'"é<" * 10000000 | [., .] | map(@uri, @html) | length\'',
    'jq -n \'{} | until(false; . + {"\\(length)": 1})\'',
    "jq -sR 'until(false; tojson | fromjson)' text",
    "sed -n '1h; 1!H; ${x; y/abcdefgh/12345678/; y/12345678/abcdefgh/; s/.*/\\U&/; l\n}' text",
    `${TEXT}; y=\${x//o/bb}; y=\${y//b/oo}; y=\${x//o/bb}; y=\${y//b/oo}; y=\${x//o/bb}; y=\${y//b/oo}`,
    `${TEXT}; printf -v y %q "$x"; printf -v y %q "$y"; printf -v y %q "$x"; printf -v y %q "$x"`,
    `${TEXT}; expr index "$x$x" Z; expr index "$x$x" Z; expr index "$x$x" Z; expr index "$x$x" Z`,
    `${TEXT}; [[ $x == "$x?" ]]; [[ $x == "$x?" ]]; [[ $x == "$x?" ]]; [[ $x == "$x?" ]]`,
    `${TEXT}; printf "\${x//words/%s}"; printf "\${x//words/%d}"`,
    `x=$(tr '\\0' a </dev/zero | head -c 6000000); for i in {1..100000}$x; do :; done`,
    'x=$(yes "s" | head -n 12000000 | tr "\\n" " "); cut -d " " -f 2-11000000 <<< "$x$x"; cut -d " " -f 2-11000000 <<< "$x$x"',
    '(echo "BEGIN {"; yes "x = x + 1;" | head -n 1000000; echo "}") | awk -f -',
  ])('%s', (script) =>
    withTree({}, async (root) => {
      writeFileSync(join(root, 'zeros'), '0'.repeat(100_000));
      writeFileSync(join(root, 'text'), 'some words\n'.repeat(2_000_000));
      const shell = createShell({ timeoutMs: 500, allowedPaths: [root] });
      const began = performance.now();
      const result = await shell.run(script, { cwd: root });
      expect(result).toMatchObject({ status: 'timeout', exitCode: 124 });
      expect(performance.now() - began).toBeLessThan(3 * LATEST);
    }),
  );
});

it('the making of a long brace sequence looks at the clock', () => {
  const place = { start: 0, end: 0 };
  const sequence = {
    kind: 'BraceSequence',
    from: 1,
    to: 1_000_000,
    step: 1,
    letters: false,
    width: 0,
    ...place,
  } as const;
  let looks = 0;
  const words = watched(
    () => looks++,
    () => expandBraces({ kind: 'Word', parts: [sequence], literal: undefined, ...place }, 2_000_000),
  );
  expect(words.count).toBe(1_000_000);
  expect(looks).toBeGreaterThan(10);
});
