/** `let` (bash): arithmetic as words. */
import { fail } from './output.js';
import type { ShellBuiltin } from './shell.js';

export const letBuiltin: ShellBuiltin = {
  names: ['let'],
  special: false,
  summary: 'evaluate arithmetic expressions',
  usage: 'let EXPRESSION...',
  run(shell, argv) {
    const expressions = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
    if (expressions.length === 0) return fail(shell, argv, 'expression expected');
    let last: number | bigint = 0;
    for (const expression of expressions) {
      const value = shell.arithmetic(expression, argv[0] as string);
      if (value === undefined) return 1;
      last = value;
    }
    // As ((...)): true is what is not 0.
    return last === 0 || last === 0n ? 1 : 0;
  },
};
