/**
 * `npm run fuzz -- --rates [NAME...]`: how many scenarios of each property that needs nothing but memory one core tries in a second, by the
 * CPU time of a process that has warmed up. Writes them into the last table of `README.md` beside this file.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PER_ROUND = 40;
const WARMING = 2_000;
const COUNTED = 6_000;
const HEAD = '\n## How fast\n';

/** What runs in a process of its own, since one property warms up what another one needs. */
const TRIAL = `
const { NOTHING_GIVEN, properties, tryProperty } = await import(process.argv[1]);
const property = properties.find(({ name }) => name === process.argv[2]);
let seed = 1;
const some = async (count) => {
  for (let runs = 0; runs < count; runs += ${PER_ROUND}) await tryProperty(property, NOTHING_GIVEN, { seed: seed++, runs: ${PER_ROUND} });
};
await some(${WARMING});
const before = process.cpuUsage();
await some(${COUNTED});
const { user, system } = process.cpuUsage(before);
console.log(Math.round(${COUNTED} / ((user + system) / 1e6)));
`;

const { properties } = await import(new URL('../../dist/fuzz.mjs', import.meta.url).href);
const asked = process.argv.slice(2).filter((word) => word !== '--rates');
const page = new URL('README.md', import.meta.url);
for (const { name } of properties.filter(({ needs }) => needs === 'memory')) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const words = ['--input-type=module', '-e', TRIAL, `${root}dist/fuzz.mjs`, name];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(page, withRate(readFileSync(page, 'utf8'), name, stdout.trim()));
  console.log(`${stdout.trim().padStart(5)}  ${name}`);
}

function withRate(text, name, rate) {
  const [first, second = ''] = text.split(HEAD);
  const known = new Map(
    [...second.matchAll(/^\| `(\S+)` \| (\d+) \|$/gm)].map(([, property, said]) => [property, said]),
  );
  known.set(name, rate);
  return [
    first.trimEnd(),
    HEAD,
    '`npm run fuzz -- --rates` counts the scenarios that a second of one core tries, when the process has warmed up. One of `isolation` and of',
    '`unseen` is a script that runs three times and twice; one of `limits` in eight waits until its time is up.',
    `Measured with node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}.`,
    '',
    '| property | scenarios |',
    '|---|---|',
    ...properties.filter((one) => known.has(one.name)).map((one) => `| \`${one.name}\` | ${known.get(one.name)} |`),
    '',
  ].join('\n');
}
