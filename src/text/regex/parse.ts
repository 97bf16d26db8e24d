/** Parses BRE and ERE (POSIX XBD 9.3, 9.4) with GNU's extensions, as glibc reads them for sed and for grep. */
import { parseBracket } from './bracket.js';
import { type Assertion, alt, cat, EMPTY, type Node, type SymbolSet } from './node.js';
import { ANY, ANY_ON_LINE, literalSet, spaceSet, wordSet } from './sets.js';
import { type RegexError, type RegexErrorCode, type SyntaxOptions, SyntaxProblem } from './syntax.js';

/** POSIX's RE_DUP_MAX, as glibc has it. */
const DUP_MAX = 32767;
/** Deeper nesting of groups than anyone writes: the parser and the compiler recurse. */
const MAX_DEPTH = 1000;
/** Characters: each becomes a node of some hundred bytes. */
const MAX_PATTERN = 1 << 20;

export interface ParsedRegex {
  readonly node: Node;
  readonly groups: number;
  /** What grep prints as `grep: warning: ...`. */
  readonly warnings: readonly string[];
}

export function parseRegex(pattern: string, options: SyntaxOptions): ParsedRegex | RegexError {
  try {
    if (pattern.length > MAX_PATTERN) throw new SyntaxProblem('size');
    return new Parser(pattern, options).parse();
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.problem;
    throw error;
  }
}

type Token =
  | { readonly kind: 'char'; readonly symbol: number; readonly end: number }
  | { readonly kind: 'set'; readonly set: SymbolSet; readonly end: number }
  | { readonly kind: 'assert'; readonly what: Assertion; readonly end: number }
  | { readonly kind: 'backref'; readonly index: number; readonly end: number }
  | { readonly kind: 'open' | 'close' | 'alt' | 'end' | 'bracket'; readonly end: number }
  | { readonly kind: 'repeat'; readonly operator: '*' | '+' | '?' | '{'; readonly end: number };

const OPERATORS: ReadonlyMap<string, 'open' | 'close' | 'alt' | '*' | '+' | '?' | '{'> = new Map([
  ['(', 'open'],
  [')', 'close'],
  ['|', 'alt'],
  ['+', '+'],
  ['?', '?'],
  ['{', '{'],
]);

const ESCAPES: ReadonlyMap<string, SymbolSet | Assertion> = new Map<string, SymbolSet | Assertion>([
  ['w', wordSet(true)],
  ['W', wordSet(false)],
  ['s', spaceSet(true)],
  ['S', spaceSet(false)],
  ['b', 'wordEdge'],
  ['B', 'notWordEdge'],
  ['<', 'wordStart'],
  ['>', 'wordEnd'],
  ['`', 'textStart'],
  ["'", 'textEnd'],
]);

class Parser {
  private readonly text: string;
  private readonly extended: boolean;
  private readonly sed: boolean;
  private readonly ignoreCase: boolean;
  private readonly lines: boolean;
  private readonly warnings: string[] = [];
  private readonly complete = new Set<number>();
  private groups = 0;
  private depth = 0;
  /** Repetitions of repetitions. */
  private chained = 0;
  private token: Token;

  constructor(text: string, options: SyntaxOptions) {
    this.text = text;
    this.extended = options.syntax === 'extended';
    this.sed = options.dialect !== 'grep';
    this.ignoreCase = options.ignoreCase === true;
    this.lines = options.newline === 'anchor' || options.newline === 'apart';
    this.token = this.read(0, true);
  }

  parse(): ParsedRegex {
    const node = this.alternatives();
    return { node, groups: this.groups, warnings: this.warnings };
  }

  private fail(code: RegexErrorCode): never {
    throw new SyntaxProblem(code);
  }

  /** `caret`: a `^` here is an anchor in a BRE, too. */
  private advance(caret = false): void {
    this.token = this.read(this.token.end, caret);
  }

