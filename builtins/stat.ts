/** stat: all that is known of a file or of the file system it is on. */
import type { FileKind, FileStat } from '../src/files/files.js';
import { andThen } from '../src/steps.js';
import { gnuQuote } from '../src/text/quote.js';
import type { Context } from './kit/context.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { majorOf, minorOf } from './kit/device.js';
import { lastOf } from './kit/given.js';
import { modeString } from './kit/mode.js';
import { eachOperand } from './kit/operands.js';
import { strftime } from './kit/strftime.js';
import { timeZone } from './kit/time-zone.js';
import { fileSystemName } from './stat/file-system.js';
import { applyFormat, type Directives, parseFormat, type Value } from './stat/format.js';

type StatContext = Context<'read' | 'clock' | 'host'>;

export const stat = defineBuiltin({
  name: 'stat',
  summary: 'print what is known of files and file systems',
  usage: 'stat [OPTION]... FILE...',
  needs: ['read', 'clock', 'host'],
  flags: {
    follow: { short: 'L', long: 'dereference', help: 'follow symbolic links' },
    fileSystem: { short: 'f', long: 'file-system', help: 'of the file system instead of the file' },
    format: { short: 'c', long: 'format', value: 'FORMAT', help: 'print FORMAT and a newline for each FILE' },
    printf: { long: 'printf', value: 'FORMAT', help: 'print FORMAT, with escapes and without a newline' },
    terse: { short: 't', long: 'terse', help: 'on one line' },
  },
  notes: `For files: %a %A permissions, %b blocks of %B bytes, %C context, %d %D device, %f mode, %F kind, %g %G group,
%h links, %i inode, %m mount point, %n %N name, %o best block, %r %R %t %T device type, %s size, %u %U user,
%w %W birth, %x %X access, %y %Y modification, %z %Z change.
For file systems: %a %b %c %d %f free and all blocks and inodes, %n name, %s %S block sizes, %t %T type;
%i %l, its number and longest name, are not to be had and print ?.`,
  statuses: { 0: 'all went well', 1: 'some FILE failed' },

  run(context) {
    const { flags, operands } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const format = lastOf(context.given, ['format', 'printf']);
    const { fileSystem = false, terse = false } = flags;
    const given = format === undefined ? undefined : String(format.value);
    // As in GNU, names are quoted where the format has `%N` without anything between.
    const quoted = given?.includes('%N') === true;
    const end = format?.flag === 'format' ? '\n' : '';
    const escapes = format?.flag === 'printf';
    /** A format that cannot be read is no better with the next file. */
    let hopeless = false;
    return eachOperand(context, operands, (file) => {
      if (hopeless) return 1;
      const device = { is: false };
      let directives: Directives;
      let status = 0;
      try {
        if (fileSystem) directives = fileSystemDirectives(context, file);
        else {
          const facts = flags.follow ? context.fs.stat(file) : context.fs.lstat(file);
          device.is = facts.kind === 'block' || facts.kind === 'character';
          directives = fileDirectives(context, file, facts, quoted, () => {
            status = 1;
          });
        }
      } catch (error) {
        const what = fileSystem ? 'cannot read file system information for' : 'cannot statx';
        return context.failed(`${what} ${gnuQuote(file)}`, error);
      }
      const used = given ?? defaultFormat(fileSystem, terse, device.is);
      const parsed = parseFormat(used, escapes, context.complain);
      const printed = applyFormat(parsed, directives);
      return andThen(context.out.write(parsed.problem === undefined ? printed + end : printed), () => {
        if (parsed.problem === undefined) return status;
        context.complain(parsed.problem);
        hopeless = true;
        return 1;
      });
    });
  },
});

function defaultFormat(fileSystem: boolean, terse: boolean, device: boolean): string {
  if (fileSystem) {
    return terse
      ? '%n %i %l %t %s %S %b %f %a %c %d\n'
      : '  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\n' +
          'Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n';
  }
  if (terse) return '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n';
  return (
    '  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n' +
    `Device: %Hd,%Ld\tInode: %-10i  Links: ${device ? '%-5h Device type: %Hr,%Lr' : '%h'}\n` +
    'Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n'
  );
}

const KINDS: { readonly [kind in FileKind]: string } = {
  file: 'regular file',
  directory: 'directory',
  symlink: 'symbolic link',
  fifo: 'fifo',
  socket: 'socket',
  block: 'block special file',
  character: 'character special file',
};

const text = (value: string): Value => ({ kind: 'text', text: value });
const decimal = (value: number | bigint): Value => ({ kind: 'decimal', number: value });
const octal = (value: number | bigint): Value => ({ kind: 'octal', number: value });
const hex = (value: number | bigint): Value => ({ kind: 'hex', number: value });
const time = (nanoseconds: bigint): Value => ({ kind: 'time', nanoseconds });

