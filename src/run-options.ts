/** How a script is run from the library, and the check of it: an option that is misspelt must not be one that is not there. */
import type { AuditRecord } from './audit.js';
import { LONGEST_MS } from './policy/duration.js';

/** How one script is run. */
export interface RunOptions {
  /** `$1`, `$2` ... */
  readonly args?: readonly string[] | undefined;
  /** `$0`, and what messages begin with; default `rmsh`. */
  readonly name?: string | undefined;
  /**
   * Standard input; nothing by default. What an iterable throws when a command reads it is what `run` rejects with; a handler
   * (`ShellOptions.external`) that reads it gets the error itself.
   */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /**
   * Called with each piece of output, as bytes, as it comes; they are only good until it returns. When it returns a promise the script waits.
   */
  readonly onStdout?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  /** The same for what is printed on the error stream. */
  readonly onStderr?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  /**
   * Called with each event of the run, in order, before what it announces is done. When it returns a promise, the command, removal
   * or rename that is announced waits for it, and after any other event the next step of the script. What it throws, or rejects
   * with, ends the run, unless the policy says `audit: { onFailure: 'continue' }`.
   */
  readonly onEvent?: ((event: AuditRecord) => void | Promise<void>) | undefined;
  /** Ends the run within 50 ms; what was printed is in the result. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, more than 0 and at most 2^31 - 1 (24 days), after which the run ends with status 124; the policy's own where it is not given. */
  readonly timeoutMs?: number | undefined;
  /** The directory the shell starts in; default the process's. */
  readonly cwd?: string | undefined;
  /** Exported variables, on top of the policy's: by name, `[A-Za-z_][A-Za-z0-9_]*`. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** How a session starts: what a single run is told each time. */
export type SessionOptions = Pick<RunOptions, 'args' | 'name' | 'cwd' | 'environment'>;

type Key = keyof RunOptions;
type ShellKey = 'builtins' | 'files' | 'commandNotFound' | 'external';

export const SESSION_KEYS: readonly Key[] = ['args', 'name', 'cwd', 'environment'];
export const SESSION_RUN_KEYS: readonly Key[] = ['stdin', 'onStdout', 'onStderr', 'onEvent', 'signal', 'timeoutMs'];
/** What `createShell` takes besides the policy. */
export const SHELL_KEYS: readonly ShellKey[] = ['builtins', 'files', 'commandNotFound', 'external'];
export const RUN_KEYS: readonly Key[] = [...SESSION_KEYS, ...SESSION_RUN_KEYS];

interface Rule {
  readonly holds: (value: unknown) => boolean;
  readonly what: string;
}

const text: Rule = { holds: (value) => typeof value === 'string', what: 'a string' };
const listener: Rule = { holds: (value) => typeof value === 'function', what: 'a function' };

/** Those that nobody else looks at: `environment` is checked with the policy, and `stdin` where it is opened. */
const RULES: { readonly [K in Key | ShellKey]?: Rule } = {
  args: {
    holds: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    what: 'a list of strings',
  },
  name: text,
  cwd: text,
  onStdout: listener,
  onStderr: listener,
  onEvent: listener,
  // One of another realm, or a stand-in, is no instance of ours.
  signal: {
    holds: (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
    what: 'an AbortSignal',
  },
  timeoutMs: {
    holds: (value) => typeof value === 'number' && value > 0 && value <= LONGEST_MS,
    what: `a number of milliseconds, more than 0 and at most ${LONGEST_MS}`,
  },
  builtins: {
    holds: (value) => Array.isArray(value) && value.every((one) => has(one, 'invoke')),
    what: 'a list of commands made with defineBuiltin',
  },
  files: { holds: (value) => has(value, 'store'), what: 'files made with memoryFs' },
  commandNotFound: listener,
  external: listener,
};

function has(value: unknown, method: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function';
}

/** Throws TypeError for what `keys` does not have, and for a value of the wrong kind; `undefined` is as good as left out. */
export function checkOptions(where: string, options: object, keys: readonly (Key | ShellKey)[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${where}: the options must be an object`);
  for (const [name, value] of Object.entries(options)) {
    const key = keys.find((one) => one === name);
    if (key === undefined) throw new TypeError(`${where}: '${name}' is not one of its options ${keys.join(' ')}`);
    const rule = RULES[key];
    if (value !== undefined && rule?.holds(value) === false) {
      throw new TypeError(`${where}: ${name} must be ${rule.what}`);
    }
  }
}
