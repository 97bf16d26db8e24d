/** The expression of `$(( ))`: C's operators on signed 64-bit integers (POSIX 2.6.4), and bash's `**`, `,` and `base#n`. */
import type { Arithmetic, ArithmeticInteger, BinaryOperator } from './ast.js';
import { CLOSE_BRACKET, isDigit, isNameCharacter, isNameStart, OPEN_BRACKET } from './characters.js';
import { type Problem, Stop, tokenText } from './diagnostics.js';

/** How an expression is read. */
export interface ArithmeticOptions {
  /** Default 200. */
  readonly maxNesting?: number;
  /** Accept `$name` and `${name}` where a primary may stand. */
  readonly parameters?: boolean;
}

/** The expression in `text`; an empty one is 0, as in bash. A Problem has a `message`, an expression has not. */
export function parseArithmetic(text: string, options: ArithmeticOptions = {}): Arithmetic | Problem {
  try {
    return new ExpressionParser(text, options).parse();
  } catch (error) {
    if (error instanceof Stop) return error.problem;
    if (error instanceof RangeError) return { message: 'nesting too deep', offset: 0, kind: 'nesting' };
    throw error;
  }
}

/** Whether what was answered is why there is no expression. */
export function isProblem(result: object): result is Problem {
  return 'message' in result;
}

/** Binary operators by how tightly they bind; `**` is right-associative and handled on its own. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
  '**': 11,
};
const POWER = 11;

const OPERATOR = /<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>=!~?:,()]/y;
const ASSIGNING: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=']);
const PARAMETER = /\$(?:([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])|\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])\})/y;

/** Operators that some right operands are wrong for. Where those stand is no part of the tree: only a message asks. */
const FAILING: ReadonlySet<string> = new Set(['/', '%', '**']);
const OPERANDS = new WeakMap<Arithmetic, { readonly text: string; readonly offset: number }>();

/** The text in which an operation that may fail was read, and where its right operand begins. */
export function rightOperand(node: Arithmetic): { readonly text: string; readonly offset: number } | undefined {
  return OPERANDS.get(node);
}

/** Chains like `1+1+...` nest to the left without recursion here, but whoever walks the tree recurses. */
const CHAIN = 20;

class ExpressionParser {
  readonly #text: string;
  readonly #maxNesting: number;
  readonly #parameters: boolean;
  #position = 0;
  /** The operator at `position`, or an empty text for anything else. */
  #operator = '';
  /** Where it ends. */
  #end = 0;
  /** Where the token before it began: what is missing at the end is missed there. */
  #before = 0;
  #depth = 0;

  constructor(text: string, options: ArithmeticOptions) {
    this.#text = text;
    this.#maxNesting = options.maxNesting ?? 200;
    this.#parameters = options.parameters ?? false;
  }

  parse(): Arithmetic {
    this.#look();
    if (this.#position >= this.#text.length) return { kind: 'Number', value: 0 };
    const expression = this.#comma();
    if (this.#position < this.#text.length) this.#failAfterOperand();
    return expression;
  }

  /** Skips blanks and looks at what follows. */
  #look(): void {
    const text = this.#text;
    let at = this.#position;
    let code = text.charCodeAt(at);
    while (code === 32 || (code >= 9 && code <= 13)) code = text.charCodeAt(++at);
    this.#position = at;
    this.#operator = '';
    this.#end = at;
    if (at >= text.length || isNameCharacter(code)) return;
    OPERATOR.lastIndex = at;
    const match = OPERATOR.exec(text);
    if (match === null) return;
    this.#operator = match[0];
    this.#end = OPERATOR.lastIndex;
  }

  #at(operator: string): boolean {
    return this.#operator === operator;
  }

