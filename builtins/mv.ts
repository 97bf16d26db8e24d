/** mv: rename files and directories. */
import { isFsError } from '../src/errors.js';
import type { FileStat } from '../src/files/files.js';
import { type Awaitable, andThen, rescue } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import { Copier } from './kit/copier.js';
import { defineBuiltin } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { forEach } from './kit/repeat.js';
import { isMoves, type Move, readTargets } from './kit/targets.js';

export const mv = defineBuiltin({
  name: 'mv',
  summary: 'rename files and directories',
  usage: 'mv [OPTION]... [-T] SOURCE DEST\nmv [OPTION]... SOURCE... DIRECTORY\nmv [OPTION]... -t DIRECTORY SOURCE...',
  needs: ['read', 'list', 'write', 'remove'],
  remediationOnly: true,
  flags: {
    force: { short: 'f', long: 'force', help: 'replace what is there (default)' },
    noClobber: { short: 'n', long: 'no-clobber', help: 'leave files that are there as they are' },
    directory: { short: 't', long: 'target-directory', value: 'DIRECTORY', help: 'move into DIRECTORY' },
    isName: { short: 'T', long: 'no-target-directory', help: 'DEST is a name, not a directory to move into' },
    update: { short: 'u', long: 'update', help: 'leave files that are there and not older as they are' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each file' },
  },
  notes: 'A file whose name is taken away draws on the removal budget of the run.',
  statuses: { 0: 'all were moved', 1: 'some were not' },
  unknownOptionHint: (option) =>
    option === '-i' || '--interactive'.startsWith(option)
      ? 'mv: mv does not ask: write -n to leave files that are there as they are'
      : undefined,

  run(context): Awaitable<number> {
    const { flags, fs, out } = context;
    const moves = readTargets(context, context.operands, {
      directory: flags.directory,
      isName: flags.isName === true,
    });
    if (!isMoves(moves)) return moves;
    const noClobber = lastOf(context.given, ['force', 'noClobber'])?.flag === 'noClobber';
    const made = new Set<string>();
    let status = 0;
    const refuse = (message: string): false => {
      context.complain(message);
      status = 1;
      return false;
    };
    const fail = (what: string, error: unknown): boolean => {
      status = context.failed(what, error);
      return isFsError(error) && error.code === 'BUDGET';
    };

    /** True: nothing more is to be tried. */
    const move = ({ from, to }: Move): Awaitable<boolean> => {
      const [a, b] = [gnuQuote(from), gnuQuote(to)];
      let stat: FileStat;
      try {
        stat = fs.lstat(from);
      } catch (error) {
        return fail(`cannot stat ${a}`, error);
      }
      const there = fs.tryLstat(to);
      if (there !== undefined) {
        if (noClobber) return false;
        if (there.dev === stat.dev && there.ino === stat.ino) return refuse(`${a} and ${b} are the same file`);
        if (flags.update && stat.kind !== 'directory' && there.mtimeNs >= stat.mtimeNs) return false;
        if (stat.kind === 'directory' && there.kind !== 'directory') {
          return refuse(`cannot overwrite non-directory ${b} with directory ${a}`);
        }
        if (stat.kind !== 'directory' && there.kind === 'directory') {
          return refuse(`cannot overwrite directory ${b} with non-directory`);
        }
        if (made.has(to)) return refuse(`will not overwrite just-created ${b} with ${a}`);
      }
      const moved = rescue(
        () => andThen(fs.rename(from, to), () => undefined),
        (error) => ({ error }),
      );
      return andThen(moved, (failed) =>
        failed === undefined ? done(from, to) : notMoved(from, to, stat, failed.error),
      );
    };

    const notMoved = (from: string, to: string, stat: FileStat, error: unknown): Awaitable<boolean> => {
      const [a, b] = [gnuQuote(from), gnuQuote(to)];
      if (isFsError(error) && error.code === 'EINVAL' && stat.kind === 'directory') {
        return refuse(`cannot move ${a} to a subdirectory of itself, ${b}`);
      }
      if (isFsError(error) && error.code === 'EXDEV' && stat.kind === 'file') return moveAcross(from, to);
      return fail(`cannot move ${a} to ${b}`, error);
    };

    const done = (from: string, to: string): Awaitable<boolean> => {
      made.add(to);
      if (!flags.verbose) return false;
      return andThen(out.write(`renamed ${gnuQuote(from)} -> ${gnuQuote(to)}\n`), () => false);
    };

    /** To another file system: a copy, then the removal of the original. */
    const moveAcross = (from: string, to: string): Awaitable<boolean> => {
      const copier = new Copier(context, {
        recursive: false,
        follow: 'none',
        keepLinks: false,
        force: false,
        update: false,
        preserve: { mode: true, times: true },
        noClobber: false,
        verbose: false,
        removeDestination: true,
        makes: undefined,
        backup: undefined,
      });
      return andThen(copier.copy(from, to), () => {
        if (copier.status !== 0) {
          status = copier.status;
          return copier.exhausted;
        }
        const removed = rescue(
          () => andThen(fs.remove(from), () => undefined),
          (error) => fail(`cannot remove ${gnuQuote(from)}`, error),
        );
        return andThen(removed, (failed) => {
          if (failed !== undefined) return failed;
          made.add(to);
          const lines = `copied ${gnuQuote(from)} -> ${gnuQuote(to)}\nremoved ${gnuQuote(from)}\n`;
          return flags.verbose ? andThen(out.write(lines), () => false) : false;
        });
      });
    };

    return andThen(
      forEach(moves, (one) => andThen(context.tick(), () => move(one))),
      () => status,
    );
  },
});
