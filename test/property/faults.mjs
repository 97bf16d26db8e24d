/**
 * `npm run fuzz -- --faults [NAME...]`: puts each seeded fault into a copy of the built library, and counts the scenarios until its
 * property finds it. Writes what came of it into the table of `README.md` beside this file, after each.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from './seeded-faults.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MOST = 10_000;
const PER_ROUND = 40;
const SEED = 11;
/** A fault that makes the shell hang is found by that: a round takes a tenth of it. */
const HANGS_SECONDS = 60;
const LONGEST_SECONDS = Number(process.env.RMSH_FAULT_SECONDS ?? 600);

/** The files of the library that are no entry of the program. */
export function libraryFiles(dist) {
  return readdirSync(dist).filter((name) => name.endsWith('.mjs') && !name.startsWith('fuzz'));
}

/** The file that has the text of a fault, and what it becomes. Throws where it stands nowhere, or more than once. */
export function patched(dist, fault) {
  const found = libraryFiles(dist).flatMap((name) => {
    const text = readFileSync(join(dist, name), 'utf8');
    const parts = text.split(fault.from);
    return parts.length === 1 ? [] : [{ name, count: parts.length - 1, text: parts.join(fault.to) }];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0 || only.count > 1) {
    throw new Error(
      `'${fault.name}': its text stands ${found.reduce((sum, { count }) => sum + count, 0)} times in the library`,
    );
  }
  return only;
}

/** What runs in the copy: rounds with one seed each, as a campaign has them. What the whole library does not hold for either is no find of the fault. */
const TRIAL = `
import { NOTHING_GIVEN, properties, tryProperty } from './fuzz.mjs';
import * as whole from './whole/fuzz.mjs';
const [name, seed, most] = process.argv.slice(2);
const property = properties.find((one) => one.name === name);
let runs = 0;
for (let round = 0; runs < Number(most); round++) {
  const trial = { seed: Number(seed) + round, runs: ${PER_ROUND}, shrinkMs: 0 };
  const { runs: tried, find } = await tryProperty(property, NOTHING_GIVEN, trial);
  runs += tried;
  const again = find && { ...trial, path: find.path };
  const sound = again && (await whole.tryProperty(whole.properties.find((one) => one.name === name), NOTHING_GIVEN, again));
  const why = sound && sound.find === undefined ? find.why : undefined;
  process.stdout.write(JSON.stringify({ runs, why }) + '\\n');
  if (why !== undefined) process.exit(0);
}
process.exit(0);
`;

/** The trial of `fault` in `folder`: what it said last, and how it ended. */
function tried(folder, fault) {
  const words = ['--max-old-space-size=1024', join(folder, 'trial.mjs'), fault.property, String(SEED), String(MOST)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr, silent, seconds] = ['', '', 0, 0];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    silent = 0;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  let ended = 'dies';
  const stop = (why) => {
    ended = why;
    child.kill('SIGKILL');
  };
  // Seconds are counted and not measured: a machine that stands still is no program that hangs.
  const watch = setInterval(() => {
    seconds += 1;
    silent += 1;
    if (silent > HANGS_SECONDS) stop('hangs');
    else if (seconds > LONGEST_SECONDS) stop('time is up');
  }, 1000);
  return new Promise((resolve) => {
    child.on('close', (status) => {
      clearInterval(watch);
      const last = stdout.trim().split('\n').at(-1);
      const { runs = 0, why } = last === undefined || last === '' ? {} : JSON.parse(last);
      if (why !== undefined) resolve({ runs, seconds, how: 'does not hold', why });
      else if (status === 0) resolve({ runs, seconds, how: undefined });
      // The round that was not told of is where it hung or died: at most so many more.
      else resolve({ runs: runs + PER_ROUND, seconds, how: ended, why: stderr.trim().split('\n').at(-1) });
    });
  });
}

/** How many scenarios it takes, and how it is found. */
export async function measure(fault, dist = join(root, 'dist')) {
  const folder = mkdtempSync(join(tmpdir(), 'rmsh-fault-'));
  try {
    for (const to of [folder, join(folder, 'whole')]) {
      for (const name of readdirSync(dist)) if (name.endsWith('.mjs')) cpSync(join(dist, name), join(to, name));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const { name, text } = patched(dist, fault);
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'trial.mjs'), TRIAL);
    return { ...fault, ...(await tried(folder, fault)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the last column says. */
function outcome({ runs, how }) {
  if (how === undefined) return `not in ${runs}`;
  if (how === 'time is up') return `not in ${runs - PER_ROUND}, then the time was up`;
  return how === 'does not hold' ? `${runs}` : `${runs} (it ${how})`;
}

/** The lines of the table by fault, as the page has them. */
export function rowsOf(page) {
  return new Map([...page.matchAll(/^\| (.+) \| `\S+` \| .+ \|$/gm)].map(([line, name]) => [name, line]));
}

/** The page with `results` in it; of faults that were not tried now, what it said before. */
export function withResults(page, results) {
  const [first, ...others] = page.split(/^(?=## )/m);
  const after = others.length === 0 ? '' : `\n${others.join('')}`;
  const known = rowsOf(first);
  for (const result of results)
    known.set(result.name, `| ${result.name} | \`${result.property}\` | ${outcome(result)} |`);
  const lines = FAULTS.map(
    ({ name, property }) => known.get(name) ?? `| ${name} | \`${property}\` | not measured yet |`,
  );
  const found = lines.filter((line) => /\| \d+(?: \([^|]*\))? \|$/.test(line)).length;
  return [
    '# How strong the properties are',
    '',
    `\`npm run fuzz -- --faults\` puts each fault into a copy of the built library, counts the generated scenarios (from seed ${SEED} on, rounds of`,
    `${PER_ROUND}) until the property finds it, and writes this page; with words behind it, only for faults whose name has one of them, or of that property.`,
    `At most ${MOST} scenarios; RMSH_FAULT_SECONDS says how long each may take. Found: ${found} of ${FAULTS.length}.`,
    '',
    '| fault | property | scenarios |',
    '|---|---|---|',
    ...lines,
    '',
  ]
    .join('\n')
    .concat(after);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = new URL('README.md', import.meta.url);
  const asked = process.argv.slice(2).filter((word) => word !== '--faults');
  const chosen = FAULTS.filter(
    ({ name, property }) => asked.length === 0 || asked.some((word) => name.includes(word) || word === property),
  );
  let missed = 0;
  for (const fault of chosen) {
    const result = await measure(fault, process.env.RMSH_FAULT_DIST);
    // At once, and from what the page says now: others may be at work on other faults.
    writeFileSync(page, withResults(readFileSync(page, 'utf8'), [result]));
    if (result.how === undefined || result.how === 'time is up') missed += 1;
    console.log(
      `${outcome(result).padStart(9)}  ${result.property.padEnd(10)} ${result.name} (${result.seconds.toFixed(0)} s${result.how === undefined ? '' : `, ${result.how}`})`,
    );
  }
  process.exitCode = missed === 0 ? 0 : 1;
}