  #advance(to: number): void {
    this.#before = this.#position;
    this.#position = to;
    this.#look();
  }

  /** As bash says it: the token is all that follows, and at the end the last there was. */
  #fail(message: string, offset = this.#position, end = this.#text.length): never {
    const rest = this.#text.slice(offset < this.#text.length ? offset : this.#before, end);
    const shown = rest === '' ? '' : ` (error token is "${tokenText(rest)}")`;
    throw new Stop({ message: message + shown, offset, kind: 'syntax' }, false);
  }

  #failAfterOperand(): never {
    const known = this.#operator !== '' || isNameCharacter(this.#text.charCodeAt(this.#position));
    return this.#fail(`syntax error${known ? ' in expression' : ': invalid arithmetic operator'}`);
  }

  #enter(): void {
    if (++this.#depth > this.#maxNesting) {
      throw new Stop({ message: 'nesting too deep', offset: this.#position, kind: 'nesting' }, false);
    }
  }

  #comma(): Arithmetic {
    let left = this.#assignment();
    for (let length = 0; this.#operator === ','; length++) {
      this.#checkChain(length);
      this.#advance(this.#end);
      left = { kind: 'Comma', left, right: this.#assignment() };
    }
    return left;
  }

  #assignment(): Arithmetic {
    const target = this.#conditional();
    const operator = this.#operator;
    if (ASSIGNING.has(operator)) {
      if (target.kind !== 'Variable') this.#fail('attempted assignment to non-variable');
      this.#advance(this.#end);
      this.#enter();
      const offset = this.#position;
      const value = this.#assignment();
      this.#depth--;
      const combined = operator === '=' ? undefined : (operator.slice(0, -1) as BinaryOperator);
      const { name, subscript } = target;
      return this.#placed({ kind: 'Assignment', name, subscript, operator: combined, value }, combined, offset);
    }
    return target;
  }

  #conditional(): Arithmetic {
    const test = this.#binary(1);
    if (this.#operator !== '?') return test;
    this.#advance(this.#end);
    if (this.#at(':') || this.#position >= this.#text.length) this.#fail('expression expected');
    const then = this.#nestedComma();
    if (!this.#at(':')) this.#fail("`:' expected for conditional expression");
    this.#advance(this.#end);
    if (this.#position >= this.#text.length) this.#fail('expression expected');
    this.#enter();
    const otherwise = this.#conditional();
    this.#depth--;
    return { kind: 'Conditional', test, then, otherwise };
  }

  #nestedComma(): Arithmetic {
    this.#enter();
    const result = this.#comma();
    this.#depth--;
    return result;
  }

  /** Operators that bind at least as tightly as `least`. */
  #binary(least: number): Arithmetic {
    let left = this.#unary();
    for (let length = 0; ; length++) {
      const operator = this.#operator;
      const precedence = PRECEDENCE[operator] ?? 0;
      if (precedence < least || precedence === 0) return left;
      this.#checkChain(length);
      this.#advance(this.#end);
      this.#enter();
      const offset = this.#position;
      const right = this.#binary(precedence === POWER ? POWER : precedence + 1);
      this.#depth--;
      left =
        operator === '&&' || operator === '||'
          ? { kind: 'Logical', operator, left, right }
          : this.#placed({ kind: 'Binary', operator: operator as BinaryOperator, left, right }, operator, offset);
    }
  }

  /** Keeps where the right operand stands of an operation that may fail. */
  #placed(node: Arithmetic, operator: string | undefined, offset: number): Arithmetic {
    if (operator !== undefined && FAILING.has(operator)) OPERANDS.set(node, { text: this.#text, offset });
    return node;
  }

  #checkChain(length: number): void {
    if (length < this.#maxNesting * CHAIN) return;
    throw new Stop({ message: 'nesting too deep', offset: this.#position, kind: 'nesting' }, false);
  }

  #unary(): Arithmetic {
    const operator = this.#operator;
    switch (operator) {
      case '+':
      case '-':
      case '!':
      case '~': {
        this.#enter();
        this.#advance(this.#end);
        const operand = this.#unary();
        this.#depth--;
        return { kind: 'Unary', operator, operand };
      }
      case '++':
      case '--':
        return this.#prefix(operator === '++' ? 1 : -1);
    }
    const primary = this.#primary();
    if (this.#operator !== '++' && this.#operator !== '--') return primary;
    if (primary.kind === 'Variable') {
      const by = this.#operator === '++' ? 1 : -1;
      this.#advance(this.#end);
      return { kind: 'Increment', name: primary.name, subscript: primary.subscript, by, prefix: false };
    }
    // `1++2` is `1 + +2`
    this.#operator = this.#operator.charAt(0);
    this.#end--;
    return primary;
  }

  /** `++x`; without a variable the two signs are just signs, as in `--5`. */
  #prefix(by: 1 | -1): Arithmetic {
    const start = this.#position;
    const second = start + 1;
    this.#advance(this.#end);
    if (isNameStart(this.#text.charCodeAt(this.#position))) {
      const { name, subscript } = this.#variable();
      return { kind: 'Increment', name, subscript, by, prefix: true };
    }
    this.#enter();
    this.#operator = '';
    this.#position = start;
    this.#advance(second);
    const operator = by === 1 ? '+' : '-';
    const operand = this.#unary();
    this.#depth--;
    return { kind: 'Unary', operator, operand };
  }

  /** `x`, or `a[i]` with nothing before the bracket. */
  #variable(): Extract<Arithmetic, { kind: 'Variable' }> {
    const text = this.#text;
    const start = this.#position;
    let end = start;
    while (end < text.length && isNameCharacter(text.charCodeAt(end))) end++;
    const name = text.slice(start, end);
    if (text.charCodeAt(end) !== OPEN_BRACKET) {
      this.#advance(end);
      return { kind: 'Variable', name, subscript: undefined };
    }
    const close = closingBracket(text, end);
    if (close < 0) this.#fail('bad array subscript', start);
    this.#enter();
    const inner = text.slice(end + 1, close);
    const expression = this.#inBrackets(inner);
    this.#depth--;
    this.#advance(close + 1);
    return { kind: 'Variable', name, subscript: { expression, text: inner } };
  }

  /** What is between brackets may be a key, and no expression. */
  #inBrackets(text: string): Arithmetic | undefined {
    if (text.trim() === '') return undefined;
    const maxNesting = this.#maxNesting - this.#depth;
    try {
      return new ExpressionParser(text, { maxNesting, parameters: this.#parameters }).parse();
    } catch (error) {
      if (error instanceof Stop && error.problem.kind !== 'nesting') return undefined;
      throw error;
    }
  }

  #primary(): Arithmetic {
    const text = this.#text;
    const start = this.#position;
    const code = text.charCodeAt(start);
    if (this.#operator === '(') {
      this.#advance(this.#end);
      const inner = this.#nestedComma();
      if (!this.#at(')')) this.#fail("missing `)'");
      this.#advance(this.#end);
      return inner;
    }
    if (isNameStart(code)) return this.#variable();
    if (isDigit(code)) return { kind: 'Number', value: this.#constant() };
    if (this.#parameters) {
      PARAMETER.lastIndex = start;
      const match = PARAMETER.exec(text);
      if (match !== null) {
        this.#refuseGlued(PARAMETER.lastIndex);
        this.#advance(PARAMETER.lastIndex);
        return { kind: 'Parameter', name: match[1] ?? match[2] ?? '' };
      }
    }
    return this.#fail('syntax error: operand expected');
  }

  /** `$x1` and `$x$y` are one operand after expansion, whatever it will be: not known before it. */
  #refuseGlued(end: number): void {
    const next = this.#text.charCodeAt(end);
    if (isNameCharacter(next) || this.#text.charAt(end) === '$' || this.#text.charAt(end) === '#') {
      this.#fail('syntax error in expression', end);
    }
  }

  #constant(): ArithmeticInteger {
    const text = this.#text;
    const start = this.#position;
    let end = start;
    while (end < text.length && isNameCharacter(text.charCodeAt(end))) end++;
    let digits = text.slice(start, end);
    let value: ArithmeticInteger;
    if (text.charAt(end) === '#' && /^[0-9]+$/.test(digits)) {
      const base = Number(digits);
      const from = end + 1;
      end = from;
      while (end < text.length && (isNameCharacter(text.charCodeAt(end)) || text.charAt(end) === '@')) end++;
      if (base < 2 || base > 64) this.#fail('invalid arithmetic base', start, end);
      digits = text.slice(from, end);
      if (digits === '') this.#fail('invalid integer constant', start, end);
      value = this.#digits(digits, base, start, end);
    } else if (/^0[xX]/.test(digits)) {
      value = digits.length === 2 ? 0 : this.#digits(digits.slice(2), 16, start, end);
    } else {
      value = this.#digits(digits, digits.startsWith('0') ? 8 : 10, start, end);
    }
    this.#refuseGlued(end);
    this.#advance(end);
    return value;
  }

  #digits(digits: string, base: number, start: number, end: number): ArithmeticInteger {
    const big = BigInt(base);
    let small = 0;
    let value: bigint | undefined;
    for (const character of digits) {
      const digit = digitValue(character, base);
      if (digit >= base) this.#fail('value too great for base', start, end);
      if (value === undefined) {
        const next = small * base + digit;
        if (Number.isSafeInteger(next)) small = next;
        else value = BigInt(small) * big + BigInt(digit);
      } else {
        value = BigInt.asIntN(64, value * big + BigInt(digit));
      }
    }
    if (value === undefined) return small;
    const wrapped = BigInt.asIntN(64, value);
    const plain = Number(wrapped);
    return Number.isSafeInteger(plain) ? plain : wrapped;
  }
}

/** 0-9, a-z, A-Z, @ and _ as in bash; up to base 36 capitals are small letters. */
function digitValue(character: string, base: number): number {
  const code = character.charCodeAt(0);
  if (isDigit(code)) return code - 48;
  if (code >= 97 && code <= 122) return code - 87;
  if (code >= 65 && code <= 90) return code - (base <= 36 ? 55 : 29);
  return character === '@' ? 62 : 63;
}

/** Where the bracket at `open` closes; -1: nowhere. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACKET && --depth === 0) return at;
  }
  return -1;
}
