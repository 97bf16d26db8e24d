/** expr: evaluate an expression. */
import { andThen } from '../src/steps.js';
import { ExprError, evaluate, isNull } from './expr/evaluate.js';
import { defineBuiltin, usageFailure } from './kit/define.js';

const FAILURE = 2;

export const expr = defineBuiltin({
  name: 'expr',
  summary: 'evaluate an expression',
  needs: [],
  usage: 'expr EXPRESSION',
  notes: `In order of how weakly they bind:
  A | B    A & B    A < B  A <= B  A = B  A != B  A >= B  A > B    A + B  A - B    A * B  A / B  A % B
  STRING : REGEXP, match STRING REGEXP    what the regular expression matches at the start: its first group, or how many characters
  substr STRING POS LENGTH    index STRING CHARACTERS    length STRING    + WORD    ( EXPRESSION )`,
  flags: {},
  options: 'none',
  writeFailure: 3,
  statuses: { 0: 'the result is neither empty nor 0', 1: 'the result is empty or 0', 2: 'the expression is wrong' },

  run(context) {
    const words = context.operands[0] === '--' ? context.operands.slice(1) : context.operands;
    if (words.length === 0) return usageFailure(context, 'missing operand', FAILURE);
    const value = evaluate(words, context.limits.maxNesting, context.look);
    if (value instanceof ExprError) {
      context.complain(value.message);
      return FAILURE;
    }
    return andThen(context.out.write(`${value}\n`), () => (isNull(value) ? 1 : 0));
  },
});
