/**
 * What is measured. A row's `script` is run as a file, in a folder that holds what its `prepare` made; it prints something that
 * shows that the work was done, and that the shell it is measured against must print too.
 *
 * - `size`: N, in the row's own unit; `quick`: N where the row would take `--quick` too long; `growth`: the N of `--growth`,
 *   which runs N, 4N and 16N; a row without it does not grow with N alone.
 * - `against`: the subject whose CPU time the row's is divided by; `must` is the most that may come out, `aim` where to go.
 * - `peak`: the most memory, in MiB, that rmsh may hold.
 * - `shells`: which shells run it too; all when it is left out.
 * - `locale`: of the real programs; C when it is left out.
 * - `everyRun`: the script takes away what `prepare` made.
 */
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realScripts } from './real-scripts.mjs';

const counted = (n, body, after = 'echo $i') => `i=0; while [ $i -lt ${n} ]; do ${body}; i=$((i+1)); done; ${after}\n`;

/** Loops and expansions, which a native shell does without a fork too. */
const LANGUAGE = { against: 'dash', must: 0.8, aim: 0.4 };
/** What a native shell forks for. */
const FORKS = { against: 'dash', must: 0.06, aim: 0.03, rounds: 3 };
const FORKS_AND_PROGRAMS = { against: 'dash', must: 0.08, aim: 0.04, rounds: 3 };

const LIST = '1 2 3 4 5 6 7 8 9 10';
const LINE = 'of a log with some words in it: path=/var/log/app/current status=200';

/** N bytes of lines. */
function lines(folder, bytes) {
  const text = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    text.push(`${(i * 7919) % 100_003} line ${i} ${LINE}\n`);
    length += text.at(-1).length;
  }
  writeFileSync(join(folder, 'lines'), text.join(''));
}

/** N bytes of function definitions as people write them. */
function functions(bytes) {
  const text = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    text.push(`# cleans up after unit ${i}
unit_${i}() {
  dir="$1/unit-${i}"
  for file in "$dir"/*.log "$dir"/*.tmp; do
    [ -e "$file" ] || continue
    case $(basename "$file") in
      *.log) size=$(wc -c < "$file"); if [ "$size" -gt $((1024 * ${i})) ]; then truncate -s 0 "$file"; fi ;;
      *) rm "$file" 2>/dev/null || echo "cannot remove $file" >&2 ;;
    esac
  done
}
`);
    length += text.at(-1).length;
  }
  return `${text.join('')}echo done\n`;
}

function manyFiles(folder, count) {
  const where = join(folder, 'many');
  rmSync(where, { recursive: true, force: true });
  mkdirSync(where);
  for (let i = 0; i < count; i++) writeFileSync(join(where, `f${i}`), '');
}

function zeros(folder, size) {
  writeFileSync(join(folder, 'zeros'), '');
  truncateSync(join(folder, 'zeros'), size);
}

/** Each as the body of a function that is never called: parsed, and not run. */
function scripts(folder) {
  const where = join(folder, 'scripts');
  rmSync(where, { recursive: true, force: true });
  mkdirSync(where);
  realScripts(500).forEach((text, i) => {
    writeFileSync(join(where, `${i}.sh`), `unused() {\n${text}\n}\n`);
  });
}

