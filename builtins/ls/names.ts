/** Names as they are shown: quoted, with indicators and colours. */
import type { FileKind } from '../../src/files/files.js';
import { encode } from '../../src/text/bytes.js';
import { gnuQuote, isPrintable, isPrintableCharacter, needsGnuQuotes } from '../../src/text/quote.js';
import { widthOfText } from '../kit/text-width.js';
import type { Item } from './item.js';
import type { Indicator, Naming, Settings } from './settings.js';

export function shownName(name: string, naming: Naming): string {
  if (naming === 'c') return `"${escaped(name, C_ESCAPES)}"`;
  if (naming === 'escape') return escaped(name, BARE_ESCAPES);
  if (naming === 'shell') return needsGnuQuotes(name) ? gnuQuote(name) : name;
  if (naming === 'literal' || isPrintable(name)) return name;
  return [...name].map((character) => (isPrintableCharacter(character) ? character : '?')).join('');
}

const C_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** Without quotes around a name, it is the blank that has to be escaped. */
const BARE_ESCAPES: ReadonlyMap<string, string> = new Map([...C_ESCAPES, ['"', '"'], [' ', '\\ ']]);

function escaped(name: string, escapes: ReadonlyMap<string, string>): string {
  let out = '';
  for (const character of name) {
    const special = escapes.get(character);
    if (special !== undefined) out += special;
    else if (isPrintableCharacter(character)) out += character;
    else for (const byte of encode(character)) out += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return out;
}

/** The character after a name that tells what it is. */
export function indicatorOf(kind: FileKind | undefined, mode: number | undefined, indicator: Indicator): string {
  if (indicator === 'none' || kind === undefined) return '';
  if (kind === 'directory') return '/';
  if (indicator === 'slash') return '';
  if (kind === 'symlink') return '@';
  if (kind === 'fifo') return '|';
  if (kind === 'socket') return '=';
  return indicator === 'classify' && kind === 'file' && ((mode ?? 0) & 0o111) !== 0 ? '*' : '';
}

function colorOf(kind: FileKind | undefined, mode: number): string | undefined {
  switch (kind) {
    case 'directory':
      if ((mode & 0o1002) === 0o1002) return '30;42';
      if (mode & 0o002) return '34;42';
      return mode & 0o1000 ? '37;44' : '01;34';
    case 'symlink':
      return '01;36';
    case 'fifo':
      return '33';
    case 'socket':
      return '01;35';
    case 'block':
    case 'character':
      return '01;33';
    case 'file':
      if (mode & 0o4000) return '37;41';
      if (mode & 0o2000) return '30;43';
      return mode & 0o111 ? '01;32' : undefined;
    default:
      return undefined;
  }
}

/** Puts colours around names; the first one is preceded by a reset. */
export class Painter {
  private readonly on: boolean;
  private used = false;
  constructor(on: boolean) {
    this.on = on;
  }
  paint(text: string, kind: FileKind | undefined, mode: number | undefined): string {
    const color = this.on ? colorOf(kind, mode ?? 0) : undefined;
    if (color === undefined) return text;
    const start = this.used ? '' : '\x1b[0m';
    this.used = true;
    return `${start}\x1b[${color}m${text}\x1b[0m`;
  }
}

/** A name ready to print, with what stands before it in columns. */
export interface ShownName {
  readonly text: string;
  /** Without colours. */
  readonly width: number;
}

/** `pad`: other names are quoted, so that this one, which is not, starts a column later. */
export function showItem(item: Item, settings: Settings, painter: Painter, pad: boolean): ShownName {
  const shown = shownName(item.name, settings.naming);
  const space = pad && shown === item.name ? ' ' : '';
  const mode = item.stat?.mode;
  const indicator =
    settings.layout === 'long' && item.kind === 'symlink' ? '' : indicatorOf(item.kind, mode, settings.indicator);
  const text = space + painter.paint(shown, item.kind, mode) + indicator;
  return { text, width: space.length + widthOfText(shown) + indicator.length };
}
