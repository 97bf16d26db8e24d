/** What the tokenizer remembers of the tokens so far. */
import type { WordReader } from './words.js';

/**
 * What the tokens so far say about the next one (the grammar's rules 1 to 9 in POSIX 2.10.2): where a reserved word is
 * one, where `a=1` is an assignment, where a newline ends a command.
 */
export type State =
  /** A command may start. */
  | 'command'
  /** A command must start, after any newlines: after `&&`, `||` and `|`. */
  | 'continued'
  /** After an assignment or a redirection in front of the command's name. */
  | 'prefix'
  | 'argument'
  | 'for name'
  | 'after for name'
  | 'for words'
  /** After `((;;))`. */
  | 'for body'
  | 'case word'
  | 'after case word'
  /** Where `esac` or a pattern may start. */
  | 'pattern start'
  | 'pattern'
  | 'function parenthesis'
  | 'function end'
  | 'function body'
  /** A redirection's target comes next. */
  | 'target';

/** Commands whose arguments of the form `name=value` are assignments. */
export const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'readonly', 'local', 'declare', 'typeset']);

/** What closes what is open; for `$(` see script.ts. */
const CLOSERS: Readonly<Record<string, string>> = {
  '{': '}',
  '(': ')',
  if: 'fi',
  case: 'esac',
  for: 'done',
  select: 'done',
  while: 'done',
  until: 'done',
};

/** The compound commands that are open, for the nesting limit and for the message at the end of the text. */
export class Openers {
  readonly #reader: WordReader;
  readonly #offsets: number[] = [];
  readonly #words: string[] = [];

  constructor(reader: WordReader) {
    this.#reader = reader;
  }

  get depth(): number {
    return this.#offsets.length;
  }

  enter(word: string, at: number): void {
    this.#reader.enter(at);
    this.#offsets.push(at);
    this.#words.push(word);
  }

  leave(): void {
    if (this.#offsets.pop() === undefined) return;
    this.#words.pop();
    this.#reader.leave();
  }

  innermost(): { closer: string; opener: string; offset: number } | undefined {
    const opener = this.#words.at(-1);
    const offset = this.#offsets.at(-1);
    if (opener === undefined || offset === undefined) return undefined;
    return { closer: CLOSERS[opener] ?? '', opener, offset };
  }
}
