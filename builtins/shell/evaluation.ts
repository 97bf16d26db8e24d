/** `eval`, `.`, `exec`, `command`: running commands by other means (POSIX 2.15, XCU command). */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import { quoteAlways } from '../../src/text/quote.js';
import { completion, type Outcome } from '../kit/outcome.js';
import { letterOptions, placesFrom } from './options.js';
import { fail, invalidOption, print, refuse, refuseOption } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';
import { description } from './type.js';

export const evalBuiltin: ShellBuiltin = {
  names: ['eval'],
  special: true,
  summary: 'run words as shell text',
  usage: 'eval [WORD]...',
  run(shell, argv) {
    const from = argv[1] === '--' ? 2 : 1;
    return shell.evaluate(argv.slice(from).join(' '));
  },
};

export const dot: ShellBuiltin = {
  names: ['.', 'source'],
  special: true,
  summary: 'run a file in this shell',
  usage: '. FILE [ARG]...',
  run(shell, argv): Awaitable<Outcome> {
    const words = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
    const file = words[0];
    if (file === undefined) return refuse(shell, argv, 'filename argument required', 2);
    try {
      return shell.runFile(findFile(shell, file), words.length > 1 ? words.slice(1) : undefined);
    } catch (error) {
      if (!isFsError(error)) throw error;
      shell.complain(`${file}: ${error.message}`);
      // POSIX: a file that cannot be read ends a script.
      return completion('builtin error', 1);
    }
  },
};

/** A name without a slash is looked for along `$PATH`, then (bash) in the working directory. */
function findFile(shell: Shell, name: string): string {
  if (name.includes('/')) return name;
  for (const directory of (shell.parameter('PATH') ?? '').split(':')) {
    const path = `${directory === '' ? '.' : directory}/${name}`;
    if (shell.fs.tryStat(path)?.kind === 'file') return path;
  }
  return name;
}

export const exec: ShellBuiltin = {
  names: ['exec'],
  special: true,
  summary: 'run a command in place of the shell, or keep redirections',
  usage: 'exec [COMMAND [ARG]...]',
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'a:cl');
    if (invalid !== undefined) return refuseOption(shell, argv, invalid, 'exec [COMMAND [ARG]...]');
    // bash: another name, no environment, a login shell.
    if (given[0] !== undefined) return refuse(shell, argv, `-${given[0].letter}: not supported by rmsh`);
    if (operands.length > 0) return shell.execute(operands);
    shell.keepRedirections();
    return 0;
  },
};

const commandUsage = 'command [-p] COMMAND [ARG]... or command -v|-V NAME...';

export const command: ShellBuiltin = {
  names: ['command'],
  special: false,
  summary: 'run a command that is not a function, or tell what a name is',
  usage: commandUsage,
  run(shell, argv, declared): Awaitable<Outcome> {
    const { given, operands, invalid } = letterOptions(argv, 'pvV');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, commandUsage);
    const standard = given.some(({ letter }) => letter === 'p');
    const asks = given.findLast(({ letter }) => letter !== 'p')?.letter;
    if (operands.length === 0) return 0;
    if (asks === undefined) {
      if (standard && isOwnScript(shell, operands[0] as string)) {
        shell.complain(`${operands[0]}: command not found`);
        return 127;
      }
      return andThen(
        shell.runCommand('command', operands, placesFrom(declared, argv.length - operands.length)),
        (outcome) => (typeof outcome === 'object' && outcome.kind === 'builtin error' ? outcome.status : outcome),
      );
    }
    let text = '';
    for (const name of operands) {
      const hidden = standard && isOwnScript(shell, name);
      const line = hidden ? undefined : asks === 'v' ? shortDescription(shell, name) : description(shell, name);
      if (line !== undefined) text += `${line}\n`;
      else if (asks === 'V') fail(shell, argv, `${name}: not found`);
    }
    // POSIX has one name; of several one that is there is enough (bash).
    return text === '' ? 1 : print(shell, text);
  },
};

/** A script that only the script's own `$PATH` finds: the standard one, which -p asks for, has none of them. */
function isOwnScript(shell: Shell, name: string): boolean {
  return !name.includes('/') && shell.describeCommand(name) === undefined && shell.programPath(name) === undefined;
}

/** `command -v`: what would be run. */
function shortDescription(shell: Shell, name: string): string | undefined {
  const kind = shell.describeCommand(name);
  if (kind === undefined) return shell.programPath(name) ?? shell.findScript(name);
  if (kind === 'alias') return `alias ${name}=${quoteAlways(shell.alias(name) ?? '')}`;
  // Commands inside stand for the programs of the system: scripts test for a path here, and only for its being there.
  return kind === 'command' ? `/usr/bin/${name}` : name;
}
