/**
 * `npm run fuzz -- [--minutes N] [--seed N] [--language posix|bash] [--most N]`: random scripts, run by rmsh and by real shells, until the
 * time is up. What the judges of a language agree on and rmsh does otherwise is printed, as small as it could be made, with the
 * seed that makes it again. The status is 1 when there was any.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { missing } from '../support/oracles.js';
import { compare, fails, type Manner, type Verdict } from './differential.js';
import { LANGUAGES, type Language } from './languages.js';
import { shrink } from './shrink.js';

/** Scripts of one batch: starting a shell is what costs. */
const TOGETHER = 40;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    language: { type: 'string' },
    /** So many finds end it: the next ones are mostly the same. */
    most: { type: 'string', default: '10' },
  },
});
const seed = Number(values.seed);
const until = performance.now() + Number(values.minutes) * 60_000;
const languages = LANGUAGES.filter(({ name }) => values.language === undefined || name === values.language);
if (Number.isNaN(seed) || Number.isNaN(until) || languages.length === 0)
  throw new Error('fuzz: what is asked is no number or no language');
for (const name of new Set(languages.flatMap(({ judges }) => judges))) {
  const why = missing(name);
  if (why !== undefined) throw new Error(`fuzz: ${why}`);
}

/** By what went wrong, roughly: a find whose small form was seen before is counted, not told again. */
const finds = new Map<string, number>();
let total = 0;
let judged = 0;

/** A job that nobody waits for prints when it likes, and no two shells have one number. */
const UNSTEADY = /[^&|<>]&(?![&>\d-]| *wait)|\$[$!]/;

/** How both ended: what is left out while a find is made small must not make another find of it. */
function sortOf({ wanted = '', ours = '' }: Verdict): string {
  return [wanted, ours].map((shown) => /\[status.*\n(\[stderr\])?/.exec(shown)?.[0]).join();
}

/** What was printed, and of the files those that differ. */
function different(wanted: string, ours: string): [string, string] {
  const parts = [wanted, ours].map((shown) => shown.split(/(?=^\[file )/m)) as [string[], string[]];
  const only = (here: string[], there: string[]): string =>
    here.filter((part, i) => i === 0 || !there.includes(part)).join('');
  return [only(...parts), only(parts[1], parts[0])];
}

async function round(language: Language, batch: number): Promise<void> {
  const manner: Manner = batch % 8 === 7 ? 'process' : 'subshell';
  const scripts = fc.sample(language.script, { numRuns: TOGETHER, seed: seed + batch });
  for (const verdict of await compare(language, scripts, manner)) {
    total += 1;
    if (verdict.wanted !== undefined) judged += 1;
    if (!fails(verdict)) continue;
    const sort = sortOf(verdict);
    const small = await shrink(
      verdict.script,
      async (text) =>
        !UNSTEADY.test(text) &&
        (await compare(language, [text], manner)).every((one) => fails(one) && sortOf(one) === sort),
    );
    const count = finds.get(small) ?? 0;
    finds.set(small, count + 1);
    if (count > 0) continue;
    const [again] = await compare(language, [small], manner);
    console.log(`\n=== ${language.name}, ${manner}, --seed ${seed + batch}\n${small.trimEnd()}`);
    const [wanted, ours] = different(again?.wanted ?? '(only with the scripts around it)', again?.ours ?? '');
    console.log(`--- ${language.judges.join(' and ')}\n${wanted}--- rmsh\n${ours}`);
  }
}

let batch = 0;
while (performance.now() < until && finds.size < Number(values.most)) {
  for (const language of languages) await round(language, batch);
  batch += 1;
}
console.log(
  `\nseed ${seed}: ${total} scripts, of which the judges agreed on ${judged}; ${finds.size} disagreements of rmsh`,
);
process.exitCode = finds.size > 0 ? 1 : 0;
