/** Field splitting (POSIX 2.6.5), and the fields that come of a word. */
import { limitReached } from '../limits.js';
import { opensGroup } from '../text/extended-parse.js';
import { escapePattern } from '../text/pattern.js';

const NONE = 0;
const WHITE = 1;
const OTHER = 2;

/** `$IFS` as a table: which characters separate fields, and which of them are IFS white space. */
export class FieldSeparators {
  /** The text it was made of; undefined when IFS is unset, which means space, tab and newline. */
  readonly source: string | undefined;
  /** What joins `"$*"`: the first character, nothing when IFS is empty, a space when it is unset. */
  readonly joiner: string;
  /** No field is ever split. */
  readonly empty: boolean;
  /** A digit or a minus separates. */
  readonly splitsNumbers: boolean;
  readonly #ascii = new Uint8Array(128);
  readonly #others: Set<number> | undefined;

  constructor(source: string | undefined) {
    this.source = source;
    const characters = source ?? ' \t\n';
    this.empty = characters === '';
    this.splitsNumbers = /[-0-9]/.test(characters);
    let others: Set<number> | undefined;
    let first = '';
    for (const character of characters) {
      if (first === '') first = character;
      const code = character.codePointAt(0) ?? 0;
      if (code < 128) this.#ascii[code] = code === 32 || code === 9 || code === 10 ? WHITE : OTHER;
      else (others ??= new Set()).add(code);
    }
    this.#others = others;
    this.joiner = source === undefined ? ' ' : first;
  }

  /** 0: an ordinary character, 1: IFS white space, 2: another separator. `code` is a code point. */
  classOf(code: number): number {
    if (code < 128) return this.#ascii[code] as number;
    return this.#others?.has(code) === true ? OTHER : NONE;
  }

  /** Whether nothing in `text` separates. */
  leavesWhole(text: string): boolean {
    if (this.empty) return true;
    const ascii = this.#ascii;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) {
        if (ascii[code] !== NONE) return false;
      } else if (this.#others !== undefined) return false;
    }
    return true;
  }
}

/** Whether unquoted `text` may make a word a pattern: it has a `*`, a `?`, a bracket or a parenthesis. */
export function hasPatternCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 42 || code === 63 || code === 91 || code === 93 || code === 40) return true;
  }
  return false;
}

/**
 * The fields of a text that holds no pattern, appended to `out`: what a FieldBuilder makes of it as the only part of a word
 * (test/property/fast-paths.test.ts), without an object for each field.
 */
export function splitPlain(text: string, separators: FieldSeparators, maxFields: number, out: string[]): void {
  const most = out.length + maxFields;
  let after = NONE;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 128) code = text.codePointAt(i) as number;
    const kind = separators.classOf(code);
    const start = i;
    if (code > 0xffff) i++;
    if (kind === NONE) continue;
    if (start > from) {
      out.push(text.slice(from, start));
      after = kind;
    } else if (kind === OTHER) {
      if (after !== WHITE) out.push('');
      after = OTHER;
    }
    from = i + 1;
    if (out.length > most) break;
  }
  if (from < text.length) out.push(text.slice(from));
  if (out.length > most) throw limitReached('maxFields', maxFields);
}

/** One field before pathname expansion. `pattern` has its quoted characters escaped; undefined when it is not a pattern. */
export interface Field {
  readonly text: string;
  readonly pattern: string | undefined;
}

/**
 * Collects the pieces of one word into fields. Pieces come in three kinds: literal text of the word, quoted text, and results
 * of expansions; only the last are split.
 */
export class FieldBuilder {
  readonly fields: Field[] = [];
  readonly #separators: FieldSeparators;
  readonly #maxFields: number;
  /** `@(a|b)` is a pattern. */
  readonly #extended: boolean;
  #text = '';
  /** Undefined as long as nothing quoted has to be escaped in it: then it is the text. */
  #pattern: string | undefined = undefined;
  #isPattern = false;
  /** The field has an unquoted `[`. */
  #bracket = false;
  /** The field exists although it may be empty: it had a quoted part. */
  #started = false;
  /** What ended the field before: 0 nothing, WHITE or OTHER. White space and one other separator are one separator. */
  #after = NONE;

  constructor(separators: FieldSeparators, maxFields: number, extended = false) {
    this.#separators = separators;
    this.#maxFields = maxFields;
    this.#extended = extended;
  }

  /** Unquoted text of the word itself: never split, but its pattern characters count. */
  literal(text: string): void {
    if (text === '') return;
    this.#text += text;
    if (this.#pattern !== undefined) this.#pattern += text;
    if (!this.#isPattern && hasPatternCharacter(text)) this.#look(text);
    this.#after = NONE;
  }

  /**
   * A word is a pattern with an unquoted `*` or `?`, or an unquoted `[` and a `]` after it. A backslash, which only the value of an
   * expansion holds here, takes that from the character after it.
   */
  #look(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 92) i += 1;
      else if (code === 91) this.#bracket = true;
      else if (code === 42 || code === 63 || (code === 93 && this.#bracket)) this.#isPattern = true;
      else if (this.#extended && opensGroup(text, i)) this.#isPattern = true;
    }
  }

  /** Quoted text: as it is, and it makes a field even when it is empty. */
  quoted(text: string): void {
    this.#started = true;
    this.#after = NONE;
    const escaped = escapePattern(text);
    if (this.#pattern !== undefined) this.#pattern += escaped;
    else if (escaped !== text) this.#pattern = this.#text + escaped;
    this.#text += text;
  }

  /** The result of an unquoted expansion. */
  expanded(text: string): void {
    const separators = this.#separators;
    if (separators.leavesWhole(text)) {
      this.literal(text);
      return;
    }
    let from = 0;
    let i = 0;
    while (i < text.length) {
      let code = text.charCodeAt(i);
      if (code >= 128) code = text.codePointAt(i) as number;
      const kind = separators.classOf(code);
      const width = code > 0xffff ? 2 : 1;
      if (kind !== NONE) {
        if (i > from) this.literal(text.slice(from, i));
        this.#separate(kind);
        from = i + width;
      }
      i += width;
    }
    if (from < text.length) this.literal(text.slice(from));
  }

  #separate(kind: number): void {
    if (this.#text !== '' || this.#started) {
      this.#end();
      this.#after = kind;
    } else if (kind === OTHER) {
      // `a ,b`: the blank has ended the field already, and the comma belongs to the same separator.
      if (this.#after !== WHITE) this.#end();
      this.#after = OTHER;
    }
  }

  /** The end of one of the fields of `$@`: what stands so far is a field, unless it is empty and unquoted. */
  next(): void {
    if (this.#text !== '' || this.#started) this.#end();
    this.#after = NONE;
  }

  /** The word is over. */
  finish(): Field[] {
    if (this.#text !== '' || this.#started) this.#end();
    return this.fields;
  }

  #end(): void {
    if (this.fields.length >= this.#maxFields) throw limitReached('maxFields', this.#maxFields);
    this.fields.push({ text: this.#text, pattern: this.#isPattern ? (this.#pattern ?? this.#text) : undefined });
    this.#text = '';
    this.#pattern = undefined;
    this.#isPattern = false;
    this.#bracket = false;
    this.#started = false;
  }
}
