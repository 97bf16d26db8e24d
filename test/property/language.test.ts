/**
 * Random scripts, run by rmsh and by the real shells that judge each language: what they agree on is what rmsh does. A taste of
 * `npm run fuzz`, which runs for as long as it is told, and makes what it finds small.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../src/fuzz/differential.js';
import { LANGUAGES } from '../../src/fuzz/languages.js';
import { shrink } from '../../src/fuzz/shrink.js';
import { missing, ORACLES_REQUIRED } from '../support/oracles.js';

/** Scripts that one process runs: starting a shell is what costs. */
const TOGETHER = 25;
const ROUNDS = 8;
const SEED = 20;

const without = missing('bash') ?? missing('dash');

describe.skipIf(without !== undefined && !ORACLES_REQUIRED)('random scripts', () => {
  it.each(LANGUAGES)('what $judges agree on is what rmsh does, in $name', { timeout: 60_000 }, async (language) => {
    let agreed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const scripts = fc.sample(language.script, { numRuns: TOGETHER, seed: SEED + round });
      for (const { script, wanted, ours } of await compare(
        language,
        scripts,
        // In a shell of its own bash goes on after an error of expansion.
        round % 4 === 3 && language.judges.length > 1 ? 'process' : 'subshell',
      )) {
        if (wanted === undefined) continue;
        agreed += 1;
        expect(ours, script).toBe(wanted);
      }
    }
    // Scripts that the judges never agree on would pass as well.
    expect(agreed).toBeGreaterThan((ROUNDS * TOGETHER) / 2);
  });

  it('a find is made as small as what goes wrong in it', async () => {
    const small = await shrink(
      "p a; if true; then p 'x  y' $b; fi\np c | cat\n",
      async (text) => text.includes('$b') && /\bp\b/.test(text),
    );
    expect(small).toBe('p$b');
  });
});
