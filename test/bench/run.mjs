/**
 * `npm run bench [-- [text] OPTION...]`: rmsh beside the real shells, on this machine, now.
 *
 *     text           the commands beside GNU's, instead of the shell
 *     --quick        fewer rounds, smaller sizes where forks are slow, and of the shells only the one a row is compared with
 *     --only TEXT    only rows whose names hold TEXT; may be repeated
 *     --growth       N, 4N and 16N of each row: the exponent that its time grows by
 *     --peers        also the known shell in TypeScript, put into a scratch folder for this run
 *     --json FILE    the figures as JSON
 *
 * Subjects take turns within a round, so that a change of the machine's mood meets all of them; the table shows medians, and
 * ratios of medians of one run. A wrong answer does not count: output and status of every run are compared with what the
 * row's other shell gave.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { growthOf } from './growth.mjs';
import { measure, median } from './measure.mjs';
import { addPeer, isThere, program, SUBJECTS } from './subjects.mjs';
import { TEXT_WORKLOADS } from './text-workloads.mjs';
import { WORKLOADS } from './workloads.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    growth: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const { quick, peers } = options;
if (positionals.some((word) => word !== 'text')) fail(`there is nothing called ${positionals.join(' ')}: only 'text'`);
if (!existsSync(program)) fail("dist/rmsh.js is missing: 'npm run build' makes it");
if (!existsSync('/bin/bash')) fail('bash is missing: its `time` is the stopwatch');

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'rmsh-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** No run of the shells themselves takes as long; the peer is given less, or a row would take an hour. */
const PATIENCE = 300_000;
const PEER_PATIENCE = 60_000;
const SHELLS = ['dash', 'bash', 'busybox', 'ksh93', 'mksh'];
const PEER = 'just-bash';
const show = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toFixed(1));

if (peers) addPeer(folder);
const before = loadavg();
const chosen = (positionals.length > 0 ? TEXT_WORKLOADS : WORKLOADS).filter(
  ({ name }) => options.only.length === 0 || options.only.some((text) => name.includes(text)),
);
/** What a program in Node cannot be below: the CPU time of a start of node that does nothing. */
const nodeAlone = options.growth
  ? undefined
  : median(await repeat(quick ? 3 : 9, () => measure(SUBJECTS['node -e 0'](), folder, PATIENCE)));
const results = [];
for (const row of chosen) results.push(await (options.growth ? growth(row) : compare(row)));

/** Runs `row` with `size` in the shell `subject`. */
async function once(row, size, subject, patience = PATIENCE) {
  if (row.everyRun) row.prepare?.(folder, size);
  return measure(SUBJECTS[subject]('work.sh', folder), folder, patience, row.locale);
}

function prepare(row, size) {
  writeFileSync(join(folder, 'work.sh'), row.script(size));
  if (!row.everyRun) row.prepare?.(folder, size);
}

async function compare(row) {
  const { name, against, rounds = 5, shells = SHELLS } = row;
  const size = quick ? (row.quick ?? row.size) : row.size;
  prepare(row, size);
  const others = quick ? shells.filter((shell) => shell === against) : shells;
  const subjects = ['rmsh', ...others, ...(SHELLS.includes(against) || against === undefined ? [] : [against])].filter(
    isThere,
  );
  const runs = Object.fromEntries(subjects.map((subject) => [subject, []]));
  const judge = subjects.find((subject) => SHELLS.includes(subject));
  const wrong = new Map();
  for (let round = 0; round < (quick ? Math.ceil(rounds / 3) : rounds); round++) {
    for (const subject of subjects) {
      const run = await once(row, size, subject);
      if (run === undefined) wrong.set(subject, 'too slow');
      else runs[subject].push(run);
    }
  }
  const expected = judge === undefined ? undefined : runs[judge][0]?.digest;
  for (const subject of ['rmsh', ...others]) {
    for (const { digest, errors } of runs[subject] ?? []) {
      if (expected !== undefined && digest !== expected) wrong.set(subject, `another answer ${errors}`);
    }
  }
  if (row.expected !== undefined && readFileSync(join(folder, 'run.out'), 'utf8') !== row.expected)
    wrong.set('rmsh', 'another answer');
  if (peers && row.peer !== false) await addPeerTo(row, size, runs, subjects, wrong, expected);

  const of = (subject, what) => median(runs[subject].map((run) => run[what]));
  const cpu = Object.fromEntries(
    subjects.filter((subject) => !wrong.has(subject)).map((subject) => [subject, of(subject, 'cpu')]),
  );
  const ratio = cpu[against] > 0 ? cpu.rmsh / cpu[against] : undefined;
  const floor =
    nodeAlone !== undefined && SHELLS.includes(against) && cpu[against] > 0 ? nodeAlone / cpu[against] : undefined;
  const wall = Object.fromEntries(Object.keys(cpu).map((subject) => [subject, of(subject, 'wall')]));
  const peak = Object.fromEntries(
    Object.keys(cpu).map((subject) => [subject, Math.max(...runs[subject].map((run) => run.peak))]),
  );
  const met =
    !wrong.has('rmsh') &&
    (against === undefined || (ratio !== undefined && ratio <= row.must)) &&
    (row.peak === undefined || peak.rmsh <= row.peak);
  const result = {
    name,
    size,
    against,
    must: row.must,
    aim: row.aim,
    maxPeak: row.peak,
    ratio,
    floor,
    met,
    cpu,
    wall,
    peak,
    wrong: Object.fromEntries(wrong),
  };
  console.error(`${met ? 'met   ' : 'MISSED'} ${name}: ${verdict(result)}`);
  return result;
}

