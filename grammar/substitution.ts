/** Alias substitution (POSIX 2.3.1): the text that stands for a word, and what follows it. */
import { afterSpaces } from './operators.js';
import { type Places, relocate } from './relocation.js';
import { WordReader } from './words.js';

/** What is taken of the text after the word at first, and by how much more each time a token needs more. */
const FIRST_LOOK = 64;
const GROWTH = 4;
/** The longest token that looks at nothing else is `<<-`; what follows a name may be a parenthesis. */
const LOOKAHEAD = 4;

/**
 * The value of an alias, to be read in the place of a word. Tokens that start in it may end after it (`alias q='echo "'`), so some
 * of the text after the word is read with it; more when that was not enough. What starts after the value is read where it stands.
 */
export class Substitution implements Places {
  readonly name: string;
  readonly #value: string;
  /** What the word stands in: another substitution, or the text itself. */
  readonly outer: Substitution | undefined;
  readonly #text: WordReader;
  /** Where the word ends in it. */
  readonly #after: number;
  /** Of the word, in the text itself. */
  readonly #start: number;
  readonly #end: number;
  #look = FIRST_LOOK;
  reader: WordReader;

  constructor(
    alias: { readonly name: string; readonly value: string },
    text: WordReader,
    outer: Substitution | undefined,
    word: { readonly start: number; readonly end: number },
  ) {
    this.name = alias.name;
    this.#value = alias.value;
    this.outer = outer;
    this.#text = text;
    this.#after = word.end;
    this.#start = outer === undefined ? word.start : outer.start(word.start);
    this.#end = outer === undefined ? word.end : outer.end(word.end);
    this.reader = this.#read();
  }

  #read(): WordReader {
    const { text, truncated } = this.#around;
    const end = this.#after + this.#look;
    const within = { reader: this.#text, offset: this.#start, whole: true };
    const reader = new WordReader(
      this.#value + text.slice(this.#after, end),
      this.#text.options,
      this.#around.depth,
      within,
    );
    reader.truncated = truncated || end < text.length;
    return reader;
  }

  get #around(): WordReader {
    return this.outer?.reader ?? this.#text;
  }

  /** Takes more of the text after the word; false when there is no more. */
  extend(): boolean {
    if (!this.reader.truncated) return false;
    this.#look *= GROWTH;
    while (this.#around.truncated && this.#after + this.#look > this.#around.text.length) {
      if (this.outer?.extend() !== true) break;
    }
    const { length } = this.reader.text;
    const { depth } = this.reader;
    this.reader = this.#read();
    this.reader.depth = depth;
    return this.reader.text.length > length;
  }

  /** Is what starts at `offset` no longer in the value? */
  isOver(offset: number): boolean {
    return offset >= this.#value.length;
  }

  /** The place, in what the word stands in, of an offset after the value. */
  continues(offset: number): number {
    return this.#after + offset - this.#value.length;
  }

  /** Might a token that ends at `offset` be another one if there was more text? */
  isCutOff(offset: number): boolean {
    const { reader } = this;
    return reader.truncated && afterSpaces(reader, offset) + LOOKAHEAD > reader.text.length;
  }

  /** The next word is looked up too. */
  get endsInBlank(): boolean {
    return this.#value.endsWith(' ') || this.#value.endsWith('\t');
  }

  // ------------------------------------------------------------------------------ places in the text itself: the word's

  readonly start = (offset: number): number => {
    if (!this.isOver(offset)) return this.#start;
    const at = this.continues(offset);
    return this.outer === undefined ? at : this.outer.start(at);
  };

  readonly end = (offset: number): number => {
    if (offset <= this.#value.length) return this.#end;
    const at = this.continues(offset);
    return this.outer === undefined ? at : this.outer.end(at);
  };

  move(node: unknown): void {
    relocate(node, this);
  }
}
