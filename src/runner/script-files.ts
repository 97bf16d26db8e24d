/** Commands named by a path: `/bin/rm` is the rm inside, and a script in a root is run by a nested shell. */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { isFsError } from '../errors.js';
import { limitReached } from '../limits.js';
import type { Awaitable } from '../steps.js';
import { decode } from '../text/bytes.js';
import { dispatch, findUtility, NESTED_SHELLS } from './invoke.js';
import { runNestedScript, runNestedShell } from './nested-shell.js';
import type { ShellState } from './state.js';

/** Directories of the system whose programs' names stand for the commands inside. */
const SYSTEM_DIRECTORIES = ['/bin/', '/usr/bin/', '/sbin/', '/usr/sbin/'];

/** The command inside that a path of the system names; undefined when it names none. */
export function commandOfPath(shell: ShellState, path: string): string | undefined {
  for (const directory of SYSTEM_DIRECTORIES) {
    if (!path.startsWith(directory)) continue;
    const name = path.slice(directory.length);
    if (name === '' || name.includes('/')) continue;
    const { kind } = findUtility(shell, name);
    if (kind !== 'missing' && kind !== 'path') return name;
  }
  return undefined;
}

/** Runs `path`. 127: it is not there; 126: it is, but cannot be run. */
export function runPath(shell: ShellState, path: string, argv: readonly string[]): Awaitable<Outcome> {
  const program = shell.scope.programs?.findPath(path);
  if (program !== undefined) return dispatch(shell, { kind: 'external', program }, argv, 'path');
  const name = commandOfPath(shell, path);
  if (name !== undefined) return dispatch(shell, findUtility(shell, name), [name, ...argv.slice(1)], 'path');
  let text: string;
  try {
    const stat = shell.fs.stat(path);
    if (stat.kind === 'directory') return refuse(shell, path, 'Is a directory');
    if (stat.kind !== 'file' || !shell.fs.access(path, 'execute')) return refuse(shell, path, 'Permission denied');
    text = decode(readScript(shell, path));
  } catch (error) {
    if (!isFsError(error)) throw error;
    shell.complain(`${path}: ${error.message}`);
    shell.ending = 'not run';
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 127 : 126;
  }
  if (!text.startsWith('#!')) {
    // POSIX 2.9.1.4: what the system cannot execute is a shell script, unless it is no text.
    if (text.slice(0, 256).includes('\0')) return refuse(shell, path, 'cannot execute binary file: Exec format error');
    return runNestedScript(shell, 'sh', path, text, argv.slice(1), []);
  }
  const line = text.slice(2, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
  const words = line.split(/[ \t]+/).filter((word) => word !== '');
  if (words[0]?.endsWith('/env')) words.shift();
  const interpreter = words.shift() ?? '';
  const base = interpreter.slice(interpreter.lastIndexOf('/') + 1);
  if (!NESTED_SHELLS.has(base)) {
    return refuse(shell, path, `its interpreter '${interpreter}' is not one of sh, bash, dash`);
  }
  return runNestedShell(shell, [base, ...words, path, ...argv.slice(1)]);
}

function refuse(shell: ShellState, path: string, why: string): number {
  shell.complain(`${path}: ${why}`);
  shell.ending = 'not run';
  return 126;
}

/** A script's bytes. Throws FsError. */
export function readScript(shell: ShellState, path: string): Uint8Array {
  const file = shell.fs.open(path);
  try {
    const { size } = file.stat();
    const { maxScriptBytes } = shell.limits;
    if (size > maxScriptBytes) throw limitReached('maxScriptBytes', maxScriptBytes);
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const chunk = new Uint8Array(Math.max(4096, size - total + 1));
      const read = file.read(chunk, null);
      if (read === 0) return Buffer.concat(chunks, total);
      total += read;
      if (total > maxScriptBytes) throw limitReached('maxScriptBytes', maxScriptBytes);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    file.close();
  }
}
