/** Every limit a run has: one table. Each is enforced where its resource passes, never in single commands. */
import { ShellError } from './errors.js';

interface LimitRow {
  readonly unit: string;
  readonly value: number;
  readonly why: string;
}

/** Every limit with its default, its unit and what it is for. */
export const LIMITS = {
  maxCommands: { unit: 'commands', value: 1e9, why: 'ends a run that would never end' },
  maxCallDepth: { unit: 'nested calls', value: 100_000, why: 'recursion without an end' },
  maxNesting: { unit: 'levels', value: 200, why: 'depth of nested syntax: the parser recurses' },
  maxWords: { unit: 'words', value: 1_000_000, why: 'words, and parts of words, of one complete command' },
  maxScriptBytes: { unit: 'bytes', value: 16 * 1024 * 1024, why: 'the text of one script' },
  maxStringBytes: { unit: 'bytes', value: 64 * 1024 * 1024, why: 'one string: a value, a field, a here-document' },
  maxVariableBytes: { unit: 'bytes', value: 256 * 1024 * 1024, why: 'all variables of one shell together' },
  maxFields: { unit: 'fields', value: 2_000_000, why: 'what one expansion makes' },
  maxGlobEntries: { unit: 'entries', value: 2_000_000, why: 'directory entries one pathname expansion looks at' },
  maxCapturedBytes: {
    unit: 'bytes',
    value: 64 * 1024 * 1024,
    why: 'output kept in memory for the caller of the library',
  },
  maxDescriptors: { unit: 'descriptors', value: 256, why: 'open descriptors of one shell' },
  maxJobs: { unit: 'jobs', value: 256, why: 'background jobs at one time' },
  maxRemoveOperands: { unit: 'operands', value: 10, why: 'files one rm may be given' },
  maxRemovalsPerRun: { unit: 'files', value: 100, why: 'files a whole run may remove' },
} as const satisfies Record<string, LimitRow>;

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;

/** The limits in force for a run: a whole number, at least 0, for each name. */
export type Limits = { readonly [Name in LimitName]: number };

export const DEFAULT_LIMITS: Limits = Object.freeze(
  Object.fromEntries(Object.entries(LIMITS).map(([name, row]) => [name, row.value])) as { [Name in LimitName]: number },
);

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

/** The error that ends a run at one of its limits. */
export function limitReached(name: LimitName, value: number): ShellError {
  return new ShellError('limit', `limit reached: ${name} is ${value} ${LIMITS[name].unit}`, name);
}

const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** A number as `help limits` writes one: `200`, `2e6`, `64Mi`; undefined when the text is none, or not a whole one. */
export function parseCount(text: string): number | undefined {
  const [, digits, zeros = '0', unit = ''] = /^(\d{1,16})(?:e(\d{1,2})|([KMG]i))?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(`${digits}e${zeros}`) * (UNITS[unit] ?? 1);
  return Number.isSafeInteger(number) ? number : undefined;
}
