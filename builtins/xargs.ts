/** xargs: build command lines from the standard input and run them. */

import { type Awaitable, andThen } from '../src/steps.js';
import { fromByteString } from '../src/text/bytes.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachInput, linesOf } from './kit/input.js';
import { forEach } from './kit/repeat.js';
import { Batches, sizeOf } from './xargs/batches.js';
import { parseDelimiter } from './xargs/delimiter.js';
import { shapeOf } from './xargs/shape.js';
import { UnmatchedQuote, WordReader } from './xargs/words.js';

const DEFAULT_BYTES = 128 * 1024;
/** Linux: two megabytes, less what POSIX wants left. */
const MOST_BYTES = 2 * 1024 * 1024 - 2048;

/** A number as xargs reads its options: refused in its own words. */
function number(least: number): (text: string, flag: string) => number | BadValue {
  return (text, flag) => {
    const letter = `-${LETTERS[flag] ?? flag.slice(1)}`;
    if (!/^[ \t]*[-+]?[0-9]+$/.test(text)) return new BadValue(`invalid number "${text}" for ${letter} option`, true);
    const value = Number(text);
    return value < least
      ? new BadValue(`value ${text.trim()} for ${letter} option should be >= ${least}`, true)
      : value;
  };
}

const LETTERS: { readonly [long: string]: string } = {
  '--max-args': 'n',
  '--max-lines': 'l',
  '--max-chars': 's',
  '--max-procs': 'P',
};

export const xargs = defineBuiltin({
  name: 'xargs',
  summary: 'build command lines from the standard input and run them',
  usage: 'xargs [OPTION]... [COMMAND [ARGUMENT]...]',
  needs: ['read', 'invoke'],
  options: 'leading',
  flags: {
    null: { short: '0', long: 'null', help: 'items end with a NUL; quotes and blanks are nothing special' },
    file: { short: 'a', long: 'arg-file', value: 'FILE', help: 'read items from FILE' },
    delimiter: {
      short: 'd',
      long: 'delimiter',
      value: 'C',
      parse: parseDelimiter,
      help: 'items end with C, a character or an escape',
    },
    end: { short: 'E', value: 'TEXT', help: 'an item that is TEXT ends the input' },
    endOptional: { short: 'e', long: 'eof', value: 'TEXT', optional: true, help: 'as -E, if TEXT is given' },
    replace: { short: 'I', value: 'R', help: 'a command for each line, with the line in place of each R' },
    replaceOptional: { short: 'i', long: 'replace', value: 'R', optional: true, help: 'as -I; R is {} if not given' },
    lines: { short: 'L', value: 'N', parse: number(1), help: 'at most N lines of input a command' },
    linesOptional: {
      short: 'l',
      long: 'max-lines',
      value: 'N',
      optional: true,
      parse: number(1),
      help: 'as -L; N is 1 if not given',
    },
    args: { short: 'n', long: 'max-args', value: 'N', parse: number(1), help: 'at most N items a command' },
    procs: {
      short: 'P',
      long: 'max-procs',
      value: 'N',
      parse: number(0),
      help: 'run up to N commands at once; 0: as many as possible',
    },
    skipEmpty: { short: 'r', long: 'no-run-if-empty', help: 'run nothing when there are no items' },
    bytes: { short: 's', long: 'max-chars', value: 'N', help: 'at most N bytes a command line' },
    verbose: { short: 't', long: 'verbose', help: 'print each command on the error stream' },
    exact: { short: 'x', long: 'exit', help: 'end when a line is longer than -s allows' },
  },
  notes:
    'The default COMMAND is echo. Only commands the policy allows are run. A line of items is not split for rm: write\n' +
    "'xargs -n 10 rm'.",
  statuses: {
    0: 'all commands succeeded',
    123: 'some command ended with 1 to 125',
    124: 'some command ended with 255',
    125: 'some command was ended by a signal',
    126: 'the command was found but not run',
    127: 'the command was not found',
    1: 'any other error',
  },

  run(context): Awaitable<number> {
    const { flags, operands, limits } = context;
    const shape = shapeOf(context.given, context.complain);
    const maxBytes = byteLimit(flags.bytes, context.complain);
    if (maxBytes instanceof BadValue) return usageFailure(context, maxBytes.message);
    const delimiter = delimiterOf(context.given);
    const end = delimiter === undefined ? shape.end : undefined;
    if (delimiter !== undefined && shape.end !== undefined) {
      context.complain('warning: the -E option has no effect if -0 or -d is used.\n');
    }
    const command = operands.length === 0 ? ['echo'] : operands;
    if (shape.replace === undefined && sizeOf(command) > maxBytes) {
      context.complain('cannot fit single argument within argument list size limit');
      return 1;
    }
    const batches = new Batches(context, {
      command,
      maxBytes,
      maxArguments: shape.args,
      exact: shape.strict && (shape.lines !== undefined || shape.args !== undefined),
      strict: shape.strict,
      parallel: flags.procs === undefined ? 1 : flags.procs === 0 ? limits.maxJobs : flags.procs,
      verbose: flags.verbose === true,
      sharesInput: flags.file !== undefined,
    });

    const isTooLong = (item: string) => !batches.fits(item, shape.replace === undefined);

    /** One item of the input; true at its end. */
    const take = (bytes: string): Awaitable<boolean> => {
      const item = fromByteString(withoutNul(bytes, delimiter, context.complain));
      // The word that ends the input has to fit as any other.
      if (isTooLong(item)) return andThen(batches.giveUp(tooLong), () => true);
      if (item === end) return true;
      const { replace } = shape;
      const added = replace === undefined ? batches.add(item) : batches.runWhole(replaced(command, replace, item));
      return andThen(added, () => batches.fatal !== undefined);
    };

    let lines = 0;
    /** A line that counts has ended; true when all is over. */
    const countLine = (): Awaitable<boolean> => {
      if (shape.lines === undefined || ++lines < shape.lines) return false;
      lines = 0;
      return andThen(batches.flush(), () => batches.fatal !== undefined);
    };

    const tooLong = 'argument line too long';
    const unmatched = ({ kind, begun }: UnmatchedQuote): Awaitable<boolean> => {
      const message = `unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`;
      return andThen(batches.giveUp(isTooLong(fromByteString(begun)) ? tooLong : message), () => true);
    };

    const words = new WordReader(shape.replace !== undefined);
    const readWords = (line: string, ended: boolean): Awaitable<boolean> => {
      const read = words.read(line, ended);
      if (read instanceof UnmatchedQuote) return andThen(forEach(read.words, take), (stop) => stop || unmatched(read));
      return andThen(forEach(read.words, take), (stop) => stop || (read.counts ? countLine() : false));
    };
    const readItem = (item: string): Awaitable<boolean> => andThen(take(item), (stop) => stop || countLine());

    const input = failingAs(context, (operand, reading) =>
      reading ? 'error reading the input, nothing more is run' : `Cannot open input file ${gnuQuoteValue(operand)}`,
    );
    const reading = eachInput(input, [flags.file ?? '-'], (source) =>
      delimiter === undefined
        ? andThen(linesOf(context, source, 0x0a, readWords), (stopped) => {
            const last = stopped ? undefined : words.end();
            return last === undefined ? stopped : take(last);
          })
        : linesOf(context, source, delimiter, readItem),
    );
    return andThen(reading, (status) => {
      if (status !== 0) return status;
      const runs = batches.ran || shape.replace !== undefined || flags.skipEmpty === true;
      const rest = batches.empty && runs ? undefined : batches.flush();
      return andThen(rest, () => batches.finish());
    });
  },
});

