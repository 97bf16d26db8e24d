/** The words after `rmsh fuzz`. */
import { parseArgs } from 'node:util';

export interface FuzzRequest {
  readonly properties: readonly string[];
  /** Scenarios of each property, over all shards and workers; undefined: until the time is up. */
  readonly runs: number | undefined;
  readonly minutes: number | undefined;
  readonly seed: number;
  /** One scenario alone, as a find names it. */
  readonly path: string | undefined;
  readonly oracles: readonly string[];
  readonly corpus: string | undefined;
  readonly policy: string | undefined;
  readonly builtins: string | undefined;
  readonly json: boolean;
  /** `3/16`: this is the third of sixteen, 1-based. */
  readonly shard: { readonly index: number; readonly count: number };
  readonly resume: string | undefined;
  readonly workers: number | undefined;
  /** Where finds are kept: as tests where its name ends in `.mjs` or `.js`, else as rows. */
  readonly out: string | undefined;
  /** The first round of this process; workers that go on where others stopped are told. */
  readonly from: number;
  readonly worker: boolean;
}

export const FUZZ_HELP = `Usage: rmsh fuzz [OPTION]...
Tries generated scripts, files and policies until something does not hold.

  --property NAME[,NAME]   only these; 'rmsh fuzz --list' tells them
  --runs N                 so many scenarios of each property (default 1000)
  --minutes N              until the time is up
  --seed N                 where the scenarios start (default: another one each time)
  --path P                 one scenario of that seed alone, as a find names it
  --oracle SHELL[,SHELL]   the shells that judge (default dash,bash)
  --corpus DIR             scripts to try, and to make others of
  --policy FILE            this policy, instead of generated ones
  --builtins FILE          a module whose exports are commands: they are tried too
  --out FILE               append what is found: to x.mjs as tests for
                           'node --test', else as rows of a .cases file
  --json                   one JSON object a line
  --shard I/N              the I-th of N parts of the campaign
  --workers N              processes (default: one a core)
  --resume FILE            go on where FILE says, and keep it up to date
  --list                   the properties
  --help                   this help

Status 0: all held; 1: something did not; 2: a mistake on the command line.
`;

export type ParsedRequest =
  | { readonly kind: 'run'; readonly request: FuzzRequest }
  | { readonly kind: 'help' | 'list' }
  | { readonly kind: 'error'; readonly message: string };

export function parseFuzzWords(args: readonly string[], now: number): ParsedRequest {
  try {
    return read(args, now);
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

function read(args: readonly string[], now: number): ParsedRequest {
  const text = { type: 'string' } as const;
  const many = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      property: many,
      oracle: many,
      runs: text,
      minutes: text,
      seed: text,
      path: text,
      corpus: text,
      policy: text,
      builtins: text,
      out: text,
      shard: text,
      workers: text,
      resume: text,
      from: text,
      json: flag,
      worker: flag,
      list: flag,
      help: flag,
    },
  });
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  const number = (name: 'runs' | 'seed' | 'workers' | 'from' | 'minutes', least: number): number | undefined => {
    const given = values[name];
    if (given === undefined) return undefined;
    const value = Number(given);
    const whole = name === 'minutes' ? Number.isFinite(value) : Number.isSafeInteger(value);
    if (given.trim() === '' || !whole || value < least)
      throw new Error(`--${name}: '${given}' is no number from ${least} on`);
    return value;
  };
  const [, index = '1', count = '1'] = /^(\d+)\/(\d+)$/.exec(values.shard ?? '1/1') ?? [];
  if (values.shard !== undefined && !/^\d+\/\d+$/.test(values.shard))
    throw new Error(`--shard: '${values.shard}' is not I/N`);
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index < 1 || shard.index > shard.count) throw new Error(`--shard: there is no part ${index} of ${count}`);
  const minutes = number('minutes', 0);
  const seed = number('seed', 0);
  if (values.path !== undefined && seed === undefined) throw new Error('--path: needs --seed');
  if (values.path !== undefined && (values.property?.length ?? 0) !== 1) throw new Error('--path: needs --property');
  return {
    kind: 'run',
    request: {
      properties: list(values.property),
      runs: number('runs', 1) ?? (minutes === undefined ? 1000 : undefined),
      minutes,
      seed: seed ?? now % 1_000_000_000,
      path: values.path,
      oracles: list(values.oracle),
      corpus: values.corpus,
      policy: values.policy,
      builtins: values.builtins,
      json: values.json,
      shard,
      resume: values.resume,
      workers: number('workers', 1),
      out: values.out,
      from: number('from', 0) ?? 0,
      worker: values.worker,
    },
  };
}

const list = (given: readonly string[] | undefined): string[] => (given ?? []).flatMap((one) => one.split(','));
