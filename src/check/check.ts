/**
 * What a policy says of a script before it runs. What is called refused is refused whenever it is reached; what is called allowed is
 * not refused by the policy, as long as nobody else puts links into its way meanwhile. The rest is unknown: it depends on what is known
 * only when it runs.
 */
import { print } from '../../grammar/index.js';
import type { FileStore } from '../files/files.js';
import type { Grants } from '../policy/policy.js';
import { argvOf, type Facts, learn, noFacts, textsOf, unwrapped } from './facts.js';
import { type Inside, Judge } from './judge.js';
import { PathJudge } from './paths.js';
import type { Verdict } from './verdict.js';
import { commandsOf, type Found, type Place, type SyntaxProblem } from './walk.js';

/** One command of a script, and what the policy says of it. */
export interface CheckedCommand {
  /** Line of the script, 1-based. For a text that the script runs (`eval 'rm x'`) the line it stands in. */
  readonly line: number;
  /** The command as written, on one line and cut where it is long. */
  readonly command: string;
  /** `refused` whenever it is reached; `allowed`, as the files are now; `unknown` until it runs. */
  readonly verdict: 'refused' | 'allowed' | 'unknown';
  /** Why it is not allowed. */
  readonly reason?: string;
  /** What to grant or to write instead. */
  readonly instead?: string;
}

/** What the policy says of a script. */
export interface CheckResult {
  /** In the order of the script; a compound command is one of them where it has redirections. */
  readonly commands: readonly CheckedCommand[];
  /** Where the script stops being one: what stands behind it was not looked at. */
  readonly problem?: SyntaxProblem;
}

/** Texts in texts (`eval "eval '...'"`) are followed so deep. */
const DEPTH = 20;
const LONGEST = 60;

/** `store` is open under the policy, and only looked at. */
export function checkScript(
  script: string,
  grants: Grants,
  store: FileStore,
  inside: Inside,
  cwd: string,
): CheckResult {
  const found: Found[] = [];
  const facts = noFacts(script);
  const whole = noFacts(script);
  let asynchronous = false;
  const gather = (place: Place, depth: number): SyntaxProblem | undefined => {
    const commands = commandsOf(place, depth === 0, (one) => {
      found.push(one);
      learn(whole, one);
      if (one.node.kind !== 'SimpleCommand') return;
      const { argv } = unwrapped(argvOf(one.node));
      for (const { text, late } of textsOf(argv) ?? []) {
        const { order } = one.place;
        const inner = {
          text,
          firstLine: one.line,
          order,
          repeated: late || one.place.repeated,
          late: late || one.place.late,
        };
        if (depth < DEPTH) gather(inner, depth + 1);
        else for (const known of [facts, whole]) known.dynamic ??= 'texts are run in texts that are run in texts';
      }
    });
    asynchronous ||= commands.asynchronous;
    return commands.problem;
  };
  const problem = gather({ text: script, firstLine: 1, order: 0, repeated: false, late: false }, 0);
  const commands = verdicts(
    found,
    facts,
    whole,
    asynchronous,
    new Judge(grants, facts, new PathJudge(grants, facts, store, cwd), inside),
  );
  return problem === undefined ? { commands } : { commands, problem };
}

/**
 * Each command is judged by what the script has said by then: `facts`, of which the judge knows. Functions and traps run later, by `whole`,
 * and what others do to files may happen at any time where something is `asynchronous`.
 */
function verdicts(
  found: readonly Found[],
  facts: Facts,
  whole: Facts,
  asynchronous: boolean,
  judge: Judge,
): CheckedCommand[] {
  const known = new Map<Found, CheckedCommand>();
  const judgeThose = (some: readonly Found[]): void => {
    for (const one of some) if (isListed(one)) known.set(one, checked(one, judge.judge(one)));
  };
  for (let from = 0, to = 0; from < found.length; from = to) {
    const order = found[from]?.place.order;
    while (found[to]?.place.order === order) to += 1;
    const some = found.slice(from, to);
    for (const one of some) learn(facts, one);
    if (asynchronous) Object.assign(facts, { makesLinks: whole.makesLinks, removals: whole.removals });
    judgeThose(some.filter(({ place }) => !place.late));
  }
  Object.assign(facts, whole);
  judgeThose(found.filter(({ place }) => place.late));
  return found.flatMap((one) => known.get(one) ?? []);
}

function checked(one: Found, verdict: Verdict): CheckedCommand {
  return {
    line: one.line,
    command: shown(one),
    verdict: verdict.verdict,
    ...('reason' in verdict ? { reason: verdict.reason } : {}),
    ...('instead' in verdict && verdict.instead !== undefined ? { instead: verdict.instead } : {}),
  };
}

/** A compound command is told of for its redirections: what is in it is told of by itself. */
function isListed({ node }: Found): boolean {
  return node.kind === 'SimpleCommand' || ('redirections' in node && node.redirections.length > 0);
}

function shown({ node, place }: Found): string {
  const text = node.kind === 'SimpleCommand' ? print(node) : place.text.slice(node.start, node.end);
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
