/**
 * Texts of many megabytes take some times their length, and no node of a tree for each of their characters: a process whose heap could not
 * hold such a tree does each of these, or is ended by the clock; it does not die.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/cli.js';
import { withTree } from '../support/tree.js';

/** Megabytes; a tree over the 33 million characters of the text below takes a thousand. */
const HEAP = 600;
const TEXT = 'x=$(cat text)';

describe(`with ${HEAP} MB of heap`, { timeout: 120_000 }, () => {
  it.each([
    `${TEXT}; y=\${x//o/bb}; echo \${#y}`,
    `${TEXT}; y=\${x//[a-f]/bb}; echo \${#y}`,
    `${TEXT}; printf %q "$x"`,
    `${TEXT}; y=\${x@Q}; y=\${x^^}; declare -p x`,
    `${TEXT}; [[ $x == $x ]]; [[ $x == *$x* ]]; case $x in "$x") ;; esac`,
    `${TEXT}; expr length "$x"; expr index "$x" Z; expr substr "$x" 2 30000000`,
    `${TEXT}; read -d '' -ra y <<< "$x"`,
    `${TEXT}; tr "$x" "$x" <<< a`,
    "sed -n 'H; ${x; y/abc/123/; p; l\n s/o/bb/g; s/.*/\\U&/; p\n}' text",
    "tr '\\n' ' ' < text | sed 'y/abc/123/; s/o/bb/g; s/.*/\\U&/; s/[a-z]/&&/g'",
    "tr '\\n' ' ' < text | sed -n l",
    "tr '\\n' ' ' < text | cut -d ' ' -f 2-5999999",
    "tr '\\n' ' ' < text | cut -d ' ' -f 2-5999999 --output-delimiter=ab",
    "tr '\\n' ' ' < text | grep -f - text",
    'od -An -v -tx1 -w10000000 text',
    "jq -sR '., @sh, @html, tojson, length, explode' text",
    "jq -n '[1] | until(false; . + .)'",
    "jq -n 'null | .[100000000] = 1'",
    "jq -n '[range(1e5) | [range(1e5)]] | length'",
    "jq -n '[range(1e5) | {a: [range(1e5)]}] | length'",
    "jq -n 'reduce range(1e9) as $i ([]; . + [$i]) | length'",
  ])('%s', (script) =>
    withTree({}, (root) => {
      writeFileSync(join(root, 'text'), 'some words\n'.repeat(3_000_000));
      writeFileSync(join(root, 'script'), script);
      const args = [
        `--max-old-space-size=${HEAP}`,
        PROGRAM,
        '--timeout',
        '5s',
        '--allow-path',
        root,
        join(root, 'script'),
      ];
      const { status, signal, stderr } = spawnSync(process.execPath, args, {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 60_000,
      });
      expect({ signal, stderr: stderr.toString().slice(0, 500), status }).toMatchObject({
        signal: null,
        status: expect.toSatisfy((one) => [0, 1, 2, 5, 124].includes(one as number)),
      });
    }),
  );
});
