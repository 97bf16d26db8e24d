/** `shopt` (bash): options that `set` does not have. */
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, print } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'shopt [-pqsu] [-o] [OPTION]...';

/** Names of bash that change nothing here: a script that asks for one is told, and not left to rely on it. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 ' +
    'compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell execfail extdebug ' +
    'extquote force_fignore globasciiranges globskipdots gnu_errfmt histappend histreedit histverify hostcomplete ' +
    'huponexit interactive_comments lithist localvar_inherit localvar_unset login_shell mailwarn ' +
    'no_empty_cmd_completion noexpand_translation progcomp progcomp_alias promptvars ' +
    'restricted_shell shift_verbose sourcepath varredir_close'
  ).split(' '),
);

/** The options of `shopt`, or with -o those of `set`. */
interface Table {
  readonly names: readonly string[];
  has(name: string): boolean;
  get(name: string): boolean;
  set(name: string, on: boolean): void;
  /** Text that sets the option as it is. */
  command(name: string, on: boolean): string;
  /** What is wrong with a name that is none. */
  unknown(name: string): string;
}

function shoptTable(shell: Shell): Table {
  return {
    names: [...shell.shoptNames].sort(),
    has: (name) => shell.shoptNames.includes(name),
    get: (name) => shell.shopt(name),
    set: (name, on) => shell.setShopt(name, on),
    command: (name, on) => `shopt ${on ? '-s' : '-u'} ${name}`,
    unknown: (name) => `${name}: ${ELSEWHERE.has(name) ? 'not supported by rmsh' : 'invalid shell option name'}`,
  };
}

function setTable(shell: Shell): Table {
  return {
    names: shell.optionNames,
    has: (name) => shell.optionNames.includes(name),
    get: (name) => shell.option(name),
    set: (name, on) => void shell.setOption(name, on),
    command: (name, on) => `set ${on ? '-' : '+'}o ${name}`,
    unknown: (name) => `${name}: invalid option name`,
  };
}

export const shopt: ShellBuiltin = {
  names: ['shopt'],
  special: false,
  summary: 'show, set and unset shell options',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'opqsu');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const letters = new Set(given.map(({ letter }) => letter));
    if (letters.has('s') && letters.has('u')) {
      return fail(shell, argv, 'cannot set and unset shell options simultaneously');
    }
    const table = letters.has('o') ? setTable(shell) : shoptTable(shell);
    const changes = letters.has('s') || letters.has('u');
    if (changes && operands.length > 0) return change(shell, argv, table, operands, letters.has('s'));
    const only = changes ? letters.has('s') : undefined;
    const asCommands = letters.has('p');
    if (operands.length > 0) return show(shell, argv, table, operands, asCommands, letters.has('q'));
    if (letters.has('q')) return 0;
    const names = table.names.filter((name) => only === undefined || table.get(name) === only);
    return print(shell, names.map((name) => line(table, name, asCommands)).join(''));
  },
};

function line(table: Table, name: string, asCommands: boolean): string {
  const on = table.get(name);
  return asCommands ? `${table.command(name, on)}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`;
}

function change(shell: Shell, argv: readonly string[], table: Table, names: readonly string[], on: boolean): number {
  let status = 0;
  for (const name of names) {
    if (table.has(name)) table.set(name, on);
    else status = fail(shell, argv, table.unknown(name));
  }
  return status;
}

/** Prints each option unless `quiet`; 0 when all are on. */
function show(
  shell: Shell,
  argv: readonly string[],
  table: Table,
  names: readonly string[],
  asCommands: boolean,
  quiet: boolean,
): Awaitable<Outcome> {
  let text = '';
  let status = 0;
  for (const name of names) {
    if (!table.has(name)) {
      status = fail(shell, argv, table.unknown(name));
      continue;
    }
    if (!table.get(name)) status = 1;
    if (!quiet) text += line(table, name, asCommands);
  }
  return text === '' ? status : print(shell, text, status);
}
