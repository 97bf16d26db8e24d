/** Splitting a line for `read`: like field splitting, but the last variable takes the rest of the line (POSIX XCU read). */

const NONE = 0;
const WHITE = 1;
const OTHER = 2;

/** `$IFS` as a table: which characters separate fields, and which of them are IFS white space. */
class Separators {
  readonly source: string | undefined;
  /** Whether a separator is a character of two code units. */
  readonly astral: boolean;
  readonly #ascii = new Uint8Array(128);
  readonly #others = new Set<number>();

  constructor(source: string | undefined) {
    this.source = source;
    for (const character of source ?? ' \t\n') {
      const code = character.codePointAt(0) ?? 0;
      if (code < 128) this.#ascii[code] = code === 32 || code === 9 || code === 10 ? WHITE : OTHER;
      else this.#others.add(code);
    }
    this.astral = /[\ud800-\udfff]/.test(source ?? '');
  }

  kind(code: number): number {
    if (code < 128) return this.#ascii[code] as number;
    return this.#others.has(code) ? OTHER : NONE;
  }
}

/** A loop over lines asks with the same separators each time. */
let last = new Separators(undefined);

/** At most `count` values of `text`. Without `raw` a backslash quotes the character after it and vanishes. */
export function splitFields(text: string, ifs: string | undefined, count: number, raw: boolean): string[] {
  const plain = raw || !text.includes('\\');
  // `IFS= read -r line`: nothing separates.
  if (plain && ifs === '') return text === '' ? [] : [text];
  if (last.source !== ifs) last = new Separators(ifs);
  const separators = last;
  if (!plain) return split(unquoted(text), separators, count);
  // Code units will do where no separator is made of two.
  return split({ text: separators.astral ? [...text] : text, quoted: undefined }, separators, count);
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

function kindAt({ text, quoted }: Line, separators: Separators, at: number): number {
  if (typeof text === 'string') return separators.kind(text.charCodeAt(at));
  return quoted?.has(at) === true ? NONE : separators.kind((text[at] as string).codePointAt(0) as number);
}

function split(line: Line, separators: Separators, count: number): string[] {
  const { text } = line;
  let at = 0;
  let end = text.length;
  while (at < end && kindAt(line, separators, at) === WHITE) at += 1;
  while (end > at && kindAt(line, separators, end - 1) === WHITE) end -= 1;
  const values: string[] = [];
  while (values.length < count - 1 && at < end) {
    const stop = fieldEnd(line, separators, at, end);
    values.push(piece(text, at, stop));
    at = separatorEnd(line, separators, stop, end);
  }
  if (at >= end) return values;
  // The rest of the line, with its separators; a separator that only ends its one field is none of it.
  const stop = fieldEnd(line, separators, at, end);
  values.push(piece(text, at, separatorEnd(line, separators, stop, end) >= end ? stop : end));
  return values;
}

function fieldEnd(line: Line, separators: Separators, from: number, end: number): number {
  let stop = from;
  while (stop < end && kindAt(line, separators, stop) === NONE) stop += 1;
  return stop;
}

/** Where the next field starts: white space around one other separator is one separator. */
function separatorEnd(line: Line, separators: Separators, from: number, end: number): number {
  let next = from;
  while (next < end && kindAt(line, separators, next) === WHITE) next += 1;
  if (next < end && kindAt(line, separators, next) !== NONE) {
    next += 1;
    while (next < end && kindAt(line, separators, next) === WHITE) next += 1;
  }
  return next;
}

function piece(text: Line['text'], from: number, to: number): string {
  return typeof text === 'string' ? text.slice(from, to) : text.slice(from, to).join('');
}
