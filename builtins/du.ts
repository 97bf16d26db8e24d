/** du: the space that files and directories take. */

import { type Awaitable, andThen } from '../src/steps.js';
import { compilePattern } from '../src/text/pattern.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { Usage, type UsageOptions } from './du/usage.js';
import { choose } from './kit/choice.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { parseInteger } from './kit/numbers.js';
import { walk } from './kit/walk/walk.js';

export const du = defineBuiltin({
  name: 'du',
  summary: 'print the space that files and directories take',
  usage: 'du [OPTION]... [FILE]...',
  needs: ['read', 'list', 'clock'],
  flags: {
    null: { short: '0', long: 'null', help: 'end each line with a NUL' },
    all: { short: 'a', long: 'all', help: 'files too, not only directories' },
    apparent: { long: 'apparent-size', help: 'the bytes in files, not the space they take' },
    bytes: { short: 'b', long: 'bytes', help: 'the same, in bytes' },
    total: { short: 'c', long: 'total', help: 'a line with the total of all' },
    depth: {
      short: 'd',
      long: 'max-depth',
      value: 'N',
      parse: (text) =>
        /^\+?[0-9]+$/.test(text) ? Number(text) : new BadValue(`invalid maximum depth ${gnuQuoteValue(text)}`, true),
      help: 'print what is at most N levels below',
    },
    human: { short: 'h', long: 'human-readable', help: 'sizes like 1K 234M 2G' },
    inodes: { long: 'inodes', help: 'numbers of files instead of space' },
    kilo: { short: 'k', help: 'in blocks of 1024 bytes (default)' },
    follow: { short: 'L', long: 'dereference', help: 'follow symbolic links' },
    mega: { short: 'm', help: 'in blocks of 1048576 bytes' },
    noFollow: { short: 'P', long: 'no-dereference', help: 'follow no symbolic links (default)' },
    separate: { short: 'S', long: 'separate-dirs', help: 'directories without those in them' },
    si: { long: 'si', help: 'as -h, with powers of 1000' },
    summarize: { short: 's', long: 'summarize', help: 'one line for each FILE' },
    threshold: {
      short: 't',
      long: 'threshold',
      value: 'SIZE',
      parse: parseThreshold,
      help: 'only what is at least SIZE, or at most when it is negative',
    },
    time: { long: 'time', value: 'WORD', optional: true, help: 'the latest time: of modification, atime or ctime' },
    exclude: { long: 'exclude', value: 'PATTERN', repeat: true, help: 'leave out what matches' },
    oneFileSystem: { short: 'x', long: 'one-file-system', help: 'stay on one file system' },
  },
  notes: 'A file with several names is counted once.',
  statuses: { 0: 'all went well', 1: 'something could not be read' },

  run(context): Awaitable<number> {
    const { flags, operands, fs, out } = context;
    if (flags.summarize && flags.all) return usageFailure(context, 'cannot both summarize and show all entries');
    if (flags.summarize && flags.depth !== undefined && flags.depth > 0) {
      return usageFailure(context, `warning: summarizing conflicts with --max-depth=${flags.depth}`);
    }
    if (flags.summarize && flags.depth === 0) {
      context.complain('warning: summarizing is the same as using --max-depth=0');
    }
    if (flags.inodes && (flags.apparent || flags.bytes)) {
      context.complain('warning: options --apparent-size and -b are ineffective with --inodes');
    }
    const time = timeKind(flags.time);
    if (time instanceof BadValue) return usageFailure(context, time.message);
    const follow = lastOf(context.given, ['follow', 'noFollow'])?.flag === 'follow';
    const scale = lastOf(context.given, ['human', 'si', 'kilo', 'mega', 'bytes'])?.flag;
    const options: UsageOptions = {
      counts: flags.inodes ? 'inodes' : flags.apparent || flags.bytes ? 'bytes' : 'blocks',
      scale: scale === 'human' ? 1024 : scale === 'si' ? 1000 : undefined,
      block: scale === 'bytes' ? 1n : scale === 'mega' ? 1024n * 1024n : 1024n,
      all: flags.all === true,
      depth: flags.summarize ? 0 : (flags.depth ?? Number.POSITIVE_INFINITY),
      separate: flags.separate === true,
      threshold: flags.threshold,
      time,
      end: flags.null ? '\0' : '\n',
      timeZone: context.clock.timeZone,
      countsOnce: operands.length > 1 || follow,
    };
    const usage = new Usage(options);
    const patterns = (flags.exclude ?? []).map((pattern) => compilePattern(pattern));
    let status = 0;
    let device: bigint | undefined;
    const starts = (operands.length === 0 ? ['.'] : operands).filter((operand) => {
      if (operand !== '') return true;
      context.complain('invalid zero-length file name');
      status = 1;
      return false;
    });
    const walking = walk(
      starts,
      fs,
      context.tick,
      {
        follow: follow ? 'always' : 'never',
        minDepth: 0,
        maxDepth: Number.POSITIVE_INFINITY,
        contentsFirst: true,
        oneFileSystem: false,
      },
      {
        skips(entry) {
          if (isExcluded(entry.path, patterns)) return true;
          if (!flags.oneFileSystem) return false;
          if (entry.depth === 0) device = entry.stat().dev;
          return entry.stat().dev !== device;
        },
        visit(entry) {
          const line = usage.add(entry);
          return line === '' ? undefined : out.write(line);
        },
        pruned: () => false,
        stopped: () => false,
        leave: () => undefined,
        failed(path, error, phase) {
          status = context.failed(`cannot ${phase === 'look' ? 'access' : 'read directory'} ${gnuQuote(path)}`, error);
        },
        loop(path) {
          context.complain(
            `WARNING: Circular directory structure.\nThis almost certainly means that you have a corrupted file system.\n` +
              `NOTIFY YOUR SYSTEM MANAGER.\nThe following directory is part of the cycle:\n  ${gnuQuoteIfNeeded(path)}\n`,
          );
          status = 1;
        },
      },
    );
    return andThen(walking, () => andThen(flags.total ? out.write(usage.total()) : undefined, () => status));
  },
});

/** The whole path, or what comes after any slash of it. */
function isExcluded(path: string, patterns: readonly { matches(text: string): boolean }[]): boolean {
  if (patterns.length === 0) return false;
  for (let from = 0; ; ) {
    const part = path.slice(from);
    if (patterns.some((pattern) => pattern.matches(part))) return true;
    const slash = path.indexOf('/', from);
    if (slash < 0) return false;
    from = slash + 1;
  }
}

function parseThreshold(text: string, flag: string): bigint | BadValue {
  const read = parseInteger(text, { suffixes: 'kKmMGTPEZY0', signed: true });
  if (read.kind === 'suffix') return new BadValue(`invalid suffix in ${flag} argument '${text}'`);
  if (read.kind === 'invalid') return new BadValue(`invalid ${flag} argument '${text}'`);
  if (read.kind === 'overflow') return new BadValue(`${flag} argument '${text}' too large`);
  if (read.value === 0n && text.trim().startsWith('-')) return new BadValue(`invalid --threshold argument '${text}'`);
  return read.value;
}

function timeKind(word: string | true | undefined): UsageOptions['time'] | BadValue {
  if (word === undefined) return undefined;
  if (word === true) return 'mtimeNs';
  const kind = choose(
    word,
    [
      ['atime', 'access', 'use'],
      ['ctime', 'status'],
    ],
    '--time',
  );
  if (kind instanceof BadValue) return kind;
  return kind === 'atime' ? 'atimeNs' : 'ctimeNs';
}
