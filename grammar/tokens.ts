/**
 * The tokens of the shell command language. Their patterns are scanned by hand (`lexer.ts`): which of them a text is
 * depends on the tokens before it, and one scan answers for all.
 */
import { type CustomPatternMatcherReturn, createToken, Lexer, type TokenType } from 'chevrotain';

/** What a pattern asks: is the token at `offset` one of `type`? */
export interface TokenReader {
  take(type: TokenType, offset: number): CustomPatternMatcherReturn | null;
}

/** The patterns are values of the module; the reader they ask is the one that tokenises right now. */
export const reading: { by: TokenReader | undefined } = { by: undefined };

/** Chevrotain finds the patterns that may match by their first character; above 255 it tells apart blocks of 255. */
const BEYOND_LATIN = Array.from({ length: 257 }, (_, block) => Math.max((block + 1) * 255, 256));

const METACHARACTERS = ' \t\n;&|<>()';

function allBut(excluded: string): (string | number)[] {
  const starts: (string | number)[] = [];
  for (let code = 0; code < 256; code++) if (!excluded.includes(String.fromCharCode(code))) starts.push(code);
  return [...starts, ...BEYOND_LATIN];
}

/** `<(` starts a word too. */
const WORD_START = allBut(METACHARACTERS.replace(/[<>]/g, ''));
const NAME_START = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'];

function token(name: string, starts: readonly (string | number)[], label: string, group?: string): TokenType {
  const type: TokenType = createToken({
    name,
    label,
    pattern: { exec: (_text, offset) => (reading.by === undefined ? null : reading.by.take(type, offset)) },
    line_breaks: true,
    start_chars_hint: [...starts],
    ...(group === undefined ? undefined : { group }),
  });
  return type;
}

// ---------------------------------------------------------------------------------------------- words and operators

/** Blanks, a comment, or a line continuation between tokens. */
export const Blank = token('Blank', [' ', '\t', '#', '\\'], 'blank', Lexer.SKIPPED);
/** Payload: Word */
export const WordToken = token('Word', WORD_START, 'word');
/** `name=value` in front of a command name, or as an argument of a command that declares. Payload: Assignment */
export const AssignmentToken = token('Assignment', NAME_START, 'assignment');
/** The name in `name()`. Payload: the name */
export const FunctionName = token('FunctionName', WORD_START, 'function name');
/** The name in `for name`. Payload: the name */
export const ForName = token('ForName', NAME_START, 'name');
/** `2>`, `{name}<`, `&>` and their like, the descriptor included. Payload: RedirectionStart */
export const RedirectionToken = token('Redirection', [...'0123456789<>&{'], 'redirection');
/** `<<` or `<<-` and the delimiter. Payload: PendingHereDocument */
export const HereDocumentToken = token('HereDocument', [...'0123456789<{'], 'here-document');
/** A newline, and the here-documents that start after it. */
export const Newline = token('Newline', ['\n'], 'newline');
/** `&&` or `||`. Payload: itself */
export const AndOrToken = token('AndOr', ['&', '|'], "'&&' or '||'");
/** `|` or `|&`. Payload: itself */
export const Pipe = token('Pipe', ['|'], "'|'");
export const Semicolon = token('Semicolon', [';'], "';'");
export const Ampersand = token('Ampersand', ['&'], "'&'");
/** `;;`, `;&` or `;;&`. Payload: itself */
export const CaseTerminator = token('CaseTerminator', [';'], "';;'");
export const OpenParenthesis = token('OpenParenthesis', ['('], "'('");
export const CloseParenthesis = token('CloseParenthesis', [')'], "')'");

/** `[[ expression ]]` (bash). Payload: ConditionalExpression */
export const ConditionalToken = token('Conditional', ['['], "'[['");
/** `((expression))` (bash). Payload: ArithmeticText */
export const ArithmeticToken = token('Arithmetic', ['('], "'(('");
/** `((first; test; next))` after `for` (bash). Payload: ArithmeticForHead */
export const ArithmeticForToken = token('ArithmeticFor', ['('], "'(('");
/** `function name` and `function name ()` (bash). Payload: the name */
export const FunctionToken = token('Function', ['f'], "'function'");
/** `time` and `time -p` (bash). Payload: Pipeline['timed'] */
export const TimeToken = token('Time', ['t'], "'time'");

// ---------------------------------------------------------------------------------------------------- reserved words

const reserved = (name: string, text: string): TokenType => token(name, [text.slice(0, 1)], `'${text}'`);

export const If = reserved('If', 'if');
export const Then = reserved('Then', 'then');
export const Else = reserved('Else', 'else');
export const Elif = reserved('Elif', 'elif');
export const Fi = reserved('Fi', 'fi');
export const Do = reserved('Do', 'do');
export const Done = reserved('Done', 'done');
export const CaseWord = reserved('Case', 'case');
export const Esac = reserved('Esac', 'esac');
export const WhileWord = reserved('While', 'while');
export const Until = reserved('Until', 'until');
export const ForWord = reserved('For', 'for');
/** bash only. */
export const SelectWord = reserved('Select', 'select');
export const In = reserved('In', 'in');
export const OpenBrace = reserved('OpenBrace', '{');
export const CloseBrace = reserved('CloseBrace', '}');
export const Bang = reserved('Bang', '!');

/** The reserved words of POSIX.1-2024 2.4. */
export const RESERVED: ReadonlyMap<string, TokenType> = new Map([
  ['if', If],
  ['then', Then],
  ['else', Else],
  ['elif', Elif],
  ['fi', Fi],
  ['do', Do],
  ['done', Done],
  ['case', CaseWord],
  ['esac', Esac],
  ['while', WhileWord],
  ['until', Until],
  ['for', ForWord],
  ['in', In],
  ['{', OpenBrace],
  ['}', CloseBrace],
  ['!', Bang],
]);

/** The words that bash reserves besides. */
export const BASH_RESERVED: ReadonlySet<string> = new Set(['[[', ']]', 'function', 'select', 'time', 'coproc']);

/** Whether the shell takes the word for its own where a command may begin; `posix`: without those that bash adds. */
export function isReservedWord(text: string, options: { readonly posix?: boolean } = {}): boolean {
  return RESERVED.has(text) || (BASH_RESERVED.has(text) && options.posix !== true);
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What POSIX calls a name: the identifier of a variable or function. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** In the order they are tried: the commonest first, as exactly one of them answers. */
export const ALL_TOKENS: readonly TokenType[] = [
  Blank,
  WordToken,
  Newline,
  AssignmentToken,
  RedirectionToken,
  HereDocumentToken,
  AndOrToken,
  Pipe,
  Semicolon,
  Ampersand,
  CaseTerminator,
  OpenParenthesis,
  CloseParenthesis,
  FunctionName,
  ForName,
  ConditionalToken,
  ArithmeticToken,
  ArithmeticForToken,
  FunctionToken,
  TimeToken,
  SelectWord,
  ...RESERVED.values(),
];
