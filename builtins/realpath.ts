/** realpath: the physical path of a file. */
import { FsError, isFsError } from '../src/errors.js';
import type { ReadFiles } from '../src/files/files.js';
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { canonicalPath, type Existing } from './kit/canonical.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { eachOperand } from './kit/operands.js';
import { directoryName, normalizePath, relativePath } from './kit/paths.js';

type Links = 'physical' | 'logical' | 'strip';

export const realpath = defineBuiltin({
  name: 'realpath',
  summary: 'print the absolute path of a file, without links',
  usage: 'realpath [OPTION]... FILE...',
  needs: ['read'],
  flags: {
    existing: { short: 'e', long: 'canonicalize-existing', help: 'all parts must exist' },
    missing: { short: 'm', long: 'canonicalize-missing', help: 'no part need exist' },
    logical: { short: 'L', long: 'logical', help: 'take away .. before links are followed' },
    physical: { short: 'P', long: 'physical', help: 'follow links as they come (default)' },
    quiet: { short: 'q', long: 'quiet', help: 'do not say what failed' },
    relativeTo: { long: 'relative-to', value: 'DIR', help: 'print the path as seen from DIR' },
    relativeBase: { long: 'relative-base', value: 'DIR', help: 'the same, for what is below DIR only' },
    strip: { short: 's', long: ['strip', 'no-symlinks'], help: 'do not follow links' },
    zero: { short: 'z', long: 'zero', help: 'end each line with a NUL' },
  },
  statuses: { 0: 'all went well', 1: 'some FILE failed' },

  run(context) {
    const { flags, operands, fs } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const how = lastOf(context.given, ['existing', 'missing'])?.flag;
    const existing: Existing = how === 'existing' ? 'all' : how === 'missing' ? 'nothing' : 'all-but-last';
    const links: Links = lastOf(context.given, ['logical', 'physical', 'strip'])?.flag ?? 'physical';
    let base: string | undefined;
    let to: string | undefined;
    try {
      if (flags.relativeBase !== undefined) base = directoryPath(fs, flags.relativeBase, links, existing);
      if (flags.relativeTo !== undefined) to = directoryPath(fs, flags.relativeTo, links, existing);
    } catch (error) {
      return context.failed(gnuQuoteIfNeeded(isFsError(error) ? error.path : ''), error);
    }
    const isBelow = (path: string): boolean => base === undefined || isInside(path, base);
    const from = to === undefined ? base : isBelow(to) ? to : undefined;
    const end = flags.zero ? '\0' : '\n';
    return eachOperand(context, operands, (file) => {
      let path: string;
      try {
        path = resolve(fs, file, links, existing);
      } catch (error) {
        if (!flags.quiet) return context.failed(gnuQuoteIfNeeded(file), error);
        if (!isFsError(error)) throw error;
        return 1;
      }
      const shown = from !== undefined && isBelow(path) ? relativePath(from, path) : path;
      return andThen(context.out.write(shown + end), () => 0);
    });
  },
});

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? directory : `${directory}/`);
}

function resolve(fs: ReadFiles, file: string, links: Links, existing: Existing): string {
  if (file === '') throw new FsError('ENOENT', file);
  if (links === 'physical') return canonicalPath(fs, file, existing);
  const path = normalizePath(file, fs.cwd);
  if (links === 'logical') return canonicalPath(fs, path, existing);
  if (existing === 'all') fs.stat(path);
  else if (existing === 'all-but-last') fs.stat(directoryName(path));
  return path;
}

/** For `--relative-to`: with `-e` it must be a directory. */
function directoryPath(fs: ReadFiles, file: string, links: Links, existing: Existing): string {
  const path = resolve(fs, file, links, existing);
  if (existing === 'all' && fs.stat(file).kind !== 'directory') throw new FsError('ENOTDIR', file);
  return path;
}
