/** Names of members: byte strings. */
import { fromByteString } from '../../src/text/bytes.js';
import type { Header } from './header.js';
import type { Report } from './report.js';

/** Without what leads out of the directory: slashes at the start, and everything as far as the last `..`. */
export function safeName(name: string, report: Report, what: 'member names' | 'hard link targets'): string {
  const [prefix = ''] = /^(?:.*\/)?\.\.(?=\/|$)\/*|^\/+/s.exec(name) ?? [];
  if (prefix !== '') report.once(`Removing leading \`${shown(prefix)}' from ${what}`);
  const rest = name.slice(prefix.length).replace(/^\/+/, '');
  if (rest !== '') return rest;
  if (name !== '' || prefix !== '') report.once(`Substituting \`.' for empty ${what.slice(0, -1)}`);
  return '.';
}

/** The name without its first `count` parts; undefined: nothing is left of it. */
function stripped(name: string, count: number): string | undefined {
  let rest = name.replace(/^\/+/, '');
  for (let i = 0; i < count; i++) {
    const end = rest.indexOf('/');
    if (end < 0) return undefined;
    rest = rest.slice(end + 1).replace(/^\/+/, '');
  }
  return rest === '' ? undefined : rest;
}

/** `--strip-components`: a member, and where it is a hard link what it links to; undefined: it is passed over. */
export function withoutComponents(header: Header, count: number): Header | undefined {
  if (count === 0) return header;
  const name = stripped(header.name, count);
  const link = header.type === 'hard link' ? stripped(header.link, count) : header.link;
  return name === undefined || link === undefined ? undefined : { ...header, name, link };
}

export function hasDotDot(name: string): boolean {
  return name.split('/').includes('..');
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
]);

/** As lists and messages show a name: one line, whatever is in it. A shell string. */
export function shown(name: string): string {
  let text = '';
  for (const character of fromByteString(name)) {
    const code = character.codePointAt(0) as number; // a character has one
    const letter = ESCAPES.get(character);
    if (letter !== undefined) text += letter;
    else if (code >= 0xdc80 && code <= 0xdcff) text += octal(code - 0xdc00);
    else if (code < 32 || code === 127) text += octal(code);
    else if (code >= 0x80 && code < 0xa0) text += `\\302${octal(code)}`;
    else text += character;
  }
  return text;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/** Which members are meant: all, or those named and what is below them. */
export class Selection {
  private readonly names: readonly string[];
  private readonly found = new Set<string>();

  constructor(names: readonly string[]) {
    this.names = names.map((name) => name.replace(/(.)\/+$/s, '$1'));
  }

  /** Which of the names means this member; undefined when it is not meant, -1 where all are. */
  match(member: string): number | undefined {
    if (this.names.length === 0) return -1;
    const bare = member.replace(/(.)\/+$/s, '$1');
    let match: number | undefined;
    for (const [i, name] of this.names.entries()) {
      if (bare !== name && !bare.startsWith(`${name}/`)) continue;
      this.found.add(name);
      match ??= i;
    }
    return match;
  }

  missing(): readonly string[] {
    return this.names.filter((name) => !this.found.has(name));
  }
}
