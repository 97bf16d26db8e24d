/** paste: lines of several files side by side. */
import { isFsError } from '../src/errors.js';
import type { ByteSource } from '../src/io/streams.js';
import { type Awaitable, andThen, rescue } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachInput, type InputContext, linesOf } from './kit/input.js';
import { LineReader, withSources } from './kit/line-reader.js';
import { lineWriter } from './kit/output.js';
import { forEach, repeat } from './kit/repeat.js';

export const paste = defineBuiltin({
  name: 'paste',
  summary: 'lines of several files side by side',
  needs: ['read'],
  usage: 'paste [OPTION]... [FILE]...',
  notes: 'With no FILE, or when FILE is -, read standard input.',
  flags: {
    delimiters: {
      short: 'd',
      long: 'delimiters',
      value: 'LIST',
      help: 'put these characters in turn between lines, not tabs',
    },
    serial: { short: 's', long: 'serial', help: 'one file after the other, each on a line' },
    zero: { short: 'z', long: 'zero-terminated', help: 'lines end with NUL' },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },

  run(context) {
    const { flags } = context;
    const operands = context.operands.length === 0 ? ['-'] : context.operands;
    const delimiters = parseDelimiters(toByteString(flags.delimiters ?? '\\t'));
    if (delimiters === undefined) {
      context.complain(`delimiter list ends with an unescaped backslash: ${flags.delimiters}`);
      return 1;
    }
    const end = flags.zero === true ? '\0' : '\n';
    const between = (column: number): string => delimiters[column % delimiters.length] ?? '';
    const out = lineWriter(context.out);

    if (flags.serial === true) {
      let failed = 0;
      const reading = failingAs(context, gnuQuoteIfNeeded);
      const status = eachInput(reading, operands, (source, operand) => {
        let column = 0;
        const read = () =>
          linesOf(context, source, end.charCodeAt(0), (line) => {
            const text = (column === 0 ? '' : between(column - 1)) + line;
            column++;
            return andThen(out.write(text), () => undefined);
          });
        const ended = rescue(
          () => read(),
          (error) => {
            failed = reading.failed(operand, error);
            return true;
          },
        );
        return andThen(ended, () => andThen(out.write(end), () => false));
      });
      return andThen(status, (result) => andThen(out.end(), () => Math.max(result, failed)));
    }

    return withSources(openingDirectories(context), operands, gnuQuoteIfNeeded, (sources) => {
      const shared = new Map(sources.map((source) => [source, new LineReader(context, source, end.charCodeAt(0))]));
      const readers = sources.map((source) => shared.get(source) as LineReader);
      let status = 0;
      const row = (): Awaitable<true | undefined> => {
        let text = '';
        let any = false;
        const cells = forEach(readers, (reader, column) =>
          andThen(
            rescue(
              () => reader.next(),
              (error) => {
                status = context.failed(gnuQuoteIfNeeded(operands[column] as string), error);
                return undefined;
              },
            ),
            (line) => {
              if (line !== undefined) any = true;
              text += (column === 0 ? '' : between(column - 1)) + (line ?? '');
              return false;
            },
          ),
        );
        return andThen(cells, () => (any ? andThen(out.write(text + end), () => undefined) : true));
      };
      return andThen(repeat<true>(row), () => andThen(out.end(), () => status));
    });
  },
});

/** A directory fails when it is read, not when it is opened: the columns beside it are printed. */
function openingDirectories<C extends InputContext>(context: C): C {
  const openSource = (path: string): ByteSource => {
    try {
      return context.openSource(path);
    } catch (error) {
      if (!isFsError(error) || error.code !== 'EISDIR') throw error;
      const fill = (): never => {
        throw error;
      };
      return { buffer: Buffer.alloc(0), start: 0, end: 0, owned: true, fill, close() {} };
    }
  };
  const derived: C = Object.create(context, { openSource: { value: openSource } });
  return derived;
}

/** Each is a byte, or nothing (`\0`). Undefined when a backslash ends the list. */
function parseDelimiters(list: string): readonly string[] | undefined {
  const special: { readonly [letter: string]: string } = {
    '0': '',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  };
  const delimiters: string[] = [];
  for (let i = 0; i < list.length; i++) {
    const unit = list[i] as string;
    if (unit !== '\\') delimiters.push(unit);
    else {
      const next = list[++i];
      if (next === undefined) return undefined;
      delimiters.push(special[next] ?? next);
    }
  }
  return delimiters.length === 0 ? [''] : delimiters;
}
