/** Programs of awk: rules, functions and statements (POSIX awk, "Grammar"). */
import type { Limits } from '../../src/limits.js';
import { KEYWORDS, Lexer } from './lexer.js';
import { ExpressionParser } from './parse-expression.js';
import { Symbols } from './symbols.js';
import type { Expression, Program, Redirection, Rule, Statement, Variable } from './tree.js';

export interface Source {
  /** A byte string. */
  readonly text: string;
  /** `cmd. line`, or the name of the file. */
  readonly where: string;
}

/** Throws AwkError. */
export function parseProgram(sources: readonly Source[], limits: Limits): Program {
  const symbols = new Symbols();
  const parts = { begin: [] as Statement[], rules: [] as Rule[], end: [] as Statement[] };
  for (const { text, where } of sources) {
    new Parser(new Lexer(text, where), symbols, limits.maxNesting).into(parts);
  }
  symbols.resolve();
  return { ...parts, functions: symbols.functions, globals: symbols.globals };
}

interface Parts {
  readonly begin: Statement[];
  readonly rules: Rule[];
  readonly end: Statement[];
}

class Parser extends ExpressionParser {
  private loops = 0;
  private where: 'rule' | 'function' | 'BEGIN' | 'END' = 'rule';

  into(parts: Parts): void {
    for (;;) {
      while (this.token.kind === 'newline' || this.is(';')) this.advance();
      if (this.token.kind === 'end') return;
      this.item(parts);
      if (!this.ended && !this.atEnd()) this.unexpected();
    }
  }

  /** What ended in `}` needs no separator. */
  private ended = false;

  private item(parts: Parts): void {
    this.where = 'rule';
    this.ended = true;
    if (this.is('function') || this.is('func')) {
      this.functionDefinition();
    } else if (this.is('BEGIN') || this.is('END')) {
      const name = this.advance().text;
      this.where = name === 'BEGIN' ? 'BEGIN' : 'END';
      if (!this.is('{')) this.fail(`${name} blocks must have an action part`);
      parts[name === 'BEGIN' ? 'begin' : 'end'].push(this.block());
    } else {
      parts.rules.push(this.rule());
    }
  }

  private rule(): Rule {
    const patterns: Expression[] = [];
    if (!this.is('{')) {
      patterns.push(this.expression());
      if (this.accept(',')) {
        this.skipNewlines();
        patterns.push(this.expression());
      }
    }
    const body = this.is('{') ? this.block() : undefined;
    this.ended = body !== undefined;
    return { patterns, body };
  }

  private functionDefinition(): void {
    this.advance();
    const { kind, text: name } = this.token;
    if (kind !== 'name' && kind !== 'function name') this.unexpected();
    if (this.symbols.functions.has(name)) this.fail(`function name \`${name}' previously defined`);
    this.advance();
    this.expect('(');
    const parameters: Variable[] = [];
    while (!this.is(')')) {
      const { text } = this.token;
      if (this.token.kind !== 'name') this.unexpected();
      if (text === name) this.fail(`function \`${name}': cannot use function name as parameter name`);
      if (parameters.some((one) => one.name === text)) {
        this.fail(`function \`${name}': parameter \`${text}' duplicates an earlier one`);
      }
      this.advance();
      parameters.push({ name: text, local: true, array: false, scalar: false, slot: 0 });
      if (!this.accept(',')) break;
      this.skipNewlines();
    }
    this.expect(')');
    this.skipNewlines();
    const body: Statement = { kind: 'block', body: [] };
    const definition = { name, parameters, body: body as Statement, scalars: 0, arrays: 0 };
    this.symbols.functions.set(name, definition);
    this.symbols.enter(parameters);
    this.where = 'function';
    definition.body = this.block();
    this.symbols.leave();
  }

  private block(): Statement {
    this.expect('{');
    const body: Statement[] = [];
    for (;;) {
      while (this.token.kind === 'newline' || this.is(';')) this.advance();
      if (this.accept('}')) return { kind: 'block', body };
      body.push(this.statement());
    }
  }

  private statement(): Statement {
    return this.nested(() => this.oneStatement());
  }

  private oneStatement(): Statement {
    if (this.is('{')) return this.block();
    if (this.accept(';')) return { kind: 'block', body: [] };
    if (this.token.kind === 'keyword') {
      switch (this.token.text) {
        case 'if':
          return this.conditional();
        case 'while':
          return this.whileLoop();
        case 'do':
          return this.doLoop();
        case 'for':
          return this.forLoop();
        default:
          break;
      }
    }
    const statement = this.simple();
    this.endOfStatement();
    return statement;
  }

  private endOfStatement(): void {
    if (this.is('}') || this.token.kind === 'end') return;
    if (this.token.kind !== 'newline' && !this.is(';')) this.unexpected();
    this.advance();
  }

  /** The statement after a condition, perhaps on the next line. */
  private body(): Statement {
    this.skipNewlines();
    return this.statement();
  }

  private loopBody(): Statement {
    this.loops++;
    const body = this.body();
    this.loops--;
    return body;
  }

