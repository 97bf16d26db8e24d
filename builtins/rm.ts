/** rm: remove files, never directories, and never more than the policy grants. */
import { isFsError } from '../src/errors.js';
import { type Awaitable, andThen, rescue } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { forEach } from './kit/repeat.js';

export const rm = defineBuiltin({
  name: 'rm',
  summary: 'remove files; directories are never removed',
  usage: 'rm [-v] FILE...',
  needs: ['remove'],
  remediationOnly: true,
  flags: {
    verbose: { short: 'v', long: 'verbose', help: "print removed 'FILE' for each file removed" },
    help: { short: 'h', long: 'help', help: 'print this help' },
  },
  notes:
    'A symbolic link is removed itself, never what it points to. Each removal draws\n' +
    'on the budget of the run; when that is spent rm stops at once. More operands\n' +
    'than one rm may have are refused before any is removed.',
  statuses: { 0: 'every file was removed', 1: 'some file was not' },
  unknownOptionHint: hint,

  run(context): Awaitable<number> {
    const { flags, operands, fs, limits, tick } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const most = limits.maxRemoveOperands;
    if (operands.length > most) {
      context.refused('operands');
      context.complain(`refusing to remove ${operands.length} files: exceeds the ${most}-file limit per invocation`);
      context.complain(`to remove in batches, write 'xargs -n ${most} rm' or 'find ... -exec rm {} \\;'`);
      return 1;
    }
    let status = 0;
    const remove = (file: string): Awaitable<boolean> => {
      let stop: boolean | undefined;
      const removed = rescue<void, void>(
        () => fs.remove(file),
        (error) => {
          status = context.failed(`cannot remove ${gnuQuote(file)}`, error);
          stop = isFsError(error) && error.code === 'BUDGET';
        },
      );
      return andThen(removed, () => {
        if (stop !== undefined || !flags.verbose) return stop === true;
        return andThen(context.out.write(`removed ${gnuQuote(file)}\n`), () => false);
      });
    };
    const each = forEach(operands, (file) => andThen(tick(), () => remove(file)));
    return andThen(each, () => status);
  },
});

/** What to write instead, by the options that runbooks use. */
const INSTEAD: readonly { readonly short: string; readonly long: readonly string[]; readonly text: string }[] = [
  {
    short: 'rRd',
    long: ['recursive', 'dir'],
    text: "directories are not removed: for the files below one write 'find DIR -type f -exec rm {} \\;', for an empty one 'rmdir DIR'",
  },
  { short: 'f', long: ['force'], text: "for a file that may be missing write 'if [ -e FILE ]; then rm FILE; fi'" },
  { short: 'iI', long: ['interactive'], text: "rm does not ask: look with 'ls -ld FILE...' first" },
  {
    short: '',
    long: ['preserve-root', 'no-preserve-root', 'one-file-system'],
    text: 'no directory is removed and none is entered: leave the option out',
  },
];

function hint(_option: string, argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const texts = INSTEAD.filter(({ short, long }) => words.slice(1).some((word) => asks(word, short, long)));
  return texts.length === 0 ? undefined : `rm: ${texts.map(({ text }) => text).join('; ')}`;
}

function asks(word: string, short: string, long: readonly string[]): boolean {
  if (word.startsWith('--')) return long.includes(word.slice(2).split('=')[0] as string); // split answers at least one
  return word.startsWith('-') && [...word].some((letter) => short.includes(letter));
}
