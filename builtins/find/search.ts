/** What the parts of one find share: its options as they are read, what the context gives, and how the walk goes. */
import { isFsError } from '../../src/errors.js';
import type { Awaitable } from '../../src/steps.js';
import { gnuQuoteValue, isPrintable, isPrintableCharacter } from '../../src/text/quote.js';
import type { Context, OutputFile } from '../kit/context.js';
import type { Follow } from '../kit/walk/entry.js';

export type FindContext = Context<'read' | 'list' | 'write' | 'remove' | 'invoke' | 'clock' | 'host'>;

/** Words that are no expression: the message is printed after `find: `. */
export class BadExpression {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** What is true of a whole search. Written while the words are read and while it goes on. */
export interface Search {
  readonly context: FindContext;
  readonly follow: Follow;
  /** When it began, in nanoseconds. */
  readonly now: bigint;
  /** The beginning of the day 24 hours ago, or of today with `-daystart`: what `-mtime` counts from. */
  dayStart: bigint;
  fromMidnight: boolean;
  minDepth: number;
  maxDepth: number;
  contentsFirst: boolean;
  /** `-depth` was given, so that `-prune` and `-delete` may meet. */
  depthAsked: boolean;
  oneFileSystem: boolean;
  regexType: string;
  deletes: boolean;
  prunes: boolean;
  /** There is an action that does something, so there is no `-print` by default. */
  acts: boolean;

  status: number;
  pruned: boolean;
  stopped: boolean;
  /** Files of `-fprint` and its kind by name: made when the words are read, and closed at the end. */
  readonly files: Map<string, OutputFile>;
  /** Commands of `-exec ... +` whose batches are not run yet; called after each directory and at the end. */
  readonly pending: PendingCommand[];
}

export interface PendingCommand {
  /** The walk has left `directory`; undefined: it is over. */
  flush(directory: string | undefined): Awaitable<unknown>;
}

/** Reports what a file failed with; anything but an FsError is thrown on. */
export function reportFailure(search: Search, path: string, error: unknown, words: string = gnuQuoteValue(path)): void {
  search.context.failed(words, error);
  search.status = 1;
  // There is nothing more to be had from a run whose removals are spent.
  if (isFsError(error) && (error.code === 'BUDGET' || error.code === 'READ_ONLY_MODE')) search.stopped = true;
}

export function warn(search: Search, message: string): void {
  search.context.complain(`warning: ${message}`);
}

/** A name as it is printed: a terminal gets `?` for each character that is none. */
export function shown(search: Search, name: string): string {
  if (!search.context.out.facts.terminal || isPrintable(name)) return name;
  return [...name].map((character) => (isPrintableCharacter(character) ? character : '?')).join('');
}