  private atEndOfBranch(): boolean {
    const { kind } = this.token;
    return kind === 'alt' || kind === 'end' || (kind === 'close' && this.depth > 0);
  }

  private atEnd(): boolean {
    return this.token.kind === 'alt' || this.token.kind === 'end';
  }

  private alternatives(): Node {
    const branches = [this.branch()];
    while (this.token.kind === 'alt') {
      this.advance(true);
      branches.push(this.branch());
    }
    return alt(branches);
  }

  private branch(): Node {
    const items: Node[] = [];
    while (!this.atEndOfBranch()) items.push(this.expression());
    return cat(items);
  }

  private expression(): Node {
    // In grep's EREs a repetition of nothing is nothing; what follows starts again, where `)` and `|` are met.
    while (this.token.kind === 'repeat' && !this.isLiteralOperator(this.token.operator)) {
      if (this.token.operator === '{') {
        if (this.interval(EMPTY, this.token.end) === undefined) break;
        this.warnings.push('{...} at start of expression');
      } else {
        this.warnings.push(`${this.token.operator} at start of expression`);
        this.advance();
      }
      if (this.atEnd()) return EMPTY;
    }
    const { token } = this;
    switch (token.kind) {
      case 'assert':
        // Nothing repeats an anchor: a `*` after it is at the start of an expression.
        this.advance();
        return { kind: 'assert', what: token.what };
      case 'open':
        return this.repetitions(this.group());
      case 'close':
        if (!this.extended || this.sed) this.fail('closeParen');
        return this.repetitions(this.single(literalSet(0x29, false)));
      case 'bracket': {
        const bracket = parseBracket(this.text, token.end - 1, this.ignoreCase, this.lines);
        this.token = { kind: 'bracket', end: bracket.end };
        return this.repetitions(this.single(bracket.set));
      }
      case 'set':
        return this.repetitions(this.single(token.set));
      case 'backref':
        if (!this.complete.has(token.index)) this.fail('backref');
        this.advance();
        return this.repetitions({ kind: 'backref', index: token.index });
      case 'char':
        return this.repetitions(this.single(literalSet(token.symbol, this.ignoreCase)));
      case 'repeat':
        return this.repetitions(this.single(literalSet(token.operator.charCodeAt(0), false)));
      default:
        return EMPTY;
    }
  }

  /** An operator with nothing before it: itself in a BRE (false: nothing in grep's ERE), an error to sed. */
  private isLiteralOperator(operator: string): boolean {
    if (this.sed && (this.extended || operator === '{')) this.fail('repeat');
    return !this.extended;
  }

  private single(set: SymbolSet): Node {
    this.advance();
    return { kind: 'set', set };
  }

  private group(): Node {
    const index = ++this.groups;
    if (++this.depth > MAX_DEPTH) this.fail('size');
    this.advance(true);
    const body = this.alternatives();
    if (this.token.kind !== 'close') this.fail('openParen');
    this.depth--;
    this.complete.add(index);
    this.advance();
    return { kind: 'group', index, body };
  }

  private repetitions(first: Node): Node {
    let node = first;
    while (this.token.kind === 'repeat') {
      // What `repeated` cannot make one is a level more.
      if (node.kind === 'repeat' && !isSimple(node) && ++this.chained > MAX_DEPTH) this.fail('size');
      const { operator, end } = this.token;
      if (operator === '{') {
        const interval = this.interval(node, end);
        if (interval === undefined) return node;
        node = interval;
      } else {
        node = repeated(node, operator === '+' ? 1 : 0, operator === '?' ? 1 : Number.POSITIVE_INFINITY);
        this.advance();
      }
      // sed's BREs refuse a second repetition, of these two kinds.
      const next: Token = this.token;
      if (!this.extended && this.sed && next.kind === 'repeat' && (next.operator === '*' || next.operator === '{')) {
        this.fail('repeat');
      }
    }
    return node;
  }

