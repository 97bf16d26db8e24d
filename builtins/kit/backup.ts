/** The names that files get when theirs is taken: `--backup`, `--suffix` (gnulib's backupfile). */
import { isFsError } from '../../src/errors.js';
import type { ListFiles } from '../../src/files/files.js';
import { choose } from './choice.js';
import { BadValue } from './define.js';
import { baseName, directoryName } from './paths.js';

/** `existing`: numbers where there are some already, else the suffix. */
export type BackupType = 'simple' | 'numbered' | 'existing';

export interface Backup {
  readonly type: BackupType;
  readonly suffix: string;
}

const TYPES = [
  ['none', 'off'],
  ['simple', 'never'],
  ['existing', 'nil'],
  ['numbered', 't'],
] as const;

/**
 * `control` is the word of `--backup`, undefined where it has none: then `$VERSION_CONTROL` says, else it is `existing`. `suffix` is that of
 * `--suffix`. Undefined: no backups.
 */
export function readBackup(
  control: string | undefined,
  suffix: string | undefined,
  environment: ReadonlyMap<string, string>,
): Backup | undefined | BadValue {
  const [word, where] =
    control === undefined || control === ''
      ? [environment.get('VERSION_CONTROL') || 'existing', '$VERSION_CONTROL']
      : [control, 'backup type'];
  const type = choose(word, TYPES, where);
  if (type instanceof BadValue) return type;
  // A suffix with a slash in it would be another directory.
  const given = suffix ?? environment.get('SIMPLE_BACKUP_SUFFIX') ?? '';
  return type === 'none' ? undefined : { type, suffix: given === '' || given.includes('/') ? '~' : given };
}

/** The name for the file at `path`. */
export function backupName(fs: ListFiles, path: string, { type, suffix }: Backup): string {
  const highest = type === 'simple' ? 0 : highestNumber(fs, path);
  return type === 'numbered' || highest > 0 ? `${path}.~${highest + 1}~` : path + suffix;
}

function highestNumber(fs: ListFiles, path: string): number {
  const start = `${baseName(path)}.~`;
  let highest = 0;
  try {
    const directory = fs.openDirectory(directoryName(path));
    try {
      for (const { name } of directory.entries()) {
        const digits = name.startsWith(start) && name.endsWith('~') ? name.slice(start.length, -1) : '';
        if (/^[1-9][0-9]*$/.test(digits)) highest = Math.max(highest, Number(digits));
      }
    } finally {
      directory.close();
    }
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
  return highest;
}
