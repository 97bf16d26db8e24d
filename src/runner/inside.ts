/** What the names of commands mean before any shell runs: for those who look at a script without running it. */
import { builtins } from '../../builtins/index.js';
import { NESTED_SHELLS, shellBuiltin } from './invoke.js';

const SYSTEM_FILE = /^\/(?:usr\/)?s?bin\/([^/]+)$/;

export function kindOfName(name: string): 'special' | 'command' | 'path' | 'missing' {
  const builtin = shellBuiltin(name);
  if (builtin !== undefined) return builtin.special ? 'special' : 'command';
  if (NESTED_SHELLS.has(name) || named(name) !== undefined) return 'command';
  return name.includes('/') ? 'path' : 'missing';
}

/** The name of a command for any of its names: `gzip` for `gunzip`. */
export function canonicalName(name: string): string {
  return named(name)?.name ?? name;
}

/** The name of the command inside that `/bin/NAME` stands for; undefined where there is none. */
export function nameOfPath(path: string): string | undefined {
  const name = SYSTEM_FILE.exec(path)?.[1];
  return name !== undefined && kindOfName(name) !== 'missing' ? name : undefined;
}

function named(name: string) {
  return builtins.find((builtin) => builtin.name === name || builtin.aliases.includes(name));
}
