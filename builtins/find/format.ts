/** The format of `-printf`. */
import { isFsError } from '../../src/errors.js';
import type { FileKind } from '../../src/files/files.js';
import { byteLength, decode, encode } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { modeString } from '../kit/mode.js';
import { formatReal, formatSigned, formatUnsigned, type NumberSpec } from '../kit/number-format.js';
import { parseReal } from '../kit/real.js';
import { strftime } from '../kit/strftime.js';
import { timeZone, type Zone } from '../kit/time-zone.js';
import type { Entry } from '../kit/walk/entry.js';
import { BadExpression, reportFailure, type Search, shown, warn } from './search.js';

/** A part of the output: text as it is, or something of the file. */
type Part = string | ((entry: Entry, search: Search) => string);

export interface Format {
  readonly parts: readonly Part[];
  /** `\c` was met: the output is flushed. */
  readonly flushes: boolean;
}

const ESCAPES: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Throws BadExpression; warns of what it does not know. */
export function parseFormat(text: string, search: Search): Format {
  const parts: Part[] = [];
  let plain = '';
  let flushes = false;
  for (let i = 0; i < text.length; ) {
    const unit = text[i];
    if (unit === '\\') {
      const { out, next } = readEscape(text, i + 1, search);
      if (out === undefined) {
        flushes = true;
        break;
      }
      plain += out;
      i = next;
    } else if (unit === '%') {
      const { part, next } = readDirective(text, i, search);
      if (typeof part === 'string') plain += part;
      else {
        parts.push(plain, part);
        plain = '';
      }
      i = next;
    } else {
      plain += unit;
      i++;
    }
  }
  parts.push(plain);
  return { parts: parts.filter((part) => part !== ''), flushes };
}

/** `out` undefined: `\c`. */
function readEscape(text: string, at: number, search: Search): { out: string | undefined; next: number } {
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3));
  if (octal !== null) {
    const byte = Number.parseInt(octal[0], 8) & 0xff;
    return { out: decode(Uint8Array.of(byte)), next: at + octal[0].length };
  }
  const letter = text[at];
  if (letter === undefined) {
    warn(search, "escape `\\' followed by nothing at all");
    return { out: '\\', next: at };
  }
  if (letter === 'c') return { out: undefined, next: at + 1 };
  const known = ESCAPES[letter];
  if (known === undefined) warn(search, `unrecognized escape \`\\${letter}'`);
  return { out: known ?? `\\${letter}`, next: at + 1 };
}

