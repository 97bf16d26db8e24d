/** `set` and `shift` (POSIX 2.15). */

import type { Awaitable } from '../../src/steps.js';
import { quoteVisible } from '../../src/text/quote.js';
import type { Outcome } from '../kit/outcome.js';
import { wholeNumber } from './options.js';
import { print, refuse, refuseOption } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'set [-aBbCEefhmnTuvx] [-o NAME] [+...] [--] [ARG]...';

/** Options of bash that rmsh has not, by their names and letters. Off is what they always are, so that they may be turned off. */
const ALWAYS_OFF: Readonly<Record<string, string>> = {
  history: '',
  histexpand: 'H',
  keyword: 'k',
  onecmd: 't',
  physical: 'P',
  privileged: 'p',
};
const ALWAYS_OFF_LETTERS = Object.values(ALWAYS_OFF).join('');

export const set: ShellBuiltin = {
  names: ['set'],
  special: true,
  summary: 'set options and positional parameters',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    if (argv.length === 1) return print(shell, variableListing(shell));
    let i = 1;
    for (; i < argv.length; i++) {
      const word = argv[i] as string;
      if (word === '--') {
        shell.setPositional(argv.slice(i + 1));
        return 0;
      }
      if (word === '-') {
        // As in bash: ends the options, turns -x and -v off, and leaves the parameters when nothing follows.
        shell.setOption('xtrace', false);
        shell.setOption('verbose', false);
        if (i + 1 < argv.length) shell.setPositional(argv.slice(i + 1));
        return 0;
      }
      // Shells agree that it is nothing, and that options may follow.
      if (word === '+') continue;
      const sign = word[0];
      if (word.length < 2 || (sign !== '-' && sign !== '+')) break;
      const on = sign === '-';
      for (const letter of word.slice(1)) {
        if (letter === 'o') {
          const name = argv[i + 1];
          if (name === undefined) return print(shell, optionListing(shell, on));
          i += 1;
          if (shell.setOption(name, on)) continue;
          const known = Object.hasOwn(ALWAYS_OFF, name);
          if (known && !on) continue;
          return refuse(shell, argv, `${name}: ${known ? 'not supported by rmsh' : 'invalid option name'}`, 2);
        }
        const name = shell.optionByLetter(letter);
        if (name !== undefined) shell.setOption(name, on);
        else if (!ALWAYS_OFF_LETTERS.includes(letter)) return refuseOption(shell, argv, `${sign}${letter}`, usage);
        else if (on) return refuse(shell, argv, `-${letter}: not supported by rmsh`, 2);
      }
    }
    if (i < argv.length) shell.setPositional(argv.slice(i));
    return 0;
  },
};

function variableListing(shell: Shell): string {
  return shell
    .variables()
    .filter(({ name, value }) => value !== undefined || isArray(shell, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => {
      if (!isArray(shell, name)) return `${name}=${value === '' ? '' : quoteVisible(value ?? '')}\n`;
      // What `declare -p` prints, without its first words.
      const declaration = shell.declaration(name) ?? '';
      return `${declaration.slice(declaration.indexOf(` ${name}`) + 1)}\n`;
    })
    .join('');
}

function isArray(shell: Shell, name: string): boolean {
  return /[aA]/.test(shell.attributes(name));
}

/** `set -o` for people, `set +o` as commands that restore the options. */
function optionListing(shell: Shell, forPeople: boolean): string {
  return shell.optionNames
    .map((name) => {
      const on = shell.option(name);
      return forPeople ? `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n` : `set ${on ? '-' : '+'}o ${name}\n`;
    })
    .join('');
}

export const shift: ShellBuiltin = {
  names: ['shift'],
  special: true,
  summary: 'drop the first positional parameters',
  usage: 'shift [N]',
  run(shell, argv) {
    const text = argv[1] ?? '1';
    const count = wholeNumber(text);
    if (count === undefined) return refuse(shell, argv, `${text}: numeric argument required`);
    if (argv.length > 2) return refuse(shell, argv, 'too many arguments');
    if (shell.shift(count)) return 0;
    // POSIX lets a shell end here; bash goes on with status 1, quietly.
    return 1;
  },
};
