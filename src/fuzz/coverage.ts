/** What of the language and of the commands generated scripts have used: told from their syntax trees, whoever made them. */
import { builtins } from '../../builtins/index.js';
import { longNames } from '../../builtins/kit/usage.js';
import { parse } from '../../grammar/index.js';

/** How often each was seen. */
export interface Coverage {
  /** By the name of the rule of the grammar. */
  readonly rules: Map<string, number>;
  /** `sort -k`, `sort --key` by the option's first spelling. */
  readonly options: Map<string, number>;
}

/** A coverage in which nothing was seen yet. */
export const newCoverage = (): Coverage => ({ rules: new Map(), options: new Map() });

const more = (counts: Map<string, number>, key: string, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

/** Every option of every command, by each way it is spelled. */
const SPELLINGS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  builtins.map(({ name, definition }) => {
    const spelled = Object.values(definition.flags).flatMap((flag): [string, string][] => {
      const names = [...(flag.short ?? '')]
        .map((letter) => `-${letter}`)
        .concat(longNames(flag).map((long) => `--${long}`));
      const [first = ''] = names;
      return names.map((one) => [one, `${name} ${first}`]);
    });
    return [name, new Map(spelled)];
  }),
);

const ALL_OPTIONS = new Set([...SPELLINGS.values()].flatMap((spelled) => [...spelled.values()]));

/** Counts what stands in `script`, up to where it stops being one. */
export function cover(coverage: Coverage, script: string): void {
  visit(coverage, parse(script).commands);
}

function visit(coverage: Coverage, node: unknown): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(coverage, one);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && typeof node.kind === 'string') more(coverage.rules, node.kind);
  if ('words' in node && Array.isArray(node.words)) countOptions(coverage, node.words.map(textOf));
  for (const value of Object.values(node)) if (typeof value === 'object') visit(coverage, value);
}

/** The text of a word that is one plain or quoted piece; else nothing that is an option. */
function textOf(word: unknown): string {
  const { parts } = word as { readonly parts?: readonly { readonly kind: string; readonly text?: unknown }[] };
  const [only, ...others] = parts ?? [];
  return others.length === 0 && typeof only?.text === 'string' ? only.text : '';
}

function countOptions(coverage: Coverage, [name = '', ...words]: readonly string[]): void {
  const spelled = SPELLINGS.get(name);
  if (spelled === undefined) return;
  for (const word of words) {
    if (!word.startsWith('-')) continue;
    const option = spelled.get(word.startsWith('--') ? (word.split('=')[0] ?? word) : word.slice(0, 2));
    if (option !== undefined) more(coverage.options, option);
  }
}

/** Adds what another worker has seen. */
export function addCoverage(coverage: Coverage, seen: CoverageData): void {
  for (const [rule, count] of Object.entries(seen.rules)) more(coverage.rules, rule, count);
  for (const [option, count] of Object.entries(seen.options)) more(coverage.options, option, count);
}

/** As JSON has it. */
export interface CoverageData {
  readonly rules: Readonly<Record<string, number>>;
  readonly options: Readonly<Record<string, number>>;
}

export function coverageData(coverage: Coverage): CoverageData {
  return { rules: Object.fromEntries(coverage.rules), options: Object.fromEntries(coverage.options) };
}

/** `58 kinds of syntax, 310 of 420 options`. */
export function coverageLine({ rules, options }: Coverage): string {
  return `${rules.size} kinds of syntax, ${options.size} of ${ALL_OPTIONS.size} options of commands`;
}