/** `quoted`: names of `%N` are, in formats that were given. */
function fileDirectives(
  context: StatContext,
  file: string,
  stat: FileStat,
  quoted: boolean,
  failed: () => void,
): Directives {
  const { fs, host } = context;
  const shown = (name: string) => (quoted ? gnuQuote(name) : name);
  const date = (nanoseconds: bigint) => text(dateText(nanoseconds, context.clock.timeZone));
  return (letter, part) => {
    switch (letter) {
      case 'a':
        return octal(stat.mode & 0o7777);
      case 'A':
        return text(modeString(stat.kind, stat.mode));
      case 'b':
        return decimal(stat.blocks);
      case 'B':
        return decimal(512);
      case 'C':
        context.complain(`failed to get security context of ${gnuQuote(file)}: No data available`);
        failed();
        return undefined;
      case 'd':
        return decimal(partOf(stat.dev, part));
      case 'D':
        return hex(stat.dev);
      case 'f':
        return hex(stat.mode);
      case 'F':
        return text(stat.kind === 'file' && stat.size === 0 ? 'regular empty file' : KINDS[stat.kind]);
      case 'g':
        return decimal(stat.gid);
      case 'G':
        return text(host.groupName(stat.gid) ?? 'UNKNOWN');
      case 'h':
        return decimal(stat.nlink);
      case 'i':
        return decimal(stat.ino);
      case 'm':
        return text(mountPoint(context, file, stat.dev));
      case 'n':
        return text(file);
      case 'N':
        return text(stat.kind === 'symlink' ? `${shown(file)} -> ${shown(fs.readlink(file))}` : shown(file));
      case 'o':
        return decimal(stat.blksize);
      case 'r':
        return decimal(partOf(stat.rdev, part));
      case 'R':
        return hex(stat.rdev);
      case 's':
        return { kind: 'signed', number: stat.size };
      case 't':
        return hex(majorOf(stat.rdev));
      case 'T':
        return hex(minorOf(stat.rdev));
      case 'u':
        return decimal(stat.uid);
      case 'U':
        return text(host.userName(stat.uid) ?? 'UNKNOWN');
      case 'w':
        return stat.birthtimeNs > 0n ? date(stat.birthtimeNs) : text('-');
      case 'W':
        return time(stat.birthtimeNs > 0n ? stat.birthtimeNs : 0n);
      case 'x':
        return date(stat.atimeNs);
      case 'X':
        return time(stat.atimeNs);
      case 'y':
        return date(stat.mtimeNs);
      case 'Y':
        return time(stat.mtimeNs);
      case 'z':
        return date(stat.ctimeNs);
      case 'Z':
        return time(stat.ctimeNs);
      default:
        return undefined;
    }
  };
}

function partOf(device: bigint, part: string): bigint {
  return part === 'H' ? majorOf(device) : part === 'L' ? minorOf(device) : device;
}

/** The mount the physical path lies on: the longest that holds it, of the file's device. */
function mountPoint({ fs, host }: StatContext, file: string, dev: bigint): string {
  const path = fs.realpath(file);
  let best = '?';
  for (const { target, dev: of } of host.mounts()) {
    const holds = path === target || path.startsWith(target === '/' ? '/' : `${target}/`);
    if (holds && of === dev && (best === '?' || target.length >= best.length)) best = target;
  }
  return best;
}

function fileSystemDirectives({ fs }: StatContext, file: string): Directives {
  const facts = fs.statfs(file);
  return (letter) => {
    switch (letter) {
      case 'a':
        return decimal(facts.bavail);
      case 'b':
        return decimal(facts.blocks);
      case 'c':
        return decimal(facts.files);
      case 'd':
        return decimal(facts.ffree);
      case 'f':
        return decimal(facts.bfree);
      case 'i':
      case 'l':
        return text('?');
      case 'n':
        return text(file);
      case 's':
      case 'S':
        return decimal(facts.bsize);
      case 't':
        return hex(facts.type >>> 0);
      case 'T':
        return text(fileSystemName(facts.type));
      default:
        return undefined;
    }
  };
}

const SECOND = 1_000_000_000n;

function dateText(nanoseconds: bigint, zone: string): string {
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const moment = { seconds: (nanoseconds - rest) / SECOND, nanoseconds: Number(rest) };
  return strftime('%Y-%m-%d %H:%M:%S.%N %z', moment, timeZone(zone)) ?? String(moment.seconds);
}
