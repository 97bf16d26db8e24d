/** cat: print files one after the other. */

import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { catFormatter } from './cat/format.js';
import type { Context } from './kit/context.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';

export const cat = defineBuiltin({
  name: 'cat',
  summary: 'print files one after the other',
  needs: ['read'],
  usage: 'cat [OPTION]... [FILE]...',
  notes: 'With no FILE, or when FILE is -, read standard input.',
  flags: {
    numberNonblank: { short: 'b', long: 'number-nonblank', help: 'number lines that are not empty; overrides -n' },
    e: { short: 'e', help: 'the same as -vE' },
    number: { short: 'n', long: 'number', help: 'number all lines' },
    squeeze: { short: 's', long: 'squeeze-blank', help: 'print one empty line for several' },
    t: { short: 't', help: 'the same as -vT' },
    unbuffered: { short: 'u', help: 'no effect: output is never held back for long' },
    nonprinting: { short: 'v', long: 'show-nonprinting', help: 'print controls as ^X and high bytes as M-X' },
    ends: { short: 'E', long: 'show-ends', help: 'print $ at the end of each line' },
    tabs: { short: 'T', long: 'show-tabs', help: 'print tabs as ^I' },
    all: { short: 'A', long: 'show-all', help: 'the same as -vET' },
  },
  statuses: { 0: 'every file was printed', 1: 'some file could not be read' },

  run(context) {
    const { flags, out } = context;
    // It looks at its output before anything else, and is the only one that minds when there is nothing to print.
    if (out.facts.closed === true) {
      context.complain('standard output: Bad file descriptor');
      return 1;
    }
    const input = failingAs(context, gnuQuoteIfNeeded);
    const all = flags.all === true;
    const style = {
      number: flags.number === true && flags.numberNonblank !== true,
      numberNonblank: flags.numberNonblank === true,
      squeeze: flags.squeeze === true,
      ends: all || flags.ends === true || flags.e === true,
      tabs: all || flags.tabs === true || flags.t === true,
      nonprinting: all || flags.nonprinting === true || flags.e === true || flags.t === true,
    };
    const plain = !Object.values(style).some(Boolean);
    const formatter = plain ? undefined : catFormatter(style);
    let refused = false;
    const status = eachInput(input, context.operands, (source, operand) => {
      if (isOutput(context, operand)) {
        context.complain(`${gnuQuoteIfNeeded(operand)}: input file is output file`);
        refused = true;
        return false;
      }
      return chunksOf(context, source, (chunk, owned) => {
        if (formatter !== undefined) return formatter.take(chunk, out);
        return owned ? out.give(chunk) : out.write(chunk);
      });
    });
    return andThen(status, (done) => {
      const end = (): number => (refused ? 1 : done);
      return andThen(formatter?.end(out), end);
    });
  },
});

/** Copying a file that is not empty onto itself would never end. */
function isOutput(context: Context<'read'>, operand: string): boolean {
  const file = context.out.facts.file;
  if (file === undefined) return false;
  if (operand === '-') {
    const { file: input, origin } = context.stdinFacts ?? {};
    return input === file && !(origin?.kind === 'file' && origin.file.stat().size === 0);
  }
  const stat = context.fs.tryStat(operand);
  return stat !== undefined && stat.kind === 'file' && stat.size > 0 && `${stat.dev}:${stat.ino}` === file;
}
