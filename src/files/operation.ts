/** One operation as the audit trail hears of it: what it is about to do, and what it came to. */

import { FsError } from '../errors.js';
import type { Waiting } from '../steps.js';
import type { Asker, Effect, FileAction, FileIdentity, FileStat, Intent, StoreOptions } from './files.js';
import { Refused } from './kernel.js';
import { join, normalize } from './paths.js';

/** What an operation says of itself while it goes on. Where nobody listens it says nothing, and costs nothing. */
export interface Operation {
  /** The walk to its path has begun, and where it ends: for a failure, and where no `intend` says it better. */
  at(walk: Place): void;
  /** The same of the other path of a rename or link. */
  towards(walk: Place): void;
  /** It is about to change `name` in the walk's directory (what the walk holds, without a name). */
  intend(walk: Directory, name: string | undefined, file: FileStat | undefined, more?: More): Waiting;
  done(): void;
  /** `error` is what is made of `thrown` for the script. */
  failed(thrown: unknown, error: unknown): void;
}

/** A walk that has begun. */
export interface Place {
  readonly started: boolean;
  /** Absolute, without `..`. */
  readonly canonical: string;
}

/** A walk that has come to the directory it was to go to. */
interface Directory {
  physical(name?: string): string;
}

interface More {
  readonly action?: FileAction;
  readonly to?: { readonly walk: Directory; readonly name: string | undefined };
  readonly replaces?: FileStat | undefined;
  readonly budget?: Intent['budget'] | undefined;
}

const UNHEARD: Operation = { at() {}, towards() {}, intend: () => undefined, done() {}, failed() {} };

/** Whether anybody wants to hear of operations. */
export function isHeard(options: StoreOptions): boolean {
  return options.onEffect !== undefined || options.onIntent !== undefined;
}

export function operation(
  options: StoreOptions,
  asker: Asker,
  action: FileAction,
  given: string,
  givenTo?: string,
): Operation {
  return isHeard(options) ? new HeardOperation(options, asker, action, given, givenTo) : UNHEARD;
}

class HeardOperation implements Operation {
  readonly #options: StoreOptions;
  readonly #asker: Asker;
  readonly #given: string;
  readonly #givenTo: string | undefined;
  #action: FileAction;
  #walk: Place | undefined;
  #toWalk: Place | undefined;
  #path: string | undefined;
  #to: string | undefined;
  #file: FileIdentity | undefined;
  #replaces: FileIdentity | undefined;
  #budget: Intent['budget'] | undefined;

  constructor(options: StoreOptions, asker: Asker, action: FileAction, given: string, givenTo: string | undefined) {
    this.#options = options;
    this.#asker = asker;
    this.#action = action;
    this.#given = given;
    this.#givenTo = givenTo;
  }

  at(walk: Place): void {
    this.#walk = walk;
  }

  towards(walk: Place): void {
    this.#toWalk = walk;
  }

  intend(walk: Directory, name: string | undefined, file: FileStat | undefined, more: More = {}): Waiting {
    if (more.action !== undefined) this.#action = more.action;
    this.#path = walk.physical(name);
    this.#file = file && identityOf(file);
    this.#to = more.to?.walk.physical(more.to.name);
    this.#replaces = more.replaces && identityOf(more.replaces);
    this.#budget = more.budget;
    return this.#options.onIntent?.(this.#told());
  }

  done(): void {
    this.#options.onEffect?.(Object.assign(this.#told(), { outcome: 'done' as const }));
  }

  failed(thrown: unknown, error: unknown): void {
    if (!(error instanceof FsError)) return;
    const rule = thrown instanceof Refused ? thrown.rule : undefined;
    // What was intended and failed has cost nothing.
    if (this.#budget !== undefined) this.#budget = { before: this.#budget.before, after: this.#budget.before };
    const outcome = rule === undefined ? 'failed' : 'refused';
    const came = rule === undefined ? { outcome, reason: error.code } : { outcome, reason: error.code, rule };
    this.#options.onEffect?.(Object.assign(this.#told(), came) as Effect);
  }

  /** A new one each time, without a key for what there is not. Every operation makes one or two: it is put together by hand. */
  #told(): Intent {
    const told: { -readonly [Key in keyof Intent]?: Intent[Key] } = {
      action: this.#action,
      given: this.#given,
      path: this.#path ?? this.#canonical(this.#walk, this.#given),
    };
    if (this.#givenTo !== undefined) {
      told.givenTo = this.#givenTo;
      told.to = this.#to ?? this.#canonical(this.#toWalk, this.#givenTo);
    }
    if (this.#file !== undefined) told.file = this.#file;
    if (this.#replaces !== undefined) told.replaces = this.#replaces;
    if (this.#budget !== undefined) told.budget = this.#budget;
    const { command, source, line } = this.#asker;
    return Object.assign(told as Intent, { command, source, line });
  }

  /** Refused before anybody looked, it is only text. */
  #canonical(walk: Place | undefined, given: string): string {
    if (walk?.started === true) return walk.canonical;
    return normalize(given.startsWith('/') ? given : join(this.#asker.physicalCwd, given));
  }
}

export function identityOf(stat: FileStat): FileIdentity {
  return {
    kind: stat.kind,
    device: String(stat.dev),
    inode: String(stat.ino),
    size: stat.size,
    mtimeNs: String(stat.mtimeNs),
  };
}
