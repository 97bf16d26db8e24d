/** Random options from the definitions of the text commands, on random input, beside GNU's. `npm run fuzz -- --commands` goes on. */
import { expect, it } from 'vitest';
import { commandRuns, differences, SUBJECTS } from '../fuzz/commands.js';
import { oracleThere } from '../support/text-oracle.js';

const EACH = Number(process.env['RMSH_FUZZ_RUNS'] ?? 40);

for (const name of Object.keys(SUBJECTS)) {
  it.skipIf(!oracleThere())(
    `${name}, ${EACH} runs`,
    async () => {
      const [difference] = await differences(commandRuns([name], EACH, 7));
      if (difference === undefined) return;
      const { run, wanted, ours } = difference;
      const input = Buffer.from(run.stdin).toString('latin1');
      expect({ words: run.words, input, result: ours }).toEqual({ words: run.words, input, result: wanted });
    },
    60_000,
  );
}
