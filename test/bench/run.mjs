/**
 * `npm run bench [-- --quick] [-- --only TEXT]`: rmsh beside the real shells, on this machine, now.
 *
 * What is measured is CPU time, user and system, of the whole process and its children, as bash's `time` reads it from the
 * kernel: a shell that starts a `cat` pays for the `cat`. Subjects take turns within a round, so that a change of the
 * machine's mood meets all of them; the table shows medians, and ratios of medians of one run. Before anything is measured each
 * subject's output is compared with rmsh's.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const quick = process.argv.includes('--quick');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : '';

const program = fileURLToPath(new URL('../../dist/rmsh.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rmsh-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (!existsSync(program)) fail("dist/rmsh.js is missing: 'npm run build' makes it");
if (!existsSync('/bin/bash')) fail('bash is missing: its `time` is the stopwatch');

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}

// ------------------------------------------------------------------------------------------------------ subjects

/** Name, and the command line that runs a script. */
const SUBJECTS = {
  rmsh: (script) => [process.execPath, program, '--allow-path', folder, '-c', script],
  dash: (script) => ['/bin/dash', '-c', script],
  bash: (script) => ['/bin/bash', '-c', script],
  busybox: (script) => ['/bin/busybox', 'ash', '-c', script],
  /** What a process of Node costs before it does anything. */
  'node -e 0': () => [process.execPath, '-e', '0'],
};
const there = (name) => existsSync(SUBJECTS[name]('')[0]);

// ----------------------------------------------------------------------------------------------------- workloads

const big = join(folder, 'big');
writeFileSync(big, '');
truncateSync(big, 200_000_000);
const lines = join(folder, 'lines');
writeFileSync(lines, Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 50_000} line ${i} of a log\n`).join(''));

const SHELLS = ['rmsh', 'dash', 'bash', 'busybox'];

/** `rounds` of a full run; a quick one has a third of them. */
const WORKLOADS = [
  { name: 'count to a million', script: 'i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; echo $i', rounds: 5 },
  {
    name: 'start-up: `for f in a b; do echo "$f"; done`',
    script: 'for f in a b; do echo "$f"; done',
    subjects: [...SHELLS, 'node -e 0'],
    rounds: 21,
  },
  { name: 'start-up: `:`', script: ':', subjects: [...SHELLS, 'node -e 0'], rounds: 21 },
  { name: '`yes | head -n 1`', script: 'yes | head -n 1', rounds: 9 },
  { name: '`while :; do echo y; done | head -n 1`', script: 'while :; do echo y; done | head -n 1', rounds: 9 },
  { name: '200 MB through three `cat`s', script: `cat ${big} | cat | cat`, rounds: 5, memory: true },
  {
    name: '10,000 substitutions `$(echo $i)`',
    script: 'i=0; while [ $i -lt 10000 ]; do x=$(echo $i); i=$((i+1)); done; echo $x',
    rounds: 5,
  },
  {
    name: '100,000 calls of a function',
    script: 'f() { n=$((n+$1)); }; n=0; i=0; while [ $i -lt 100000 ]; do f $i; i=$((i+1)); done; echo $n',
    rounds: 5,
  },
  { name: 'read 50,000 lines', script: `n=0; while read -r a b; do n=$((n+a)); done < ${lines}; echo $n`, rounds: 3 },
  {
    name: '50,000 patterns',
    script:
      'i=0; while [ $i -lt 50000 ]; do case file$i.log in *9.log) x=${i%9};; *.txt) x=no;; f?le*) x=${i#1};; esac; i=$((i+1)); done; echo $x',
    rounds: 5,
  },
  { name: '`sort -n | uniq | grep -c 9`, 50,000 lines', script: `sort -n ${lines} | uniq | grep -c 9`, rounds: 5 },
];

// ------------------------------------------------------------------------------------------------------ measuring

const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** CPU and wall clock, in ms, of one run; its output goes nowhere. */
function measure(command) {
  const stopwatch = 'TIMEFORMAT="%3U %3S %3R"; { time "$@" >/dev/null 2>&1; } 2>&1';
  const result = spawnSync('/bin/bash', ['-c', stopwatch, 'bench', ...command], {
    encoding: 'utf8',
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [user, system, wall] = result.stdout.trim().split(' ').map(Number);
  if (!(wall >= 0)) fail(`no time for ${command.join(' ')}`);
  return { cpu: (user + system) * 1000, wall: wall * 1000 };
}

/** Digest of the output and the status, and the most memory of the process itself, in MiB. */
function observe(command) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const digest = createHash('sha256');
    const errors = [];
    let peak = 0;
    const timer = setInterval(() => {
      try {
        const kib = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
        peak = Math.max(peak, Number(kib ?? 0) / 1024);
      } catch {
        // It has just ended.
      }
    }, 5);
    child.stdout.on('data', (chunk) => digest.update(chunk));
    child.stderr.on('data', (chunk) => errors.push(chunk));
    child.on('close', (status) => {
      clearInterval(timer);
      resolve({ output: `${status} ${digest.digest('hex')}`, errors: Buffer.concat(errors).toString(), peak });
    });
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const show = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toFixed(1));

const rows = [];
const notes = [];
for (const { name, script, subjects = SHELLS, rounds, memory = false } of WORKLOADS) {
  if (!name.includes(only)) continue;
  const present = subjects.filter(there);
  const expected = await observe(SUBJECTS.rmsh(script));
  if (expected.errors !== '') fail(`${name}: rmsh says ${expected.errors}`);
  for (const subject of present) {
    if (subject === 'rmsh' || subject === 'node -e 0') continue;
    const { output } = await observe(SUBJECTS[subject](script));
    if (output !== expected.output) fail(`${name}: ${subject} prints something else than rmsh, or ends otherwise`);
  }
  if (memory) notes.push(`${name}: rmsh held at most ${expected.peak.toFixed(0)} MiB.`);

  const times = Object.fromEntries(present.map((subject) => [subject, []]));
  for (let round = 0; round < (quick ? Math.ceil(rounds / 3) : rounds); round++) {
    for (const subject of present) times[subject].push(measure(SUBJECTS[subject](script)));
  }
  const of = (subject, what) => median(times[subject].map((time) => time[what]));
  const cells = [...SHELLS, 'node -e 0'].map((subject) => (present.includes(subject) ? show(of(subject, 'cpu')) : ''));
  const ratios = present
    .filter((subject) => subject !== 'rmsh')
    .map((subject) => {
      const other = of(subject, 'cpu');
      return other === 0 ? '' : `${(of('rmsh', 'cpu') / other).toFixed(2)} x ${subject}`;
    })
    .filter((text) => text !== '');
  const base = present.includes('node -e 0')
    ? `; wall ${(of('rmsh', 'wall') / of('node -e 0', 'wall')).toFixed(2)} x node -e 0`
    : '';
  rows.push([name, ...cells, ratios.join(', ') + base]);
  console.error(`${name}: ${rows.at(-1).slice(1).filter(Boolean).join(' | ')}`);
}

console.log(`\nCPU time in ms (median), node ${process.version}, ${process.platform} ${process.arch}\n`);
console.log(`| workload | ${SHELLS.join(' | ')} | node -e 0 | rmsh takes |`);
console.log('|---|--:|--:|--:|--:|--:|---|');
for (const row of rows) console.log(`| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
for (const note of notes) console.log(`\n${note}`);
