/** `type` (POSIX XCU type, and bash's options). */
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions } from './options.js';
import { fail, invalidOption, print } from './output.js';
import type { CommandKind, Shell, ShellBuiltin } from './shell.js';

const usage = 'type [-afptP] NAME...';

export const type: ShellBuiltin = {
  names: ['type'],
  special: false,
  summary: 'tell what names are',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'afptP');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    const letters = new Set(given.map(({ letter }) => letter));
    const how = given.findLast(({ letter }) => 'ptP'.includes(letter))?.letter;
    let text = '';
    let status = 0;
    for (const name of operands) {
      let found = meaningsOf(shell, name);
      if (letters.has('f') || letters.has('P')) found = found.filter(({ kind }) => kind !== 'function');
      if (letters.has('P')) found = found.filter(({ kind }) => kind === 'command');
      if (!letters.has('a')) found = found.slice(0, 1);
      for (const meaning of found) text += line(shell, name, meaning, how);
      if (found.length > 0) continue;
      if (how === undefined) fail(shell, argv, `${name}: not found`);
      status = 1;
    }
    return text === '' ? status : print(shell, text, status);
  },
};

interface Meaning {
  readonly kind: CommandKind;
  /** Of a command, or of a script. */
  readonly path: string;
}

/** What would be run comes first. Commands inside stand for the programs of the system. */
function meaningsOf(shell: Shell, name: string): Meaning[] {
  const found: Meaning[] = shell.commandKinds(name).map((kind) => ({ kind, path: `/usr/bin/${name}` }));
  for (const path of [shell.programPath(name), shell.findScript(name)]) {
    if (path !== undefined) found.push({ kind: 'command', path });
  }
  return found;
}

function line(shell: Shell, name: string, { kind, path }: Meaning, how: string | undefined): string {
  if (how === 't') return `${KIND_WORDS[kind]}\n`;
  if (how !== undefined) return kind === 'command' ? `${path}\n` : '';
  return `${sentence(shell, name, kind, path)}\n`;
}

const KIND_WORDS: Readonly<Record<CommandKind, string>> = {
  'reserved word': 'keyword',
  alias: 'alias',
  function: 'function',
  'special built-in': 'builtin',
  'built-in': 'builtin',
  command: 'file',
};

function sentence(shell: Shell, name: string, kind: CommandKind, path: string): string {
  switch (kind) {
    case 'reserved word':
      return `${name} is a shell keyword`;
    case 'alias':
      return `${name} is aliased to \`${shell.alias(name) ?? ''}'`;
    case 'function':
      return `${name} is a function\n${shell.functionText(name) ?? ''}`;
    case 'special built-in':
      return `${name} is a special shell builtin`;
    case 'built-in':
      return `${name} is a shell builtin`;
    case 'command':
      return `${name} is ${path}`;
  }
}

/** `type NAME`, `command -V NAME`; undefined when there is nothing of that name. */
export function description(shell: Shell, name: string): string | undefined {
  const first = meaningsOf(shell, name)[0];
  return first === undefined ? undefined : sentence(shell, name, first.kind, first.path);
}
