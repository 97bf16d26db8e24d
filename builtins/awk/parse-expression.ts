/** Expressions of awk, from what binds least to what binds most (POSIX awk, "Expressions in awk"). */
import { limitReached } from '../../src/limits.js';
import type { Lexer, Token } from './lexer.js';
import { compilePattern } from './patterns.js';
import type { Symbols } from './symbols.js';
import {
  type Arithmetic,
  AwkError,
  BUILTIN_NAMES,
  type BuiltinName,
  type Comparison,
  type Expression,
  type Target,
} from './tree.js';

/** `>` is no comparison among the operands of print, and `in` none in the head of a for. */
interface Place {
  readonly greater: boolean;
}
const ANYWHERE: Place = { greater: true };
const PRINTED: Place = { greater: false };

const ASSIGNMENTS: ReadonlyMap<string, Arithmetic | ''> = new Map<string, Arithmetic | ''>([
  ['=', ''],
  ['+=', '+'],
  ['-=', '-'],
  ['*=', '*'],
  ['/=', '/'],
  ['%=', '%'],
  ['^=', '^'],
  ['**=', '^'],
]);

/** How many arguments each takes. */
const ARITY: { readonly [Name in BuiltinName]: readonly [number, number] } = {
  atan2: [2, 2],
  close: [1, 1],
  cos: [1, 1],
  exp: [1, 1],
  fflush: [0, 1],
  gsub: [2, 3],
  index: [2, 2],
  int: [1, 1],
  length: [0, 1],
  log: [1, 1],
  match: [2, 2],
  rand: [0, 0],
  sin: [1, 1],
  split: [2, 3],
  sprintf: [1, Number.POSITIVE_INFINITY],
  sqrt: [1, 1],
  srand: [0, 1],
  sub: [2, 3],
  substr: [2, 3],
  tolower: [1, 1],
  toupper: [1, 1],
};

/** A tree this deep is no program anybody wrote; what runs it recurses. */
const MAX_DEPTH = 500;

export class ExpressionParser {
  protected readonly lexer: Lexer;
  protected readonly symbols: Symbols;
  protected token: Token;
  /** The end of the token before. */
  protected previousEnd = 0;
  private depth = 0;
  private readonly maxNesting: number;

  constructor(lexer: Lexer, symbols: Symbols, maxNesting: number) {
    this.lexer = lexer;
    this.symbols = symbols;
    this.maxNesting = maxNesting;
    this.token = lexer.read(0);
  }

  protected advance(): Token {
    const { token } = this;
    this.previousEnd = token.end;
    this.token = this.lexer.read(token.end);
    return token;
  }

  protected is(text: string): boolean {
    const { kind } = this.token;
    return this.token.text === text && (kind === 'punctuation' || kind === 'keyword');
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.unexpected();
  }

  protected unexpected(): never {
    if (this.is('|') || this.is('|&')) this.refuse('pipes to and from commands are');
    const { text, kind } = this.token;
    const shown = kind === 'end' || kind === 'newline' ? text : `\`${text}'`;
    return this.fail(`syntax error at or near ${shown}`);
  }

  protected fail(message: string): never {
    return this.lexer.fail(message, this.token.start);
  }

  protected refuse(what: string): never {
    return this.fail(`${what} not supported: awk runs no commands here`);
  }

  protected skipNewlines(): void {
    while (this.token.kind === 'newline') this.advance();
  }

  /** Nesting of what the parser itself recurses into. */
  protected nested<T>(parse: () => T): T {
    if (++this.depth > this.maxNesting) throw limitReached('maxNesting', this.maxNesting);
    const result = parse();
    this.depth--;
    return result;
  }

  expression(place: Place = ANYWHERE): Expression {
    return this.nested(() => this.choice(place));
  }

  /** What print is given: no `>`, which redirects. */
  protected printed(): Expression {
    return this.expression(PRINTED);
  }

  private choice(place: Place): Expression {
    const test = this.or(place);
    if (!this.accept('?')) return test;
    this.skipNewlines();
    const yes = this.expression(place);
    this.skipNewlines();
    this.expect(':');
    this.skipNewlines();
    return { kind: 'choice', test, yes, no: this.expression(place) };
  }

  /** Operators of one rank, the left first. A long row of them would be a deep tree. */
  private row(
    operand: () => Expression,
    accepts: () => boolean,
    join: (left: Expression, operator: string, right: () => Expression) => Expression,
  ): Expression {
    let left = operand();
    for (let length = 0; accepts(); length++) {
      if (length > MAX_DEPTH) this.fail('expression too long');
      const operator = this.advance().text;
      left = join(left, operator, operand);
    }
    return left;
  }

  private or(place: Place): Expression {
    return this.row(
      () => this.and(place),
      () => this.is('||'),
      (left, _, right) => {
        this.skipNewlines();
        return { kind: 'or', left, right: right() };
      },
    );
  }

