/** ls: list directories. */
import { type Awaitable, andThen } from '../src/steps.js';
import { defineBuiltin, tryHelp } from './kit/define.js';
import { Listing } from './ls/listing.js';
import { BadChoice, settingsOf } from './ls/settings.js';

export const ls = defineBuiltin({
  name: 'ls',
  summary: 'list directories',
  usage: 'ls [OPTION]... [FILE]...',
  needs: ['read', 'list', 'clock', 'host', 'environment'],
  usageStatus: 2,
  writeFailure: 2,
  flags: {
    all: { short: 'a', long: 'all', help: 'names that begin with a dot, too' },
    almostAll: { short: 'A', long: 'almost-all', help: 'the same without . and ..' },
    down: { short: 'C', help: 'in columns, sorted down' },
    unsorted: { short: 'U', help: 'in the order of the directory' },
    ctime: { short: 'c', help: 'show and sort by the time of last change of status' },
    directory: { short: 'd', long: 'directory', help: 'directories themselves, not what is in them' },
    classify: { short: 'F', long: 'classify', help: 'append one of */=@| to names' },
    noOwner: { short: 'g', help: 'as -l, without owners' },
    noGroup: { short: 'G', long: 'no-group', help: 'with -l, without groups' },
    human: { short: 'h', long: 'human-readable', help: 'with -l and -s, sizes like 1K 234M 2G' },
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
    bySize: { short: 'S', help: 'sort by size, largest first' },
    byTime: { short: 't', help: 'sort by time, newest first' },
    atime: { short: 'u', help: 'show and sort by the time of last access' },
    byVersion: { short: 'v', help: 'sort by version numbers in names' },
    across: { short: 'x', help: 'in columns, sorted across' },
    byExtension: { short: 'X', help: 'sort by extension' },
    single: { short: '1', help: 'one file a line' },
    color: { long: 'color', value: 'WHEN', optional: true, help: 'colours: always (the default), auto or never' },
    timeStyle: { long: 'time-style', value: 'STYLE', help: 'full-iso, long-iso, iso, locale or +FORMAT' },
    fullTime: { long: 'full-time', help: 'as -l --time-style=full-iso' },
    directoriesFirst: { long: 'group-directories-first', help: 'directories before files' },
  },
  notes: 'Names are quoted on a terminal only. The width of a line is $COLUMNS, else 80.',
  statuses: { 0: 'all went well', 1: 'something below an operand could not be read', 2: 'an operand could not' },

  run(context): Awaitable<number> {
    const settings = settingsOf(context.given, context.out.facts.terminal, context.environment);
    if (settings instanceof BadChoice) {
      context.complain(settings.message);
      return andThen(context.err.write(tryHelp(context.name)), () => settings.status);
    }
    const listing = new Listing(context, settings);
    return listing.run(context.operands.length === 0 ? ['.'] : context.operands);
  },
});
