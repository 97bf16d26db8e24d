/** Sources and where they go: the operands of cp, mv and ln. */
import { FsError, isFsError } from '../../src/errors.js';
import type { ReadFiles } from '../../src/files/files.js';
import type { Awaitable } from '../../src/steps.js';
import { gnuQuote } from '../../src/text/quote.js';
import type { BaseContext } from './context.js';
import { usageFailure } from './define.js';
import { baseName, joinPath } from './paths.js';

export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface TargetOptions {
  /** `-t`. */
  readonly directory: string | undefined;
  /** `-T`: the last operand is a name, never a directory to put things in. */
  readonly isName: boolean;
  /** What is said of a `-t` that is not there; default `target directory`. */
  readonly directoryWords?: string;
  /** `ln FILE` makes its link in the current directory. */
  readonly aloneHere?: boolean;
  /** A last operand that is a link to a directory is a name (`ln -n`). */
  readonly linkIsName?: boolean;
}

/** The moves, or the status of what was complained of. */
export function readTargets(
  context: BaseContext & { readonly fs: ReadFiles },
  operands: readonly string[],
  options: TargetOptions,
): readonly Move[] | Awaitable<number> {
  const { directory, isName } = options;
  if (directory !== undefined && isName) {
    context.complain('cannot combine --target-directory (-t) and --no-target-directory (-T)');
    return 1;
  }
  const first = operands[0];
  if (first === undefined) return usageFailure(context, 'missing file operand');
  if (directory !== undefined) {
    const problem = notDirectory(context.fs, directory);
    if (problem !== undefined) {
      return context.failed(`${options.directoryWords ?? 'target directory'} ${gnuQuote(directory)}`, problem);
    }
    return into(directory, operands);
  }
  const last = operands.at(-1) as string; // there is a first
  if (operands.length === 1) {
    if (options.aloneHere && !isName) return into('.', operands);
    return usageFailure(context, `missing destination file operand after ${gnuQuote(first)}`);
  }
  if (isName) {
    const extra = operands[2];
    return extra === undefined
      ? [{ from: first, to: last }]
      : usageFailure(context, `extra operand ${gnuQuote(extra)}`);
  }
  const problem =
    options.linkIsName && context.fs.tryLstat(last)?.kind === 'symlink'
      ? new FsError('ENOTDIR', last)
      : notDirectory(context.fs, last);
  if (problem === undefined) return into(last, operands.slice(0, -1));
  if (leadsOut(context.fs, last, problem)) return context.failed(`failed to access ${gnuQuote(last)}`, problem);
  if (operands.length > 2) return context.failed(`target ${gnuQuote(last)}`, problem);
  return [{ from: first, to: last }];
}

function into(directory: string, sources: readonly string[]): readonly Move[] {
  return sources.map((from) => ({ from, to: joinPath(directory, baseName(from)) }));
}

function notDirectory(fs: ReadFiles, path: string): unknown {
  try {
    return fs.stat(path).kind === 'directory' ? undefined : new FsError('ENOTDIR', path);
  } catch (error) {
    return error;
  }
}

/** A link to what may not be looked at could be a directory: then the link is no name to be taken from it (nor is `link/`). */
function leadsOut(fs: ReadFiles, path: string, problem: unknown): boolean {
  if (!isFsError(problem) || problem.code !== 'EACCES') return false;
  return path.endsWith('/') || fs.tryLstat(path)?.kind === 'symlink';
}

/** Tells the moves from a status. */
export function isMoves(answer: readonly Move[] | Awaitable<number>): answer is readonly Move[] {
  return Array.isArray(answer);
}
