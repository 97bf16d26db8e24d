/** A sed script as data. Texts are byte strings: one latin1 character for each byte. */
import type { Regex } from '../../src/text/regex/index.js';
import type { Part } from './replacement.js';

export type Address =
  | { readonly kind: 'line'; readonly line: number }
  /** `first~step` */
  | { readonly kind: 'step'; readonly first: number; readonly step: number }
  | { readonly kind: 'last' }
  /** Undefined: the last one used, `//`. */
  | { readonly kind: 'regex'; readonly regex: Regex | undefined }
  /** `addr1,+N` and `addr1,~N` */
  | { readonly kind: 'plus'; readonly count: number }
  | { readonly kind: 'multiple'; readonly of: number };

/** Where a command stands: its addresses, and whether `!` turns them round. */
export interface Where {
  readonly first: Address | undefined;
  readonly second: Address | undefined;
  readonly negated: boolean;
}

export interface Substitution {
  readonly regex: Regex | undefined;
  readonly parts: readonly Part[];
  readonly global: boolean;
  /** Which match is replaced first; 1 is the first. */
  readonly number: number;
  readonly print: boolean;
  /** Name of the file of the `w` flag. */
  readonly file: string | undefined;
}

export type Action =
  /** `{`: `end` is the index of its `}` */
  | { readonly kind: '{'; end: number }
  | { readonly kind: '}' | '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | ':' }
  | { readonly kind: 'a' | 'i' | 'c'; text: string }
  /** Jumps; `target` is the index of the next command, resolved when the whole script is known. */
  | { readonly kind: 'b' | 't' | 'T'; readonly label: string; target: number }
  | { readonly kind: 'q' | 'Q'; readonly status: number }
  | { readonly kind: 'l'; readonly width: number | undefined }
  | { readonly kind: 'r' | 'R' | 'w' | 'W'; readonly file: string }
  | { readonly kind: 's'; readonly substitution: Substitution }
  | { readonly kind: 'y'; readonly map: (text: string) => string };

export interface Command {
  readonly where: Where;
  readonly action: Action;
}

export interface Script {
  readonly commands: readonly Command[];
  /** The script began with `#n`. */
  readonly quiet: boolean;
}

/** What ends a run of sed: `message` is what stands after `sed: `. */
export class SedError extends Error {
  readonly status: number;
  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}
