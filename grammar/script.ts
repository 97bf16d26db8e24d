/** A script's text as complete commands, one after another. */
import type { IToken } from 'chevrotain';
import type { CompleteCommand, List, Word } from './ast.js';
import { type Problem, Stop } from './diagnostics.js';
import { Tokenizer } from './lexer.js';
import { CommandParser, type Outcome } from './parser.js';
import { suggestion } from './suggestions.js';
import { type Modes, type ReaderOptions, WordReader } from './words.js';

/** How a script is read. */
export interface ParseOptions {
  /** How deep constructs may nest; default 200. */
  readonly maxNesting?: number;
  /** How many words, and parts of words, one complete command may have; default 1,000,000. */
  readonly maxParts?: number;
  /** What the modes are at first. */
  readonly posix?: boolean;
  /** As `shopt -s extglob`: `@(a|b)` and its like are read. */
  readonly extendedPatterns?: boolean;
  /** The values of aliases by name, to be put in their place; without them none is. */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
}

/** The next complete command, or why there is none. `incomplete`: more text could make it one. */
export type ParseResult =
  | {
      readonly kind: 'command';
      readonly command: CompleteCommand;
      /** Offset just after the command, its newline and its here-documents included. */
      readonly end: number;
      /** A here-document was ended by the end of the text: good for a script, but a prompt asks for more. */
      readonly hereDocumentUnterminated: boolean;
      /** The text ended in a line continuation: likewise. */
      readonly endsInBackslash: boolean;
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'incomplete'; readonly problem: Problem }
  | { readonly kind: 'error'; readonly problem: Problem };

const DEFAULT_NESTING = 200;
const DEFAULT_PARTS = 1_000_000;

let parser: CommandParser | undefined;

function parseTokens(tokens: IToken[], base: number): Outcome {
  parser ??= new CommandParser();
  return parser.parse(tokens, base);
}

/** A script's text, and the complete commands in it, parsed one after another. */
export class ScriptParser {
  /** The whole text. */
  readonly text: string;
  readonly #reader: WordReader;
  #position = 0;
  #failed: ParseResult | undefined;
  readonly #onTokens: ((tokens: readonly IToken[], base: number) => void) | undefined;

  /** `onTokens` sees the tokens of each complete command, and of lines without one; their offsets count from `base`. */
  constructor(text: string, options: ParseOptions = {}, onTokens?: (tokens: readonly IToken[], base: number) => void) {
    this.text = text;
    this.#onTokens = onTokens;
    this.#reader = new WordReader(text, readerOptions(options));
  }

  /** What the script may change while it runs. */
  get modes(): Modes {
    return this.#reader.options.modes;
  }

  /** How much of the text is read. */
  get position(): number {
    return this.#position;
  }

  /** The next complete command. After 'command', call again; any other result stays. */
  next(): ParseResult {
    if (this.#failed !== undefined) return this.#failed;
    const result = bounded(() => this.#next());
    if (result.kind !== 'command') this.#failed = result;
    return result;
  }

  #next(): ParseResult {
    while (this.#position < this.text.length) {
      this.#reader.options.spent.parts = 0;
      const tokenizer = new Tokenizer(this.#reader, this.#position, false);
      const tokens = tokenizer.tokens(false);
      this.#onTokens?.(tokens, tokenizer.base);
      const list = listOf(this.#reader, tokenizer, tokens);
      const { end } = tokenizer;
      this.#position = end;
      if (list.items.length === 0) continue;
      return {
        kind: 'command',
        command: { kind: 'CompleteCommand', start: list.start, end: list.end, list },
        end,
        hereDocumentUnterminated: tokenizer.unterminatedDocument,
        endsInBackslash: end >= this.text.length && this.#reader.endsInBackslash,
      };
    }
    return { kind: 'end' };
  }
}

/** Parses all of `text`: the commands before the first problem, and that problem. */
export function parse(
  text: string,
  options: ParseOptions = {},
): { commands: CompleteCommand[]; problem?: Problem; incomplete: boolean } {
  const script = new ScriptParser(text, options);
  const commands: CompleteCommand[] = [];
  let incomplete = false;
  for (;;) {
    const result = script.next();
    switch (result.kind) {
      case 'command':
        commands.push(result.command);
        incomplete = result.hereDocumentUnterminated || result.endsInBackslash;
        break;
      case 'end':
        return { commands, incomplete };
      default:
        return { commands, problem: result.problem, incomplete: result.kind === 'incomplete' };
    }
  }
}

/** A text that is expanded as if in double quotes, though a `"` ends nothing: PS1, PS4, ENV. */
export function parseDoubleQuotedText(text: string, options: ParseOptions = {}): Word | Problem {
  const result = bounded(() => ({
    kind: 'word',
    word: new WordReader(text, readerOptions(options)).quotedText('prompt'),
  }));
  return 'word' in result ? result.word : result.problem;
}

function readerOptions(options: ParseOptions): ReaderOptions {
  return {
    maxNesting: options.maxNesting ?? DEFAULT_NESTING,
    maxParts: options.maxParts ?? DEFAULT_PARTS,
    spent: { parts: 0 },
    substituting: new Set(),
    modes: {
      posix: options.posix ?? false,
      braces: options.posix !== true,
      extendedPatterns: options.extendedPatterns ?? false,
      aliases: options.aliases,
    },
    readCommands,
  };
}

/** The one place where a Stop, or a stack that was too small, becomes a value. */
function bounded<T>(read: () => T): T | { kind: 'incomplete' | 'error'; problem: Problem } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Stop) return { kind: error.incomplete ? 'incomplete' : 'error', problem: error.problem };
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'error', problem: { message: 'nesting too deep', offset: 0, kind: 'nesting' } };
  }
}

/** The list in `tokens`; a Stop with the first problem when they are not one. */
function listOf(reader: WordReader, tokenizer: Tokenizer, tokens: IToken[]): List {
  const outcome = parseTokens(tokens, tokenizer.base);
  if ('list' in outcome) {
    if (tokenizer.stop !== undefined) throw tokenizer.stop;
    return outcome.list;
  }
  const token = outcome.unexpected;
  if (token !== undefined) {
    const placeOf = ({ startOffset }: IToken): number => tokenizer.base + startOffset;
    const meant = suggestion(tokens, token, (opener) => reader.lineOf(placeOf(opener)));
    return reader.syntaxErrorAt(tokenizer.imageOf(token), placeOf(token), meant);
  }
  if (tokenizer.stop !== undefined) throw tokenizer.stop;
  if (tokenizer.end < reader.text.length) return reader.syntaxErrorNear(tokenizer.end, tokenizer.end + 1);
  const open = tokenizer.open.innermost();
  if (open !== undefined) return reader.unterminated(open.closer, open.opener, open.offset);
  const message = 'syntax error: unexpected end of file';
  throw new Stop({ message, offset: reader.text.length, kind: 'syntax' }, true);
}

/** The commands of `$( )` or of a backquoted text. */
function readCommands(reader: WordReader, from: number, inParentheses: boolean): { list: List; end: number } {
  const tokenizer = new Tokenizer(reader, from, inParentheses);
  const list = listOf(reader, tokenizer, tokenizer.tokens(true));
  const { end } = tokenizer;
  if (inParentheses && end >= reader.text.length) reader.unterminated(')', '$(', from - 2);
  if (!inParentheses && end < reader.text.length) reader.syntaxErrorNear(end, end + 1);
  return { list, end };
}
