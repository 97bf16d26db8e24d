/** `test` and `[`. */

import type { ShellBuiltin } from './shell.js';
import { evaluateTest, TestError } from './test-expression.js';

export const test: ShellBuiltin = {
  names: ['test', '['],
  special: false,
  summary: 'evaluate a condition',
  usage: 'test EXPRESSION or [ EXPRESSION ]',
  run(shell, argv) {
    const name = argv[0] as string;
    let words = argv.slice(1);
    if (name === '[') {
      if (words.at(-1) !== ']') {
        shell.complain("[: missing `]'");
        return 2;
      }
      words = words.slice(0, -1);
    }
    const value = evaluateTest(shell, words);
    if (!(value instanceof TestError)) return value ? 0 : 1;
    shell.complain(`${name}: ${value.message}`);
    return 2;
  },
};
