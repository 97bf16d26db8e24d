/** ln: make links. */
import { FsError, isFsError } from '../src/errors.js';
import type { FileStat, ReadFiles } from '../src/files/files.js';
import { type Awaitable, andThen, rescue } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded } from '../src/text/quote.js';
import { canonicalPath } from './kit/canonical.js';
import { defineBuiltin } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { directoryName, relativePath } from './kit/paths.js';
import { forEach } from './kit/repeat.js';
import { isMoves, type Move, readTargets } from './kit/targets.js';

export const ln = defineBuiltin({
  name: 'ln',
  summary: 'make links',
  usage:
    'ln [OPTION]... [-T] TARGET LINK\nln [OPTION]... TARGET\nln [OPTION]... TARGET... DIRECTORY\nln [OPTION]... -t DIRECTORY TARGET...',
  needs: ['read', 'write', 'remove'],
  remediationOnly: true,
  flags: {
    force: { short: 'f', long: 'force', help: 'remove a file of that name; draws on the removal budget' },
    follow: { short: 'L', long: 'logical', help: 'of a TARGET that is a link, what it leads to' },
    noFollow: { short: 'P', long: 'physical', help: 'hard links to links themselves (the default)' },
    linkIsName: { short: 'n', long: 'no-dereference', help: 'LINK that is a link to a directory is a file' },
    relative: { short: 'r', long: 'relative', help: 'with -s, the way from LINK to TARGET' },
    symbolic: { short: 's', long: 'symbolic', help: 'symbolic links instead of hard ones' },
    directory: { short: 't', long: 'target-directory', value: 'DIRECTORY', help: 'make links in DIRECTORY' },
    isName: { short: 'T', long: 'no-target-directory', help: 'LINK is a name, not a directory to make links in' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each link' },
  },
  statuses: { 0: 'all were made', 1: 'some were not' },

  run(context): Awaitable<number> {
    const { flags, fs, out } = context;
    if (flags.relative && !flags.symbolic) {
      context.complain('cannot do --relative without --symbolic');
      return 1;
    }
    const moves = readTargets(context, context.operands, {
      directory: flags.directory,
      isName: flags.isName === true,
      directoryWords: 'failed to access',
      aloneHere: true,
      linkIsName: flags.linkIsName === true,
    });
    if (!isMoves(moves)) return moves;
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
    const follows = lastOf(context.given, ['follow', 'noFollow'])?.flag === 'follow';
    const target = (path: string): FileStat => (follows ? fs.stat(path) : fs.lstat(path));
    const kind = flags.symbolic ? 'symbolic' : 'hard';

    /** Takes the name away where it may be. Undefined: go on. */
    const makeWay = (from: string, to: string): Awaitable<boolean | undefined> => {
      const there = fs.tryLstat(to);
      if (there === undefined || !flags.force) return undefined;
      if (there.kind === 'directory') return refuse(`${gnuQuoteIfNeeded(to)}: cannot overwrite directory`);
      if (made.has(to)) return refuse(`will not overwrite just-created ${gnuQuote(to)} with ${gnuQuote(from)}`);
      const source = flags.symbolic ? undefined : target(from);
      if (source?.ino === there.ino && source.dev === there.dev) {
        return refuse(`${gnuQuote(from)} and ${gnuQuote(to)} are the same file`);
      }
      if (!flags.symbolic) {
        try {
          fs.checkLink(follows ? fs.realpath(from) : from);
        } catch (error) {
          return fail(`failed to create hard link ${gnuQuote(to)} => ${gnuQuote(from)}`, error);
        }
      }
      return rescue(
        () => andThen(fs.remove(to, true), () => undefined),
        (error) => fail(`cannot remove ${gnuQuote(to)}`, error),
      );
    };

    const link = ({ from: written, to }: Move): Awaitable<boolean> => {
      const from = flags.relative ? relativeTarget(fs, written, to) : written;
      if (!flags.symbolic) {
        try {
          if (target(from).kind === 'directory') {
            return refuse(`${gnuQuoteIfNeeded(from)}: hard link not allowed for directory`);
          }
        } catch (error) {
          return fail(`failed to access ${gnuQuote(from)}`, error);
        }
      }
      return andThen(makeWay(from, to), (answer) => answer ?? make({ from, to }));
    };

    const make = ({ from, to }: Move): Awaitable<boolean> => {
      try {
        if (!flags.symbolic) fs.link(follows ? fs.realpath(from) : from, to);
        else if (from === '') throw new FsError('ENOENT', from);
        else fs.symlink(from, to);
      } catch (error) {
        const arrow =
          isFsError(error) && error.code !== 'EEXIST'
            ? kind === 'hard'
              ? ` => ${gnuQuote(from)}`
              : from === ''
                ? ` -> ${gnuQuote(from)}`
                : ''
            : '';
        return fail(`failed to create ${kind} link ${gnuQuote(to)}${arrow}`, error);
      }
      made.add(to);
      if (!flags.verbose) return false;
      return andThen(out.write(`${gnuQuote(to)} ${flags.symbolic ? '->' : '=>'} ${gnuQuote(from)}\n`), () => false);
    };

    return andThen(
      forEach(moves, (one) => andThen(context.tick(), () => link(one))),
      () => status,
    );
  },
});

/** As it is written, where it cannot be said from where the link is. */
function relativeTarget(fs: ReadFiles, from: string, to: string): string {
  try {
    return relativePath(canonicalPath(fs, directoryName(to), 'nothing'), canonicalPath(fs, from, 'nothing'));
  } catch (error) {
    if (!isFsError(error)) throw error;
    return from;
  }
}