/** The peer runs a row once: it takes too long for more. */
async function addPeerTo(row, size, runs, subjects, wrong, expected) {
  subjects.push(PEER);
  const run = await once(row, size, PEER, PEER_PATIENCE);
  runs[PEER] = run === undefined ? [] : [run];
  if (run === undefined) wrong.set(PEER, `over ${PEER_PATIENCE / 1000} s`);
  else if (run.digest !== (expected ?? runs.rmsh[0]?.digest)) {
    wrong.set(PEER, 'another answer');
    console.error(`       ${PEER}: ${run.errors.trim().split('\n', 1)[0] || 'no error, and another answer'}`);
  }
}

function verdict({ ratio, floor, against, must, aim, wrong, cpu, peak, maxPeak }) {
  if (wrong.rmsh !== undefined) return wrong.rmsh;
  const parts = [];
  if (ratio !== undefined) parts.push(`${ratio.toFixed(2)} x ${against} (must ${must}, aim ${aim})`);
  if (floor > must) parts.push(`node alone ${floor.toFixed(2)}`);
  if (maxPeak !== undefined) parts.push(`${peak.rmsh.toFixed(0)} MiB (must ${maxPeak})`);
  if (parts.length === 0) parts.push(`${show(cpu.rmsh)} ms`);
  return parts.join(', ');
}

async function growth(row) {
  if (row.growth === undefined) return undefined;
  const { name } = row;
  const rounds = quick ? 1 : 3;
  const sizes = [row.growth, row.growth * 4, row.growth * 16];
  // What a start costs does not grow.
  const start = median(await repeat(5, () => measure(SUBJECTS['rmsh :'](), folder, PATIENCE)));
  const times = [];
  const peaks = [];
  let failed = '';
  for (const size of sizes) {
    prepare(row, size);
    const runs = [];
    times.push(median(await repeat(rounds, async () => runs[runs.push(await once(row, size, 'rmsh')) - 1])) - start);
    peaks.push(Math.max(...runs.map((run) => run?.peak ?? 0)));
    // A run that a limit ended early took less time, which says nothing.
    const ended = runs.find((run) => run !== undefined && !run.digest.startsWith('0 '));
    if (ended !== undefined) failed = ended.errors.trim() || `status ${ended.digest.split(' ', 1)[0]}`;
  }
  const exponent = growthOf(sizes, times);
  const met = failed === '' && exponent <= 1.15 && (row.peak === undefined || peaks.at(-1) <= row.peak);
  console.error(
    `${met ? 'met   ' : 'MISSED'} ${name}: exponent ${exponent.toFixed(2)}, ms ${times.map(show)}, MiB ${peaks.map((peak) => peak.toFixed(0))} ${failed}`,
  );
  return { name, sizes, times, peaks, exponent, met };
}

async function repeat(times, step) {
  const cpu = [];
  for (let i = 0; i < times; i++) {
    const run = await step();
    if (run === undefined) fail('a run took too long');
    cpu.push(run.cpu);
  }
  return cpu;
}

// -------------------------------------------------------------------------------------------------------- the table

const done = results.filter((result) => result !== undefined);
const load = [before, loadavg()].map((three) => three[0].toFixed(1));
const machine = `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, load ${load[0]} before and ${load[1]} after`;
const escaped = (text) => text.replaceAll('|', '\\|');
const row = (...cells) => console.log(`| ${cells.map(escaped).join(' | ')} |`);

if (options.growth) {
  console.log(`\nGrowth of CPU time less that of a start; must be at most N^1.15, aim 1.05 (${machine})\n`);
  row('workload', 'N', 'ms at N, 4N, 16N', 'peak MiB', 'exponent of 4N to 16N', 'met');
  console.log('|---|--:|--:|--:|--:|---|');
  for (const { name, sizes, times, peaks, exponent, met } of done) {
    row(
      name,
      `${sizes[0]}`,
      times.map(show).join(', '),
      peaks.map((peak) => peak.toFixed(0)).join(', '),
      exponent.toFixed(2),
      met ? 'yes' : 'NO',
    );
  }
} else {
  const columns = ['rmsh', ...SHELLS, 'node -e 0', 'rmsh :', PEER].filter((name) =>
    done.some(({ cpu, wrong }) => name in cpu || name in wrong),
  );
  console.log(`\nCPU time in ms, children included (median); ${quick ? 'quick; ' : ''}${machine}\n`);
  row('workload', 'N', ...columns, 'wall', 'peak MiB', 'ratio', 'node alone', 'must', 'aim', 'met');
  console.log(`|---|${'--:|'.repeat(columns.length + 7)}---|`);
  for (const { name, size, against, ratio, floor, must, aim, met, cpu, wall, peak, wrong } of done) {
    row(
      name,
      `${size ?? ''}`,
      ...columns.map((column) => (column in wrong ? wrong[column].trim() : column in cpu ? show(cpu[column]) : '')),
      wall.rmsh === undefined ? '' : show(wall.rmsh),
      peak.rmsh === undefined ? '' : peak.rmsh.toFixed(0),
      ratio === undefined ? '' : `${ratio.toFixed(2)} x ${against}`,
      floor === undefined ? '' : floor.toFixed(2),
      `${must ?? ''}`,
      `${aim ?? ''}`,
      met ? 'yes' : 'NO',
    );
  }
}
const missed = done.filter(({ met }) => !met);
const impossible = missed.filter(({ floor, must }) => floor > must).length;
console.log(
  `\n${done.length - missed.length} of ${done.length} rows are met; ${impossible} of the others ask for less than a start of node takes.`,
);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ machine, quick, rows: done }, undefined, 2)}\n`);
