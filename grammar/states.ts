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
  /** The innermost, which can be kept and put back. */
  top: Opener | undefined;

  get depth(): number {
    return this.top?.depth ?? 0;
  }

  enter(reader: WordReader, opener: string, at: number, offset: number): void {
    reader.enter(at);
    this.top = { opener, offset, depth: this.depth + 1, outer: this.top };
  }

  leave(reader: WordReader): void {
    if (this.top === undefined) return;
    this.top = this.top.outer;
    reader.leave();
  }

  innermost(): { closer: string; opener: string; offset: number } | undefined {
    if (this.top === undefined) return undefined;
    const { opener, offset } = this.top;
    return { closer: CLOSERS[opener] ?? '', opener, offset };
  }
}

interface Opener {
  readonly opener: string;
  readonly offset: number;
  readonly depth: number;
  readonly outer: Opener | undefined;
}
