/**
 * `npm run fuzz -- --commands [--minutes N] [--seed N] [--only NAME]`: random options and input of the text commands, beside GNU's, until the
 * time is up. Each difference is printed with the seed that makes it again; the status is 1 when there was any.
 */
import { parseArgs } from 'node:util';
import { commandRuns, differences, SUBJECTS } from './commands.js';

const { values } = parseArgs({
  options: {
    commands: { type: 'boolean' },
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    only: { type: 'string', multiple: true },
    /** So many finds of one command are enough: the next ones are mostly the same. */
    most: { type: 'string', default: '5' },
  },
});
const first = Number(values.seed);
const until = performance.now() + Number(values.minutes) * 60_000;
const names = Object.keys(SUBJECTS).filter((name) => values.only === undefined || values.only.includes(name));
if (Number.isNaN(first) || Number.isNaN(until) || names.length === 0)
  throw new Error('fuzz: no such number or command');

const finds = new Map<string, number>();
let total = 0;
for (let seed = first; performance.now() < until; seed++) {
  const left = names.filter((name) => (finds.get(name) ?? 0) < Number(values.most));
  if (left.length === 0) break;
  const runs = commandRuns(left, 10, seed);
  total += runs.length;
  for (const { run, wanted, ours } of await differences(runs)) {
    const count = (finds.get(run.name) ?? 0) + 1;
    finds.set(run.name, count);
    if (count > Number(values.most)) continue;
    console.log(`\n=== ${run.name} ${run.words.map((word) => JSON.stringify(word)).join(' ')}, --seed ${seed}`);
    console.log(
      `input ${JSON.stringify(Buffer.from(run.stdin).toString('latin1'))}\n--- GNU\n${wanted}\n--- rmsh\n${ours}`,
    );
  }
}
console.log(
  `\n${total} runs, differences: ${[...finds].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`,
);
process.exitCode = finds.size === 0 ? 0 : 1;
