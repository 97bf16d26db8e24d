/** ls: list directories. */
import type { Awaitable } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { Listing } from './ls/listing.js';
import { settingsOf } from './ls/settings.js';

const USAGE_FAILURE = 2;

export const ls = defineBuiltin({
  name: 'ls',
  summary: 'list directories',
  usage: 'ls [OPTION]... [FILE]...',
  needs: ['read', 'list', 'clock', 'host', 'environment'],
  usageStatus: USAGE_FAILURE,
  writeFailure: 2,
  flags: {
    all: { short: 'a', long: 'all', help: 'names that begin with a dot, too' },
    almostAll: { short: 'A', long: 'almost-all', help: 'the same without . and ..' },
    down: { short: 'C', help: 'in columns, sorted down' },
    unsorted: { short: 'U', help: 'in the order of the directory' },
    ignoreBackups: { short: 'B', long: 'ignore-backups', help: 'leave out names that end with ~' },
    escape: { short: 'b', long: 'escape', help: 'escapes of C in names' },
    ctime: { short: 'c', help: 'show and sort by the time of last change of status' },
    directory: { short: 'd', long: 'directory', help: 'directories themselves, not what is in them' },
    classify: { short: 'F', long: 'classify', help: 'append one of */=@| to names' },
    asIs: { short: 'f', help: 'all names in the order of the directory, and neither -l, -s nor --color' },
    fileType: { long: 'file-type', help: 'append one of /=@| to names' },
    indicator: {
      long: 'indicator-style',
      value: 'WORD',
      help: 'append none, slash (-p), file-type (--file-type) or classify (-F)',
    },
    noOwner: { short: 'g', help: 'as -l, without owners' },
    noGroup: { short: 'G', long: 'no-group', help: 'with -l, without groups' },
    commas: { short: 'm', help: 'all names in a line, with commas between them' },
    followOperands: { short: 'H', long: 'dereference-command-line', help: 'follow links that are operands' },
    human: { short: 'h', long: 'human-readable', help: 'with -l and -s, sizes like 1K 234M 2G' },
    ignore: {
      short: 'I',
      long: 'ignore',
      value: 'PATTERN',
      repeat: true,
      help: 'leave out names that match PATTERN',
    },
    hide: { long: 'hide', value: 'PATTERN', repeat: true, help: 'the same, where neither -a nor -A is given' },
    kibibytes: { short: 'k', long: 'kibibytes', help: 'blocks of 1024 bytes, as ever, with -s and in totals' },
    literal: { short: 'N', long: 'literal', help: 'names as they are' },
    inode: { short: 'i', long: 'inode', help: 'print the number of the inode' },
    long: { short: 'l', help: 'one file a line with all that is known of it' },
    follow: { short: 'L', long: 'dereference', help: 'follow symbolic links' },
    numeric: { short: 'n', long: 'numeric-uid-gid', help: 'as -l, with numbers of users and groups' },
    noGroupLong: { short: 'o', help: 'as -l, without groups' },
    slash: { short: 'p', help: 'append / to directories' },
    question: { short: 'q', long: 'hide-control-chars', help: 'print ? for control characters' },
    quote: { short: 'Q', long: 'quote-name', help: 'names as strings of C' },
    reverse: { short: 'r', long: 'reverse', help: 'in reverse order' },
    recursive: { short: 'R', long: 'recursive', help: 'directories and what is in them' },
    blocks: { short: 's', long: 'size', help: 'print the blocks each file takes' },
    sort: { long: 'sort', value: 'WORD', help: 'by none -U, size -S, time -t, version -v, extension -X' },
    timeOf: { long: 'time', value: 'WORD', help: 'atime -u, ctime -c, or mtime' },
    bySize: { short: 'S', help: 'sort by size, largest first' },
    byTime: { short: 't', help: 'sort by time, newest first' },
    tab: {
      short: 'T',
      long: 'tabsize',
      value: 'COLS',
      parse: (text) => columns(text, 'tab size'),
      help: 'tab stops every COLS columns, not 8; 0: blanks only',
    },
    atime: { short: 'u', help: 'show and sort by the time of last access' },
    byVersion: { short: 'v', help: 'sort by version numbers in names' },
    width: {
      short: 'w',
      long: 'width',
      value: 'COLS',
      parse: (text) => columns(text, 'line width') || Number.POSITIVE_INFINITY,
      help: 'how wide a line is; 0: as wide as need be',
    },
    across: { short: 'x', help: 'in columns, sorted across' },
    byExtension: { short: 'X', help: 'sort by extension' },
    single: { short: '1', help: 'one file a line' },
    color: { long: 'color', value: 'WHEN', optional: true, help: 'colours: always (the default), auto or never' },
    timeStyle: { long: 'time-style', value: 'STYLE', help: 'full-iso, long-iso, iso, locale or +FORMAT' },
    fullTime: { long: 'full-time', help: 'as -l --time-style=full-iso' },
    directoriesFirst: { long: 'group-directories-first', help: 'directories before files' },
  },
  notes: 'Names are quoted on a terminal only. Without -w a line is as wide as $COLUMNS says, else 80.',
  statuses: { 0: 'all went well', 1: 'something below an operand could not be read', 2: 'an operand could not' },

  run(context): Awaitable<number> {
    const settings = settingsOf(context.given, context.out.facts.terminal, context.environment);
    if (settings instanceof BadValue) {
      return usageFailure(context, settings.message, settings.status ?? USAGE_FAILURE);
    }
    const listing = new Listing(context, settings);
    return listing.run(context.operands.length === 0 ? ['.'] : context.operands);
  },
});

/** A number as C writes it. */
function columns(text: string, what: string): number | BadValue {
  if (/^(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text)) {
    const base = /^0[xX]/.test(text) ? 16 : text.startsWith('0') ? 8 : 10;
    const digits = base === 16 ? text.slice(2) : text;
    if (base !== 8 || /^[0-7]+$/.test(text)) {
      return Number.parseInt(digits, base);
    }
  }
  return new BadValue(`invalid ${what}: ${gnuQuoteValue(text)}`);
}
