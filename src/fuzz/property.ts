/** What must hold for every scenario, as a function; and how a scenario is run in memory. */
import type { Arbitrary } from 'fast-check';
import type { Builtin } from '../../builtins/kit/define.js';
import type { StoreOptions } from '../files/files.js';
import { type MemoryFs, type MemorySnapshot, type MemoryTree, memoryFs } from '../files/memory.js';
import { createShell, type RunOptions, type RunResult } from '../index.js';
import { grantsOf, type Policy } from '../policy/policy.js';
import type { ShellName } from '../sandbox/oracle-shells.js';
import type { Scenario } from './scenario.js';
import { BASE } from './scenario.js';
import { CANARY, USUAL_TREE } from './trees.js';

/** What the user wants fuzzed, and who judges. */
export interface Given {
  /** Scripts of the user: they are run, and so are their mutations. */
  readonly corpus: readonly string[];
  /** The user's policy instead of generated ones. */
  readonly policy: Policy | undefined;
  /** The user's commands, which generated lines then use. */
  readonly builtins: readonly Builtin[];
  /** The shells that judge. */
  readonly oracles: readonly ShellName[];
  /** Counts what happened, for the report: `refused`, `unknown`, `agreed` ... */
  readonly tally: (what: string) => void;
}

/** What a property is tried with when the user gives nothing of their own. */
export const NOTHING_GIVEN: Given = {
  corpus: [],
  policy: undefined,
  builtins: [],
  oracles: ['dash', 'bash'],
  tally: () => undefined,
};

/** Something that holds for every scenario. */
export interface Property {
  /** What it is called on the command line of the fuzzer. */
  readonly name: string;
  /** What holds, in one line. */
  readonly summary: string;
  /** Runs on real files or in real shells: slower, and it needs them. */
  readonly needs: 'memory' | 'disk' | 'shells';
  /** The scenarios that it is tried on. */
  readonly arbitrary: (given: Given) => Arbitrary<Scenario>;
  /** Why it does not hold; undefined where it does. */
  readonly check: (scenario: Scenario, given: Given) => Promise<string | undefined>;
  /** The script cannot be cut anywhere: what is expected of it stands beside it, or in marks between its lines. */
  readonly whole?: boolean;
  /** The same of many at once, where that is cheaper. */
  readonly checkAll?: (scenarios: readonly Scenario[], given: Given) => Promise<readonly (string | undefined)[]>;
}

export type Snapshot = ReadonlyMap<string, MemorySnapshot>;

/** A run in memory, with the files before and after it. */
export interface Ran {
  /** What the run answered. */
  readonly result: RunResult;
  /** All files before it, by absolute path: the tree as it was planted. Made when it is asked for. */
  readonly before: Snapshot;
  /** All files after it. */
  readonly after: Snapshot;
}

/**
 * Scripts that do not do the same each time: what depends on chance, on time, or on which of two goes on first, jobs, and stages of a
 * pipeline that both change files.
 */