  private and(place: Place): Expression {
    return this.row(
      () => this.membership(place),
      () => this.is('&&'),
      (left, _, right) => {
        this.skipNewlines();
        return { kind: 'and', left, right: right() };
      },
    );
  }

  private membership(place: Place): Expression {
    let left = this.matching(place);
    while (this.accept('in')) {
      left = { kind: 'in', keys: left.kind === 'group' ? left.items : [left], array: this.arrayName() };
    }
    return this.single(left, place);
  }

  private matching(place: Place): Expression {
    return this.row(
      () => this.comparison(place),
      () => this.is('~') || this.is('!~'),
      (left, operator, right) => ({ kind: 'match', negated: operator === '!~', left, pattern: right() }),
    );
  }

  private comparison(place: Place): Expression {
    const left = this.concatenation(place);
    const operator = this.comparisonOperator(place);
    if (operator === undefined) return left;
    this.advance();
    const right = this.concatenation(place);
    if (this.comparisonOperator(place) !== undefined) this.unexpected();
    return { kind: 'compare', operator, left, right };
  }

  private comparisonOperator(place: Place): Comparison | undefined {
    if (this.token.kind !== 'punctuation') return undefined;
    const { text } = this.token;
    if (text === '>') return place.greater ? text : undefined;
    return text === '<' || text === '<=' || text === '==' || text === '!=' || text === '>=' ? text : undefined;
  }

  protected concatenation(place: Place): Expression {
    const first = this.additive(place);
    if (!this.startsOperand()) return first;
    const parts = [first];
    while (this.startsOperand()) parts.push(this.additive(place));
    return { kind: 'concat', parts };
  }

  private startsOperand(): boolean {
    const { kind, text } = this.token;
    if (kind === 'number' || kind === 'string' || kind === 'name' || kind === 'function name') return true;
    return kind === 'punctuation' && (text === '$' || text === '(' || text === '!' || text === '++' || text === '--');
  }

  private additive(place: Place): Expression {
    return this.row(
      () => this.multiplicative(place),
      () => this.is('+') || this.is('-'),
      (left, operator, right) => ({ kind: 'arithmetic', operator: operator === '+' ? '+' : '-', left, right: right() }),
    );
  }

  private multiplicative(place: Place): Expression {
    return this.row(
      () => this.unary(place),
      () => this.is('*') || this.is('/') || this.is('%'),
      (left, operator, right) => ({
        kind: 'arithmetic',
        operator: operator === '*' ? '*' : operator === '/' ? '/' : '%',
        left,
        right: right(),
      }),
    );
  }

  private unary(place: Place): Expression {
    const { text } = this.token;
    if (this.token.kind !== 'punctuation' || (text !== '!' && text !== '-' && text !== '+')) return this.power(place);
    this.advance();
    return { kind: 'unary', operator: text, operand: this.nested(() => this.unary(place)) };
  }

  private power(place: Place): Expression {
    const left = this.postfix(place);
    if (!this.accept('^') && !this.accept('**')) return left;
    return { kind: 'arithmetic', operator: '^', left, right: this.nested(() => this.unary(place)) };
  }

  private postfix(place: Place): Expression {
    const operand = this.primary();
    if (!isTarget(operand)) return operand;
    if (this.accept('++')) return this.stepped(operand, 1, false);
    if (this.accept('--')) return this.stepped(operand, -1, false);
    const operator = this.token.kind === 'punctuation' ? ASSIGNMENTS.get(this.token.text) : undefined;
    if (operator === undefined) return operand;
    this.advance();
    this.skipNewlines();
    return { kind: 'assign', target: this.target(operand), operator, value: this.expression(place) };
  }

  private stepped(operand: Target, by: 1 | -1, prefix: boolean): Expression {
    return { kind: 'step', target: this.target(operand), by, prefix };
  }

  private target(operand: Target): Target {
    if (operand.kind === 'variable') operand.variable.scalar = true;
    return operand;
  }

  private primary(): Expression {
    const { kind, text, start } = this.token;
    switch (kind) {
      case 'number':
        this.advance();
        return { kind: 'number', value: Number(text) };
      case 'string':
        this.advance();
        return { kind: 'string', text };
      case 'name':
        return this.name();
      case 'function name':
        return this.called();
      case 'keyword':
        if (text === 'getline') return this.getline();
        return this.unexpected();
      default:
        break;
    }
    if (this.is('/') || this.is('/=')) return this.regex(start);
    if (this.accept('(')) return this.nested(() => this.parenthesised());
    if (this.accept('$')) return this.nested(() => this.field());
    if (this.is('++') || this.is('--')) {
      const by = this.advance().text === '++' ? 1 : -1;
      const operand = this.nested(() => this.primary());
      if (!isTarget(operand)) return this.unexpected();
      return this.stepped(operand, by, true);
    }
    if (this.is('-') || this.is('+') || this.is('!')) return this.unary(ANYWHERE);
    return this.unexpected();
  }

