/** diff: how two files differ, line by line. */
import { type Awaitable, andThen } from '../src/steps.js';
import type { Ignored } from './diff/classes.js';
import { TROUBLE } from './diff/sides.js';
import { differ } from './diff/tree.js';
import { BadValue, defineBuiltin, type Flags, type usageFailure } from './kit/define.js';

const FLAGS = {
  blankLines: { short: 'B', long: 'ignore-blank-lines', help: 'ignore changes whose lines are all blank' },
  spaceChange: { short: 'b', long: 'ignore-space-change', help: 'ignore how much white space there is' },
  allSpace: { short: 'w', long: 'ignore-all-space', help: 'ignore all white space' },
  case: { short: 'i', long: 'ignore-case', help: 'upper and lower case are the same' },
  newFile: { short: 'N', long: 'new-file', help: 'a file that is not there is an empty one' },
  brief: { short: 'q', long: 'brief', help: 'say only whether files differ' },
  recursive: { short: 'r', long: 'recursive', help: 'compare directories with all that is below them' },
  identical: { short: 's', long: 'report-identical-files', help: 'say when two files are the same' },
  text: { short: 'a', long: 'text', help: 'take all files for text' },
  label: {
    short: 'L',
    long: 'label',
    value: 'LABEL',
    repeat: true,
    help: 'call the first file LABEL, then the second',
  },
  unified: { short: 'u', help: 'three lines of context, and the changes in one' },
  context: { short: 'U', value: 'NUM', parse: lineCount, help: 'the same with NUM lines of context' },
  contextOption: {
    long: 'unified',
    value: 'NUM',
    optional: true,
    parse: lineCount,
    help: 'the same as -U NUM, or as -u without NUM',
  },
} as const satisfies Flags;

export const diff = defineBuiltin({
  name: 'diff',
  summary: 'compare files line by line',
  needs: ['read', 'list', 'clock'],
  usage: 'diff [OPTION]... FILES',
  notes: `FILES are 'FILE1 FILE2' or 'DIR1 DIR2' or 'DIR FILE' or 'FILE DIR'. A FILE of - is the standard input.`,
  flags: FLAGS,
  usageStatus: TROUBLE,
  writeFailure: TROUBLE,
  usageHint: tryDiff,
  statuses: { 0: 'no differences', 1: 'they differ', 2: 'something failed' },

  run(context): Awaitable<number> {
    const { flags, given, operands, optionWords } = context;
    const [first, second, extra] = operands;
    if (first === undefined || second === undefined) {
      return usage(context, `missing operand after '${operands.at(-1) ?? optionWords.at(-1) ?? 'diff'}'`);
    }
    if (extra !== undefined) return usage(context, `extra operand '${extra}'`);
    const labels = flags.label ?? [];
    if (labels.length > 2) {
      context.complain('too many file label options');
      return TROUBLE;
    }
    const ignored: Ignored = {
      space: flags.allSpace === true ? 'all' : flags.spaceChange === true ? 'changes' : 'none',
      case: flags.case === true,
      blankLines: flags.blankLines === true,
    };
    return differ(context, first, second, {
      ignored,
      context: contextLines(given),
      brief: flags.brief === true,
      identical: flags.identical === true,
      recursive: flags.recursive === true,
      newFile: flags.newFile === true,
      text: flags.text === true,
      optionWords,
      labels,
    });
  },
});

function tryDiff(): string {
  return "diff: Try 'diff --help' for more information.\n";
}

function usage(context: Parameters<typeof usageFailure>[0], message: string): Awaitable<number> {
  context.complain(message);
  return andThen(context.err.write(tryDiff()), () => TROUBLE);
}

function lineCount(text: string): number | BadValue {
  if (!/^\s*\+?[0-9]*$/.test(text)) return new BadValue(`invalid context length '${text}'`, true);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The most that was asked for; undefined: no context, the normal format. */
function contextLines(given: readonly { readonly flag: string; readonly value: unknown }[]): number | undefined {
  let most: number | undefined;
  for (const { flag, value } of given) {
    if (flag !== 'unified' && flag !== 'context' && flag !== 'contextOption') continue;
    most = Math.max(most ?? 0, typeof value === 'number' ? value : 3);
  }
  return most;
}