export const UNSTEADY =
  /RANDOM|SECONDS|EPOCH|\$\$|BASHPID|PPID|\$!|mktemp|date|times|-P \d|[^&>|]&[^&>\d-]|\}\s*\||\|\s*(?:while|\{|xargs)/;

/** A script that does not end by itself is ended, and no fault for that. */
const LONGEST_MS = 2_000;

/** The clock of files in memory: nothing depends on when a scenario is run. */
const CLOCK = 1_700_000_000_000_000_000n;

/** Low enough that no scenario holds up the others, high enough that few are stopped. */
const LIMITS = {
  maxCommands: 20_000,
  maxStringBytes: 1 << 20,
  maxVariableBytes: 8 << 20,
  maxFields: 50_000,
  maxGlobEntries: 50_000,
  maxCapturedBytes: 1 << 20,
} as const;

export const planted = (tree: MemoryTree): MemoryFs => memoryFs(tree, () => CLOCK);

export interface InMemoryOptions extends RunOptions {
  /** What is told of a change before it is made, and may let it wait. */
  readonly onIntent?: StoreOptions['onIntent'];
}

/** Runs the script of a scenario on its files in memory. */
export async function inMemory(scenario: Scenario, given: Given, options: InMemoryOptions = {}): Promise<Ran> {
  const files = planted(scenario.tree);
  const result = await runOn(files, scenario, given, options);
  return {
    result,
    // The same tree is always planted as the same files: the second time, nobody has changed them.
    get before() {
      return planted(scenario.tree).snapshot();
    },
    after: files.snapshot(),
  };
}

/** Without a look at the files. */
export function runOn(
  files: MemoryFs,
  scenario: Scenario,
  given: Given,
  options: InMemoryOptions = {},
): Promise<RunResult> {
  const { onIntent, ...runOptions } = options;
  const { external: _, ...policy } = scenario.policy;
  const shell = createShell(
    { ...policy, limits: { ...LIMITS, ...policy.limits } },
    {
      files: onIntent === undefined ? files : { ...files, store: (store) => files.store({ ...store, onIntent }) },
      builtins: given.builtins,
    },
  );
  return shell.run(scenario.script, {
    cwd: scenario.cwd,
    name: 'script',
    environment: scenario.environment,
    timeoutMs: LONGEST_MS,
    ...runOptions,
  });
}

/** Of a path, what the most specific root says of it: `ro` or `rw`; undefined outside of every root. */
export function accessUnder(policy: Policy): (path: string) => 'ro' | 'rw' | undefined {
  const roots = [...grantsOf(policy).allowedPaths].sort((a, b) => b.path.length - a.path.length);
  return (path) =>
    roots.find((root) => path === root.path || root.path === '/' || path.startsWith(`${root.path}/`))?.access;
}

/** What differs, by path; empty when nothing does. `same` leaves out what may differ. */
export function changes(before: Snapshot, after: Snapshot, concerns: (path: string) => boolean = () => true): string[] {
  const told: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (!concerns(path)) continue;
    const [old, now] = [before.get(path), after.get(path)];
    if (old === undefined) told.push(`${path} was made`);
    else if (now === undefined) told.push(`${path} is gone`);
    else if (old.kind !== now.kind) told.push(`${path} is a ${now.kind} and was a ${old.kind}`);
    else if (old.mode !== now.mode)
      told.push(`${path} has mode ${now.mode.toString(8)} and had ${old.mode.toString(8)}`);
    else if (old.target !== now.target) told.push(`${path} leads to ${now.target} and led to ${old.target}`);
    else if (!sameBytes(old.content, now.content)) told.push(`${path} has other contents`);
  }
  return told;
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

/** Whoever is stopped by the clock was not stopped at the same place: there is nothing to compare. */
export const isStopped = (...all: readonly Ran[]): boolean => all.some(({ result }) => result.status === 'timeout');

/**
 * What of two runs of one script is not the same, and what it is in each. Stages of a pipeline complain in whichever order they come to it:
 * of a script that has one the lines on standard error count, and not their order.
 */
export function unlike({ script }: Scenario, one: Ran, two: Ran): readonly [what: string, string, string] | undefined {
  const shown = ({ result: { exitCode, status, stdout, stderr } }: Ran) => ({
    'the status': `${exitCode} (${status})`,
    'standard output': stdout,
    'standard error': script.includes('|') ? stderr.split('\n').sort().join('\n') : stderr,
  });
  const [first, second] = [shown(one), shown(two)];
  for (const [what, text] of Object.entries(first)) {
    const other = second[what as keyof typeof first];
    if (text !== other) return [what, JSON.stringify(text), JSON.stringify(other)];
  }
  return undefined;
}

/** Under the user's policy where there is one: what lies in `rw` and `ro` is then in its roots. */
export function under(scenario: Scenario, { policy }: Given): Scenario {
  if (policy === undefined) return scenario;
  const roots = grantsOf(policy).allowedPaths;
  const rw = roots.find(({ access }) => access === 'rw')?.path;
  const ro = roots.find(({ access }) => access === 'ro')?.path;
  const move = (text: string): string => {
    const once = rw === undefined ? text : text.replaceAll(`${BASE}/rw`, rw);
    return ro === undefined ? once : once.replaceAll(`${BASE}/ro`, ro);
  };
  const tree: Record<string, Scenario['tree'][string]> = {};
  for (const [path, entry] of Object.entries(scenario.tree)) {
    if (typeof entry === 'object' && 'symlink' in entry) tree[move(path)] = { symlink: move(entry.symlink) };
    else if (typeof entry === 'object' && 'hardlink' in entry) tree[move(path)] = { hardlink: move(entry.hardlink) };
    else tree[move(path)] = entry;
  }
  for (const { path } of roots) tree[path] ??= { directory: true };
  return { ...scenario, script: move(scenario.script), tree, policy, cwd: move(scenario.cwd) };
}

/** Of a script alone, on the usual files. */
export function usual(script: string, policy: Policy): Scenario {
  return { script, tree: USUAL_TREE, policy, environment: {}, cwd: `${BASE}/rw` };
}

const bytesOf = (content: Uint8Array): Buffer => Buffer.from(content.buffer, content.byteOffset, content.byteLength);

/** Where what is in `out` came to light: printed, or in a file that can be read. */
export function leaks({ result, after }: Ran, policy: Policy): string[] {
  const told: string[] = [];
  const accessTo = accessUnder(policy);
  if (result.stdout.includes(CANARY)) told.push('standard output shows a file outside the roots');
  if (result.stderr.includes(CANARY)) told.push('standard error shows a file outside the roots');
  for (const [path, { content, target }] of after) {
    if (content === undefined && target === undefined) continue;
    if (accessTo(path) === undefined) continue;
    if (content !== undefined && bytesOf(content).includes(CANARY)) told.push(`${path} has what a file outside has`);
    if (target?.includes(CANARY)) told.push(`${path} says what a file outside says`);
  }
  return told;
}
