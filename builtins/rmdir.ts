/** rmdir: remove empty directories. */
import { isFsError } from '../src/errors.js';
import type { ReadFiles, WriteFiles } from '../src/files/files.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { eachOperand } from './kit/operands.js';
import { withoutTrailingSlashes } from './kit/paths.js';
import { repeat } from './kit/repeat.js';

export const rmdir = defineBuiltin({
  name: 'rmdir',
  summary: 'remove empty directories',
  usage: 'rmdir [OPTION]... DIRECTORY...',
  needs: ['read', 'write'],
  remediationOnly: true,
  flags: {
    ignore: { long: 'ignore-fail-on-non-empty', help: 'one that is not empty stays, and is no failure' },
    parents: { short: 'p', long: 'parents', help: 'then its parents: rmdir -p a/b is rmdir a/b a' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each directory to be removed' },
  },
  statuses: { 0: 'all were removed', 1: 'some were not' },

  run(context) {
    const { flags, operands } = context;
    const fs: ReadFiles & WriteFiles = context.fs;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const say = (path: string) =>
      flags.verbose ? context.out.write(`rmdir: removing directory, ${gnuQuote(path)}\n`) : undefined;

    return eachOperand(context, operands, (operand) => {
      let path = operand;
      return repeat<number>((): Awaitable<number | undefined> => {
        const shown = path;
        return andThen(say(shown), () => {
          try {
            fs.rmdir(shown);
          } catch (error) {
            if (flags.ignore && isFsError(error) && error.code === 'ENOTEMPTY') return 0;
            if (isFsError(error) && error.code === 'ENOTDIR' && isLinkWithSlash(fs, shown)) {
              context.complain(`failed to remove ${gnuQuote(shown)}: Symbolic link not followed`);
              return 1;
            }
            return context.failed(`failed to remove ${shown === operand ? '' : 'directory '}${gnuQuote(shown)}`, error);
          }
          const bare = withoutTrailingSlashes(shown);
          const slash = bare.lastIndexOf('/');
          path = slash < 0 ? '' : withoutTrailingSlashes(bare.slice(0, slash));
          return flags.parents && path !== '' ? undefined : 0;
        });
      });
    });
  },
});

/** `link/`, which leads to a directory, or to nothing: the kernel only says that it is no directory. */
function isLinkWithSlash(fs: ReadFiles, path: string): boolean {
  if (!path.endsWith('/') || fs.tryLstat(withoutTrailingSlashes(path))?.kind !== 'symlink') return false;
  const target = fs.tryStat(withoutTrailingSlashes(path));
  return target === undefined || target.kind === 'directory';
}
