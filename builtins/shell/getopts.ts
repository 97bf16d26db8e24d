/** `getopts` (POSIX XCU getopts). */
import { isName, wholeNumber } from './options.js';
import { fail } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

export const getopts: ShellBuiltin = {
  names: ['getopts'],
  special: false,
  summary: 'read options of a script or function',
  usage: 'getopts OPTSTRING NAME [ARG]...',
  run(shell, argv) {
    const words = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
    const [letters, name, ...given] = words;
    if (letters === undefined || name === undefined) {
      shell.complain('getopts: usage: getopts OPTSTRING NAME [ARG]...');
      return 2;
    }
    if (!isName(name)) return fail(shell, argv, `\`${name}': not a valid identifier`);
    const args = given.length > 0 ? given : shell.positional();
    return next(shell, letters, name, args);
  },
};

function next(shell: Shell, letters: string, name: string, args: readonly string[]): number {
  const silent = letters.startsWith(':');
  let index = Math.max(1, wholeNumber(shell.parameter('OPTIND') ?? '1') ?? 1);
  let at = Math.max(1, shell.optionPlace);
  let word = args[index - 1];
  // The place was kept for another word: this one is read from its start.
  if (at >= (word ?? '').length) at = 1;
  if (at === 1) {
    if (word === undefined || word === '-' || !word.startsWith('-')) return end(shell, name, index);
    if (word === '--') return end(shell, name, index + 1);
  }
  word ??= '';
  const letter = word[at] as string;
  const where = letter === ':' ? -1 : letters.indexOf(letter, silent ? 1 : 0);
  at += 1;
  if (at >= word.length) {
    index += 1;
    at = 1;
  }
  if (where < 0) {
    return found(shell, name, '?', silent ? letter : undefined, index, at, silent ? '' : `illegal option -- ${letter}`);
  }
  if (letters[where + 1] !== ':') return found(shell, name, letter, undefined, index, at, '');
  // The argument is the rest of the word, or the next one.
  let value: string | undefined;
  if (at > 1) {
    value = word.slice(at);
    index += 1;
  } else {
    value = args[index - 1];
    index += 1;
  }
  if (value !== undefined) return found(shell, name, letter, value, index, 1, '');
  index -= 1;
  if (silent) return found(shell, name, ':', letter, index, 1, '');
  return found(shell, name, '?', undefined, index, 1, `option requires an argument -- ${letter}`);
}

function found(
  shell: Shell,
  name: string,
  option: string,
  value: string | undefined,
  index: number,
  at: number,
  message: string,
): number {
  if (message !== '') void shell.err.write(`${shell.parameter('0')}: ${message}\n`);
  if (value === undefined) shell.unsetVariable('OPTARG');
  else shell.setVariable('OPTARG', value);
  if (!shell.setOptionIndex(index, at)) return 2;
  return shell.setVariable(name, option) ? 0 : 2;
}

function end(shell: Shell, name: string, index: number): number {
  if (!shell.setOptionIndex(index, 1)) return 2;
  shell.unsetVariable('OPTARG');
  return shell.setVariable(name, '?') ? 1 : 2;
}