function readDirective(text: string, percent: number, search: Search): { part: Part; next: number } {
  const head = /^%([-+ 0#]*)([0-9]*)(?:\.([0-9]*))?/.exec(text.slice(percent, percent + 64)) as RegExpExecArray; // `%` is there
  const at = percent + head[0].length;
  const letter = text[at];
  if (letter === undefined) throw new BadExpression('error: % at end of format string');
  if (letter === '%') return { part: head[0], next: at + 1 };
  if ('{[('.includes(letter)) {
    throw new BadExpression(`error: the format directive \`%${letter}' is reserved for future use`);
  }
  const spec = specOf(head);
  if ('ABCT'.includes(letter)) {
    const how = text[at + 1];
    if (how === undefined) {
      warn(search, `format directive \`%${letter}' should be followed by another character`);
      return { part: head[0] + letter, next: at + 1 };
    }
    const zone = timeZone(search.context.clock.timeZone);
    return { part: (entry) => pad(formatTime(timeOf(letter, entry), how, zone), spec), next: at + 2 };
  }
  const value = directives[letter];
  if (value === undefined) {
    warn(search, `unrecognized format directive \`%${letter}'`);
    return { part: head[0] + letter, next: at + 1 };
  }
  return { part: (entry, of) => value(entry, spec, of), next: at + 1 };
}

function specOf(head: RegExpExecArray): NumberSpec {
  const flags = head[1] ?? '';
  return {
    left: flags.includes('-'),
    zero: flags.includes('0'),
    plus: flags.includes('+'),
    space: flags.includes(' '),
    alternate: flags.includes('#'),
    width: bounded(head[2]),
    precision: head[3] === undefined ? undefined : bounded(head[3]),
  };
}

/** No width, however large, makes more than this. */
function bounded(digits: string | undefined): number {
  return Math.min(Number(digits ?? ''), 1 << 20);
}

/** `%s` of printf(3), which counts bytes. */
function pad(text: string, spec: NumberSpec): string {
  let out = text;
  if (spec.precision !== undefined && byteLength(text) > spec.precision) {
    out = decode(encode(text).subarray(0, spec.precision));
  }
  const missing = spec.width - byteLength(out);
  if (missing <= 0) return out;
  return spec.left ? out + ' '.repeat(missing) : ' '.repeat(missing) + out;
}

type Directive = (entry: Entry, spec: NumberSpec, search: Search) => string;

function text(of: (entry: Entry, search: Search) => string | number | bigint): Directive {
  return (entry, spec, search) => pad(String(of(entry, search)), spec);
}

/** A part of a file's name: shown with `?` for what a terminal should not get. */
function name(of: (entry: Entry) => string): Directive {
  return (entry, spec, search) => pad(shown(search, of(entry)), spec);
}

const KIND_LETTERS: { readonly [kind in FileKind]: string } = {
  file: 'f',
  directory: 'd',
  symlink: 'l',
  fifo: 'p',
  socket: 's',
  block: 'b',
  character: 'c',
};

const directives: { readonly [letter: string]: Directive } = {
  a: ctime('A'),
  b: text((entry) => entry.stat().blocks),
  c: ctime('C'),
  d: (entry, spec) => formatSigned(entry.depth, spec),
  D: text((entry) => entry.stat().dev),
  f: name((entry) => baseName(entry.path)),
  F: text((entry, { context }) => {
    const { dev } = entry.stat();
    return context.host.mounts().find((mount) => mount.dev === dev)?.type ?? 'unknown';
  }),
  g: text((entry, { context }) => context.host.groupName(entry.stat().gid) ?? entry.stat().gid),
  G: text((entry) => entry.stat().gid),
  h: name((entry) => directoryOf(entry.path)),
  H: name((entry) => entry.start),
  i: text((entry) => entry.stat().ino),
  k: text((entry) => Math.ceil(entry.stat().blocks / 2)),
  l: name((entry) => (entry.stat().kind === 'symlink' ? entry.readlink() : '')),
  m: (entry, spec) => formatUnsigned(entry.stat().mode & 0o7777, 'o', spec),
  M: text((entry) => modeString(entry.stat().kind, entry.stat().mode)),
  n: text((entry) => entry.stat().nlink),
  p: name((entry) => entry.path),
  P: name((entry) => (entry.depth === 0 ? '' : entry.path.slice(entry.start.length).replace(/^\//, ''))),
  s: text((entry) => entry.stat().size),
  S: (entry, spec) => formatReal(parseReal(String(sparseness(entry))).value, 'g', spec),
  t: ctime('T'),
  u: text((entry, { context }) => context.host.userName(entry.stat().uid) ?? entry.stat().uid),
  U: text((entry) => entry.stat().uid),
  y: text((entry) => KIND_LETTERS[entry.kind()]),
  Y: text((entry) => targetLetter(entry)),
  Z(entry, _spec, search) {
    search.context.complain(`getfilecon failed: ${gnuQuoteValue(entry.path)}: No data available`);
    search.status = 1;
    return '';
  },
};

/** `b` of `a/b`, `b/` of `a/b/`. */
function baseName(path: string): string {
  const end = endOfName(path);
  if (end === 0) return '/';
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end + (end < path.length ? 1 : 0));
}

/** All before the last part. As in GNU, slashes behind a name of one character are not taken for its end. */
function directoryOf(path: string): string {
  const end = endOfName(path);
  if (end === 0) return '';
  const bare = end > 1 ? path.slice(0, end) : path;
  const slash = bare.lastIndexOf('/');
  return slash < 0 ? '.' : bare.slice(0, slash);
}

function endOfName(path: string): number {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return end;
}

function sparseness(entry: Entry): number {
  const { size, blocks } = entry.stat();
  if (size === 0) return blocks === 0 ? 1 : Number.POSITIVE_INFINITY;
  return (512 * blocks) / size;
}

function targetLetter(entry: Entry): string {
  if (entry.kind() !== 'symlink') return KIND_LETTERS[entry.kind()];
  try {
    return KIND_LETTERS[entry.target().kind];
  } catch (error) {
    if (!isFsError(error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'N';
    return error.code === 'ELOOP' ? 'L' : '?';
  }
}

const SECOND = 1_000_000_000n;

function timeOf(letter: string, entry: Entry): bigint {
  const stat = entry.stat();
  if (letter === 'A') return stat.atimeNs;
  if (letter === 'B') return stat.birthtimeNs;
  return letter === 'C' ? stat.ctimeNs : stat.mtimeNs;
}

/** ctime(3), with the part of a second. */
function ctime(letter: string): Directive {
  return (entry, spec, search) => {
    const time = timeOf(letter, entry);
    const zone = timeZone(search.context.clock.timeZone);
    const format = `%a %b %e %H:%M:%S.${split(time).fraction} %Y`;
    return pad(strftime(format, { seconds: split(time).seconds, nanoseconds: undefined }, zone) ?? '', spec);
  };
}

function split(time: bigint): { readonly seconds: bigint; readonly fraction: string } {
  const nanoseconds = ((time % SECOND) + SECOND) % SECOND;
  return { seconds: (time - nanoseconds) / SECOND, fraction: `${nanoseconds.toString().padStart(9, '0')}0` };
}

const WITH_FRACTION: { readonly [letter: string]: string } = {
  S: '%S.',
  T: '%H:%M:%S.',
  X: '%H:%M:%S.',
  '+': '%Y-%m-%d+%H:%M:%S.',
};

function formatTime(time: bigint, how: string, zone: Zone): string {
  const { seconds, fraction } = split(time);
  if (how === '@') return `${seconds}.${fraction}`;
  const moment = { seconds, nanoseconds: undefined };
  const format = WITH_FRACTION[how];
  return (format === undefined ? strftime(`%${how}`, moment, zone) : strftime(format + fraction, moment, zone)) ?? '';
}

/** What to print for a file: what of it cannot be had is reported and left out. */
export function applyFormat(format: Format, entry: Entry, search: Search): string {
  let out = '';
  for (const part of format.parts) {
    if (typeof part === 'string') out += part;
    else {
      try {
        out += part(entry, search);
      } catch (error) {
        reportFailure(search, entry.path, error);
      }
    }
  }
  return out;
}
