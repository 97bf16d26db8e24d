/**
 * Every limit of the table is reached by scripts, and ends the run as the table promises: what was printed is kept, the message names
 * the limit and its value, and nothing in the script sees it, no `||`, no trap, no EXIT action.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { LIMITS, type LimitName } from '../../src/limits.js';
import { withTree } from '../support/tree.js';

/** A limit, the value it is set to (undefined: the default), and a script that goes beyond. */
type Row = readonly [limit: LimitName, value: number | undefined, script: string];

const nest = (open: string, middle: string, close: string, times = 300): string =>
  open.repeat(times) + middle + close.repeat(times);
const deep = nest('( ', 'true', ' )');

const ROWS: readonly Row[] = [
  ['maxCommands', 500, 'while :; do :; done'],
  ['maxCommands', 500, 'for ((;;)); do :; done'],
  ['maxCommands', 500, 'until ! :; do :; done'],
  ['maxCommands', 500, 'while ((1)); do ((1)); done'],
  ['maxCommands', 500, 'until [[ a == b ]]; do [[ a ]]; done'],
  ['maxCommands', 500, 'f() { :; f; }; f'],
  ['maxCommands', 500, 'while :; do :; done | while :; do :; done'],
  ['maxCommands', 500, '(while :; do :; done)'],
  ['maxCommands', 500, 'x=$(while :; do :; done)'],
  ['maxCommands', 500, 'while :; do :; done & wait'],
  ['maxCommands', 500, "sh -c 'while :; do :; done'"],
  ['maxCommands', 500, "trap 'while :; do :; done' USR1; kill -USR1 $$; :"],
  ['maxCommands', 500, "trap 'kill -USR1 $$' USR1; kill -USR1 $$; while :; do :; done"],
  ['maxCommands', 500, 'yes | xargs -n 1 true'],
  ['maxCommands', 500, 'eval "while :; do :; done"'],
  ['maxCallDepth', 400, 'f() { f; }; f'],
  ['maxCallDepth', 400, 'f() { g; }; g() { f; }; f'],
  ['maxCallDepth', 400, 'e=\'eval "$e"\'; eval "$e"'],
  ['maxCallDepth', 400, 'f() { (f); }; f'],
  ['maxCallDepth', 400, 'f() { x=$(f); }; f'],
  ['maxCallDepth', 400, 'f() { f | :; }; f'],
  ['maxCallDepth', 400, 'f() { : "$(f)" | f; }; f'],
  ['maxJobs', undefined, 'f() { cat <(f); }; f'],
  ['maxCallDepth', 400, 'printf ". ./s" > s; . ./s'],
  ['maxCallDepth', 400, 'printf "sh s" > s; sh s'],
  ['maxCallDepth', 400, 'printf "#!/bin/sh\\n./s" > s; chmod +x s; ./s'],
  ['maxCallDepth', 400, 'printf "echo x | xargs sh s" > s; sh s'],
  ['maxCallDepth', 400, 'printf "find s -exec sh s \\;" > s; sh s'],
  ['maxCallDepth', 400, 'printf "env sh s" > s; env sh s'],
  ['maxCallDepth', 400, "awk 'function f() { return f() } BEGIN { f() }'"],
  ['maxNesting', undefined, `eval '${deep}'`],
  ['maxNesting', undefined, `eval 'echo ${nest('$(echo ', 'x', ')')}'`],
  ['maxNesting', undefined, `eval 'echo ${nest('${x:-', 'x', '}')}'`],
  ['maxNesting', undefined, `eval 'echo $((${nest('(', '1', ')')}))'`],
  ['maxNesting', undefined, `eval '${nest('if :; then ', ':', '; fi')}'`],
  ['maxNesting', undefined, `eval '${nest('{ ', ':', '; }')}'`],
  ['maxNesting', undefined, `sh -c '${deep}'`],
  ['maxNesting', undefined, `x='${nest('(', '1', ')')}'; echo $((x))`],
  ['maxNesting', undefined, `trap '${deep}' USR1; kill -USR1 $$; :`],
  ['maxNesting', undefined, `printf '%s' '${deep}' > s; . ./s`],
  ['maxNesting', undefined, `x='${deep}'; PS4='$(eval "$x")'; set -x; :`],
  ['maxNesting', undefined, `test ${nest("'(' ", '1', " ')'")}`],
  ['maxNesting', undefined, `expr ${nest("'(' ", '1', " ')'")}`],
  ['maxNesting', undefined, `find . ${nest("'(' ", '-true', " ')'")}`],
  ['maxNesting', 3, `find . ${nest("'(' ", '-true', " ')'", 4)} -print`],
  ['maxNesting', undefined, `awk 'BEGIN { print ${nest('(', '1', ')')} }'`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; case a in $p) ;; esac`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; [[ a == $p ]]`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; echo $p`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; echo "\${x#$p}"`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; echo "\${x//$p}"`],
  ['maxNesting', 3, `p='${nest('@(', 'a', ')', 4)}'; x=a; shopt -s extglob; echo "\${x^^$p}"`],
  ['maxNesting', undefined, 'x=\'${x@P}\'; echo "${x@P}"'],
  ['maxNesting', undefined, "PS4='${PS4@P}'; set -x; :"],
  ['maxWords', 1000, `eval 'echo ${'x '.repeat(1001)}'`],
  ['maxWords', 1000, `eval 'echo ${'$x'.repeat(1001)}'`],
  ['maxWords', undefined, 'x=$(printf "a %.0s" {1..1000}); y=$(printf "$x%.0s" {1..1001}); eval "echo $y"'],
  ['maxScriptBytes', 1000, 'x=$(printf "%2000s" ":"); eval "$x"'],
  ['maxScriptBytes', 1000, 'x=$(printf "%2000s" ":"); sh -c "$x"'],
  ['maxScriptBytes', 1000, 'printf "%2000s" ":" | sh'],
  ['maxScriptBytes', 1000, 'printf "%2000s" ":" > s; . ./s'],
  ['maxScriptBytes', 1000, 'printf "%2000s" ":" > s; sh s'],
  ['maxScriptBytes', 1000, 'trap "$(printf "%2000s" ":")" USR1; kill -USR1 $$; :'],
  ['maxStringBytes', undefined, 'x=a; while :; do x=$x$x; done'],
  ['maxStringBytes', undefined, 'x=a; while :; do x+=$x; done'],
  ['maxStringBytes', undefined, 'printf %1000000000s x >/dev/null'],
  ['maxStringBytes', undefined, 'printf "%.*d" 1000000000 1 >/dev/null'],
  ['maxStringBytes', undefined, 'printf -v x %1000000000s'],
  ['maxStringBytes', undefined, 'x=$(yes)'],
  ['maxStringBytes', 100_000, 'x=$(cat /dev/zero | tr "\\0" a)'],
  ['maxStringBytes', 100_000, 'tr "\\0" a </dev/zero | read -r x'],
  ['maxStringBytes', 100_000, 'tr "\\0" a </dev/zero | read -rN 200000 x'],
  ['maxStringBytes', 100_000, 'x=$(printf "%90000s" x); echo "${x// /ab}" >/dev/null'],
  ['maxStringBytes', 100_000, 'x=$(printf "%60000s" x); set -- "$x" "$x"; echo "$*" >/dev/null'],
  ['maxStringBytes', 100_000, 'x=$(printf "%60000s" x); cat <<E >/dev/null\n$x$x\nE'],
  ['maxStringBytes', 100_000, 'x=$(printf "%60000s" x); cat <<< "$x$x" >/dev/null'],
  ['maxStringBytes', 100_000, 'x=$(printf "%90000s" x); x=${x@Q}; x=${x@Q}; x=${x/x/$x}'],
  ['maxStringBytes', 100_000, 'awk \'BEGIN { x = "a"; while (1) x = x x }\''],
  ['maxStringBytes', 100_000, 'awk \'BEGIN { sprintf("%200000s", 1) }\''],
  ['maxStringBytes', 100_000, "echo a | sed ':a; s/.*/&&/; ta'"],
  ['maxStringBytes', 100_000, "yes | sed ':a; N; ba'"],
  ['maxStringBytes', 100_000, 'tr "\\0" a </dev/zero | grep a'],
  ['maxStringBytes', undefined, 'nl -w 1000000000 <<< a'],
  ['maxStringBytes', undefined, 'echo a | od -w100000000'],
  ['maxStringBytes', undefined, "jq -n '[1] | until(false; . + .)'"],
  ['maxStringBytes', undefined, "jq -n '[range(1e9)]'"],
  ['maxStringBytes', undefined, "jq -n '[range(1e5) | [range(1e5)]]'"],
  ['maxStringBytes', undefined, "jq -n '[range(1e5) | {a: [range(1e5)]}]'"],
  ['maxStringBytes', undefined, "jq -n 'reduce range(1e9) as $i ([]; . + [$i])'"],
  ['maxVariableBytes', 1_000_000, 'x=$(printf "%9999s" x); i=0; while :; do eval "v$i=\\$x"; i=$((i+1)); done'],
  ['maxVariableBytes', 1_000_000, 'x=$(printf "%9999s" x); while :; do a+=("$x"); done'],
  ['maxVariableBytes', 1_000_000, 'declare -A a; x=$(printf "%9999s" x); i=0; while :; do a[$i$x]=1; i=$((i+1)); done'],
  ['maxVariableBytes', 1_000_000, 'while :; do i=$((i+1)); eval "f$i() { : $(printf %70000s x); }"; done'],
  ['maxVariableBytes', 1_000_000, 'f() { f "$(printf %70000s x)"; }; f'],
  ['maxVariableBytes', undefined, `${'command builtin '.repeat(10_000)}true`],
  ['maxVariableBytes', undefined, `${'exec '.repeat(20_000)}true`],
  ['maxVariableBytes', 1_000_000, 'while :; do set -- "$@" "$(printf %70000s x)"; done'],
  ['maxVariableBytes', 1_000_000, 'yes | mapfile -t a'],
  ['maxVariableBytes', 1_000_000, 'yes | sort'],
  ['maxVariableBytes', 1_000_000, 'yes | tac'],
  ['maxVariableBytes', 1_000_000, 'yes | tail -n 10000000'],
  ['maxVariableBytes', 1_000_000, "awk 'BEGIN { while (1) a[i++] = i }'"],
  ['maxFields', 10_000, 'set -- a b; while :; do set -- "$@" "$@"; done'],
  ['maxFields', 10_000, 'x=$(seq 20000); set -- $x'],
  ['maxFields', 10_000, 'set -- {1..20000}'],
  ['maxFields', 10_000, 'tr "$(yes ab | head -n 5000)" x </dev/null'],
  ['maxFields', 10_000, 'read -ra x <<< "$(echo {1..9999} {1..9999})"'],
  ['maxFields', 10_000, 'set -- {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'],
  ['maxFields', undefined, 'echo {1..100000000}'],
  ['maxFields', undefined, 'echo {1..1000}{1..1000}{1..1000}{1..1000}'],
  ['maxFields', undefined, 'for i in {1..1000}{1..1000}{1..1000}; do :; done'],
  ['maxFields', undefined, 'a=({1..1000}{{1..1000},{1..1000}}{{a..z},{1..1000}})'],
  ['maxFields', undefined, 'x={1..1000}; eval "set -- $x$x$x"'],
  ['maxFields', undefined, 'eval "echo $(printf "{a,b}%.0s" {1..60})"'],
  ['maxFields', undefined, "awk 'BEGIN { $1e9 = 1 }'"],
  ['maxFields', 1000, `awk 'BEGIN { split(sprintf("%2000s", "a"), x, "") }'`],
  ['maxFields', 1000, `awk 'BEGIN { split(sprintf("%2000s", "a"), x, / /) }'`],
  ['maxFields', 1000, 'seq 2000 | tr "\\n" " " | awk "{ print NF }"'],
  ['maxGlobEntries', 10, 'echo *'],
  ['maxGlobEntries', 10, 'for f in d*/*; do :; done'],
  ['maxGlobEntries', 10, 'case x in x) set -- [a-z]* ;; esac'],
  ['maxJobs', 8, 'while :; do sleep 100 & done'],
  ['maxJobs', 8, 'f() { sleep 100 & f; }; f'],
  ['maxJobs', 8, 'for i in 1 2 3 4 5 6 7 8 9; do cat <(sleep 100) & done; wait'],
];

/** These have another end; see below. */
const OTHERWISE: readonly LimitName[] = [
  'maxCapturedBytes',
  'maxDescriptors',
  'maxRemoveOperands',
  'maxRemovalsPerRun',
];

const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, '']));

describe('a limit that is reached ends the run', { timeout: 60_000 }, () => {
  it.each(ROWS)('%s=%s: %s', (limit, value, script) =>
    withTree(many, async (root) => {
      const shell = createShell({
        mode: 'remediation',
        allowedPaths: [`${root}:rw`],
        ...(value === undefined ? {} : { limits: { [limit]: value } }),
      });
      // The script is a file: its own text must not be what is too long.
      writeFileSync(join(root, 'script'), script);
      const result = await shell.run(
        `trap 'echo trapped' EXIT ERR\necho one\n{ ${script}\n} || echo seen\necho after`,
        { cwd: root, timeoutMs: 50_000 },
      );
      const { unit } = LIMITS[limit];
      expect(result.message).toBe(`limit reached: ${limit} is ${value ?? LIMITS[limit].value} ${unit}`);
      expect(result).toMatchObject({ status: 'limit', exitCode: 1, truncated: false });
      expect(result.stdout).toBe('one\n');
    }),
  );

  it('and every limit has a row, or an end of its own', () => {
    const reached = new Set(ROWS.map(([limit]) => limit));
    expect([...reached, ...OTHERWISE].sort()).toEqual((Object.keys(LIMITS) as LimitName[]).sort());
  });
});

describe('limits that do not end the run', () => {
  it('maxDescriptors: the redirection fails, as it does where the kernel says so', async () => {
    const script = 'i=3; while [ $i -lt 40 ]; do eval "exec $i</dev/null" || break; i=$((i+1)); done; echo $i';
    const result = await createShell({ limits: { maxDescriptors: 20 } }).run(`(${script}); echo after $?`);
    expect(result).toMatchObject({ status: 'exited', stdout: 'after 1\n' });
    expect(result.stderr).toContain('Too many open files');
    const other = await createShell({ limits: { maxDescriptors: 20 } }).run(
      'f() { { f; } 3</dev/null; }; i=3; while [ $i -lt 40 ]; do command exec {fd}</dev/null || break; i=$((i+1)); done; echo $i',
    );
    expect(other.stdout).toBe('20\n');
  });

  it('maxCapturedBytes: output is cut, and the result says so', async () => {
    const result = await createShell({ limits: { maxCapturedBytes: 10 } }).run('seq 100; echo err >&2; exit 3');
    expect(result).toMatchObject({ status: 'exited', exitCode: 3, truncated: true, stderr: 'err\n' });
    expect(result.stdout).toBe('1\n2\n3\n4\n5\n');
    expect(result.message).toContain('maxCapturedBytes (10 bytes)');
  });

  it('maxRemoveOperands and maxRemovalsPerRun: the command is refused, and the script goes on', () =>
    withTree(many, async (root) => {
      const shell = createShell({
        mode: 'remediation',
        allowedPaths: [`${root}:rw`],
        limits: { maxRemoveOperands: 2, maxRemovalsPerRun: 3 },
      });
      const result = await shell.run('rm f0 f1 f2 || echo seen; rm f0 f1; rm f2 f3 || echo seen again', { cwd: root });
      expect(result).toMatchObject({ status: 'exited', stdout: 'seen\nseen again\n', removals: { made: 3, left: 0 } });
    }));
});

describe('what costs more than its length says', { timeout: 60_000 }, () => {
  /** Each once took for ever, all the memory there is, or the stack. */
  it.each([
    ['v0=1; for i in {1..40}; do eval "v$i=v$((i-1))+v$((i-1))"; done; (echo $((v9)); echo $((v40)))', '512\n', 1],
    ["x='a[x]+a[x]'; (echo $((x)))", '', 1],
    ["echo abc | tr '[a*9999999999]bc' '[b*9999999999]xy'", 'bxy\n', 0],
    ["tr '[a*9999999999]' '[b*9999999999]' < /dev/null", '', 0],
    ['kill $(yes %1 | head -100000) 2> /dev/null', '', 1],
    ['wait $(yes 1 | head -100000) 2> /dev/null', '', 127],
    [
      'x=$(tr "\\0" 7 </dev/zero | head -c 9000000); expr "$x" + "$x" 2>&1 | head -c 40',
      'expr: integers of more than 100000 digit',
      0,
    ],
    ['x=$(tr "\\0" 7 </dev/zero | head -c 9000000); expr "${x}8" ">" "$x"', '1\n', 0],
    ['x=$(tr "\\0" 7 </dev/zero | head -c 9000000); seq "$x" 2>&1 | head -c 25', 'seq: numbers of more than', 0],
    ['x=$(yes a/ | head -n 30000 | tr -d "\\n"); realpath -m "$x" | tail -c 5', '/a/a\n', 0],
    ["tr '\\0' a </dev/zero | head -c 9000000 | grep -f - f0 2>&1", 'grep: Regular expression too big\n', 2],
    ["jq -n 'null | .[100000000] = 1' 2>&1", 'jq: error (at <unknown>): Array index too large\n', 5],
    ['(split -a 1000000000 f0 && echo a | split -a 1000000000) 2> /dev/null', '', 1],
  ])('%s', (script, stdout, exitCode) =>
    withTree({ f0: '' }, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`, '/dev/null'] });
      const result = await shell.run(script, { cwd: root, timeoutMs: 10_000 });
      expect(result).toMatchObject({ status: 'exited', stdout, exitCode });
    }),
  );

  it('the words of many braces are expanded with an eye on the clock', async () => {
    const result = await createShell({}).run(`: ${'{a,b}'.repeat(20)}; echo $?`, { timeoutMs: 10 });
    expect(result).toMatchObject({ status: 'timeout', stdout: '' });
  });
});
