/** cp: copy files and directories. */
import { type Awaitable, andThen } from '../src/steps.js';
import { backupName, readBackup } from './kit/backup.js';
import { choose } from './kit/choice.js';
import type { Context } from './kit/context.js';
import { Copier } from './kit/copier.js';
import { BadValue, defineBuiltin, type Flags, type Parsed, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { forEach } from './kit/repeat.js';
import { isMoves, readTargets } from './kit/targets.js';

const FLAGS = {
  archive: { short: 'a', long: 'archive', help: 'as -dRp; owners cannot be kept' },
  backup: { short: 'b', help: 'as --backup' },
  backupType: {
    long: 'backup',
    value: 'CONTROL',
    optional: true,
    help: 'what is there gets another name first: CONTROL is none, simple, numbered or existing ($VERSION_CONTROL)',
  },
  links: { short: 'd', help: 'links as links, and names of one file as names of one file' },
  force: {
    short: 'f',
    long: 'force',
    help: 'remove a file that cannot be opened for writing and make it anew; draws on the removal budget',
  },
  followOperands: { short: 'H', help: 'follow links that are operands' },
  follow: { short: 'L', long: 'dereference', help: 'follow all links' },
  hardLink: { short: 'l', long: 'link', help: 'hard links instead of copies' },
  noFollow: { short: 'P', long: 'no-dereference', help: 'links as links' },
  noClobber: { short: 'n', long: 'no-clobber', help: 'leave files that are there as they are' },
  preserve: { short: 'p', help: 'keep permissions and times (owners cannot be kept)' },
  preserveList: {
    long: 'preserve',
    value: 'ATTR_LIST',
    optional: true,
    parse: (text, flag) => attributes(text, flag),
    help: 'keep mode, timestamps, links, or all; alone the same as -p',
  },
  noPreserve: {
    long: 'no-preserve',
    value: 'ATTR_LIST',
    parse: (text, flag) => attributes(text, flag, false),
    help: 'do not keep these',
  },
  recursive: { short: 'rR', long: 'recursive', help: 'directories with all that is in them; links as links' },
  removeDestination: {
    long: 'remove-destination',
    help: 'remove a file that is there before it is made anew; draws on the removal budget',
  },
  symbolicLink: { short: 's', long: 'symbolic-link', help: 'symbolic links instead of copies' },
  suffix: { short: 'S', long: 'suffix', value: 'SUFFIX', help: 'as -b, with SUFFIX instead of ~' },
  directory: { short: 't', long: 'target-directory', value: 'DIRECTORY', help: 'copy into DIRECTORY' },
  isName: { short: 'T', long: 'no-target-directory', help: 'DEST is a name, not a directory to copy into' },
  update: { short: 'u', long: 'update', help: 'leave files that are there and not older as they are' },
  verbose: { short: 'v', long: 'verbose', help: 'print a line for each file' },
} as const satisfies Flags;

type CpContext = Context<'environment'> & Parsed<typeof FLAGS>;

export const cp = defineBuiltin({
  name: 'cp',
  summary: 'copy files and directories',
  usage: 'cp [OPTION]... [-T] SOURCE DEST\ncp [OPTION]... SOURCE... DIRECTORY\ncp [OPTION]... -t DIRECTORY SOURCE...',
  needs: ['read', 'list', 'write', 'remove', 'environment'],
  remediationOnly: true,
  flags: FLAGS,
  statuses: { 0: 'all were copied', 1: 'some were not' },
  unknownOptionHint: (option) =>
    option === '-i' || '--interactive'.startsWith(option)
      ? 'cp: cp does not ask: write -n to leave files that are there as they are'
      : undefined,

  run(context): Awaitable<number> {
    const { flags } = context;
    if (flags.hardLink && flags.symbolicLink) return usageFailure(context, 'cannot make both hard and symbolic links');
    const backup = backupOf(context);
    if (backup instanceof BadValue) return usageFailure(context, backup.message);
    if (flags.noClobber && backup !== undefined) {
      return usageFailure(context, 'options --backup and --no-clobber are mutually exclusive');
    }
    const moves = readTargets(context, context.operands, {
      directory: flags.directory,
      isName: flags.isName === true,
    });
    if (!isMoves(moves)) return moves;
    const archive = flags.archive === true;
    const recursive = archive || flags.recursive === true;
    const [only] = moves.length === 1 ? moves : [];
    // `cp -bf f f` makes a backup of f, and that is all.
    const ontoItself =
      flags.force && backup !== undefined && only !== undefined && only.from === only.to
        ? [{ from: only.from, to: backupName(context.fs, only.to, backup) }]
        : undefined;
    const kept = keptOf(context.given);
    const copier = new Copier(context, {
      recursive,
      // As GNU: hard links below directories, too, are to what a link leads to.
      follow: followed(context.given) ?? (recursive && flags.hardLink !== true ? 'none' : 'all'),
      keepLinks: kept.links,
      makes: flags.hardLink ? 'link' : flags.symbolicLink ? 'symlink' : undefined,
      backup: ontoItself === undefined ? backup : undefined,
      force: flags.force === true,
      update: flags.update === true,
      preserve: { mode: kept.mode, times: kept.timestamps },
      noClobber: flags.noClobber === true,
      verbose: flags.verbose === true,
      removeDestination: flags.removeDestination === true,
    });
    const each = forEach(ontoItself ?? moves, ({ from, to }) => andThen(copier.copy(from, to), () => copier.exhausted));
    return andThen(each, () => copier.status);
  },
});

/** What the last option says that says which links are followed. */
function followed(given: Parameters<typeof lastOf>[0]): 'all' | 'operands' | 'none' | undefined {
  const last = lastOf(given, ['archive', 'links', 'followOperands', 'follow', 'noFollow'])?.flag;
  if (last === undefined) return undefined;
  return last === 'follow' ? 'all' : last === 'followOperands' ? 'operands' : 'none';
}

const ATTRIBUTES = [['mode'], ['timestamps'], ['ownership'], ['links'], ['context'], ['xattr'], ['all']] as const;
type Attribute = (typeof ATTRIBUTES)[number][0];

/** A list of attributes, in GNU's words; what cannot be kept is refused by its name, owners excepted (as those of `-p`). */
function attributes(text: string, flag: string, keep = true): readonly Attribute[] | BadValue {
  const found: Attribute[] = [];
  for (const word of text.split(',')) {
    const known = choose(word, ATTRIBUTES, flag);
    if (known instanceof BadValue) return known;
    if (keep && known === 'context')
      return new BadValue('cannot preserve security context without an SELinux-enabled kernel');
    if (keep && known === 'xattr')
      return new BadValue('extended attributes cannot be preserved: they are not supported');
    found.push(known);
  }
  return found;
}

interface Kept {
  mode: boolean | 'never';
  timestamps: boolean;
  links: boolean;
}

/** The last word about each attribute counts. */
function keptOf(given: CpContext['given']): Kept {
  const kept: Kept = { mode: false, timestamps: false, links: false };
  for (const { flag, value } of given) {
    if (flag === 'archive' || flag === 'links') kept.links = true;
    if (flag === 'archive' || flag === 'preserve' || (flag === 'preserveList' && value === true)) {
      kept.mode = true;
      kept.timestamps = true;
    } else if (flag === 'preserveList' || flag === 'noPreserve') {
      const yes = flag === 'preserveList';
      for (const name of value as readonly Attribute[]) {
        if (name === 'mode' || name === 'all') kept.mode = yes || 'never';
        if (name === 'timestamps' || name === 'all') kept.timestamps = yes;
        if (name === 'links' || name === 'all') kept.links = yes;
      }
    }
  }
  return kept;
}

function backupOf({ given, flags, environment }: CpContext): ReturnType<typeof readBackup> {
  const last = lastOf(given, ['backup', 'backupType', 'suffix']);
  if (last === undefined) return undefined;
  const word = flags.backupType === true ? undefined : flags.backupType;
  return readBackup(word, flags.suffix, environment);
}