  /** `{m}` `{m,}` `{,n}` `{m,n}`, from after the brace. Undefined: grep's ERE takes what is no interval as text. */
  private interval(body: Node, from: number): Node | undefined {
    const close = this.extended ? '}' : '\\}';
    let i = from;
    const number = () => {
      const start = i;
      while (isDigit(this.text.charCodeAt(i))) i++;
      return start === i ? undefined : Number(this.text.slice(start, i));
    };
    const low = number();
    const comma = this.text[i] === ',';
    if (comma) i++;
    const high = comma ? number() : low;
    if (!this.text.startsWith(close, i) || (low === undefined && !comma)) {
      if (this.extended && !this.sed && !(i === from && this.text[i] === '}')) {
        this.token = { kind: 'char', symbol: 0x7b, end: from };
        return undefined;
      }
      this.fail(i >= this.text.length ? 'openBrace' : 'interval');
    }
    const min = low ?? 0;
    const max = high ?? Number.POSITIVE_INFINITY;
    if (min > max) this.fail('interval');
    if (min > DUP_MAX || (max > DUP_MAX && max !== Number.POSITIVE_INFINITY)) this.fail('size');
    this.token = this.read(i + close.length, false);
    return repeated(body, min, max);
  }

  private read(i: number, caret: boolean): Token {
    const symbol = this.text.codePointAt(i);
    if (symbol === undefined) return { kind: 'end', end: i };
    const character = String.fromCodePoint(symbol);
    const end = i + character.length;
    switch (character) {
      case '\\':
        return this.readEscape(end);
      case '.':
        return { kind: 'set', set: this.lines ? ANY_ON_LINE : ANY, end };
      case '[':
        return { kind: 'bracket', end };
      case '*':
        return { kind: 'repeat', operator: '*', end };
      case '^':
        return this.extended || caret || i === 0
          ? { kind: 'assert', what: 'lineStart', end }
          : { kind: 'char', symbol, end };
      case '$':
        return this.extended || this.isDollarAnchor(end)
          ? { kind: 'assert', what: 'lineEnd', end }
          : { kind: 'char', symbol, end };
      default:
        return (this.extended && this.operator(character, end)) || { kind: 'char', symbol, end };
    }
  }

  private isDollarAnchor(next: number): boolean {
    return next === this.text.length || this.text.startsWith('\\)', next) || this.text.startsWith('\\|', next);
  }

  private operator(character: string, end: number): Token | undefined {
    const operator = OPERATORS.get(character);
    if (operator === undefined) return undefined;
    return operator === 'open' || operator === 'close' || operator === 'alt'
      ? { kind: operator, end }
      : { kind: 'repeat', operator, end };
  }

  private readEscape(i: number): Token {
    const symbol = this.text.codePointAt(i);
    if (symbol === undefined) this.fail('escape');
    const character = String.fromCodePoint(symbol);
    const end = i + character.length;
    const operator = this.extended ? undefined : this.operator(character, end);
    if (operator !== undefined) return operator;
    if (symbol >= 0x31 && symbol <= 0x39) return { kind: 'backref', index: symbol - 0x30, end };
    const special = ESCAPES.get(character);
    if (special === undefined) return { kind: 'char', symbol, end };
    return typeof special === 'string' ? { kind: 'assert', what: special, end } : { kind: 'set', set: special, end };
  }
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** `*`, `+` or `?` of what is such a repetition already is one of them: `a*****` is no deeper than `a*`. */
function repeated(body: Node, min: number, max: number): Node {
  if (min === 1 && max === 1) return body;
  if (body.kind !== 'repeat' || !isSimple(body) || !isSimple({ min, max })) return repeat(body, min, max);
  return repeat(body.body, body.min * min, Math.max(body.max, max));
}

function isSimple({ min, max }: { readonly min: number; readonly max: number }): boolean {
  return min <= 1 && (max === 1 || max === Number.POSITIVE_INFINITY);
}

function repeat(body: Node, min: number, max: number): Node {
  return { kind: 'repeat', body, min, max };
}
