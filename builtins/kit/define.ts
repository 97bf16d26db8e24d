/** The definition of a command: one value that help, usage errors, completion, the documentation and the fuzzer read. */

import type { Awaitable } from '../../src/steps.js';
import type { Context, FullContext, Need } from './context.js';

/**
 * One option. Without `value` it is a switch. `parse` turns the text into what the command works with, and answers
 * a `BadValue` to refuse it.
 */
export interface Flag<T = unknown> {
  /** One letter, or several that mean the same (`rR`). */
  readonly short?: string;
  /** Long name without dashes, or several. Where it is missing the flag has only its letter. */
  readonly long?: string | readonly string[];
  /** Name of the argument, in capitals, for an option that takes one. */
  readonly value?: string;
  /** The argument may be left out (`--color[=WHEN]`): only `--long=value` and `-xvalue` give it. */
  readonly optional?: boolean;
  readonly parse?: (text: string, flag: string) => T | BadValue;
  /** May be given more than once: the value is an array of all, in order. */
  readonly repeat?: boolean;
  readonly help: string;
}

/** Refuses an option's value: `message` is printed after `NAME: `. `hint` adds the `Try 'NAME --help'` line. */
export class BadValue {
  readonly message: string;
  readonly hint: boolean;
  constructor(message: string, hint = false) {
    this.message = message;
    this.hint = hint;
  }
}

export type Flags = { readonly [name: string]: Flag };

type ValueOf<F extends Flag> = F extends { readonly value: string }
  ? F extends { readonly parse: (text: string, flag: string) => infer R }
    ? Exclude<R, BadValue>
    : string
  : true;

/** Typed flags as a command gets them: undefined when not given; a switch is true; a repeated one an array. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly repeat: true }
    ? readonly (F[Name] extends { readonly optional: true } ? ValueOf<F[Name]> | undefined : ValueOf<F[Name]>)[]
    : F[Name] extends { readonly optional: true }
      ? ValueOf<F[Name]> | true | undefined
      : ValueOf<F[Name]> | undefined;
};

export interface Definition<N extends Need, F extends Flags> {
  readonly name: string;
  /** Other names it is found by; the context's `name` tells which was used (`[` for `test`). */
  readonly aliases?: readonly string[];
  /** Half a line, in lower case, without a full stop. */
  readonly summary: string;
  /** One line or several: `rm [-v] FILE...` */
  readonly usage: string;
  /** Anything `--help` should say after the options. */
  readonly notes?: string;
  readonly needs: readonly N[];
  readonly flags: F;
  /**
   * How the words after the name are read. `permute` (the default): as GNU, options anywhere. `leading`: options
   * end at the first operand, as for `xargs`, `env`, `sh`. `none`: the command reads its own words (`find`, `test`, `echo`);
   * then `--help` alone is still answered unless `helpless`.
   */
  readonly options?: 'permute' | 'leading' | 'none';
  readonly helpless?: boolean;
  /** Exit status of a usage error; default 1. */
  readonly usageStatus?: number;
  readonly statuses: { readonly [status: number]: string };
  /** Changes files by its nature: in read-only mode it is refused before its options are read. */
  readonly remediationOnly?: boolean;
  /**
   * A number option as in `head -5`: called with the digits and the rest of an argument that starts with `-` and a digit (or
   * `+` and a digit where `prefixes` has it); answers what to read in its place.
   */
  readonly obsolete?: (argument: string, index: number) => readonly string[] | undefined;
  /** One more line after the usage error of an option that is not there (`rm -rf`: what to write instead). */
  readonly unknownOptionHint?: (option: string, argv: readonly string[]) => string | undefined;
  readonly run: (context: Context<N> & Parsed<F>) => Awaitable<number>;
}

export interface Parsed<F extends Flags> {
  readonly flags: FlagValues<F>;
  /** Every option in the order it was given, for commands where the last one wins. `flag` is the key in `flags`. */
  readonly given: readonly { readonly flag: keyof F & string; readonly value: unknown }[];
  readonly operands: readonly string[];
}

/** A command as the Runner sees it. */
export interface Builtin {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly needs: readonly Need[];
  /** For help, completion, documentation and the fuzzer. */
  readonly definition: AnyDefinition;
  /** Reads options, answers `--help` and usage errors, runs. `argv[0]` is the name. */
  invoke(context: FullContext, argv: readonly string[]): Awaitable<number>;
}

/** The parts of a definition that do not depend on its types. */
export type AnyDefinition = Omit<Definition<Need, Flags>, 'run'>;
