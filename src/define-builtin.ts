/** `defineBuiltin` of the library: what a caller without types got wrong is said at once, by the name of the field. */

import type { Need } from '../builtins/kit/context.js';
import {
  BadValue,
  type Builtin,
  type Definition,
  defineBuiltin as define,
  type Flags,
  usageFailure,
} from '../builtins/kit/define.js';
import { isFsError } from './errors.js';
import { type Awaitable, isPromise } from './steps.js';

interface Rule {
  readonly holds: (value: unknown) => boolean;
  readonly what: string;
}

type Rules<T> = { readonly [Key in keyof Required<T>]: Rule & { readonly required?: true } };

const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown): boolean => isText(value) && /^[^\s/\0]+$/.test(value);
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLongName = (value: unknown): boolean => isText(value) && /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value);

const TEXT: Rule = { holds: isText, what: 'a string' };
const SWITCH: Rule = { holds: (value) => typeof value === 'boolean', what: 'true or false' };
const FUNCTION: Rule = { holds: (value) => typeof value === 'function', what: 'a function' };
const STATUS: Rule = { holds: isStatus, what: 'a whole number from 0 to 255' };

const NEEDS: { readonly [Name in Need]: true } = {
  read: true,
  list: true,
  write: true,
  remove: true,
  invoke: true,
  environment: true,
  clock: true,
  host: true,
  kernel: true,
};
const ORDERS = ['permute', 'leading', 'none'];

const FIELDS: Rules<Definition<Need, Flags>> = {
  name: { holds: isName, what: 'the name of a command: a string without blanks and slashes', required: true },
  aliases: { holds: (value) => Array.isArray(value) && value.every(isName), what: 'a list of names of commands' },
  summary: { ...TEXT, required: true },
  usage: { ...TEXT, required: true },
  notes: TEXT,
  needs: {
    holds: (value) => Array.isArray(value) && value.every((one) => Object.hasOwn(NEEDS, one)),
    what: `a list, empty or of ${Object.keys(NEEDS).join(' ')}`,
    required: true,
  },
  flags: { holds: isRecord, what: 'an object, empty or with an object for each option', required: true },
  options: { holds: (value) => isText(value) && ORDERS.includes(value), what: `one of ${ORDERS.join(' ')}` },
  helpless: SWITCH,
  usageStatus: STATUS,
  writeFailure: STATUS,
  statuses: {
    holds: (value) =>
      isRecord(value) && Object.entries(value).every(([status, text]) => isStatus(Number(status)) && isText(text)),
    what: "an object that says what each exit status means, as { 0: 'all was well' }",
    required: true,
  },
  remediationOnly: SWITCH,
  obsolete: FUNCTION,
  speaksAs: TEXT,
  onlyOne: {
    holds: (value) => isRecord(value) && Array.isArray(value['flags']) && isText(value['message']),
    what: 'an object with flags, a list, and message, a string',
  },
  conflict: FUNCTION,
  usageHint: FUNCTION,
  unknownOptionHint: FUNCTION,
  run: { ...FUNCTION, required: true },
};

const FLAG_FIELDS: Rules<Flags[string]> = {
  short: { holds: (value) => isText(value) && /^[A-Za-z0-9]+$/.test(value), what: 'a letter, or several' },
  long: {
    holds: (value) => isLongName(value) || (Array.isArray(value) && value.length > 0 && value.every(isLongName)),
    what: 'a name without dashes before it, or a list of such names',
  },
  value: { holds: (value) => isText(value) && value !== '', what: 'the name of its argument, as NUM' },
  optional: SWITCH,
  parse: FUNCTION,
  repeat: SWITCH,
  help: { ...TEXT, required: true },
};

/**
 * A command of the host program, for `createShell`'s `builtins`: options are read, `--help` and usage errors are answered as GNU's
 * commands do it, and `run` gets what the definition needs, and nothing else. A `BadValue` that it or `parse` throws is a usage error, and an
 * `FsError` that it does not catch is printed as `NAME: PATH: why`, with status 1: the script goes on. Any other error is a bug of the command, and
 * what `shell.run` rejects with. Throws TypeError, with the name of the field, for a definition that is none.
 */
