/** What md5sum, sha1sum, sha256sum and sha512sum have in common: all but the sum. */
import { createHash } from 'node:crypto';
import { isFsError } from '../../../src/errors.js';
import { type Awaitable, andThen } from '../../../src/steps.js';
import { fromByteString, toByteString } from '../../../src/text/bytes.js';
import { gnuQuote, gnuQuoteIfNeeded } from '../../../src/text/quote.js';
import type { Context } from '../context.js';
import { type Builtin, defineBuiltin, type Flags, type Parsed, usageFailure } from '../define.js';
import { failingAs } from '../failing.js';
import { lastOf } from '../given.js';
import { chunksOf, eachInput, type InputContext, isReadFailure, linesOf } from '../input.js';
import { forEach } from '../repeat.js';
import { readSum, writeSum } from './lines.js';

const FLAGS = {
  binary: { short: 'b', long: 'binary', help: 'mark names with a star' },
  check: { short: 'c', long: 'check', help: 'read sums from the FILEs and check them' },
  ignoreMissing: { long: 'ignore-missing', help: 'with -c: do not fail for files that are not there' },
  quiet: { long: 'quiet', help: 'with -c: do not print OK for each file' },
  status: { long: 'status', help: 'with -c: print nothing, the status tells' },
  strict: { long: 'strict', help: 'with -c: fail for lines that are no sums' },
  tag: { long: 'tag', help: 'write the sum as BSD does' },
  text: { short: 't', long: 'text', help: 'mark names with a blank (the default)' },
  warn: { short: 'w', long: 'warn', help: 'with -c: say which lines are no sums' },
  zero: { short: 'z', long: 'zero', help: 'end lines with NUL, and escape no names' },
} as const satisfies Flags;

type SumContext = Context<'read'> & Parsed<typeof FLAGS>;

/** Flags that mean something only with `-c`. */
const CHECKING = ['ignoreMissing', 'status', 'warn', 'quiet', 'strict'] as const;
const SPELLINGS = { ignoreMissing: 'ignore-missing', status: 'status', warn: 'warn', quiet: 'quiet', strict: 'strict' };

export function digestCommand(name: string, algorithm: string, tag: string, digits: number): Builtin {
  return defineBuiltin({
    name,
    summary: `print or check ${tag} sums`,
    needs: ['read'],
    usage: `${name} [OPTION]... [FILE]...`,
    notes: 'With no FILE, or when FILE is -, read standard input.',
    flags: FLAGS,
    statuses: { 0: 'all sums were printed, or are right', 1: 'a file could not be read, or a sum is wrong' },

    run(context) {
      const { flags, given } = context;
      const checks = flags.check === true;
      const binary = lastOf(given, ['binary', 'text'])?.flag;
      // After -t, --tag means binary.
      if (flags.tag === true && lastOf(given, ['binary', 'text', 'tag'])?.flag === 'text')
        return usageFailure(context, '--tag does not support --text mode');
      if (flags.zero === true && checks) {
        return usageFailure(context, 'the --zero option is not supported when verifying checksums');
      }
      if (flags.tag === true && checks) {
        return usageFailure(context, 'the --tag option is meaningless when verifying checksums');
      }
      if (binary !== undefined && checks) {
        return usageFailure(context, 'the --binary and --text options are meaningless when verifying checksums');
      }
      // Of these three the last one holds.
      const loud = lastOf(given, ['status', 'warn', 'quiet'])?.flag;
      const isWrong = (flag: (typeof CHECKING)[number]) =>
        flag === 'ignoreMissing' || flag === 'strict' ? flags[flag] === true : flag === loud;
      const wrong = checks ? undefined : CHECKING.find(isWrong);
      if (wrong !== undefined) {
        return usageFailure(context, `the --${SPELLINGS[wrong]} option is meaningful only when verifying checksums`);
      }
      const input = failingAs(context, gnuQuoteIfNeeded);
      if (checks) return new Check(context, algorithm, tag, digits).run();
      const style = {
        binary: binary === 'binary',
        tag: flags.tag === true ? tag : undefined,
        end: flags.zero === true ? '\0' : '\n',
      };
      const operands = context.operands.length === 0 ? ['-'] : context.operands;
      return digestEach(input, algorithm, operands, (operand, sum) =>
        context.out.write(Buffer.from(writeSum(sum, toByteString(operand), style), 'latin1')),
      );
    },
  });
}

function digestEach(
  input: InputContext,
  algorithm: string,
  operands: readonly string[],
  report: (operand: string, sum: string) => Awaitable<void>,
): Awaitable<number> {
  return eachInput(input, operands, (source, operand) => {
    const hash = createHash(algorithm);
    const read = chunksOf(input, source, (chunk) => {
      hash.update(chunk);
      return undefined;
    });
    return andThen(read, () => andThen(report(operand, hash.digest('hex')), () => false));
  });
}

