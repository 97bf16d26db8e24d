/** uniq: lines that are the same as the one before, once. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, lastly } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { choose } from './kit/choice.js';
import type { Output, OutputFile } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { eachLine, isReadFailure } from './kit/input.js';
import { parseInteger } from './kit/numbers.js';
import { lineWriter } from './kit/output.js';

export const uniq = defineBuiltin({
  name: 'uniq',
  summary: 'lines that are the same as the one before, once',
  needs: ['read', 'write'],
  usage: 'uniq [OPTION]... [INPUT [OUTPUT]]',
  notes: 'METHOD puts empty lines between groups: none (the default), prepend or separate.',
  flags: {
    count: { short: 'c', long: 'count', help: 'print how often each line came' },
    repeated: { short: 'd', long: 'repeated', help: 'only lines that came more than once, one of each' },
    all: { short: 'D', help: 'all lines that came more than once' },
    allRepeated: { long: 'all-repeated', value: 'METHOD', optional: true, parse: methodOf, help: 'as -D' },
    fields: {
      short: 'f',
      long: 'skip-fields',
      value: 'N',
      parse: count('fields to skip'),
      help: 'do not compare the first N fields',
    },
    group: {
      long: 'group',
      value: 'METHOD',
      optional: true,
      parse: frameOf,
      help: 'all lines, with empty ones between groups: separate (the default), prepend, append or both',
    },
    ignoreCase: { short: 'i', long: 'ignore-case', help: 'upper and lower case are the same' },
    characters: {
      short: 's',
      long: 'skip-chars',
      value: 'N',
      parse: count('bytes to skip'),
      help: 'do not compare the first N bytes',
    },
    unique: { short: 'u', long: 'unique', help: 'only lines that came once' },
    width: {
      short: 'w',
      long: 'check-chars',
      value: 'N',
      parse: count('bytes to compare'),
      help: 'compare no more than N bytes',
    },
    zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
  },
  statuses: { 0: 'all input was read', 1: 'something failed' },

  run(context) {
    const { flags, operands } = context;
    const method = flags.all === true ? 'none' : undefined;
    const groups = flags.allRepeated === true ? 'none' : (flags.allRepeated ?? method);
    const frame = flags.group === true ? 'separate' : flags.group;
    const [inputName = '-', outputName = '-', extra] = operands;
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    if (frame !== undefined && (flags.count || flags.repeated || flags.unique || groups !== undefined)) {
      return usageFailure(context, '--group is mutually exclusive with -c/-d/-D/-u');
    }
    if (flags.count === true && groups !== undefined) {
      return usageFailure(context, 'printing all duplicated lines and repeat counts is meaningless');
    }
    const style: Style = {
      count: flags.count === true,
      single: flags.repeated !== true && groups === undefined,
      first: flags.unique !== true,
      later: groups !== undefined,
      groups: groups ?? 'none',
      end: flags.zero === true ? '\0' : '\n',
      key: keyOf(flags.fields ?? 0, flags.characters ?? 0, flags.width, flags.ignoreCase === true),
    };
    const input = Object.create(context, {
      failed: {
        value(operand: string, error: unknown) {
          if (!isFsError(error)) throw error;
          // GNU has no word for why an input cannot be read.
          const unread = `error reading ${gnuQuote(operand)}`;
          context.complain(isReadFailure(error) ? unread : `${gnuQuoteIfNeeded(operand)}: ${error.message}`);
          return 1;
        },
      },
    }) as typeof context;

    const work = (out: Output): Awaitable<number> => {
      const groupsOut = frame === undefined ? new Groups(style, out) : new Framed(style, frame, out);
      const read = eachLine(input, [inputName], style.end.charCodeAt(0), (line) =>
        andThen(groupsOut.take(line), () => undefined),
      );
      return andThen(read, (status) => andThen(groupsOut.end(), () => status));
    };
    if (outputName === '-') return work(context.out);
    // The input first: what cannot be read must not empty the output.
    if (inputName !== '-') {
      try {
        context.openSource(inputName).close();
      } catch (error) {
        return input.failed(inputName, error);
      }
    }
    let sink: OutputFile;
    try {
      sink = context.openSink(outputName, { truncate: true });
    } catch (error) {
      return context.failed(gnuQuoteIfNeeded(outputName), error);
    }
    return lastly(
      () => work(sink),
      () => void sink.close(),
    );
  },
});

type Method = 'none' | 'prepend' | 'separate';
type Frame = 'prepend' | 'append' | 'separate' | 'both';

interface Style {
  readonly count: boolean;
  /** Lines that came once are printed. */
  readonly single: boolean;
  /** Of several, the first is printed. */
  readonly first: boolean;
  /** Of several, those after the first are printed. */
  readonly later: boolean;
  readonly groups: Method;
  readonly end: string;
  readonly key: (line: string) => string;
}

