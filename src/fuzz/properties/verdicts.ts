/** What `check` says of a command, beside what happens to it. */
import type { CheckedCommand } from '../../check/check.js';
import { checkScript } from '../../check/check.js';
import { removalBudget } from '../../files/files.js';
import { memoryFs } from '../../files/memory.js';
import { grantsOf } from '../../policy/policy.js';
import { canonicalName, kindOfName, nameOfPath } from '../../runner/inside.js';
import fc from '../fast-check.js';
import { lines } from '../lines.js';
import { policies } from '../policies.js';
import { inMemory, type Property, under } from '../property.js';
import { BASE, type Scenario } from '../scenario.js';
import { USUAL_TREE } from '../trees.js';

const INSIDE = { kind: kindOfName, canonical: canonicalName, ofPath: nameOfPath };

const REFUSED =
  /not allowed by the policy|remediation mode required|Permission denied|not found|refusing to remove|(?:invalid|unrecognized) option/;
/** A redirection that fails by itself: the command is not reached. */
const NOT_REACHED =
  /^\w+: line \d+: .*: (?:No such file or directory|Is a directory|Not a directory|not a regular file|Too many levels of symbolic links|cannot overwrite existing file)$/m;
const BY_POLICY =
  /not allowed by the policy|remediation mode required|Permission denied|not supported as write|more than one link|exhausted|refusing to/;
/** What is silenced, or says by its status alone what it was told, or is not called (a function). */
const UNHEARD =
  /2>|&>|^\w+\(\)|\btest\b|\[ |^(?:grep|cmp|chmod|ls|head|tail|diff|split|mapfile|readlink|realpath|find|xargs)\b/;

/** What a line says on standard error stands between two marks. */
function marked(list: readonly string[]): string {
  return list.map((one, i) => `echo @${i}@ >&2\n${one}\n`).join('');
}

function linesOf({ script }: Scenario): string[] {
  return script
    .split(/echo @\d+@ >&2\n/)
    .slice(1)
    .map((one) => one.replace(/\n$/, ''));
}

export const verdicts: Property = {
  name: 'check',
  whole: true,
  summary: 'what check() calls refused is refused whenever it is reached, and what it calls allowed never is',
  needs: 'memory',
  arbitrary: (given) =>
    fc
      .record({ script: lines.map(marked), policy: policies })
      .map((one) => under({ ...one, tree: USUAL_TREE, environment: {}, cwd: `${BASE}/rw` }, given)),
  async check(scenario, given) {
    const { policy } = scenario;
    const grants = grantsOf(policy);
    const store = memoryFs(scenario.tree).store({
      mode: 'read-only',
      roots: grants.allowedPaths.map(({ path, access }) => ({ path, writable: access === 'rw' })),
      budget: removalBudget(0),
    });
    const { commands, problem } = checkScript(scenario.script, grants, store, INSIDE, scenario.cwd);
    store.close();
    if (problem !== undefined) return undefined;
    const { result } = await inMemory(scenario, given);
    const said = result.stderr.split(/@\d+@\n/).slice(1);
    const texts = linesOf(scenario);
    for (const [i, output] of said.entries()) {
      const own = commands.filter(({ line }) => line === 2 * i + 2);
      for (const { verdict } of own) given.tally(verdict);
      const refused = result.effects.some(({ line, outcome }) => line === 2 * i + 2 && outcome === 'refused');
      const wrong = contradiction(own, output, refused, texts[i] ?? '');
      if (wrong !== undefined) return `line ${2 * i + 2}, ${texts[i]}: ${wrong}: ${output}`;
    }
    return undefined;
  },
};

function contradiction(
  own: readonly CheckedCommand[],
  output: string,
  refused: boolean,
  text: string,
): string | undefined {
  const heard = !UNHEARD.test(text) && !NOT_REACHED.test(output);
  const one = own.find(({ verdict }) => verdict === 'refused');
  if (one !== undefined && heard && !refused && !REFUSED.test(output))
    return `'${one.command}' is called refused, and is not`;
  const allAllowed = own.every(({ verdict }) => verdict === 'allowed');
  return allAllowed && BY_POLICY.test(output) ? 'is called allowed, and is refused' : undefined;
}
