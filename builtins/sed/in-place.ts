/** -i: the output becomes the file. It is written beside it and takes its name in one step, so that no reader sees half of it. */
import { FsError, isFsError } from '../../src/errors.js';
import type { FileStat } from '../../src/files/files.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { Context, OutputFile } from '../kit/context.js';
import { LineOutput } from './outputs.js';

type EditContext = Context<'read' | 'write' | 'remove'>;

/** Why a file cannot be edited, in words; undefined when it can. Writes never go through symlinks or to files with other names. */
export function whyNotEdit(context: EditContext, path: string): string | undefined {
  let stat: FileStat;
  try {
    stat = context.fs.lstat(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return undefined; // opening it will say why
  }
  if (stat.kind === 'symlink') return new FsError('SYMLINK_WRITE', path).message;
  if (stat.kind !== 'file') return 'not a regular file';
  return stat.nlink > 1 ? new FsError('HARD_LINK_WRITE', path).message : undefined;
}

export class InPlaceEdit {
  readonly output: LineOutput;
  private readonly context: EditContext;
  private readonly path: string;
  private readonly temporary: string;
  private readonly file: OutputFile;
  private open = true;

  /** Throws FsError. */
  constructor(context: EditContext, path: string, delimiter: string) {
    this.context = context;
    this.path = path;
    const { mode } = context.fs.stat(path);
    const slash = path.lastIndexOf('/') + 1;
    for (let attempt = 0; ; attempt++) {
      const name = `${path.slice(0, slash)}sed${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;
      try {
        this.file = context.openSink(name, { exclusive: true, mode: 0o600 });
        this.temporary = name;
        break;
      } catch (error) {
        if (!isFsError(error) || error.code !== 'EEXIST' || attempt > 50) throw error;
      }
    }
    context.fs.chmod(this.temporary, mode & 0o7777);
    this.output = new LineOutput(this.file, delimiter);
  }

  /** The edited file takes the name; with `suffix` the original keeps another. Throws FsError. */
  finish(suffix: string): Awaitable<void> {
    return andThen(this.output.end() as Awaitable<void>, () =>
      andThen(this.file.close() as Awaitable<void>, () => {
        this.open = false;
        const { fs } = this.context;
        const kept = suffix === '' ? undefined : fs.rename(this.path, backupName(this.path, suffix));
        return andThen(kept, () => fs.rename(this.temporary, this.path, true));
      }),
    );
  }

  /** Not finished: nothing is left behind. */
  abandon(): Awaitable<void> {
    if (!this.open) return undefined;
    this.open = false;
    return andThen(this.file.close() as Awaitable<void>, () => this.context.fs.remove(this.temporary));
  }
}

/** `*` in a suffix is the file's name; a suffix with a slash names another directory. */
function backupName(path: string, suffix: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const name = path.slice(slash);
  const backup = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix;
  return backup.includes('/') ? backup : path.slice(0, slash) + backup;
}