/** `-c`: the sums of one list after the other. */
class Check {
  private failed = false;
  private malformed = 0;
  private wellFormed = 0;
  private matched = 0;
  private mismatched = 0;
  private unreadable = 0;
  private readonly context: SumContext;
  private readonly algorithm: string;
  private readonly tag: string;
  private readonly digits: number;

  constructor(context: SumContext, algorithm: string, tag: string, digits: number) {
    this.context = context;
    this.algorithm = algorithm;
    this.tag = tag;
    this.digits = digits;
  }

  run(): Awaitable<number> {
    const lists = this.context.operands.length === 0 ? ['-'] : this.context.operands;
    const failed = (operand: string, error: unknown): 1 => {
      if (!isFsError(error)) throw error;
      // GNU opens a directory, and has no word for why it cannot be read.
      const name = operand === '-' ? gnuQuote('standard input') : gnuQuoteIfNeeded(operand);
      this.context.complain(`${name}: ${isReadFailure(error) ? 'read error' : error.message}`);
      return 1;
    };
    const input: SumContext = Object.create(this.context, { failed: { value: failed } });
    return andThen(
      forEach(lists, (list) => andThen(this.list(input, list), () => false)),
      () => (this.failed ? 1 : 0),
    );
  }

  private list(input: SumContext, list: string): Awaitable<undefined> {
    this.malformed = this.wellFormed = this.matched = this.mismatched = this.unreadable = 0;
    let number = 0;
    const read = eachInput(input, [list], (source) =>
      andThen(
        linesOf(input, source, 10, (line) => {
          number++;
          if (line.startsWith('#')) return false;
          const sum = readSum(line.endsWith('\r') ? line.slice(0, -1) : line, this.tag, this.digits);
          if (sum !== undefined) return andThen(this.one(fromByteString(sum.name), sum.sum), () => false);
          this.malformed++;
          if (this.context.flags.warn === true) {
            this.context.complain(`${shown(list)}: ${number}: improperly formatted ${this.tag} checksum line`);
          }
          return false;
        }),
        () => false,
      ),
    );
    return andThen(read, (status) => {
      if (status === 0) this.conclude(list);
      else this.failed = true;
      return undefined;
    });
  }

  private one(name: string, sum: string): Awaitable<undefined> {
    const { flags, out } = this.context;
    this.wellFormed++;
    const say = (verdict: string): Awaitable<void> => {
      const line = `${name.includes('\n') ? `\\${name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}` : name}: ${verdict}\n`;
      return flags.status === true ? undefined : out.write(line);
    };
    let missing = false;
    const input = Object.create(failingAs(this.context, gnuQuoteIfNeeded), {
      failed: {
        value: (operand: string, error: unknown): 1 => {
          if (!isFsError(error)) throw error;
          if (error.code === 'ENOENT' && flags.ignoreMissing === true) missing = true;
          else this.context.complain(`${gnuQuoteIfNeeded(operand)}: ${error.message}`);
          return 1;
        },
      },
    }) as InputContext;
    const done = digestEach(input, this.algorithm, [name], (_, found) => {
      if (found === sum) {
        this.matched++;
        return flags.quiet === true ? undefined : say('OK');
      }
      this.mismatched++;
      return say('FAILED');
    });
    return andThen(done, (status): Awaitable<undefined> => {
      if (status === 0 || missing) return undefined;
      this.unreadable++;
      return andThen(say('FAILED open or read'), () => undefined);
    });
  }

  private conclude(list: string): void {
    const { flags } = this.context;
    const complain = (message: string): void => this.context.complain(message);
    if (this.wellFormed === 0) {
      complain(`${shown(list)}: no properly formatted checksum lines found`);
      this.failed = true;
      return;
    }
    const count = (number: number, one: string, many: string): void => {
      if (number > 0 && flags.status !== true) complain(`WARNING: ${number} ${number === 1 ? one : many}`);
    };
    count(this.malformed, 'line is improperly formatted', 'lines are improperly formatted');
    count(this.unreadable, 'listed file could not be read', 'listed files could not be read');
    count(this.mismatched, 'computed checksum did NOT match', 'computed checksums did NOT match');
    const none = flags.ignoreMissing === true && this.matched === 0;
    if (none && flags.status !== true) complain(`${shown(list)}: no file was verified`);
    const strict = flags.strict === true && this.malformed > 0;
    if (this.mismatched > 0 || this.unreadable > 0 || strict || this.matched === 0) this.failed = true;
  }
}

function shown(list: string): string {
  return list === '-' ? gnuQuote('standard input') : gnuQuoteIfNeeded(list);
}
