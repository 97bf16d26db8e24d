/** `which` (Debian's): where a command is. The commands inside stand for the programs of the system, as for `command -v`. */
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { letterOptions } from './options.js';
import { print } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'which [-a] NAME...';
const USAGE = 2;

/** Parts of the shell that are programs too: by their paths they run. */
const ALSO_PROGRAMS: ReadonlySet<string> = new Set(['[', 'echo', 'false', 'kill', 'printf', 'pwd', 'test', 'true']);

export const which: ShellBuiltin = {
  names: ['which'],
  special: false,
  summary: 'print where commands are; those inside as /usr/bin/NAME',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'a');
    if (invalid !== undefined) {
      shell.err.write(`Illegal option ${invalid}\n`);
      return print(shell, `Usage: ${usage}\n`, USAGE);
    }
    const all = given.length > 0;
    let text = '';
    let status = operands.length === 0 ? 1 : 0;
    for (const name of operands) {
      const found = placesOf(shell, name);
      if (found.length === 0) status = 1;
      for (const place of all ? found : found.slice(0, 1)) text += `${place}\n`;
    }
    return text === '' ? status : print(shell, text, status);
  },
};

function placesOf(shell: Shell, name: string): readonly string[] {
  const found: string[] = [];
  const base = /^\/(?:usr\/)?s?bin\/([^/]+)$/.exec(name)?.[1] ?? name;
  if (base !== '' && !base.includes('/') && isInside(shell, base))
    found.push(base === name ? `/usr/bin/${name}` : name);
  const program = shell.programPath(name);
  if (program !== undefined && !found.includes(program)) found.push(program);
  const script = shell.findScript(name);
  if (script !== undefined && !found.includes(script)) found.push(script);
  return found;
}

function isInside(shell: Shell, name: string): boolean {
  return ALSO_PROGRAMS.has(name) || shell.commandKinds(name).includes('command');
}
