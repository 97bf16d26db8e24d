/** cp: copy files and directories. */
import { type Awaitable, andThen } from '../src/steps.js';
import { Copier } from './kit/copier.js';
import { defineBuiltin } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { forEach } from './kit/repeat.js';
import { isMoves, readTargets } from './kit/targets.js';

export const cp = defineBuiltin({
  name: 'cp',
  summary: 'copy files and directories',
  usage: 'cp [OPTION]... [-T] SOURCE DEST\ncp [OPTION]... SOURCE... DIRECTORY\ncp [OPTION]... -t DIRECTORY SOURCE...',
  needs: ['read', 'list', 'write', 'remove'],
  remediationOnly: true,
  flags: {
    archive: { short: 'a', long: 'archive', help: 'as -dRp; owners cannot be kept' },
    links: { short: 'd', help: 'links as links, and names of one file as names of one file' },
    force: {
      short: 'f',
      long: 'force',
      help: 'remove a file that cannot be opened for writing and make it anew; draws on the removal budget',
    },
    followOperands: { short: 'H', help: 'follow links that are operands' },
    follow: { short: 'L', long: 'dereference', help: 'follow all links' },
    noFollow: { short: 'P', long: 'no-dereference', help: 'links as links' },
    noClobber: { short: 'n', long: 'no-clobber', help: 'leave files that are there as they are' },
    preserve: { short: 'p', help: 'keep permissions and times (owners cannot be kept)' },
    recursive: { short: 'rR', long: 'recursive', help: 'directories with all that is in them; links as links' },
    removeDestination: {
      long: 'remove-destination',
      help: 'remove a file that is there before it is made anew; draws on the removal budget',
    },
    directory: { short: 't', long: 'target-directory', value: 'DIRECTORY', help: 'copy into DIRECTORY' },
    isName: { short: 'T', long: 'no-target-directory', help: 'DEST is a name, not a directory to copy into' },
    update: { short: 'u', long: 'update', help: 'leave files that are there and not older as they are' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each file' },
  },
  statuses: { 0: 'all were copied', 1: 'some were not' },
  unknownOptionHint: (option) =>
    option === '-i' || '--interactive'.startsWith(option)
      ? 'cp: cp does not ask: write -n to leave files that are there as they are'
      : undefined,

  run(context): Awaitable<number> {
    const { flags } = context;
    const moves = readTargets(context, context.operands, {
      directory: flags.directory,
      isName: flags.isName === true,
    });
    if (!isMoves(moves)) return moves;
    const archive = flags.archive === true;
    const recursive = archive || flags.recursive === true;
    const copier = new Copier(context, {
      recursive,
      follow: followed(context.given) ?? (recursive ? 'none' : 'all'),
      keepLinks: archive || flags.links === true,
      force: flags.force === true,
      update: flags.update === true,
      preserve: archive || flags.preserve === true,
      noClobber: flags.noClobber === true,
      verbose: flags.verbose === true,
      removeDestination: flags.removeDestination === true,
    });
    const each = forEach(moves, ({ from, to }) => andThen(copier.copy(from, to), () => copier.exhausted));
    return andThen(each, () => copier.status);
  },
});

/** What the last option says that says which links are followed. */
function followed(given: Parameters<typeof lastOf>[0]): 'all' | 'operands' | 'none' | undefined {
  const last = lastOf(given, ['archive', 'links', 'followOperands', 'follow', 'noFollow'])?.flag;
  if (last === undefined) return undefined;
  return last === 'follow' ? 'all' : last === 'followOperands' ? 'operands' : 'none';
}
