/** nl: number lines. */
import { limitReached } from '../src/limits.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { compileRegex, type Regex, RegexError } from '../src/text/regex/index.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachLine } from './kit/input.js';
import { parseInteger, wholeNumber } from './kit/numbers.js';
import { lineWriter } from './kit/output.js';

type Style = 'all' | 'text' | 'none' | Regex;

export const nl = defineBuiltin({
  name: 'nl',
  summary: 'number lines',
  needs: ['read'],
  usage: 'nl [OPTION]... [FILE]...',
  notes: `STYLE is a (all lines), t (lines with text), n (none) or pBRE (lines that match BRE). FORMAT is ln, rn or rz. Logical pages begin with
a line of three times CC (header), then twice (body) and once (footer).`,
  flags: {
    body: {
      short: 'b',
      long: 'body-numbering',
      value: 'STYLE',
      parse: style('body'),
      help: 'how to number body lines; t',
    },
    delimiter: { short: 'd', long: 'section-delimiter', value: 'CC', help: 'what separates pages; \\:' },
    footer: {
      short: 'f',
      long: 'footer-numbering',
      value: 'STYLE',
      parse: style('footer'),
      help: 'how to number footers; n',
    },
    header: {
      short: 'h',
      long: 'header-numbering',
      value: 'STYLE',
      parse: style('header'),
      help: 'how to number headers; n',
    },
    increment: {
      short: 'i',
      long: 'line-increment',
      value: 'NUMBER',
      parse: signed('line number increment'),
      help: 'what to add at each line; 1',
    },
    join: {
      short: 'l',
      long: 'join-blank-lines',
      value: 'NUMBER',
      parse: positive('line number of blank lines'),
      help: 'so many empty lines count as one; 1',
    },
    format: {
      short: 'n',
      long: 'number-format',
      value: 'FORMAT',
      parse: format,
      help: 'left, right, or right with zeros; rn',
    },
    continues: { short: 'p', long: 'no-renumber', help: 'do not begin again at each page' },
    separator: { short: 's', long: 'number-separator', value: 'STRING', help: 'what follows the number; a tab' },
    start: {
      short: 'v',
      long: 'starting-line-number',
      value: 'NUMBER',
      parse: signed('starting line number'),
      help: 'first number of a page; 1',
    },
    width: {
      short: 'w',
      long: 'number-width',
      value: 'NUMBER',
      parse: positive('line number field width'),
      help: 'columns of a number; 6',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },

  run(context) {
    const { flags } = context;
    const out = lineWriter(context.out);
    const pair = toByteString(flags.delimiter ?? '\\:');
    const mark = pair.length === 1 ? `${pair}:` : pair;
    const separator = toByteString(flags.separator ?? '\t');
    const width = flags.width ?? 6;
    const styles = { header: flags.header ?? 'none', body: flags.body ?? 'text', footer: flags.footer ?? 'none' };
    const start = flags.start ?? 1n;
    const join = flags.join ?? 1;
    let section: Style = styles.body;
    let number = start;
    let blanks = 0;
    const { maxStringBytes } = context.limits;
    if (width + separator.length > maxStringBytes) throw limitReached('maxStringBytes', maxStringBytes);
    const empty = ' '.repeat(width + separator.length);

    const numbered = (): string => {
      const text = padNumber(number, width, flags.format ?? 'rn');
      number += flags.increment ?? 1n;
      return text + separator;
    };
    const head = (line: string): string => {
      if (section === 'none') return empty;
      if (section === 'text') return line === '' ? empty : numbered();
      if (section !== 'all') return section.test(line) ? numbered() : empty;
      if (join > 1 && line === '' && ++blanks !== join) return empty;
      blanks = 0;
      return numbered();
    };
    const sectionOf = (line: string): Style | undefined => {
      if (mark === '' || line === '') return undefined;
      if (line === mark + mark + mark) return styles.header;
      if (line === mark + mark) return styles.body;
      return line === mark ? styles.footer : undefined;
    };

    const status = eachLine(
      failingAs(context, gnuQuoteIfNeeded),
      context.operands,
      10,
      (line): Awaitable<undefined> => {
        const next = sectionOf(line);
        if (next === undefined) return andThen(out.write(`${head(line)}${line}\n`), () => undefined);
        section = next;
        if (flags.continues !== true) number = start;
        return andThen(out.write('\n'), () => undefined);
      },
    );
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});

function padNumber(number: bigint, width: number, how: 'ln' | 'rn' | 'rz'): string {
  const text = String(number);
  if (how === 'ln') return text.padEnd(width);
  if (how === 'rn') return text.padStart(width);
  return number < 0n ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}

function style(section: string): (text: string) => Style | BadValue {
  return (text) => {
    if (text === 'a') return 'all';
    if (text === 't') return 'text';
    if (text === 'n') return 'none';
    if (!text.startsWith('p')) return new BadValue(`invalid ${section} numbering style: ${gnuQuoteValue(text)}`, true);
    const regex = compileRegex(text.slice(1), { syntax: 'basic' });
    return regex instanceof RegexError ? new BadValue(regex.message) : regex;
  };
}

function format(text: string): 'ln' | 'rn' | 'rz' | BadValue {
  if (text === 'ln' || text === 'rn' || text === 'rz') return text;
  return new BadValue(`invalid line numbering format: ${gnuQuoteValue(text)}`, true);
}

function signed(what: string): (text: string) => bigint | BadValue {
  return (text) => {
    const read = parseInteger(text, { signed: true });
    if (read.kind === 'value') return read.value;
    const why = read.kind === 'overflow' ? ': Value too large for defined data type' : '';
    return new BadValue(`invalid ${what}: ${gnuQuoteValue(text)}${why}`);
  };
}

/** As other numbers; a negative one is out of range. */
function positive(name: string): (text: string) => number | BadValue {
  const what = `invalid ${name}`;
  const read = wholeNumber(what, { min: 1, max: 2 ** 31 - 1 });
  return (text) =>
    /^[ \t]*-[0-9]+$/.test(text)
      ? new BadValue(`${what}: ${gnuQuoteValue(text)}: Numerical result out of range`)
      : read(text);
}
