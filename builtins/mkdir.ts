/** mkdir: make directories. */
import { FsError, isFsError } from '../src/errors.js';
import type { ReadFiles, WriteFiles } from '../src/files/files.js';
import { andThen, type Look } from '../src/steps.js';
import { gnuQuote, gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { adjustMode, parseMode } from './kit/mode.js';
import { eachOperand } from './kit/operands.js';
import { directoryName } from './kit/paths.js';

export const mkdir = defineBuiltin({
  name: 'mkdir',
  summary: 'make directories',
  usage: 'mkdir [-pv] [-m MODE] DIRECTORY...',
  needs: ['read', 'write'],
  remediationOnly: true,
  flags: {
    mode: {
      short: 'm',
      long: 'mode',
      value: 'MODE',
      parse: (text) => parseMode(text) ?? new BadValue(`invalid mode ${gnuQuoteValue(text)}`),
      help: 'permissions, as for chmod; not for parents',
    },
    parents: { short: 'p', long: 'parents', help: 'make parents; an existing directory is no error' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each directory made' },
  },
  statuses: { 0: 'all were made', 1: 'some were not' },

  run(context) {
    const { flags, operands, fs } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const wanted = flags.mode === undefined ? undefined : adjustMode(0o777, true, context.umask, flags.mode);
    return eachOperand(context, operands, (path) => {
      const made: string[] = [];
      let status = 0;
      try {
        if (flags.parents) makeWithParents(context, path, wanted, made);
        else {
          make(fs, path, wanted);
          made.push(path);
        }
      } catch (error) {
        const where = isFsError(error) && flags.parents ? error.path : path;
        status = context.failed(`cannot create directory ${gnuQuoteValue(where)}`, error);
      }
      if (!flags.verbose || made.length === 0) return status;
      const lines = made.map((one) => `mkdir: created directory ${gnuQuote(one)}\n`);
      return andThen(context.out.write(lines.join('')), () => status);
    });
  },
});

type MakeFiles = ReadFiles & WriteFiles;

function make(fs: MakeFiles, path: string, mode: number | undefined): void {
  fs.mkdir(path, mode === undefined ? 0o777 : mode & 0o777);
  if (mode !== undefined && (fs.lstat(path).mode & 0o7777) !== mode) fs.chmod(path, mode);
}

/** From the deepest directory that is there: what is above may be none of our business. */
function makeWithParents(
  { fs, look }: { readonly fs: MakeFiles; readonly look: Look },
  path: string,
  mode: number | undefined,
  made: string[],
): void {
  const missing: string[] = [];
  for (let at = path; ; ) {
    look();
    try {
      if (isDirectory(fs, at)) break;
      make(fs, at, at === path ? mode : undefined);
      made.push(at);
      break;
    } catch (error) {
      if (!isFsError(error)) throw error;
      if (error.code === 'ENOTDIR') throw new FsError('ENOTDIR', firstNonDirectory(fs, at) ?? at);
      const parent = directoryName(at);
      if (error.code !== 'ENOENT' || parent === at || parent === '.') throw new FsError(error.code, at, error.message);
      missing.push(at);
      at = parent;
    }
  }
  for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
    look();
    try {
      make(fs, at, at === path ? mode : undefined);
      made.push(at);
    } catch (error) {
      if (!isFsError(error)) throw error;
      if (error.code === 'EEXIST' && isDirectory(fs, at)) continue;
      throw new FsError(error.code, at, error.message);
    }
  }
}

function isDirectory(fs: ReadFiles, path: string): boolean {
  return path !== '' && fs.tryStat(path)?.kind === 'directory';
}

/** The part of a path that stands in its way. */
function firstNonDirectory(fs: ReadFiles, path: string): string | undefined {
  for (let slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const prefix = path.slice(0, slash);
    const stat = fs.tryStat(prefix);
    if (stat !== undefined && stat.kind !== 'directory') return prefix;
  }
  return undefined;
}
