/** `alias` and `unalias` (POSIX XCU). The parser substitutes; these only say what for what. */
import { quoteAlways } from '../../src/text/quote.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, misused, print } from './output.js';
import type { ShellBuiltin } from './shell.js';

/** What separates words, quotes them or makes paths of them. */
const IN_NO_NAME = /[\s;&|<>()$`\\'"/]/;

const usage = 'alias [-p] [NAME[=VALUE]]...';

export const alias: ShellBuiltin = {
  names: ['alias'],
  special: false,
  summary: 'define and show words that stand for text',
  usage,
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'p');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const asCommands = given.length > 0;
    const line = (name: string, value: string) => `${asCommands ? 'alias ' : ''}${name}=${quoteAlways(value)}\n`;
    let text = '';
    let status = 0;
    if (asCommands || operands.length === 0)
      for (const name of shell.aliasNames()) text += line(name, shell.alias(name) ?? '');
    for (const operand of operands) {
      const equals = operand.indexOf('=', 1);
      const name = equals < 0 ? operand : operand.slice(0, equals);
      const value = equals < 0 ? shell.alias(name) : undefined;
      if (value !== undefined) text += line(name, value);
      else if (equals < 0) status = fail(shell, argv, `${name}: not found`);
      else if (IN_NO_NAME.test(name)) status = fail(shell, argv, `\`${name}': invalid alias name`);
      else shell.setAlias(name, operand.slice(equals + 1));
    }
    return text === '' ? status : print(shell, text, status);
  },
};

const unaliasUsage = 'unalias [-a] NAME...';

export const unalias: ShellBuiltin = {
  names: ['unalias'],
  special: false,
  summary: 'take away words that stand for text',
  usage: unaliasUsage,
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'a');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, unaliasUsage);
    if (given.length > 0) {
      for (const name of shell.aliasNames()) shell.setAlias(name, undefined);
      return 0;
    }
    if (operands.length === 0) return misused(shell, argv, 'NAME is missing', unaliasUsage);
    let status = 0;
    for (const name of operands) {
      if (shell.alias(name) === undefined) status = fail(shell, argv, `${name}: not found`);
      else shell.setAlias(name, undefined);
    }
    return status;
  },
};