  private regex(start: number): Expression {
    const { source, end } = this.lexer.regex(start);
    let regex: ReturnType<typeof compilePattern>;
    try {
      regex = compilePattern(source);
    } catch (error) {
      return error instanceof AwkError ? this.fail(error.message) : this.rethrow(error);
    }
    this.previousEnd = end;
    this.token = this.lexer.read(end);
    return { kind: 'regex', regex };
  }

  private rethrow(error: unknown): never {
    throw error;
  }

  private field(): Target {
    const index = this.is('-') || this.is('+') || this.is('!') ? this.unary(ANYWHERE) : this.primary();
    return { kind: 'field', index };
  }

  /** After `(`. */
  private parenthesised(): Expression {
    const items = [this.expression()];
    this.skipNewlines();
    while (this.accept(',')) {
      this.skipNewlines();
      items.push(this.expression());
      this.skipNewlines();
    }
    this.expect(')');
    return { kind: 'group', items };
  }

  /** A group of several is only good before `in`, and for print, which looks for itself. */
  private single(expression: Expression, place: Place): Expression {
    if (expression.kind === 'group' && expression.items.length > 1 && place.greater) this.unexpected();
    return expression;
  }

  private name(): Expression {
    const { text } = this.advance();
    if (text === 'length') return { kind: 'builtin', name: 'length', arguments: [] };
    if (isBuiltinName(text)) return this.unexpected();
    if (!this.is('[')) {
      if (this.symbols.functions.has(text)) this.fail(`function \`${text}' used as a variable`);
      return { kind: 'variable', variable: this.symbols.lookUp(text) };
    }
    this.advance();
    const keys = this.list(']');
    if (keys.length === 0) this.unexpected();
    const array = this.symbols.lookUp(text);
    array.array = true;
    return { kind: 'element', array, keys };
  }

  /** Expressions up to `close`, which is passed. */
  private list(close: string): Expression[] {
    const items: Expression[] = [];
    this.skipNewlines();
    while (!this.is(close)) {
      items.push(this.expression());
      this.skipNewlines();
      if (!this.accept(',')) break;
      this.skipNewlines();
      if (this.is(close)) this.unexpected();
    }
    this.expect(close);
    return items;
  }

  protected arrayName(): import('./tree.js').Variable {
    if (this.token.kind !== 'name') this.unexpected();
    const array = this.symbols.lookUp(this.advance().text);
    array.array = true;
    return array;
  }

  private called(): Expression {
    const { start } = this.token;
    const { text } = this.token;
    if (text === 'system') this.refuse('system() is');
    this.advance();
    this.expect('(');
    const given = this.nested(() => this.list(')'));
    if (isBuiltinName(text)) return this.builtin(text, given, start);
    const call = { kind: 'call', name: text, line: this.lexer.place(start), arguments: given } as const;
    this.symbols.addCall(call);
    return call;
  }

  private builtin(name: BuiltinName, given: readonly Expression[], start: number): Expression {
    const [least, most] = ARITY[name];
    if (given.length < least || given.length > most) {
      this.lexer.fail(`${given.length} is invalid as number of arguments for ${name}`, start);
    }
    if (name === 'split') return { kind: 'builtin', name, arguments: this.withArray(given, start) };
    if (name === 'sub' || name === 'gsub') {
      const target = given[2] === undefined ? undefined : ungroup(given[2]);
      if (target !== undefined) {
        if (!isTarget(target)) this.lexer.fail(`${name} third parameter is not a changeable object`, start);
        this.target(target);
      }
    }
    return { kind: 'builtin', name, arguments: given };
  }

  private withArray(given: readonly Expression[], start: number): readonly Expression[] {
    const array = ungroup(given[1] as Expression); // there are two at least
    if (array.kind !== 'variable') return this.lexer.fail('second argument of split is not an array', start);
    array.variable.array = true;
    return given.map((one, i) => (i === 1 ? { kind: 'array', array: array.variable } : one));
  }

  private getline(): Expression {
    this.advance();
    const { kind } = this.token;
    let target: Target | undefined;
    if (kind === 'name' || this.is('$')) {
      const operand = this.primary();
      if (!isTarget(operand)) return this.unexpected();
      target = this.target(operand);
    }
    if (!this.accept('<')) return { kind: 'getline', target, file: undefined };
    return { kind: 'getline', target, file: this.nested(() => this.primary()) };
  }
}

export function isTarget(expression: Expression): expression is Target {
  return expression.kind === 'variable' || expression.kind === 'element' || expression.kind === 'field';
}

export function ungroup(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'group' && inner.items.length === 1) inner = inner.items[0] as Expression;
  return inner;
}

function isBuiltinName(text: string): text is BuiltinName {
  return (BUILTIN_NAMES as readonly string[]).includes(text);
}
