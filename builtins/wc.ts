/** wc: count lines, words and bytes. */
import { type Awaitable, andThen, type Waiting } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded } from '../src/text/quote.js';
import type { Context } from './kit/context.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';
import { forEach } from './kit/repeat.js';
import { Counter, type Wanted } from './wc/count.js';

export const wc = defineBuiltin({
  name: 'wc',
  summary: 'count lines, words and bytes',
  needs: ['read'],
  usage: 'wc [OPTION]... [FILE]...',
  notes:
    'With no FILE, or when FILE is -, read standard input. Counts are printed in the order: lines, words, characters, bytes, longest line.',
  flags: {
    bytes: { short: 'c', long: 'bytes', help: 'print the bytes' },
    characters: { short: 'm', long: 'chars', help: 'print the characters' },
    lines: { short: 'l', long: 'lines', help: 'print the newlines' },
    longest: { short: 'L', long: 'max-line-length', help: 'print the width of the longest line' },
    words: { short: 'w', long: 'words', help: 'print the words' },
  },
  statuses: { 0: 'every file was counted', 1: 'some file could not be read' },

  run(context) {
    const { flags, operands } = context;
    const named = flags.lines || flags.words || flags.characters || flags.bytes || flags.longest;
    const wanted: Wanted = {
      lines: named === undefined || flags.lines === true,
      words: named === undefined || flags.words === true,
      characters: flags.characters === true,
      bytes: named === undefined || flags.bytes === true,
      longest: flags.longest === true,
    };
    const total = new Counter(wanted);
    const width = columnWidth(context, wanted);
    /** Lines that wait for their width: the size of a file on the standard input is known when it is read. */
    const waiting: ((columns: number) => Waiting)[] = [];
    let inputBytes = 0;

    const print = (counter: Counter, name: string | undefined, columns: number): Waiting =>
      context.out.write(`${countsOf(counter, wanted, columns)}${name === undefined ? '' : ` ${name}`}\n`);

    const report = (counter: Counter, operand: string | undefined): Waiting => {
      total.lines += counter.lines;
      total.words += counter.words;
      total.characters += counter.characters;
      total.bytes += counter.bytes;
      total.longest = Math.max(total.longest, counter.longest);
      const name = operand === undefined ? undefined : gnuQuoteIfNeeded(operand);
      if (width.known) return print(counter, name, width.columns);
      if (operand === undefined || operand === '-') inputBytes += counter.bytes;
      waiting.push((columns) => print(counter, name, columns));
      return undefined;
    };

    const input = failingAs(context, (operand, reading) => {
      if (reading) unread ??= new Counter(wanted);
      return operand !== '-' ? gnuQuoteIfNeeded(operand) : operands.length === 0 ? gnuQuote('standard input') : operand;
    });
    /** What was counted of an input before it could not be read; GNU prints that. */
    let unread: Counter | undefined;
    let status = 0;
    const name = (operand: string): string | undefined => (operands.length === 0 ? undefined : operand);
    const one = (operand: string): Awaitable<number> => {
      if (operand === '') {
        context.complain('invalid zero-length file name');
        status = 1;
        return 0;
      }
      return andThen(
        eachInput(input, [operand], (source) => {
          const counter = new Counter(wanted);
          unread = counter;
          const counted = chunksOf(context, source, (chunk) => {
            counter.take(chunk);
            return undefined;
          });
          return andThen(counted, () => {
            counter.end();
            unread = undefined;
            return andThen(report(counter, name(operand)), () => false);
          });
        }),
        (result) => {
          status = Math.max(status, result);
          const counter = unread;
          unread = undefined;
          if (counter === undefined) return 0;
          counter.end();
          return andThen(report(counter, name(operand)), () => 0);
        },
      );
    };

    const all = operands.length === 0 ? ['-'] : operands;
    const done = all.reduce<Awaitable<number>>((before, operand) => andThen(before, () => one(operand)), 0);
    return andThen(done, () => {
      const columns = width.known ? width.columns : Math.max(width.columns, String(width.others + inputBytes).length);
      const lines = all.length < 2 ? waiting : [...waiting, () => print(total, 'total', columns)];
      return andThen(
        forEach(lines, (line) => andThen(line(columns), () => undefined)),
        () => status,
      );
    });
  },
});

interface Width {
  /** False: the size of a file on the standard input is still to be added to that of the `others`. */
  readonly known: boolean;
  /** As far as it is known. */
  readonly columns: number;
  /** Bytes. */
  readonly others: number;
}

/**
 * GNU's columns: as wide as the sizes of all regular files together, at least 7 when something else is read; 1 for one count of
 * one file.
 */
function columnWidth(context: Context<'read'> & { readonly operands: readonly string[] }, wanted: Wanted): Width {
  const { operands } = context;
  const counts = Object.values(wanted).filter(Boolean).length;
  if (operands.length <= 1 && counts === 1) return { known: true, columns: 1, others: 0 };
  let others = 0;
  let columns = 1;
  let known = true;
  for (const operand of operands.length === 0 ? ['-'] : operands) {
    const stat = operand === '-' ? undefined : context.fs.tryStat(operand);
    if (stat?.kind === 'file') others += stat.size;
    else if (operand === '-' && context.stdinFacts?.file !== undefined) known = false;
    else if (stat !== undefined || operand === '-') columns = 7;
  }
  return { known, columns: Math.max(columns, String(others).length), others };
}

function countsOf(counter: Counter, wanted: Wanted, columns: number): string {
  const counts: number[] = [];
  if (wanted.lines) counts.push(counter.lines);
  if (wanted.words) counts.push(counter.words);
  if (wanted.characters) counts.push(counter.characters);
  if (wanted.bytes) counts.push(counter.bytes);
  if (wanted.longest) counts.push(counter.longest);
  return counts.map((count) => String(count).padStart(columns)).join(' ');
}
