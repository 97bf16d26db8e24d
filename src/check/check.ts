/**
 * What a policy says of a script before it runs. What is called refused is refused whenever it is reached; what is called allowed is
 * not refused by the policy, as long as nobody else puts links into its way meanwhile. The rest is unknown: it depends on what is known
 * only when it runs.
 */
import { print } from '../../grammar/index.js';
import type { FileStore } from '../files/files.js';
import type { Grants } from '../policy/policy.js';
import { argvOf, learn, noFacts, textsOf, unwrapped } from './facts.js';
import { type Inside, Judge } from './judge.js';
import { PathJudge } from './paths.js';
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
  const gather = (place: Place, depth: number): SyntaxProblem | undefined =>
    commandsOf(place, (one) => {
      found.push(one);
      learn(facts, one);
      if (one.node.kind !== 'SimpleCommand') return;
      const { argv } = unwrapped(argvOf(one.node));
      for (const { text, repeated } of textsOf(argv) ?? []) {
        if (depth >= DEPTH) facts.dynamic ??= 'texts are run in texts that are run in texts';
        else gather({ text, firstLine: one.line, repeated: repeated || place.repeated }, depth + 1);
      }
    });
  const problem = gather({ text: script, firstLine: 1, repeated: false }, 0);
  const judge = new Judge(grants, facts, new PathJudge(grants, facts, store, cwd), inside);
  const commands = found.filter(isListed).map((one): CheckedCommand => {
    const verdict = judge.judge(one);
    return {
      line: one.line,
      command: shown(one),
      verdict: verdict.verdict,
      ...('reason' in verdict ? { reason: verdict.reason } : {}),
      ...('instead' in verdict && verdict.instead !== undefined ? { instead: verdict.instead } : {}),
    };
  });
  return problem === undefined ? { commands } : { commands, problem };
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
