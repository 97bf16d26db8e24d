/** Runs beside each other, and to their end. */
import fc from '../fast-check.js';
import { environments, openPolicies, policies } from '../policies.js';
import {
  changes,
  inMemory,
  isStopped,
  type Property,
  planted,
  type Ran,
  runOn,
  UNSTEADY,
  under,
  unlike,
} from '../property.js';
import { BASE, type Scenario } from '../scenario.js';
import { anyScript, scripts } from '../scripts.js';
import { trees, USUAL_TREE } from '../trees.js';

/** One scenario of eight is there to wait so long, which is half of what a campaign does. */
const LONGEST_MS = 12;
/** A machine that is busy with something else wakes late. */
const SLACK_MS = 4_000;

/** Low, so that what has no end meets them before the time is up. */
const LIMITS = {
  maxCommands: 300,
  maxCallDepth: 200,
  maxStringBytes: 1 << 16,
  maxVariableBytes: 1 << 18,
  maxFields: 5_000,
  maxGlobEntries: 5_000,
  maxCapturedBytes: 1 << 16,
  maxJobs: 20,
};

/** A pipe nobody reads from: who writes is to wait when it is full. The points tell how often it was not. */
const filling = (size: number): string =>
  `x=$(printf %${size}s x); { while :; do echo "$x"; echo . >&3; done | sleep 100; } 3>&1\n`;
/** Twice what a pipe holds. */
const MOST_WAITING = 2 << 20;

/** More commands than may run, in less time than there is. */
const counting = (times: number): string => `i=0; while [ $i -lt ${times} ]; do i=$((i + 1)); done\n`;
const FEWEST_TIMES = 400;

/** The number that `script` was made with by `make`, also where it was made smaller; undefined for any other script. */
function madeWith(make: (n: number) => string, script: string): number | undefined {
  const numbers = script.match(/\d{3,}/g)?.map(Number) ?? [];
  return numbers.find((n) => make(n) === script);
}

export const limits: Property = {
  name: 'limits',
  summary: 'every run ends, within its time and its limits, and never by a fault of the shell',
  needs: 'memory',
  arbitrary: (given) =>
    fc
      .record({
        script: fc.oneof(
          { weight: 50, arbitrary: scripts('hostile', given.corpus) },
          { weight: 50, arbitrary: scripts('almost-valid', given.corpus) },
          { weight: 1, arbitrary: fc.integer({ min: 40_000, max: 60_000 }).map(filling) },
          { weight: 1, arbitrary: fc.integer({ min: FEWEST_TIMES, max: 2_000 }).map(counting) },
        ),
        environment: environments,
      })
      .map((one) => {
        const policy = { mode: 'remediation', allowedPaths: [`${BASE}/rw:rw`], limits: LIMITS } as const;
        return under({ ...one, policy, tree: USUAL_TREE, cwd: `${BASE}/rw` }, given);
      }),
  async check(scenario, given) {
    const started = performance.now();
    const { result } = await inMemory(scenario, given, { timeoutMs: LONGEST_MS });
    const took = performance.now() - started;
    given.tally(result.status);
    if (took > LONGEST_MS + SLACK_MS) return `it took ${Math.round(took)} ms, where ${LONGEST_MS} are the most`;
    const most = scenario.policy.limits?.maxCapturedBytes ?? 1 << 20;
    if (result.stdoutBytes.length > most || result.stderrBytes.length > most)
      return `more than ${most} bytes were kept`;
    if (result.exitCode < 0 || result.exitCode > 255) return `the status is ${result.exitCode}`;
    const times = madeWith(counting, scenario.script) ?? 0;
    if (times >= FEWEST_TIMES && result.status === 'exited') return 'more commands ran than maxCommands allows';
    const size = madeWith(filling, scenario.script) ?? 0;
    if (size * (result.stdoutBytes.length / 2) > MOST_WAITING)
      return `a pipe that nobody reads from takes over ${MOST_WAITING} bytes`;
    return undefined;
  },
};

export const isolation: Property = {
  name: 'isolation',
  summary: 'two runs at the same time do what each does alone',
  needs: 'memory',
  arbitrary: (given) =>
    fc
      .record({
        script: anyScript(given.corpus).filter((script) => !UNSTEADY.test(script)),
        policy: fc.oneof(openPolicies, policies),
        tree: trees({ special: false }),
        environment: environments,
      })
      .map((one) => under({ ...one, cwd: `${BASE}/rw` }, given)),
  async check(scenario, given) {
    const alone = await inMemory(scenario, given);
    // The other one sets everything that could be shared, and changes as it goes.
    const noise = {
      ...scenario,
      script: `umask 077; cd d; export x=noise HOME=/noise; IFS=:; set -f; alias cat=rm; ${NOISE}\n${scenario.script}`,
    };
    const other = runOn(planted(noise.tree), noise, given);
    const beside = await inMemory(scenario, given);
    await other;
    return difference(scenario, alone, beside);
  },
};

const NOISE = 'trap "rm x" EXIT; cat() { :; }; x=(1 2 3); exec 5>n1; for i in 1 2 3; do echo $i | read y; done';

function difference(scenario: Scenario, one: Ran, two: Ran): string | undefined {
  if (isStopped(one, two)) return undefined;
  const [what, alone, beside] = unlike(scenario, one, two) ?? [];
  if (what !== undefined) return `${what} is ${alone} alone, and ${beside} beside another run`;
  const different = changes(one.after, two.after);
  return different.length > 0 ? different.join('; ') : undefined;
}
