/** cp: copy files and directories. */
import { type Awaitable, andThen } from '../src/steps.js';
import { Copier } from './kit/copier.js';
import { defineBuiltin } from './kit/define.js';
import { forEach } from './kit/repeat.js';
import { isMoves, readTargets } from './kit/targets.js';

export const cp = defineBuiltin({
  name: 'cp',
  summary: 'copy files and directories',
  usage: 'cp [OPTION]... [-T] SOURCE DEST\ncp [OPTION]... SOURCE... DIRECTORY\ncp [OPTION]... -t DIRECTORY SOURCE...',
  needs: ['read', 'list', 'write', 'remove'],
  remediationOnly: true,
  flags: {
    noClobber: { short: 'n', long: 'no-clobber', help: 'leave files that are there as they are' },
    preserve: { short: 'p', help: 'keep permissions and times (owners cannot be kept)' },
    recursive: { short: 'rR', long: 'recursive', help: 'directories with all that is in them; links as links' },
    removeDestination: {
      long: 'remove-destination',
      help: 'remove a file that is there before it is made anew; draws on the removal budget',
    },
    directory: { short: 't', long: 'target-directory', value: 'DIRECTORY', help: 'copy into DIRECTORY' },
    isName: { short: 'T', long: 'no-target-directory', help: 'DEST is a name, not a directory to copy into' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each file' },
  },
  statuses: { 0: 'all were copied', 1: 'some were not' },

  run(context): Awaitable<number> {
    const { flags } = context;
    const moves = readTargets(context, context.operands, {
      directory: flags.directory,
      isName: flags.isName === true,
    });
    if (!isMoves(moves)) return moves;
    const copier = new Copier(context, {
      recursive: flags.recursive === true,
      preserve: flags.preserve === true,
      noClobber: flags.noClobber === true,
      verbose: flags.verbose === true,
      removeDestination: flags.removeDestination === true,
    });
    const each = forEach(moves, ({ from, to }) => andThen(copier.copy(from, to), () => copier.exhausted));
    return andThen(each, () => copier.status);
  },
});
