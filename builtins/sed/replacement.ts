/** The right side of `s`. */
import { fromByteString, toByteString } from '../../src/text/bytes.js';
import { mapParts } from '../../src/text/work.js';
import { replaceEscapes } from './escapes.js';

/** Text, a group (0 is the whole match), or a change of case for what follows. */
export type Part = string | number | { readonly change: 'U' | 'L' | 'E' | 'u' | 'l' };

export function parseReplacement(source: string): Part[] {
  const text = replaceEscapes(source, (character) =>
    character === '&' || character === '\\' ? `\\${character}` : character,
  );
  const parts: Part[] = [];
  let literal = '';
  const push = (part: Part): void => {
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(part);
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '&') push(0);
    else if (character !== '\\' || i + 1 === text.length) literal += character;
    else {
      const next = text[++i] as string;
      if (next >= '0' && next <= '9') push(Number(next));
      else if (next === 'U' || next === 'L' || next === 'E' || next === 'u' || next === 'l') push({ change: next });
      else literal += next;
    }
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

/** The highest group that is referred to. */
export function highestGroup(parts: readonly Part[]): number {
  return parts.reduce<number>((most, part) => (typeof part === 'number' ? Math.max(most, part) : most), 0);
}

/** What replaces the match that `spans` describe. */
export function expandReplacement(parts: readonly Part[], text: string, spans: Int32Array): string {
  let out = '';
  let all: 'U' | 'L' | undefined;
  let once: 'u' | 'l' | undefined;
  for (const part of parts) {
    if (typeof part === 'object') {
      const { change } = part;
      if (change === 'u' || change === 'l') once = change;
      else {
        all = change === 'E' ? undefined : change;
        once = undefined;
      }
      continue;
    }
    const piece = typeof part === 'string' ? part : groupText(text, spans, part);
    if (all === undefined && once === undefined) out += piece;
    else if (piece !== '') {
      out += changeCase(piece, all, once);
      once = undefined;
    }
  }
  return out;
}

function groupText(text: string, spans: Int32Array, group: number): string {
  const from = spans[2 * group];
  return from === undefined || from < 0 ? '' : text.slice(from, spans[2 * group + 1]);
}

function changeCase(bytes: string, all: 'U' | 'L' | undefined, once: 'u' | 'l' | undefined): string {
  const text = fromByteString(bytes);
  const whole = all === 'U' ? upper(text) : all === 'L' ? lower(text) : text;
  if (once === undefined) return toByteString(whole);
  const [first = ''] = whole;
  return toByteString((once === 'u' ? upper(first) : lower(first)) + whole.slice(first.length));
}

/** Character by character: one that becomes several (as German sharp s does) stays. */
function upper(text: string): string {
  return mapCharacters(text, (character) => character.toUpperCase());
}

function lower(text: string): string {
  return mapCharacters(text, (character) => character.toLowerCase());
}

function mapCharacters(text: string, f: (character: string) => string): string {
  return mapParts(text, (part) => {
    let out = '';
    for (const character of part) {
      const mapped = f(character);
      out += mapped.length === character.length ? mapped : character;
    }
    return out;
  });
}
