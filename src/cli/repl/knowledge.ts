/** What completion knows of a shell: its names, its commands, and the files inside the roots. */
import { builtins } from '../../../builtins/index.js';
import { longNames } from '../../../builtins/kit/usage.js';
import { shellBuiltins } from '../../../builtins/shell/index.js';
import { isFsError } from '../../errors.js';
import type { DirectoryEntry, FileStore } from '../../files/files.js';
import { TOPICS } from '../topics.js';
import { PROMPT_COMMANDS } from './commands.js';
import type { Knowledge } from './completion.js';
import type { Session } from './repl.js';

/** `store`: for looking only, and open as long as the prompt is. */
export function knowledgeOf(session: Session, store: FileStore): Knowledge {
  const filesOf = () =>
    store.for({
      logicalCwd: session.shell.logicalCwd,
      physicalCwd: session.shell.physicalCwd,
      umask: 0o077,
      command: '',
      source: '',
      line: 0,
    });
  return {
    *commands() {
      const { shell } = session;
      for (const name of shell.aliases.names()) yield [name, 'alias'];
      for (const name of shell.functions.names()) yield [name, 'function'];
      for (const { names, summary } of shellBuiltins) for (const name of names) yield [name, summary];
      for (const { name, aliases, summary } of builtins) {
        for (const one of [name, ...aliases]) if (session.commandState(one) === 'known') yield [one, summary];
      }
      yield* PROMPT_COMMANDS;
    },
    *topics() {
      for (const [name, { summary }] of TOPICS) yield [name, summary];
    },
    variables: () => session.shell.variableNames(''),
    options(name) {
      const command = session.shell.scope.command(name);
      if (command === undefined || typeof command === 'function') return [];
      return Object.values(command.definition.flags).flatMap((flag) => [
        ...longNames(flag).map((long): [string, string] => [
          `--${long}${flag.value === undefined ? '' : '='}`,
          flag.help,
        ]),
        ...[...(flag.short ?? '')].map((letter): [string, string] => [`-${letter}`, flag.help]),
      ]);
    },
    directory(path) {
      const files = filesOf();
      try {
        const directory = files.openDirectory(path);
        try {
          return directory.entries().map((entry) => ({ name: entry.name, directory: isDirectory(directory, entry) }));
        } finally {
          directory.close();
        }
      } catch (error) {
        if (!isFsError(error)) throw error;
        return towardsRoots(path, session, store);
      }
    },
    home: () => session.shell.variables.get('HOME')?.value,
  };
}

function isDirectory(
  directory: { statFollow(name: string): { readonly kind: string } },
  entry: DirectoryEntry,
): boolean {
  if (entry.kind === 'directory') return true;
  if (entry.kind !== 'symlink' && entry.kind !== undefined) return false;
  try {
    return directory.statFollow(entry.name).kind === 'directory';
  } catch {
    return false;
  }
}

/** Outside every root nothing is looked at; but the way to a root is no secret, since the policy names it. */
function towardsRoots(path: string, session: Session, store: FileStore): { name: string; directory: boolean }[] {
  const absolute = path.startsWith('/') ? path : `${session.shell.logicalCwd}/${path}`;
  const folder = `/${absolute
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`;
  const prefix = folder === '/' ? '/' : `${folder}/`;
  const names = store.roots
    .filter((root) => root.path.startsWith(prefix))
    .map((root) => root.path.slice(prefix.length).split('/')[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '').map((name) => ({ name, directory: true }));
}
