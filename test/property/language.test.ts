/**
 * Random scripts, run by rmsh, bash and dash: where those two agree on what is printed and on the status, so do we. More rounds by
 * RMSH_FUZZ_RUNS, other scripts by RMSH_FUZZ_SEED.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { languageScript, PRELUDE } from '../support/language.js';
import { CASE_ENVIRONMENT, missing, ORACLES_REQUIRED, runOracle } from '../support/oracles.js';
import { withTree } from '../support/tree.js';

/** Scripts that one process runs: starting a shell is what costs. */
const TOGETHER = 10;
const ROUNDS = Math.ceil(Number(process.env['RMSH_FUZZ_RUNS'] ?? 400) / TOGETHER);
const SEED = Number(process.env['RMSH_FUZZ_SEED'] ?? 20);

/** Each script in a subshell and a directory of its own; a line that no script prints tells where it ended, and how. */
function together(scripts: readonly string[]): string {
  return scripts
    .map((script, i) => `mkdir d${i}\n(cd d${i}; eval ${quoted(PRELUDE + script)})\necho "[end ${i} $?]"\n`)
    .join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What each script printed, with its status; undefined where its end was lost. */
function apart(output: Uint8Array, count: number): (string | undefined)[] {
  let rest = Buffer.from(output).toString('latin1');
  return Array.from({ length: count }, (_, i) => {
    const end = new RegExp(`\\[end ${i} [0-9]+\\]\n`).exec(rest);
    if (end === null) return undefined;
    const shown = rest.slice(0, end.index + end[0].length);
    rest = rest.slice(shown.length);
    return shown;
  });
}

const without = missing('bash') ?? missing('dash');

it.skipIf(without !== undefined && !ORACLES_REQUIRED)(
  'what bash and dash agree on is what rmsh does',
  { timeout: 60_000 + ROUNDS * 2_000 },
  async () => {
    let agreed = 0;
    let total = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(languageScript, { minLength: 1, maxLength: TOGETHER, size: 'max' }),
        async (scripts) => {
          const text = together(scripts);
          const [bash, dash] = await Promise.all(
            (['bash', 'dash'] as const).map((name) =>
              withTree({}, async (cwd) => apart((await runOracle(name, text, { cwd })).stdout, scripts.length)),
            ),
          );
          const ours = await withTree({}, async (cwd) => {
            const shell = createShell({ mode: 'remediation', allowedPaths: [`${cwd}:rw`], env: CASE_ENVIRONMENT });
            const result = await shell.run(text, { name: 'script', cwd, timeoutMs: 15_000 });
            expect(result.status).toBe('exited');
            return apart(result.stdoutBytes, scripts.length);
          });
          scripts.forEach((script, i) => {
            total += 1;
            if (bash?.[i] === undefined || bash[i] !== dash?.[i]) return;
            agreed += 1;
            expect(ours[i], script).toBe(bash[i]);
          });
        },
      ),
      { numRuns: ROUNDS, seed: SEED, verbose: 0 },
    );
    // Scripts that the two never agree on would pass as well.
    expect(agreed).toBeGreaterThan(total / 2);
  },
);
