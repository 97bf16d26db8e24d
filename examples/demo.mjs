/**
 * `npm run demo`: makes a throw-away disk full of old logs, core dumps and temporary files, lets `disk-cleanup.sh` loose on
 * it, and looks at what is left. Exits with 1 when anything is not as promised.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../dist/rmsh.js');
const runbook = join(here, 'old-runbook.sh');
const script = join(here, 'disk-cleanup.sh');

const colours = process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = paint('1');
const dim = paint('2');
const red = paint('31');
const green = paint('32');
const yellow = paint('33');
const say = (text = '') => process.stdout.write(`${text}\n`);
// `npm run demo | head` has seen enough.
process.stdout.on('error', () => process.exit(1));

if (!existsSync(program)) {
  say(`${relative(process.cwd(), program)} is missing: 'npm ci' builds it`);
  process.exit(1);
}

// ------------------------------------------------------------------------------------------------------ the disk

const LIMIT = 100;
const CORES = 12;
const ROTATED = 70;
const STALE = 40;

const base = realpathSync(mkdtempSync(join(tmpdir(), 'rmsh-demo-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const disk = join(base, 'disk');
const outside = join(base, 'outside');

function file(path, size, ageHours = 0) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.alloc(size, 'All work and no play fills the disk, one line a day.\n'));
  const time = Date.now() / 1000 - ageHours * 3600;
  utimesSync(path, time, time);
}

const number = (n) => String(n).padStart(3, '0');
for (let i = 0; i < CORES; i++) file(join(disk, `crash/core.${4100 + i}`), 256 * 1024, 30);
for (let i = 0; i < ROTATED; i++) file(join(disk, `log/web/access.log.${number(i)}`), 24 * 1024, 24 * (9 + i));
for (let i = 0; i < STALE; i++) file(join(disk, `tmp/upload ${number(i)}.part`), 8 * 1024, 13 + i);
for (let i = 0; i < 3; i++) file(join(disk, `log/web/access.log.90${i}`), 24 * 1024, 24);
for (let i = 0; i < 4; i++) file(join(disk, `tmp/session.${i}`), 1024, 1);
file(join(disk, 'log/web/access.log'), 3 * 1024 * 1024);
file(join(disk, 'log/web/error.log'), 2 * 1024);
file(join(disk, 'cache/index'), 4 * 1024);

// Two ways out of the tree: a link to a directory, and a second name of a file.
file(join(outside, 'data/customers.csv'), 5000);
file(join(outside, 'audit.log'), 6000);
symlinkSync(join(outside, 'data'), join(disk, 'export'));
linkSync(join(outside, 'audit.log'), join(disk, 'log/audit.log'));

/** Everything below `root` that is not a directory, by its name from there. */
function filesOf(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

const before = filesOf(disk);

say(bold('A throw-away disk'));
say(`  ${CORES} core dumps, ${ROTATED} old rotated logs, ${STALE} stale temporary files, one log that has grown`);
say('  export         a link to a directory outside the tree');
say('  log/audit.log  a hard link: its other name stands outside the tree');
say();

// ------------------------------------------------------------------------------------------------------- the run

const transcript = join(base, 'transcript');

/** Runs a script with the tree as its only root, and shows what it printed. */
function runAndShow(path) {
  say(`  ${dim('$')} rmsh --mode remediation --allow-path disk:rw ${basename(path)} disk`);
  // Both streams go to one file, so that a message stands where it was printed.
  const descriptor = openSync(transcript, 'w');
  const run = spawnSync(process.execPath, [program, '--mode', 'remediation', '--allow-path', 'disk:rw', path, 'disk'], {
    cwd: base,
    stdio: ['ignore', descriptor, descriptor],
    env: {},
    timeout: 60_000,
  });
  closeSync(descriptor);
  const output = readFileSync(transcript, 'utf8');
  for (const line of output.trimEnd().split('\n')) say(`${dim('|')} ${shown(line)}`);
  say();
  return { run, output };
}

const shown = (line) => {
  if (/^\S*(?:rm|truncate|xargs|find): |^\S*(?:disk-cleanup|old-runbook)\.sh: |^Try /.test(line)) return red(line);
  if (line.startsWith('  - refused')) return yellow(line);
  if (/^ {2}(?:- removed|emptied)/.test(line)) return green(line);
  return /^\S/.test(line) ? bold(line) : line;
};
say(bold('An old runbook: the tree is the only root'));
const refused = runAndShow(runbook);
say(bold('A cleanup that knows its limits: a run of its own, with a budget of its own'));
const { run, output } = runAndShow(script);

// --------------------------------------------------------------------------------------------- what became of it

const after = new Set(filesOf(disk));
const BY_RUNBOOK = ['export', 'log/audit.log'];
const removed = before.filter((name) => !after.has(name) && !BY_RUNBOOK.includes(name));
const kinds = [
  ['core dumps', /^crash\/core\./, CORES],
  ['rotated logs', /^log\/web\/access\.log\.\d/, ROTATED],
  ['temporary files', /^tmp\/upload/, STALE],
];

say(bold('On the disk'));
for (const [what, pattern, had] of kinds) {
  const gone = removed.filter((name) => pattern.test(name)).length;
  say(`  ${what.padEnd(24)}${String(gone).padStart(3)} of ${String(had).padStart(3)} removed`);
}
const width = 40;
const filled = Math.round((removed.length / LIMIT) * width);
say(
  `  ${'budget of the run'.padEnd(24)}${String(removed.length).padStart(3)} of ${LIMIT} used  ` +
    `[${yellow('#'.repeat(filled))}${'.'.repeat(Math.max(0, width - filled))}]`,
);

const intact = (path, size) => existsSync(path) && statSync(path).size === size;
const said = (text) => output.includes(text) || refused.output.includes(text);
const promises = [
  ['the script found every command it calls', !said('command not found')],
  ['exactly the budget was removed, though there was more to remove', removed.length === LIMIT],
  ['the run says that the budget is spent', said(`run-wide budget of ${LIMIT} file removals is exhausted`)],
  ['the script went on and told what is left', run.status === 1 && said('22 files are left for the next run.')],
  ['nothing else is gone', removed.every((name) => kinds.some(([, pattern]) => pattern.test(name)))],
  [
    'files in use are there, young logs and sessions too',
    ['log/web/error.log', 'log/web/access.log.900', 'tmp/session.0'].every((name) => after.has(name)),
  ],
  [
    'rm -rf removed nothing, and said what to write instead',
    intact(join(disk, 'cache/index'), 4096) && said('directories are not removed'),
  ],
  ['the live log is empty and still there', intact(join(disk, 'log/web/access.log'), 0)],
  ['the link is gone', !after.has('export') && said("customers.csv': Permission denied")],
  ['what it pointed to is untouched', intact(join(outside, 'data/customers.csv'), 5000)],
  ['the hard link would not be written to, and is gone', !after.has('log/audit.log')],
  [
    'its other name has every byte',
    intact(join(outside, 'audit.log'), 6000) && lstatSync(join(outside, 'audit.log')).nlink === 1,
  ],
];

say();
say(bold('As promised?'));
let failed = 0;
for (const [promise, kept] of promises) {
  if (!kept) failed += 1;
  say(`  ${kept ? green('yes') : red('NO ')}  ${promise}`);
}
if (failed > 0) {
  say();
  say(red(`${failed} of ${promises.length} promises are broken (status of the run: ${run.status ?? run.signal})`));
}
process.exitCode = failed === 0 ? 0 : 1;