  private condition(): Expression {
    this.advance();
    this.expect('(');
    const test = this.expression();
    this.skipNewlines();
    this.expect(')');
    return test;
  }

  private conditional(): Statement {
    const test = this.condition();
    const yes = this.body();
    const back = { token: this.token, end: this.previousEnd };
    while (this.token.kind === 'newline' || this.is(';')) this.advance();
    if (this.accept('else')) return { kind: 'if', test, yes, no: this.body() };
    this.token = back.token;
    this.previousEnd = back.end;
    return { kind: 'if', test, yes, no: undefined };
  }

  private whileLoop(): Statement {
    const test = this.condition();
    const body = this.accept(';') ? EMPTY : this.loopBody();
    return { kind: 'loop', before: undefined, test, step: undefined, body, bodyFirst: false };
  }

  private doLoop(): Statement {
    this.advance();
    const body = this.loopBody();
    while (this.token.kind === 'newline' || this.is(';')) this.advance();
    if (!this.is('while')) this.unexpected();
    const test = this.condition();
    this.endOfStatement();
    return { kind: 'loop', before: undefined, test, step: undefined, body, bodyFirst: true };
  }

  private forLoop(): Statement {
    this.advance();
    this.expect('(');
    const each = this.eachHead();
    if (each !== undefined) return { kind: 'each', ...each, body: this.loopBody() };
    const before = this.is(';') ? undefined : this.simple();
    this.expect(';');
    this.skipNewlines();
    const test = this.is(';') ? undefined : this.expression();
    this.expect(';');
    this.skipNewlines();
    const step = this.is(')') ? undefined : this.simple();
    this.expect(')');
    const body = this.accept(';') ? EMPTY : this.loopBody();
    return { kind: 'loop', before, test, step, body, bodyFirst: false };
  }

  /** `NAME in NAME )`, or nothing is taken. */
  private eachHead(): { readonly variable: Variable; readonly array: Variable } | undefined {
    const { token } = this;
    if (token.kind !== 'name') return undefined;
    const word = this.lexer.read(token.end);
    if (word.kind !== 'keyword' || word.text !== 'in') return undefined;
    const array = this.lexer.read(word.end);
    const close = this.lexer.read(array.end);
    if (array.kind !== 'name' || close.text !== ')') return undefined;
    const variable = this.symbols.lookUp(token.text);
    variable.scalar = true;
    this.advance();
    this.advance();
    const found = this.arrayName();
    this.expect(')');
    return { variable, array: found };
  }

  private simple(): Statement {
    if (this.token.kind !== 'keyword') return { kind: 'expression', expression: this.expression() };
    const { text } = this.token;
    switch (text) {
      case 'print':
      case 'printf':
        this.advance();
        return this.output(text);
      case 'delete':
        this.advance();
        return this.deletion();
      case 'break':
      case 'continue':
        if (this.loops === 0) this.fail(`\`${text}' is not allowed outside a loop`);
        this.advance();
        return { kind: text };
      case 'next':
      case 'nextfile':
        if (this.where === 'BEGIN' || this.where === 'END') {
          this.fail(`\`${text}' used in ${this.where} action`);
        }
        this.advance();
        return { kind: text };
      case 'return':
        if (this.where !== 'function') this.fail("`return' used outside function context");
        this.advance();
        return { kind: 'return', value: this.optional() };
      case 'exit':
        this.advance();
        return { kind: 'exit', value: this.optional() };
      case 'getline':
        return { kind: 'expression', expression: this.expression() };
      default:
        return this.unexpected();
    }
  }

  private atEnd(): boolean {
    const { kind } = this.token;
    return kind === 'newline' || kind === 'end' || this.is(';') || this.is('}');
  }

  private optional(): Expression | undefined {
    return this.atEnd() ? undefined : this.expression();
  }

  private deletion(): Statement {
    const array = this.arrayName();
    if (!this.accept('[')) return { kind: 'delete', array, keys: undefined };
    const keys = [this.expression()];
    while (this.accept(',')) keys.push(this.expression());
    this.expect(']');
    return { kind: 'delete', array, keys };
  }

  private output(kind: 'print' | 'printf'): Statement {
    let items: Expression[] = [];
    if (!this.atEnd() && !this.is('>') && !this.is('>>') && !this.is('|')) {
      items.push(this.printed());
      while (this.accept(',')) {
        this.skipNewlines();
        items.push(this.printed());
      }
    }
    const [only] = items;
    if (items.length === 1 && only?.kind === 'group') items = [...only.items];
    if (items.some((item) => item.kind === 'group' && item.items.length > 1)) this.unexpected();
    if (kind === 'printf' && items.length === 0) this.fail('printf: no format');
    return { kind, items, to: this.redirection() };
  }

  private redirection(): Redirection | undefined {
    if (this.is('|') || this.is('|&')) this.refuse('pipes to and from commands are');
    if (!this.is('>') && !this.is('>>')) return undefined;
    const append = this.advance().text === '>>';
    return { append, file: this.concatenation({ greater: false }) };
  }
}

const EMPTY: Statement = { kind: 'block', body: [] };

/** Whether a name can be assigned to on the command line. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);
}
