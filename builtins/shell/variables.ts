/** `export`, `readonly`, `unset`, `local`: variables and their marks (POSIX 2.15). */

import type { Awaitable } from '../../src/steps.js';
import { quoteVisible } from '../../src/text/quote.js';
import { completion, type Outcome } from '../kit/outcome.js';
import { isName, letterOptions } from './options.js';
import { fail, invalidOption, print, refuseOption } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

/** `name` or `name=value`. */
function split(word: string): { readonly name: string; readonly value: string | undefined } {
  const at = word.indexOf('=');
  return at < 0 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

function marking(kind: 'exported' | 'readonly', name: string, letters: string): ShellBuiltin {
  const usage = `${name} [NAME[=VALUE]]... or ${name} -p`;
  return {
    names: [name],
    special: true,
    summary: kind === 'exported' ? 'give variables to commands' : 'keep variables as they are',
    usage,
    run(shell, argv) {
      const { given, operands, invalid } = letterOptions(argv, letters);
      if (invalid !== undefined) return refuseOption(shell, argv, invalid, usage);
      const off = given.some(({ letter }) => letter === 'n');
      if (operands.length === 0) return print(shell, listing(shell, kind, name));
      let status = 0;
      for (const word of operands) {
        const { name: variable, value } = split(word);
        if (!isName(variable)) {
          status = fail(shell, argv, `\`${word}': not a valid identifier`);
          continue;
        }
        if (value !== undefined && !shell.setVariable(variable, value)) status = 1;
        else shell.mark(variable, kind, !off);
      }
      return status === 0 ? 0 : completion('builtin error', status);
    },
  };
}

/** As `export -p` prints it: text that the shell reads back. */
function listing(shell: Shell, kind: 'exported' | 'readonly', command: string): string {
  const rows = shell
    .variables()
    .filter((variable) => variable[kind])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => `${command} ${name}${value === undefined ? '' : `=${quoteVisible(value)}`}\n`);
  return rows.join('');
}

export const exportBuiltin = marking('exported', 'export', 'pn');
export const readonly = marking('readonly', 'readonly', 'p');

export const unset: ShellBuiltin = {
  names: ['unset'],
  special: true,
  summary: 'take away variables or functions',
  usage: 'unset [-f|-v] NAME...',
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'fv');
    if (invalid !== undefined) return refuseOption(shell, argv, invalid, 'unset [-f|-v] NAME...');
    const kind = given.at(-1)?.letter;
    let status = 0;
    for (const name of operands) {
      if (kind === 'f') shell.unsetFunction(name);
      else if (!isName(name)) status = fail(shell, argv, `\`${name}': not a valid identifier`);
      else if (kind === undefined && shell.variable(name)?.value === undefined && shell.hasFunction(name)) {
        shell.unsetFunction(name);
      } else if (!shell.unsetVariable(name)) status = 1;
    }
    return status;
  },
};

export const local: ShellBuiltin = {
  names: ['local'],
  special: false,
  summary: 'give a function variables of its own',
  usage: 'local NAME[=VALUE]...',
  run(shell, argv): Awaitable<Outcome> {
    const { operands, invalid } = letterOptions(argv, '');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, 'local NAME[=VALUE]...');
    if (!shell.inFunction) return fail(shell, argv, 'can only be used in a function');
    let status = 0;
    for (const word of operands) {
      const { name, value } = split(word);
      if (!isName(name)) {
        status = fail(shell, argv, `\`${word}': not a valid identifier`);
        continue;
      }
      if (shell.variable(name)?.readonly === true) {
        status = fail(shell, argv, `${name}: readonly variable`);
        continue;
      }
      shell.makeLocal(name);
      if (value !== undefined && !shell.setVariable(name, value)) status = 1;
    }
    return status;
  },
};