function delimiterOf(given: readonly { readonly flag: string; readonly value: unknown }[]): number | undefined {
  let delimiter: number | undefined;
  for (const { flag, value } of given) {
    if (flag === 'null') delimiter = 0;
    else if (flag === 'delimiter') delimiter = Number(value);
  }
  return delimiter;
}

/** `-s`: a number out of range is said and taken as the nearest. */
function byteLimit(text: string | undefined, complain: (message: string) => void): number | BadValue {
  if (text === undefined) return DEFAULT_BYTES;
  if (!/^[ \t]*[-+]?[0-9]+$/.test(text)) return new BadValue(`invalid number "${text}" for -s option`);
  const value = Number(text);
  if (value < 1) complain(`value ${text} for -s option should be >= 1`);
  else if (value > MOST_BYTES) complain(`value ${text} for -s option should be <= ${MOST_BYTES}`);
  return Math.max(1, Math.min(MOST_BYTES, value));
}

/** The command with the item in place of `mark` in its arguments, not in its name. */
function replaced(command: readonly string[], mark: string, item: string): readonly string[] {
  if (mark === '') return command;
  return command.map((word, i) => (i === 0 ? word : word.replaceAll(mark, () => item)));
}

/** An argument cannot hold a NUL. */
function withoutNul(bytes: string, delimiter: number | undefined, complain: (message: string) => void): string {
  const nul = delimiter === 0 ? -1 : bytes.indexOf('\0');
  if (nul < 0) return bytes;
  complain(
    'WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  Did you mean to use the --null option?',
  );
  return bytes.slice(0, nul);
}