export function defineBuiltin<N extends Need, const F extends Flags>(definition: Definition<N, F>): Builtin {
  if (!isRecord(definition)) throw new TypeError('defineBuiltin: the definition must be an object');
  const whose = isName(definition.name) ? `defineBuiltin '${definition.name}'` : 'defineBuiltin';
  checkFields(whose, '', definition, FIELDS);
  const taken = new Map<string, string>();
  for (const [key, flag] of Object.entries<unknown>(definition.flags)) {
    const where = `flags.${key}`;
    if (!isRecord(flag)) throw new TypeError(`${whose}: ${where} must be an object with help and short or long`);
    checkFields(whose, `${where}.`, flag, FLAG_FIELDS);
    for (const only of ['optional', 'parse']) {
      if (flag[only] !== undefined && flag['value'] === undefined) {
        throw new TypeError(`${whose}: ${where}.${only} is for an option with an argument: value is missing`);
      }
    }
    const spelled = spellings(flag);
    if (spelled.length === 0) throw new TypeError(`${whose}: ${where} has neither short nor long`);
    for (const option of spelled) {
      const other = taken.get(option);
      if (other !== undefined) throw new TypeError(`${whose}: ${where} and flags.${other} are both ${option}`);
      taken.set(option, key);
    }
  }
  return define({
    ...definition,
    flags: withCaughtParse(definition.flags),
    run(context): Awaitable<number> {
      const failed = (error: unknown): Awaitable<number> => thrown(context, definition.usageStatus, error);
      let answer: Awaitable<number>;
      try {
        answer = definition.run(context);
      } catch (error) {
        return failed(error);
      }
      return answered(whose, isPromise(answer) ? answer.catch(failed) : answer);
    },
  });
}

/** A `BadValue` refuses the value, thrown as well as answered. */
function withCaughtParse<F extends Flags>(flags: F): F {
  const caught = Object.entries(flags).map(([key, flag]) => {
    const { parse } = flag;
    if (parse === undefined) return [key, flag];
    const quietly = (text: string, option: string): unknown => {
      try {
        return parse(text, option);
      } catch (error) {
        if (error instanceof BadValue) return error;
        throw error;
      }
    };
    return [key, { ...flag, parse: quietly }];
  });
  // The same keys, and of each value only how it fails is another.
  return Object.fromEntries(caught) as F;
}

/** What a command lets out and is its failure. What ends a run goes on up, and so does a bug, to be seen with where it came from. */
function thrown(
  context: Parameters<typeof usageFailure>[0] & { failed(what: string, error: unknown): 0 | 1 },
  usageStatus: number | undefined,
  error: unknown,
): Awaitable<number> {
  if (error instanceof BadValue) {
    if (error.hint) return usageFailure(context, error.message, error.status ?? usageStatus);
    context.complain(error.message);
    return error.status ?? usageStatus ?? 1;
  }
  // Without a path it is the output that failed, for which the shell has its words.
  if (!isFsError(error) || error.path === '') throw error;
  return context.failed(error.path, error);
}

function checkFields(whose: string, before: string, given: object, rules: { readonly [key: string]: Rule }): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(rules, name)) continue;
    throw new TypeError(`${whose}: ${before}${name} is not one of ${Object.keys(rules).join(' ')}`);
  }
  const values: { readonly [key: string]: unknown } = { ...given };
  for (const [name, rule] of Object.entries(rules)) {
    const value = values[name];
    const left = value === undefined && !('required' in rule);
    if (!left && !rule.holds(value)) throw new TypeError(`${whose}: ${before}${name} must be ${rule.what}`);
  }
}

function spellings(flag: Readonly<Record<string, unknown>>): string[] {
  const long = Array.isArray(flag['long']) ? flag['long'] : isText(flag['long']) ? [flag['long']] : [];
  const letters = isText(flag['short']) ? [...flag['short']] : [];
  return [...letters.map((letter) => `-${letter}`), ...long.map((name) => `--${name}`)];
}

/** A command that forgets to say its status must not have succeeded. */
function answered<T>(whose: string, answer: T): T {
  const check = (status: unknown): void => {
    if (!isStatus(status))
      throw new TypeError(`${whose}: run must answer a whole number from 0 to 255, its exit status`);
  };
  if (answer instanceof Promise) {
    return answer.then((status: unknown) => {
      check(status);
      return status;
    }) as T;
  }
  check(answer);
  return answer;
}