class Groups {
  private previous: string | undefined;
  private previousKey = '';
  /** How often the previous line came again. */
  private matches = 0;
  private anyGroup = false;
  private readonly style: Style;
  private readonly out: ReturnType<typeof lineWriter>;

  constructor(style: Style, out: Output) {
    this.style = style;
    this.out = lineWriter(out);
  }

  take(line: string): Awaitable<undefined> {
    const key = this.style.key(line);
    if (this.previous === undefined) {
      this.previous = line;
      this.previousKey = key;
      return undefined;
    }
    const match = key === this.previousKey;
    let text = '';
    if (!match) {
      if (this.matches > 0) this.anyGroup = true;
    } else if (++this.matches === 1) {
      const { groups, end } = this.style;
      if (groups === 'prepend' || (groups === 'separate' && this.anyGroup)) text = end;
    }
    if (!match || this.style.later) {
      text += this.shown(this.previous, match);
      this.previous = line;
      this.previousKey = key;
      if (!match) this.matches = 0;
    }
    return text === '' ? undefined : (this.out.write(text) as Awaitable<undefined>);
  }

  end(): Awaitable<undefined> {
    const text = this.previous === undefined ? '' : this.shown(this.previous, false);
    return andThen(this.out.write(text), () => this.out.end() as Awaitable<undefined>);
  }

  private shown(line: string, match: boolean): string {
    const { style, matches } = this;
    const wanted = matches === 0 ? style.single : match ? style.later : style.first;
    if (!wanted) return '';
    return `${style.count ? `${String(matches + 1).padStart(7)} ` : ''}${line}${style.end}`;
  }
}

/** `--group`: every line, and empty ones around the groups. */
class Framed {
  private previousKey: string | undefined;
  private readonly style: Style;
  private readonly frame: Frame;
  private readonly out: ReturnType<typeof lineWriter>;

  constructor(style: Style, frame: Frame, out: Output) {
    this.style = style;
    this.frame = frame;
    this.out = lineWriter(out);
  }

  take(line: string): Awaitable<undefined> {
    const { frame, previousKey } = this;
    const { key: keyOfLine, end } = this.style;
    const key = keyOfLine(line);
    const begins = key !== previousKey;
    const divided = begins && (previousKey !== undefined || frame === 'prepend' || frame === 'both');
    this.previousKey = key;
    return this.out.write(`${divided ? end : ''}${line}${end}`) as Awaitable<undefined>;
  }

  end(): Awaitable<undefined> {
    const closes = this.previousKey !== undefined && (this.frame === 'append' || this.frame === 'both');
    return andThen(this.out.write(closes ? this.style.end : ''), () => this.out.end() as Awaitable<undefined>);
  }
}

function methodOf(text: string): Method | BadValue {
  return choose(text, [['none'], ['prepend'], ['separate']], '--all-repeated');
}

function frameOf(text: string): Frame | BadValue {
  return choose(text, [['prepend'], ['append'], ['separate'], ['both']], '--group');
}

function count(what: string): (text: string) => number | BadValue {
  return (text) => {
    const read = parseInteger(text);
    if (read.kind === 'value' || read.kind === 'overflow') return Number(read.value);
    return new BadValue(`${text}: invalid number of ${what}`);
  };
}

/** The part of a line that is compared. */
function keyOf(
  fields: number,
  characters: number,
  width: number | undefined,
  ignoreCase: boolean,
): (line: string) => string {
  const part = (line: string): string => {
    let at = 0;
    for (let left = fields; left > 0 && at < line.length; left--) {
      while (at < line.length && isBlank(line.charCodeAt(at))) at++;
      while (at < line.length && !isBlank(line.charCodeAt(at))) at++;
    }
    return line.slice(at + characters, width === undefined ? undefined : at + characters + width);
  };
  const plain = fields === 0 && characters === 0 && width === undefined ? (line: string) => line : part;
  return ignoreCase ? (line) => plain(line).replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : plain;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 9 || unit === 10;
}
