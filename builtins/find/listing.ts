/** `-ls`: a line as of `ls -dils`, in columns that only ever grow. */
import { encode } from '../../src/text/bytes.js';
import { majorOf, minorOf } from '../kit/device.js';
import { modeString } from '../kit/mode.js';
import { strftime } from '../kit/strftime.js';
import { timeZone } from '../kit/time-zone.js';
import type { Entry } from '../kit/walk/entry.js';
import type { Search } from './search.js';

const HALF_A_YEAR = 31_556_952n / 2n;
const SECOND = 1_000_000_000n;

/** Answers the lines of one `-ls`. */
export function lister(search: Search): (entry: Entry) => string {
  const widths = { inode: 9, blocks: 6, links: 3, owner: 8, group: 8, major: 3, minor: 3, size: 8 };
  const { host, clock } = search.context;
  const zone = timeZone(clock.timeZone);
  const now = search.now / SECOND;

  function right(column: keyof typeof widths, value: bigint | number): string {
    const text = String(value).padStart(widths[column]);
    widths[column] = text.length;
    return text;
  }
  function left(column: keyof typeof widths, value: string | number): string {
    const text = String(value).padEnd(widths[column]);
    widths[column] = text.length;
    return text;
  }

  return (entry) => {
    const stat = entry.stat();
    const seconds = stat.mtimeNs / SECOND;
    const recent = now - HALF_A_YEAR <= seconds && seconds <= now;
    const time = strftime(recent ? '%b %e %H:%M' : '%b %e  %Y', { seconds, nanoseconds: undefined }, zone);
    const device = stat.kind === 'block' || stat.kind === 'character';
    const link = stat.kind === 'symlink' ? ` -> ${escaped(entry.readlink())}` : '';
    return [
      right('inode', stat.ino),
      right('blocks', Math.ceil(stat.blocks / 2)),
      modeString(stat.kind, stat.mode),
      right('links', stat.nlink),
      left('owner', host.userName(stat.uid) ?? stat.uid),
      left('group', host.groupName(stat.gid) ?? stat.gid),
      device
        ? `${right('major', majorOf(stat.rdev))}, ${right('minor', minorOf(stat.rdev))}`
        : right('size', stat.size),
      time ?? String(seconds),
      `${escaped(entry.path)}${link}\n`,
    ].join(' ');
  };
}

const ESCAPES: { readonly [byte: number]: string } = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  32: '\\ ',
  34: '\\"',
  92: '\\\\',
};

/** Every byte that is not a plain ASCII character as an escape, as C would write it. */
function escaped(name: string): string {
  if (/^[!#-[\]-~]*$/.test(name)) return name;
  let out = '';
  for (const byte of encode(name)) {
    out += ESCAPES[byte] ?? (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${octal(byte)}`);
  }
  return out;
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}
