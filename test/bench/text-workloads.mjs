/**
 * The commands beside GNU's, which dash starts; rows as in workloads.mjs, in the locale whose results ours are. Removing many files one
 * by one is among the other rows.
 */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const GNU = { against: 'dash', shells: ['dash'], locale: 'C.UTF-8', rounds: 5 };

/** Always the same numbers below `below`. */
function numbers() {
  let seed = 1;
  return (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
}

const WORDS = ['request', 'session', 'cache', 'disk', 'queue', 'worker', 'timeout', 'user', 'path', 'commit', 'café'];

/** N bytes of a log, once for all rows. */
function log(folder, size) {
  const path = join(folder, 'log');
  if (made.get(path) === size) return;
  made.set(path, size);
  const random = numbers();
  const levels = ['info', 'info', 'info', 'debug', 'warn'];
  const lines = [];
  for (let length = 0; length < size; ) {
    let line = `2026-01-${String(1 + random(28)).padStart(2, '0')} host${random(40)} ${levels[random(5)]}`;
    for (let i = 4 + random(8); i > 0; i--) line += ` ${WORDS[random(WORDS.length)]}=${random(100_000)}`;
    if (random(1000) === 0) line += ' error: connection refused';
    lines.push(line);
    length += line.length + 1;
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
}

const made = new Map();

function unsorted(folder, count) {
  const lines = Array.from({ length: count }, (_, i) => `${(i * 7919 + 13) % 1_000_003} key${(i * 31) % 977} text\n`);
  writeFileSync(join(folder, 'unsorted'), lines.join(''));
}

/** N empty files; the age in days of each goes round. */
function files(folder, count) {
  const where = join(folder, 'files');
  rmSync(where, { recursive: true, force: true });
  mkdirSync(where);
  for (let i = 0; i < count; i++) {
    const path = join(where, `f${i}`);
    writeFileSync(path, '');
    const time = Date.now() / 1000 - (i % 300) * 86_400 - 3600;
    utimesSync(path, time, time);
  }
}

const onLog = (name, words, must, more = {}) => ({
  name,
  ...GNU,
  must,
  aim: must / 2,
  size: 100_000_000,
  growth: 10_000_000,
  prepare: log,
  script: () => `${words}\n`,
  ...more,
});

const onLines = (name, words) => ({
  name,
  ...GNU,
  must: 3,
  aim: 1.5,
  size: 1_000_000,
  growth: 50_000,
  prepare: unsorted,
  script: () => `${words}\n`,
});

const onFiles = (name, size, words, growth = undefined) => ({
  name,
  ...GNU,
  must: 4,
  aim: 2,
  size,
  growth,
  prepare: files,
  script: () => `${words}\n`,
});

export const TEXT_WORKLOADS = [
  onLog('grep a fixed string', `grep 'connection refused' log`, 3),
  onLog('grep -F -c', 'grep -Fc timeout=99999 log', 3),
  onLog('grep -E', `grep -E 'error: (connection|disk) re[a-z]+d$' log`, 5),
  onLog('grep -Ec, classes', `grep -Ec '(cache|disk)=[0-9]{5} worker' log`, 5),
  onLog('sed s', 'sed s/session=/s=/ log', 0.8),
  onLog('sed s, a class', `sed 's/host\\([0-9]*\\) info/\\1/' log`, 0.8),
  onLines('sort', 'sort unsorted'),
  onLines('sort -n', 'sort -n unsorted'),
  onLines('sort -k2n', 'sort -k2n unsorted'),
  onLines('sort -k2,2 -k1nr', 'sort -k2,2 -k1nr unsorted'),
  onLog('wc -l', 'wc -l log', 3),
  onLog('wc', 'wc log', 3),
  onLog('tr', 'tr a-z A-Z <log', 3),
  onLog('cat | tr | wc -c', 'cat log | tr a-z A-Z | wc -c', 1.6, { peak: 90 }),
  // In the order of names: GNU's find takes more than 10,000 files of a directory by their inodes.
  onFiles('find -mtime', 50_000, 'find files -mtime +100 | sort', 10_000),
  onFiles('a glob', 100_000, 'cd files; set -- *; echo $# "$1" "$3"'),
  onFiles('ls -l', 10_000, 'ls -l files'),
];
