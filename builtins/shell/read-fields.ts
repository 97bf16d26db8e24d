/** Splitting a line for `read`: like field splitting, but the last variable takes the rest of the line (POSIX XCU read). */

const SPACES = ' \t\n';

interface Separators {
  /** Whether a character separates fields. */
  any(character: string): boolean;
  /** Whether it is IFS white space. */
  white(character: string): boolean;
}

/** At most `count` values of `text`. Without `raw` a backslash quotes the character after it and vanishes. */
export function splitFields(text: string, ifs: string | undefined, count: number, raw: boolean): string[] {
  const characters = [...(ifs ?? SPACES)];
  const separators: Separators = {
    any: (character) => characters.includes(character),
    white: (character) => SPACES.includes(character) && characters.includes(character),
  };
  if (!raw && text.includes('\\')) return split(unquoted(text), separators, count);
  // Code units will do where no separator is made of two.
  const astral = /[\ud800-\udfff]/.test(ifs ?? '');
  return split({ text: astral ? [...text] : text, quoted: undefined }, separators, count);
}

/** The characters of a line; `quoted` tells those that a backslash stood before, which separate nothing. */
interface Line {
  readonly text: readonly string[] | string;
  readonly quoted: ReadonlySet<number> | undefined;
}

function unquoted(text: string): Line {
  const characters: string[] = [];
  const quoted = new Set<number>();
  let escaped = false;
  for (const character of text) {
    if (character === '\\' && !escaped) {
      escaped = true;
      continue;
    }
    if (escaped) quoted.add(characters.length);
    escaped = false;
    characters.push(character);
  }
  return { text: characters, quoted };
}

function split({ text, quoted }: Line, separators: Separators, count: number): string[] {
  const separates = (at: number): boolean => separators.any(text[at] as string) && quoted?.has(at) !== true;
  const white = (at: number): boolean => separators.white(text[at] as string) && quoted?.has(at) !== true;
  let at = 0;
  let end = text.length;
  while (at < end && white(at)) at += 1;
  while (end > at && white(end - 1)) end -= 1;
  const values: string[] = [];
  /** The end of the field at `from`, and where the next one starts: white space around one other separator is one separator. */
  const field = (from: number): { readonly stop: number; readonly next: number } => {
    let stop = from;
    while (stop < end && !separates(stop)) stop += 1;
    let next = stop;
    while (next < end && white(next)) next += 1;
    if (next < end && separates(next)) {
      next += 1;
      while (next < end && white(next)) next += 1;
    }
    return { stop, next };
  };
  while (values.length < count - 1 && at < end) {
    const { stop, next } = field(at);
    values.push(piece(text, at, stop));
    at = next;
  }
  if (at >= end) return values;
  // The rest of the line, with its separators; a separator that only ends its one field is none of it.
  const { stop, next } = field(at);
  values.push(piece(text, at, next >= end ? stop : end));
  return values;
}

function piece(text: Line['text'], from: number, to: number): string {
  return typeof text === 'string' ? text.slice(from, to) : text.slice(from, to).join('');
}
