/** What was entered before: kept in memory, handed out entry by entry, and found again. A file keeps it from session to session. */

/** Where the entries are kept; each line of it is one entry as a JSON string, so that entries may have lines of their own. */
export interface HistoryFile {
  /** The whole of it; empty when there is none yet. */
  read(): string;
  append(line: string): void;
  /** Takes the place of all there is. */
  rewrite(text: string): void;
}

export class History {
  readonly #file: HistoryFile | undefined;
  #entries: string[] = [];
  /** Where we are while an entry is looked for; the length of the list is the line that is being written. */
  #at = 0;
  /** The line that was being written when the search began. */
  #draft = '';

  /** `size`: how many entries are kept. */
  constructor(file: HistoryFile | undefined, size: number) {
    this.#file = file;
    if (file === undefined) return;
    this.#entries = file
      .read()
      .split('\n')
      .map(entryOf)
      .filter((entry) => entry !== undefined);
    if (this.#entries.length <= size) return;
    this.#entries = this.#entries.slice(-size);
    file.rewrite(this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Not kept: what begins with a blank, so that secrets need not be, and what is the same as the entry before. */
  add(entry: string, size: number): void {
    this.reset();
    if (entry.trim() === '' || /^[ \t]/.test(entry) || entry === this.#entries.at(-1) || size <= 0) return;
    this.#entries.push(entry);
    if (this.#entries.length > size) this.#entries = this.#entries.slice(-size);
    this.#file?.append(`${JSON.stringify(entry)}\n`);
    this.reset();
  }

  /** Nothing of it is left, in the file either. */
  forget(): void {
    this.#entries = [];
    this.#file?.rewrite('');
    this.reset();
  }

  /** A new line is begun. */
  reset(): void {
    this.#at = this.#entries.length;
    this.#draft = '';
  }

  /** The entry before the one that is shown, among those that begin with what was written; undefined: there is none. */
  previous(text: string): string | undefined {
    if (this.#at === this.#entries.length) this.#draft = text;
    for (let at = this.#at - 1; at >= 0; at--) {
      const entry = this.#entries[at];
      if (entry?.startsWith(this.#draft) === true && entry !== text) {
        this.#at = at;
        return entry;
      }
    }
    return undefined;
  }

  /** The one after it; at last what was written. */
  next(text: string): string | undefined {
    for (let at = this.#at + 1; at < this.#entries.length; at++) {
      const entry = this.#entries[at];
      if (entry?.startsWith(this.#draft) === true && entry !== text) {
        this.#at = at;
        return entry;
      }
    }
    if (this.#at === this.#entries.length) return undefined;
    this.#at = this.#entries.length;
    return this.#draft;
  }

  /** The newest entry that goes on from `text`: what the line may become. */
  suggestion(text: string): string | undefined {
    if (text === '') return undefined;
    for (let at = this.#entries.length - 1; at >= 0; at--) {
      const entry = this.#entries[at];
      if (entry !== undefined && entry.length > text.length && entry.startsWith(text)) return entry;
    }
    return undefined;
  }

  /** For Ctrl-R: the newest entry older than `before` that holds `text`, and its place. */
  search(text: string, before: number): { readonly entry: string; readonly at: number } | undefined {
    for (let at = Math.min(before, this.#entries.length) - 1; at >= 0; at--) {
      const entry = this.#entries[at];
      if (entry?.includes(text) === true) return { entry, at };
    }
    return undefined;
  }
}

/** A line that is no JSON string was written by somebody else: it is left alone, and not shown. */
function entryOf(line: string): string | undefined {
  if (!line.startsWith('"')) return undefined;
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}
