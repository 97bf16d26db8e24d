/** tr: translate, squeeze and delete bytes. */
import { limitReached } from '../src/limits.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachChunk } from './kit/input.js';
import { type Filter, filterOf } from './tr/filter.js';
import { BadSet, type Element, membership, parseSet } from './tr/sets.js';
import { translation } from './tr/translation.js';

const FLAGS = {
  complement: { short: 'cC', long: 'complement', help: 'use the bytes that are not in SET1' },
  delete: { short: 'd', long: 'delete', help: 'delete the bytes of SET1' },
  squeeze: { short: 's', long: 'squeeze-repeats', help: 'print one for several of the same byte, of the last SET' },
  truncate: { short: 't', long: 'truncate-set1', help: 'cut SET1 to the length of SET2' },
} as const satisfies Flags;

export const tr = defineBuiltin({
  name: 'tr',
  summary: 'translate, squeeze and delete bytes',
  needs: ['read'],
  usage: 'tr [OPTION]... SET1 [SET2]',
  notes: `SETs are bytes: a-z, \\n, \\NNN in octal, [:alpha:] and the other classes, [=c=], and in SET2 [c*] and [c*N] for a byte many times.`,
  flags: FLAGS,
  options: 'leading',
  statuses: { 0: 'all input was copied', 1: 'a SET is wrong' },

  run(context) {
    const problem = operandProblem(context);
    if (problem !== undefined) return usageFailure(context, problem);
    const filter = makeFilter(context);
    if (filter instanceof BadSet) {
      context.complain(filter.message);
      return 1;
    }
    return eachChunk(
      failingAs(context, () => 'read error'),
      [],
      (chunk, owned) => {
        const made = filter.take(chunk, owned);
        return made.length === 0 ? undefined : context.out.give(made);
      },
    );
  },
});

type TrContext = Context<'read'> & Parsed<typeof FLAGS>;

function operandProblem({ flags, operands }: TrContext): string | undefined {
  const deletes = flags.delete === true;
  const squeezes = flags.squeeze === true;
  // One string for -d or for -s alone, two for -ds and for translating.
  const least = deletes === squeezes ? 2 : 1;
  const most = deletes && !squeezes ? 1 : 2;
  const last = operands[operands.length - 1];
  if (last === undefined) return 'missing operand';
  if (operands.length < least) {
    const why = squeezes ? 'both deleting and squeezing repeats' : 'translating';
    return `missing operand after ${gnuQuoteValue(last)}\nTwo strings must be given when ${why}.`;
  }
  const extra = operands[most];
  if (extra === undefined) return undefined;
  const more = operands.length === 2 ? '\nOnly one string may be given when deleting without squeezing repeats.' : '';
  return `extra operand ${gnuQuoteValue(extra)}${more}`;
}

function makeFilter(context: TrContext): Filter | BadSet {
  const { flags, operands } = context;
  const complement = flags.complement === true;
  const sets: (readonly Element[])[] = [];
  for (const operand of operands) {
    const { maxFields } = context.limits;
    if (operand.length > maxFields) throw limitReached('maxFields', maxFields);
    const set = parseSet(operand, (warning) => context.complain(`warning: ${warning}`));
    if (set instanceof BadSet) return set;
    sets.push(set);
  }
  const [first = [], second] = sets;
  if (first.some(isOpenRepeat)) return new BadSet('the [c*] repeat construct may not appear in string1');
  if ((second?.filter(isOpenRepeat).length ?? 0) > 1) {
    return new BadSet('only one [c*] repeat construct may appear in string2');
  }
  const translates = second !== undefined && flags.delete !== true;
  if (!translates && second?.some(isOpenRepeat)) {
    return new BadSet('the [c*] construct may appear in string2 only when translating');
  }
  const chosen = membership(first, complement);
  if (!translates) {
    const squeezed = second === undefined ? chosen : membership(second, false);
    return filterOf(undefined, flags.delete ? chosen : undefined, flags.squeeze ? squeezed : undefined);
  }
  const map = translation(first, second, { complement, truncate: flags.truncate === true });
  if (map instanceof BadSet) return map;
  return filterOf(map, undefined, flags.squeeze === true ? membership(second, false) : undefined);
}

function isOpenRepeat(element: Element): boolean {
  return element.kind === 'repeat' && element.count === 0;
}
