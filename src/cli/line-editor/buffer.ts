/** The text that is being edited, its cursor, what was killed and what can be undone. Pure: it knows no terminal. */

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** As many states as can be gone back to, and texts that can be yanked. */
const KEPT_STATES = 500;
const KEPT_KILLS = 30;

/** What a run of the same kind of change is: typing is undone as one, and kills in a row are one text. */
type Change = 'type' | 'kill' | 'yank' | 'other';

export class LineBuffer {
  #text = '';
  /** In UTF-16 units, always between two characters. */
  #cursor = 0;
  #undo: Snapshot[] = [];
  #last: Change | undefined;
  readonly #kills: string[] = [];
  /** Where the last yank stands, for `yankPop`. */
  #yanked: { readonly start: number; index: number } | undefined;

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Another text, as from the history; what was undone before belongs to the old one. */
  replace(text: string, cursor = text.length): void {
    this.#text = text;
    this.#cursor = cursor;
    this.#undo = [];
    this.#last = undefined;
  }

  /** The text from `start` to `end` becomes `text`, and the cursor stands after it: a completion. */
  splice(start: number, end: number, text: string): void {
    this.#change('other');
    this.#set(start, end, text);
  }

  insert(text: string): void {
    // A word at a time: a blank begins the next thing to undo.
    if (this.#last !== 'type' || /\s/.test(text)) this.#change('other');
    this.#last = 'type';
    this.#set(this.#cursor, this.#cursor, text);
  }

  // ------------------------------------------------------------------------------------------------- moving

  left(): boolean {
    return this.#move(this.#before(this.#cursor));
  }

  right(): boolean {
    return this.#move(this.#after(this.#cursor));
  }

  wordLeft(): boolean {
    return this.#move(this.#wordStart(isWordCharacter));
  }

  wordRight(): boolean {
    return this.#move(this.#wordEnd());
  }

  /** Of the line that the cursor is in; of the whole text when it is there already. */
  home(): boolean {
    return this.#move(this.#text.lastIndexOf('\n', this.#cursor - 1) + 1);
  }

  end(): boolean {
    return this.#move(this.#lineEnd());
  }

  toStart(): boolean {
    return this.#move(0);
  }

  toEnd(): boolean {
    return this.#move(this.#text.length);
  }

  /** To the line above, as far in as this one; false where there is none. */
  up(): boolean {
    const start = this.#text.lastIndexOf('\n', this.#cursor - 1) + 1;
    if (this.#cursor === 0 || start === 0) return false;
    const above = this.#text.lastIndexOf('\n', start - 2) + 1;
    return this.#move(Math.min(above + this.#cursor - start, start - 1));
  }

  down(): boolean {
    const end = this.#lineEnd();
    if (end === this.#text.length) return false;
    const start = this.#text.lastIndexOf('\n', this.#cursor - 1) + 1;
    const next = this.#text.indexOf('\n', end + 1);
    return this.#move(Math.min(end + 1 + this.#cursor - start, next < 0 ? this.#text.length : next));
  }

  // ------------------------------------------------------------------------------------------------ removing

  deleteLeft(): void {
    this.#remove(this.#before(this.#cursor), this.#cursor);
  }

  deleteRight(): void {
    this.#remove(this.#cursor, this.#after(this.#cursor));
  }

  /** Swaps the characters around the cursor, or the last two at the end of a line. */
  transpose(): void {
    const end = this.#cursor === this.#lineEnd() ? this.#cursor : this.#after(this.#cursor);
    const middle = this.#before(end);
    const start = this.#before(middle);
    if (start === middle || this.#text.slice(start, end).includes('\n')) return;
    this.splice(start, end, this.#text.slice(middle, end) + this.#text.slice(start, middle));
  }

  killToEnd(): void {
    const end = this.#lineEnd();
    this.#kill(this.#cursor, end === this.#cursor ? this.#after(end) : end, 'after');
  }

  killToStart(): void {
    this.#kill(this.#text.lastIndexOf('\n', this.#cursor - 1) + 1, this.#cursor, 'before');
  }

  /** Back to a blank, as a terminal's Ctrl-W. */
  killWordLeft(): void {
    this.#kill(
      this.#wordStart((character) => !/\s/.test(character)),
      this.#cursor,
      'before',
    );
  }

  /** Back to what is neither letter nor digit. */
  killPartLeft(): void {
    this.#kill(this.#wordStart(isWordCharacter), this.#cursor, 'before');
  }

  killPartRight(): void {
    this.#kill(this.#cursor, this.#wordEnd(), 'after');
  }

  /** Inserts what was killed last. */
  yank(): void {
    const text = this.#kills.at(-1);
    if (text === undefined) return;
    this.#change('yank');
    const start = this.#cursor;
    this.#set(start, start, text);
    this.#yanked = { start, index: this.#kills.length - 1 };
  }

  /** After a yank: what was killed before that takes its place. */
  yankPop(): void {
    const yanked = this.#yanked;
    if (this.#last !== 'yank' || yanked === undefined) return;
    const index = (yanked.index + this.#kills.length - 1) % this.#kills.length;
    this.#set(yanked.start, this.#cursor, this.#kills[index] ?? '');
    this.#yanked = { start: yanked.start, index };
  }

  undo(): boolean {
    const before = this.#undo.pop();
    if (before === undefined) return false;
    this.#text = before.text;
    this.#cursor = before.cursor;
    this.#last = undefined;
    return true;
  }

  // ------------------------------------------------------------------------------------------------- details

  #move(to: number): boolean {
    this.#last = undefined;
    if (to === this.#cursor) return false;
    this.#cursor = to;
    return true;
  }

  #remove(start: number, end: number): void {
    if (start === end) return;
    this.#change('other');
    this.#set(start, end, '');
  }

  #kill(start: number, end: number, side: 'before' | 'after'): void {
    if (start === end) return;
    const inARow = this.#last === 'kill';
    this.#change('kill');
    const killed = this.#text.slice(start, end);
    if (inARow && this.#kills.length > 0) {
      const last = this.#kills.pop() ?? '';
      this.#kills.push(side === 'before' ? killed + last : last + killed);
    } else if (this.#kills.push(killed) > KEPT_KILLS) this.#kills.shift();
    this.#set(start, end, '');
  }

  /** Keeps the state there is, to go back to. */
  #change(kind: Change): void {
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > KEPT_STATES) this.#undo.shift();
    this.#last = kind;
  }

  #set(start: number, end: number, text: string): void {
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#cursor = start + text.length;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#cursor);
    return end < 0 ? this.#text.length : end;
  }

  #before(at: number): number {
    if (at === 0) return 0;
    let start = at - 1;
    while (start > 0 && joinsTheOneBefore(this.#text, start)) start--;
    return start;
  }

  #after(at: number): number {
    if (at === this.#text.length) return at;
    let end = at + 1;
    while (end < this.#text.length && joinsTheOneBefore(this.#text, end)) end++;
    return end;
  }

  #wordStart(isPart: (character: string) => boolean): number {
    let at = this.#cursor;
    while (at > 0 && !isPart(this.#text[at - 1] ?? '')) at--;
    while (at > 0 && isPart(this.#text[at - 1] ?? '')) at--;
    return at;
  }

  #wordEnd(): number {
    let at = this.#cursor;
    while (at < this.#text.length && !isWordCharacter(this.#text[at] ?? '')) at++;
    while (at < this.#text.length && isWordCharacter(this.#text[at] ?? '')) at++;
    return at;
  }
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u.test(character);
}

/** The second half of a surrogate pair, a combining mark, a joiner: no cursor stands before it. */
function joinsTheOneBefore(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x300) return false;
  if (unit >= 0xdc00 && unit <= 0xdfff) {
    const high = text.charCodeAt(at - 1);
    return high >= 0xd800 && high <= 0xdbff;
  }
  const ZERO_WIDTH_JOINER = 0x200d;
  if (unit === ZERO_WIDTH_JOINER || text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return true;
  return /^\p{M}/u.test(text.charAt(at));
}
