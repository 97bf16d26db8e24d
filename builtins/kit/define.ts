/** The definition of a command: one value that help, usage errors, completion, the documentation and the fuzzer read. */

import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen, isPromise } from '../../src/steps.js';
import type { Context, FullContext, Need } from './context.js';
import { type GetoptError, type GivenOption, getopt, type OptionShape } from './getopt.js';
import { helpText, longNames } from './usage.js';
import { viewOf } from './view.js';

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
  /**
   * Makes what the command works with of the text; `flag` is the option as it was written. Without it the text itself is the
   * value.
   */
  readonly parse?: (text: string, flag: string) => T | BadValue;
  /** May be given more than once: the value is an array of all, in order. */
  readonly repeat?: boolean;
  /** Half a line for `--help`. */
  readonly help: string;
}

/**
 * Refuses an option's value: `message` is printed after `NAME: `. `hint` adds the `Try 'NAME --help'` line. `goesOn`: the words after
 * it are read first, and may have messages of their own.
 */
export class BadValue {
  /** What is wrong with the value, without the name of the command. */
  readonly message: string;
  /** Whether the `Try 'NAME --help'` line follows. */
  readonly hint: boolean;
  /** Whether the words after it are read first. */
  readonly goesOn: boolean;
  /** The status, where it is not the command's own for a usage error. */
  readonly status: number | undefined;
  /** See the class. */
  constructor(message: string, hint = false, goesOn = false, status?: number) {
    this.message = message;
    this.hint = hint;
    this.goesOn = goesOn;
    this.status = status;
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

/** What a command is made of: `N` is what it needs, `F` its options, from which the type of its context follows. */
export interface Definition<N extends Need, F extends Flags> {
  /** The name that scripts call it by: no blanks, no slashes. */
  readonly name: string;
  /** Other names it is found by; the context's `name` tells which was used (`[` for `test`). */
  readonly aliases?: readonly string[];
  /** Half a line, in lower case, without a full stop. */
  readonly summary: string;
  /** One line or several: `rm [-v] FILE...` */
  readonly usage: string;
  /** Anything `--help` should say after the options. */
  readonly notes?: string;
  /**
   * What it works with besides its words and output: `read` files, `list` directories, `write`, `remove`, `invoke` other
   * commands, `environment`, `clock`, `host`, `kernel`. Its context has nothing else.
   */
  readonly needs: readonly N[];
  /** Its options, by the names that `run` finds them under. */
  readonly flags: F;
  /**
   * How the words after the name are read. `permute` (the default): as GNU, options anywhere. `leading`: options
   * end at the first operand, as for `xargs`, `env`, `sh`. `none`: the command reads its own words (`find`, `test`, `echo`);
   * then `--help` alone is still answered unless `helpless`.
   */
  readonly options?: 'permute' | 'leading' | 'none';
  /** `--help` is an operand as any other. */
  readonly helpless?: boolean;
  /** Exit status of a usage error; default 1. */
  readonly usageStatus?: number;
  /** Exit status when its output cannot be written; default 1. */
  readonly writeFailure?: number;
  /** What each exit status means, for `--help`. */
  readonly statuses: { readonly [status: number]: string };
  /** Changes files by its nature: in read-only mode it is refused before its options are read. */
  readonly remediationOnly?: boolean;
  /**
   * A number option as in `head -5`: called with the digits and the rest of an argument that starts with `-` and a digit (or
   * `+` and a digit where `prefixes` has it); answers what to read in its place.
   */
  readonly obsolete?: (argument: string, index: number) => readonly string[] | undefined;
  /** The name its errors begin with, where it is another command's: `zcat` is gzip to its user. */
  readonly speaksAs?: string;
  /** Of these options one may be given: the second is a usage error, before the words after it are read. */
  readonly onlyOne?: { readonly flags: readonly string[]; readonly message: string };
  /**
   * Options that exclude each other by their values: called with each option and those before it, as they are read. Answers what is wrong;
   * the words after it are not read then.
   */
  readonly conflict?: (next: Given, before: readonly Given[]) => string | undefined;
  /** What a usage error prints after its message, in place of the `Try 'NAME --help'` line. */
  readonly usageHint?: (name: string) => string;
  /** One more line after the usage error of an option that is not there (`rm -rf`: what to write instead). */
  readonly unknownOptionHint?: (option: string, argv: readonly string[]) => string | undefined;
  /** Does the work, and answers the exit status, 0 to 255, at once or later. An FsError it throws is printed, with status 1; a BadValue is a usage error. */
  readonly run: (context: Context<N> & Parsed<F>) => Awaitable<number>;
}

/** An option as it was given; `flag` is its key among the flags of the definition. */
export interface Given {
  readonly flag: string;
  readonly value: unknown;
}

export interface Parsed<F extends Flags> {
  readonly flags: FlagValues<F>;
  /** Every option in the order it was given, for commands where the last one wins. `flag` is the key in `flags`. */
  readonly given: readonly {
    readonly flag: keyof F & string;
    readonly value: unknown;
    /** How many operands stand before it. */
    readonly operandsBefore: number;
  }[];
  readonly operands: readonly string[];
  /** The words that are no operands, as they were written. */
  readonly optionWords: readonly string[];
}

/** A command as the Runner sees it. */
export interface Builtin {
  /** The name that scripts call it by. */
  readonly name: string;
  /** Its other names. */
  readonly aliases: readonly string[];
  /** Half a line on what it does. */
  readonly summary: string;
  /** What it works with besides its words and output; its context has nothing else. */
  readonly needs: readonly Need[];
  /** For help, completion, documentation and the fuzzer. */
  readonly definition: AnyDefinition;
  /** Reads options, answers `--help` and usage errors, runs. `argv[0]` is the name. */
  invoke(context: FullContext, argv: readonly string[]): Awaitable<number>;
}

/** The parts of a definition that do not depend on its types. */
export type AnyDefinition = Omit<Definition<Need, Flags>, 'run'>;

/** Makes the command the Runner calls: options are read here, and `run` sees only what the definition needs. */
export function defineBuiltin<N extends Need, const F extends Flags>(definition: Definition<N, F>): Builtin {
  const shapes = optionShapes(definition.flags, definition.helpless === true);
  return {
    name: definition.name,
    aliases: definition.aliases ?? [],
    summary: definition.summary,
    needs: definition.needs,
    definition,
    invoke(context, argv) {
      if (definition.remediationOnly === true && !context.remediation) {
        context.refused('mode');
        context.complain('remediation mode required');
        return 1;
      }
      const reading = definition.options === 'none' ? readNothing(definition, argv) : read(definition, shapes, argv);
      if (reading.kind === 'help') return andThen(context.out.write(helpText(definition)), () => 0);
      if (reading.kind === 'refused') return refuse(context, definition, reading);
      const run = () => definition.run(speaking(viewOf<N, F>(context, reading), context, definition.speaksAs));
      return definition.writeFailure === undefined ? run() : watchOutput(context, definition.writeFailure, run);
    },
  };
}

/** The same context, whose errors begin with another name. */
function speaking<C extends object>(view: C, context: FullContext, name: string | undefined): C {
  if (name === undefined || name === context.name) return view;
  const complain = (message: string) => void context.err.write(`${name}: ${message}\n`);
  return Object.create(view, { complain: { value: complain } }) as C;
}

/** What a command lets out and is no stop of the run is its output's failure. */
function watchOutput(context: FullContext, status: number, run: () => Awaitable<number>): Awaitable<number> {
  const failed = (error: unknown): number => {
    if (!isFsError(error)) throw error;
    context.complain(`write error: ${error.message}`);
    return status;
  };
  try {
    const answer = run();
    return isPromise(answer) ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

/** What came of the words: what `run` gets, a question for help, or a usage error. */
type Reading =
  | ({ readonly kind: 'parsed' } & Parsed<Flags>)
  | { readonly kind: 'help' }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly hint: boolean;
      readonly more: string | undefined;
      readonly status?: number | undefined;
    };

type Readable = Omit<AnyDefinition, 'needs'>;

function readNothing(definition: Readable, argv: readonly string[]): Reading {
  if (argv.length === 2 && argv[1] === '--help' && definition.helpless !== true) return { kind: 'help' };
  return { kind: 'parsed', flags: {}, given: [], operands: argv.slice(1), optionWords: [] };
}

/** In the order of the words, as getopt's callers do it: a bad value before `--help` is an error, after it is not. */
function read(definition: Readable, shapes: readonly OptionShape[], argv: readonly string[]): Reading {
  const { given, operands, optionWords, error } = getopt(argv.slice(1), shapes, {
    order: definition.options === 'leading' ? 'leading' : 'permute',
    obsolete: definition.obsolete,
  });
  const flags: { [name: string]: unknown } = {};
  const values: { flag: string; value: unknown; operandsBefore: number }[] = [];
  const { onlyOne } = definition;
  const problems: string[] = [];
  const refused = (message: string, hint: boolean, status?: number): Reading => ({
    kind: 'refused',
    message: asLines(argv, [...problems, message]),
    hint,
    more: undefined,
    status,
  });
  for (const option of given) {
    if (option.key === 'help') return { kind: 'help' };
    if (onlyOne?.flags.includes(option.key) && values.some(({ flag }) => onlyOne.flags.includes(flag)))
      return refused(onlyOne.message, true);
    const flag = definition.flags[option.key] as Flag; // keys of shapes are keys of flags
    const value = flagValue(flag, option);
    if (value instanceof BadValue) {
      if (!value.goesOn) return refused(value.message, value.hint, value.status);
      problems.push(value.message);
    }
    const conflict = definition.conflict?.({ flag: option.key, value }, values);
    if (conflict !== undefined) return refused(conflict, false);
    values.push({ flag: option.key, value, operandsBefore: option.operandsBefore });
    if (flag.repeat === true) {
      const before = flags[option.key];
      if (Array.isArray(before)) before.push(value);
      else flags[option.key] = [value];
    } else flags[option.key] = value;
  }
  if (error !== undefined) return usageError(definition, error, argv, problems);
  if (problems.length > 0) return { kind: 'refused', message: asLines(argv, problems), hint: false, more: undefined };
  return { kind: 'parsed', flags: flags as FlagValues<Flags>, given: values, operands, optionWords };
}

/** Messages as one, each after the first with the command's name before it. */
function asLines(argv: readonly string[], messages: readonly string[]): string {
  return messages.join(`\n${argv[0]}: `);
}

function flagValue(flag: Flag, option: GivenOption): unknown {
  if (flag.value === undefined || option.text === undefined)
    return flag.repeat === true && flag.value !== undefined ? undefined : true;
  return flag.parse === undefined ? option.text : flag.parse(option.text, option.spelled);
}

function usageError(
  definition: Readable,
  error: GetoptError,
  argv: readonly string[],
  problems: readonly string[],
): Reading {
  const asks = error.kind === 'unknown' || error.kind === 'unwanted-argument';
  const more = asks ? definition.unknownOptionHint?.(error.option, argv) : undefined;
  return { kind: 'refused', message: asLines(argv, [...problems, error.message]), hint: true, more };
}

/** A usage error: the message, `Try ...` and what more the definition has to say. */
function refuse(
  context: FullContext,
  definition: Readable,
  error: Extract<Reading, { kind: 'refused' }>,
): Awaitable<number> {
  const name = definition.speaksAs ?? context.name;
  let text = `${name}: ${error.message}\n`;
  if (error.hint) text += (definition.usageHint ?? tryHelp)(name);
  if (error.more !== undefined) text += `${error.more}\n`;
  const status = error.status ?? definition.usageStatus ?? 1;
  return andThen(context.err.write(text), () => status);
}

/** GNU's second line of a usage error. */
export function tryHelp(name: string): string {
  return `Try '${name} --help' for more information.\n`;
}

/** For usage errors that only the command can find (`missing operand`): says it, with `Try ...`, and answers `status`. */
export function usageFailure(
  context: Pick<FullContext, 'complain' | 'err' | 'name'>,
  message: string,
  status = 1,
): Awaitable<number> {
  context.complain(message);
  return andThen(context.err.write(tryHelp(context.name)), () => status);
}

function optionShapes(flags: Flags, helpless: boolean): readonly OptionShape[] {
  const shapes = Object.entries(flags).map(([key, flag]): OptionShape => {
    const argument = flag.value === undefined ? 'none' : flag.optional === true ? 'optional' : 'required';
    return { key, short: flag.short ?? '', long: longNames(flag), argument };
  });
  if (!helpless && !('help' in flags)) shapes.push({ key: 'help', short: '', long: ['help'], argument: 'none' });
  return shapes;
}
