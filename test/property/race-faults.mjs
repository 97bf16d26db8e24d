/**
 * Faults that show only while somebody else changes the files: `npm run fuzz -- --race-faults [NAME...]` puts each into a copy of the
 * sources, and runs the race that has to find it with more and more rounds. Writes what came of it into the second table of `README.md`
 * beside this file, after each.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = [200, 2_000, 20_000];
const COPIED = ['src', 'grammar', 'builtins', 'test', '.config', 'package.json', 'tsconfig.json'];
const PROCFS = 'src/sandbox/procfs.ts';
const WALK = 'src/files/walk.ts';

/** `from` stands once in `file`; `race`: the title of the test of `test/race/race.test.ts` that has to fail. */
export const RACE_FAULTS = [
  {
    name: 'names are looked up by the path of the held directory',
    file: PROCFS,
    from: `return name.isWellFormed() ? this.#inside + name :`,
    to: `return name.isWellFormed() ? \`\${fs.readlinkSync(this.#inside.slice(0, -1))}/\${name}\` :`,
    race: 'the default file system, a directory that is swapped for a link to outside remove touches nothing outside',
  },
  {
    name: 'a file is opened by its path, and not by what is held',
    file: PROCFS,
    from: 'return new OpenDescriptor(fs.openSync(this.#itself, flagsOf(how)));',
    to: 'return new OpenDescriptor(fs.openSync(fs.readlinkSync(this.#itself), flagsOf(how)));',
    race: 'a file that is swapped for a link to outside: read',
  },
  {
    name: 'a directory is listed by its path, and not by what is held',
    file: PROCFS,
    from: 'return readEntries(this.#itself);',
    to: 'return readEntries(fs.readlinkSync(this.#itself));',
    race: 'the default file system, a directory that is swapped for a link to outside list touches nothing outside',
  },
  {
    name: 'a mode is changed by the path, and not by what is held',
    file: PROCFS,
    from: 'fs.chmodSync(this.#itself, mode);',
    to: 'fs.chmodSync(fs.readlinkSync(this.#itself), mode);',
    race: 'a file that is swapped for a link to outside: chmod',
  },
  {
    name: 'times are changed by the path, and not by what is held',
    file: PROCFS,
    from: 'fs.utimesSync(this.#itself, ',
    to: 'fs.utimesSync(fs.readlinkSync(this.#itself), ',
    race: 'a file that is swapped for a link to outside: utimes',
  },
  {
    name: 'O_NOFOLLOW is missing where a name is taken hold of',
    file: PROCFS,
    from: 'return new HeldDescriptor(fs.openSync(this.#at(name), O_PATH | O_NOFOLLOW));',
    to: 'return new HeldDescriptor(fs.openSync(this.#at(name), O_PATH));',
    race: 'the default file system, a directory that is swapped for a link to outside append touches nothing outside',
  },
  {
    name: '.. goes to where the directory lies by now',
    file: WALK,
    from: `} else if (name === '..') {
        this.#up();`,
    to: `} else if (name === '..') {
        this.#down(name);`,
    race: 'comes back to where we came from',
  },
];

/** The sources with the fault in them. Throws where its text stands nowhere, or more than once. */
export function faulty(text, { name, from, to }) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`'${name}': its text stands ${parts.length - 1} times in its file`);
  return parts.join(to);
}

/** The fewest of `ROUNDS` in which the race is lost; undefined: it is won each time. */
function measure(fault) {
  const folder = mkdtempSync(join(tmpdir(), 'rmsh-race-fault-'));
  try {
    for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    // The race itself has to hold here, or losing it says nothing.
    const lost = (rounds) => loses(folder, fault.race, rounds);
    if (lost(ROUNDS[0])) throw new Error(`'${fault.name}': the race is lost without the fault`);
    const file = join(folder, fault.file);
    writeFileSync(file, faulty(readFileSync(file, 'utf8'), fault));
    return ROUNDS.find(lost);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function loses(folder, race, rounds) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const title = race.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const words = [
    vitest,
    'run',
    '--config',
    '.config/vitest.config.ts',
    '--reporter=json',
    '-t',
    title,
    'test/race/race.test.ts',
  ];
  const env = { ...process.env, RMSH_RACE_ROUNDS: String(rounds), RMSH_REQUIRE_ORACLES: '1' };
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(stdout.slice(stdout.indexOf('{"')));
  if (passed + failed !== 1) throw new Error(`'${race}' is the title of ${passed + failed} tests`);
  return failed === 1;
}

const HEAD = '\n## Faults that only a race shows\n';

/** The page with `results` (rounds by the fault's name) in its second table; of others, what it said before. */
export function withRaces(page, results) {
  const [first, second = ''] = page.split(HEAD);
  const known = new Map([...second.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, name, said]) => [name, said]));
  for (const [name, rounds] of results) known.set(name, rounds === undefined ? `not in ${ROUNDS.at(-1)}` : `${rounds}`);
  return [
    first.trimEnd(),
    HEAD,
    '`npm run fuzz -- --race-faults` puts each fault into a copy of the sources, and runs a race of `test/race` that has to find it with',
    `${ROUNDS.slice(0, -1).join(', ')} and at last ${ROUNDS.at(-1)} rounds: the first that is lost counts. Without the fault it is won.`,
    '',
    '| fault | lost within rounds |',
    '|---|---|',
    ...RACE_FAULTS.map(({ name }) => `| ${name} | ${known.get(name) ?? 'not measured yet'} |`),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = new URL('README.md', import.meta.url);
  const asked = process.argv.slice(2).filter((word) => word !== '--race-faults');
  for (const fault of RACE_FAULTS.filter(
    ({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)),
  )) {
    const rounds = measure(fault);
    writeFileSync(page, withRaces(readFileSync(page, 'utf8'), [[fault.name, rounds]]));
    if (rounds === undefined) process.exitCode = 1;
    console.log(`${rounds === undefined ? 'not found' : `lost within ${rounds}`}: ${fault.name}`);
  }
}
