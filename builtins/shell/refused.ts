/** Built-ins of bash that have no meaning here. They are known by name, so that a script hears why. (`coproc` is the grammar's to refuse.) */
import { fail } from './output.js';
import type { ShellBuiltin } from './shell.js';

function refused(name: string, summary: string): ShellBuiltin {
  return {
    names: [name],
    special: false,
    summary: `${summary}: not supported by rmsh`,
    usage: name,
    run: (shell, argv) => fail(shell, argv, 'not supported by rmsh'),
  };
}

export const refusedBuiltins: readonly ShellBuiltin[] = [
  refused('bind', 'change the keys of the line editor'),
  refused('complete', 'change completion'),
  refused('enable', 'turn built-ins on and off'),
  refused('fc', 'edit and run commands of the history'),
  refused('history', 'show the history'),
  refused('logout', 'leave a login shell'),
  refused('suspend', 'stop the shell'),
];