export const WORKLOADS = [
  {
    name: 'start: `for f in a b; do echo "$f"; done`',
    script: () => 'for f in a b; do echo "$f"; done\n',
    against: 'node -e 0',
    must: 1.6,
    aim: 1.4,
    rounds: 21,
  },
  {
    name: 'while loop, arithmetic and `[`',
    size: 1_000_000,
    growth: 250_000,
    script: (n) => `i=0; while [ $i -lt ${n} ]; do i=$((i+1)); done; echo $i\n`,
    against: 'dash',
    must: 0.4,
    aim: 0.15,
  },
  {
    name: 'function calls',
    ...LANGUAGE,
    size: 300_000,
    growth: 75_000,
    script: (n) => `f() { n=$((n+$1)); }; n=0\n${counted(n, 'f $i', 'echo $n')}`,
  },
  {
    name: 'fib',
    ...LANGUAGE,
    size: 20,
    script: (n) =>
      `fib() {
  if [ $1 -lt 2 ]; then r=$1; return; fi
  fib $(($1-1)); set -- $1 $r; fib $(($1-2)); r=$((r+$2))
}
fib ${n}; echo $r\n`,
  },
  {
    name: '`case`',
    ...LANGUAGE,
    size: 100_000,
    growth: 100_000,
    script: (n) => counted(n, 'case file$i.log in *9.log) x=nine;; *.txt) x=no;; f?le*) x=file;; esac', 'echo $x'),
  },
  {
    name: '`${x#}` `${x%}`',
    ...LANGUAGE,
    size: 100_000,
    growth: 100_000,
    script: (n) =>
      `p=/usr/local/lib/libc.so.6\n${counted(n, 'a=${p#/usr}; b=${p%.6}; c=${p##*/}; d=${p%/*}', 'echo $a $b $c $d')}`,
  },
  {
    name: '`for`, nested',
    ...LANGUAGE,
    size: 6,
    script: (n) =>
      `n=0; l='${LIST}'\n${Array.from({ length: n }, (_, i) => `for v${i} in $l; do `).join('')}n=$((n+1))${'; done'.repeat(n)}; echo $n\n`,
  },
  {
    name: '`set --`',
    ...LANGUAGE,
    size: 100_000,
    growth: 100_000,
    script: (n) => counted(n, 'set -- a b "$i"; shift', 'echo $* $#'),
  },
  {
    name: 'splitting 1 MB',
    ...LANGUAGE,
    size: 1_000_000,
    // 16 times as much is below `maxFields`.
    growth: 250_000,
    script: (n) =>
      `w='alpha beta gamma delta epsilon zeta eta theta '; while [ \${#w} -lt ${n} ]; do w=$w$w; done
n=0; for x in $w; do n=$((n+1)); done; set -- $w; echo $n $#\n`,
  },
  {
    name: '`$(echo x)`',
    ...FORKS,
    size: 50_000,
    quick: 10_000,
    growth: 12_500,
    script: (n) => counted(n, 'x=$(echo $i)', 'echo $x'),
  },
  { name: '`( : )`', ...FORKS, size: 10_000, quick: 5_000, growth: 10_000, script: (n) => counted(n, '( : )') },
  {
    name: 'here-document to cat',
    ...FORKS,
    size: 10_000,
    quick: 3_000,
    growth: 10_000,
    script: (n) => counted(n, 'cat <<X\nline $i of\n$n\nX\n:'),
  },
  {
    name: '`$(basename f)`',
    ...FORKS_AND_PROGRAMS,
    size: 10_000,
    quick: 2_000,
    growth: 5_000,
    script: (n) => counted(n, 'x=$(basename /usr/lib/file$i.so .so)', 'echo $x'),
  },
  {
    name: '`echo x | sed s/x/y/`',
    ...FORKS_AND_PROGRAMS,
    size: 10_000,
    quick: 2_000,
    growth: 5_000,
    script: (n) => counted(n, 'echo x$i | sed s/x/y/'),
  },
  {
    name: 'echo',
    against: 'dash',
    must: 0.7,
    aim: 0.35,
    size: 100_000,
    growth: 100_000,
    script: (n) => counted(n, 'echo line $i of the log'),
  },
  {
    name: 'printf',
    against: 'dash',
    must: 0.7,
    aim: 0.35,
    size: 100_000,
    growth: 100_000,
    script: (n) => counted(n, "printf '%s %d\\n' line $i"),
  },
  {
    name: '`while IFS= read -r l`, 10 MB, file',
    against: 'dash',
    must: 0.1,
    aim: 0.04,
    size: 10_000_000,
    growth: 2_500_000,
    prepare: lines,
    script: () => 'n=0; while IFS= read -r l; do n=$((n+1)); x=$l; done < lines; echo $n "$x"\n',
  },
  {
    name: '`while IFS= read -r l`, 10 MB, pipe',
    against: 'dash',
    must: 0.1,
    aim: 0.04,
    size: 10_000_000,
    growth: 2_500_000,
    prepare: lines,
    script: () => 'cat lines | { n=0; while IFS= read -r l; do n=$((n+1)); x=$l; done; echo $n "$x"; }\n',
  },
  {
    name: 'parse 1 MB of functions',
    against: 'bash',
    must: 5,
    aim: 3,
    size: 1_000_000,
    growth: 1_000_000,
    script: functions,
  },
  {
    name: 'parse real scripts of this machine',
    against: 'bash',
    must: 5,
    aim: 3,
    prepare: scripts,
    script: () => 'for f in scripts/*.sh; do . "$f"; done; echo scripts/*.sh\n',
    shells: ['bash'],
  },
  {
    name: '`seq N | grep 7 | sort -rn | head -5 | wc -l`',
    against: 'dash',
    must: 1.5,
    aim: 1,
    size: 1_000_000,
    growth: 250_000,
    script: (n) => `seq ${n} | grep 7 | sort -rn | head -5 | wc -l\n`,
  },
  {
    name: '100 MB through cat, cat, wc',
    against: 'dash',
    must: 2,
    aim: 1,
    peak: 90,
    size: 100_000_000,
    growth: 25_000_000,
    prepare: zeros,
    script: () => 'cat zeros | cat | wc -c\n',
  },
  ...[
    ['`yes | head -n 1`', 'yes | head -n 1'],
    ['`while :; do echo y; done | head -n 1`', 'while :; do echo y; done | head -n 1'],
    ['`seq 1000000000 | head -n 1`', 'seq 1000000000 | head -n 1'],
  ].map(([name, script]) => ({
    name: `early end: ${name}`,
    against: 'rmsh :',
    must: 1.5,
    aim: 1.2,
    script: () => `${script}\n`,
    rounds: 15,
  })),
  ...[
    ['for rm', 'for f in many/*; do rm "$f"; done'],
    ['xargs -n1 rm', 'find many -type f | xargs -n 1 rm'],
    ['find -exec rm', 'find many -type f -exec rm {} \\;'],
  ].map(([name, script]) => ({
    name: `${name}, files`,
    against: 'dash',
    must: 0.1,
    aim: 0.04,
    size: 10_000,
    quick: 2_000,
    growth: 2_500,
    rounds: 3,
    prepare: manyFiles,
    everyRun: true,
    script: () => `${script}; ls many | wc -l\n`,
  })),
  ...[10_000, 100_000].map((depth) => ({
    name: `recursion, ${depth.toLocaleString('en')} levels`,
    script: () => `f() { [ $1 -eq 0 ] && return 7; f $(($1-1)); }\nf ${depth - 1}; echo $?\n`,
    expected: '7\n',
    shells: [],
    rounds: 1,
  })),
];
