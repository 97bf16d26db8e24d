/** jq programs: tokens to a tree, by precedence climbing. Names are looked up here, so that a missing one is found before anything runs. */

import { type Token, tokensOf } from './lexer.js';
import { definitionOf, isNative } from './library.js';
import { SyntaxProblem } from './problem.js';
import type { BinaryOperator, Definition, Node, Pattern, UpdateOperator } from './tree.js';

/** The tree of `text`, in which the variables `known` may be used. Throws SyntaxProblem. */
export function parse(text: string, known: readonly string[], maxDepth: number): Node {
  return parseTokens(tokensOf(text), text, known, maxDepth);
}

function parseTokens(tokens: readonly Token[], text: string, known: readonly string[], maxDepth: number): Node {
  const parser = new Parser(tokens, text, maxDepth);
  for (const name of known) parser.scope = { key: `$${name}`, next: parser.scope };
  return parser.program();
}

/** Definitions of ours, parsed when a program first uses them. */
const library = new Map<string, Definition>();

function libraryDefinition(key: string, maxDepth: number): Definition | undefined {
  const known = library.get(key);
  if (known !== undefined) return known;
  const text = definitionOf(key);
  if (text === undefined) return undefined;
  return new Parser(tokensOf(text), text, maxDepth).definition((definition) => library.set(key, definition));
}

/** Names in force: `$x`, `f/1`, `*label`. */
interface Scope {
  readonly key: string;
  readonly next: Scope | undefined;
}

const UPDATES: readonly string[] = ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='];
const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or not __loc__'
    .split(' ')
    .filter((word) => word !== 'not'),
);

/** How tightly operators bind, from the weakest. */
const LEVELS: readonly { readonly operators: readonly string[]; readonly side: 'left' | 'right' | 'none' }[] = [
  { operators: ['//'], side: 'right' },
  { operators: UPDATES, side: 'none' },
  { operators: ['or'], side: 'left' },
  { operators: ['and'], side: 'left' },
  { operators: COMPARISONS, side: 'none' },
  { operators: ['+', '-'], side: 'left' },
  { operators: ['*', '/', '%'], side: 'left' },
];

class Parser {
  scope: Scope | undefined;
  private readonly tokens: readonly Token[];
  private readonly text: string;
  private readonly maxDepth: number;
  private next = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], text: string, maxDepth: number) {
    this.tokens = tokens;
    this.text = text;
    this.maxDepth = maxDepth;
  }

  program(): Node {
    if (this.peek().kind === 'end') return { kind: 'identity' };
    const node = this.pipe();
    this.end();
    return node;
  }

  // ------------------------------------------------------------------------------------------------------- tokens

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)] as Token; // there is always the end
  }

  private isOperator(text: string): boolean {
    const token = this.peek();
    return token.kind === 'operator' && token.text === text;
  }

  private isKeyword(text: string): boolean {
    const token = this.peek();
    return token.kind === 'name' && token.text === text;
  }

  private accept(text: string): boolean {
    if (!this.isOperator(text) && !this.isKeyword(text)) return false;
    this.next++;
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text)) this.unexpected();
  }

  private end(): void {
    if (this.peek().kind !== 'end') this.unexpected();
  }

  private unexpected(): never {
    const token = this.peek();
    let shown: string = token.kind;
    if (token.kind === 'operator') shown = `'${token.text}'`;
    else if (token.kind === 'end') shown = token.text;
    else if (token.kind === 'name') shown = KEYWORDS.has(token.text) ? token.text : `'${token.text}'`;
    throw new SyntaxProblem(`syntax error, unexpected ${shown}`, token.start);
  }

  private deeper<T>(step: () => T): T {
    if (++this.depth > this.maxDepth) throw new SyntaxProblem('the program is nested too deep', this.peek().start);
    try {
      return step();
    } finally {
      this.depth--;
    }
  }

  /** `step` with more names in force. */
  private within<T>(keys: readonly string[], step: () => T): T {
    const before = this.scope;
    for (const key of keys) this.scope = { key, next: this.scope };
    try {
      return step();
    } finally {
      this.scope = before;
    }
  }

  private knows(key: string): boolean {
    for (let one = this.scope; one !== undefined; one = one.next) if (one.key === key) return true;
    return false;
  }

  // -------------------------------------------------------------------------------------------------- expressions

  /** A long chain of pipes is built from its parts, not by going deeper for each. */
  private pipe(): Node {
    return this.deeper(() => {
      const parts: Node[] = [];
      for (;;) {
        if (this.isKeyword('def')) {
          parts.push(this.defined());
          break;
        }
        if (this.isKeyword('label')) {
          this.next++;
          const name = this.variable();
          this.expect('|');
          parts.push({ kind: 'label', name, body: this.within([`*${name}`], () => this.pipe()) });
          break;
        }
        const bound = this.comma();
        parts.push(bound);
        if (!this.accept('|')) break;
      }
      return parts.reduceRight((right, left) => ({ kind: 'pipe', left, right }));
    });
  }

  private defined(): Node {
    const definition = this.definition();
    // A program of definitions alone changes nothing.
    const isAlone = this.depth === 1 && this.peek().kind === 'end';
    const key = `${definition.name}/${definition.parameters.length}`;
    const body: Node = isAlone ? { kind: 'identity' } : this.within([key], () => this.pipe());
    return { kind: 'define', definition, body };
  }

  /** `def name(f; $x): body;` */
  definition(announce: (definition: Definition) => void = () => {}): Definition {
    this.expect('def');
    const name = this.name();
    const parameters: string[] = [];
    if (this.accept('(')) {
      do {
        const token = this.peek();
        if (token.kind !== 'variable' && token.kind !== 'name') this.unexpected();
        this.next++;
        parameters.push(token.kind === 'variable' ? `$${token.text}` : token.text);
      } while (this.accept(';'));
      this.expect(')');
    }
    this.expect(':');
    const keys = [`${name}/${parameters.length}`];
    for (const one of parameters) {
      keys.push(`${one.replace('$', '')}/0`);
      if (one.startsWith('$')) keys.push(one);
    }
    const definition: Definition = { name, parameters, body: { kind: 'identity' } };
    announce(definition);
    definition.body = this.within(keys, () => this.pipe());
    this.expect(';');
    return definition;
  }

  private name(): string {
    const token = this.peek();
    if (token.kind !== 'name' || KEYWORDS.has(token.text)) this.unexpected();
    this.next++;
    return token.text;
  }

  private variable(): string {
    const token = this.peek();
    if (token.kind !== 'variable') this.unexpected();
    this.next++;
    return token.text;
  }

  private comma(): Node {
    let left = this.binary(0);
    while (this.accept(',')) left = { kind: 'comma', left, right: this.binary(0) };
    return left;
  }

  /** Without commas and pipes, from level `level` on. */
  private binary(level: number): Node {
    const row = LEVELS[level];
    if (row === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const token = this.peek();
      const isWord = token.kind === 'name' && (token.text === 'and' || token.text === 'or');
      if ((token.kind !== 'operator' && !isWord) || !row.operators.includes(token.text)) return left;
      this.next++;
      const right = row.side === 'right' ? this.deeper(() => this.binary(level)) : this.binary(level + 1);
      left = this.joined(token.text, left, right);
      if (row.side === 'none') {
        const after = this.peek();
        if (after.kind === 'operator' && row.operators.includes(after.text)) this.unexpected();
        return left;
      }
    }
  }

  private joined(operator: string, left: Node, right: Node): Node {
    if (operator === '//') return { kind: 'alternative', left, right };
    if (operator === 'and' || operator === 'or') return { kind: operator, left, right };
    if (UPDATES.includes(operator)) return { kind: 'update', operator: operator as UpdateOperator, left, right };
    return { kind: 'binary', operator: operator as BinaryOperator, left, right };
  }

  private unary(): Node {
    return this.deeper(() => {
      if (this.accept('-')) return { kind: 'negate', of: this.unary() };
      const term = this.postfix();
      if (!this.accept('as')) return term;
      const pattern = this.pattern();
      if (this.isOperator('?//')) {
        throw new SyntaxProblem("alternatives of patterns ('?//') are not supported", this.peek().start);
      }
      this.expect('|');
      const body = this.within(variablesOf(pattern), () => this.pipe());
      return { kind: 'bind', source: term, pattern, body };
    });
  }

  // ----------------------------------------------------------------------------------------------------- patterns

  private pattern(): Pattern {
    return this.deeper(() => {
      if (this.accept('[')) {
        const items: Pattern[] = [];
        do items.push(this.pattern());
        while (this.accept(','));
        this.expect(']');
        return { kind: 'array', items };
      }
      if (this.accept('{')) {
        const members: { variable: string | undefined; key: Node; pattern: Pattern | undefined }[] = [];
        do members.push(this.member());
        while (this.accept(','));
        this.expect('}');
        return { kind: 'object', members };
      }
      return { kind: 'variable', name: this.variable() };
    });
  }

  private member(): { variable: string | undefined; key: Node; pattern: Pattern | undefined } {
    const token = this.peek();
    if (token.kind === 'variable') {
      this.next++;
      const key: Node = { kind: 'literal', value: token.text };
      return { variable: token.text, key, pattern: this.accept(':') ? this.pattern() : undefined };
    }
    const key = this.memberKey();
    this.expect(':');
    return { variable: undefined, key, pattern: this.pattern() };
  }

  /** `name`, `"string"`, `(expression)`. */
  private memberKey(): Node {
    const token = this.peek();
    if (token.kind === 'name') {
      this.next++;
      return { kind: 'literal', value: token.text };
    }
    if (token.kind === 'string') return this.string(undefined);
    if (token.kind === 'format' && this.peek(1).kind === 'string') {
      this.next++;
      return this.string(token.text);
    }
    this.expect('(');
    const key = this.pipe();
    this.expect(')');
    return key;
  }

  // -------------------------------------------------------------------------------------------------------- terms

  private postfix(): Node {
    let term = this.term();
    for (;;) {
      const token = this.peek();
      if (token.kind === 'field') {
        this.next++;
        term = { kind: 'index', of: term, key: { kind: 'literal', value: token.text } };
      } else if (this.isOperator('.') && this.peek(1).kind === 'string') {
        this.next++;
        term = { kind: 'index', of: term, key: this.string(undefined) };
      } else if (this.isOperator('.') && this.isBracketNext()) {
        this.next++;
        term = this.brackets(term);
      } else if (this.isOperator('[')) term = this.brackets(term);
      else if (this.accept('?')) term = { kind: 'try', body: term, handler: undefined };
      else return term;
    }
  }

  private isBracketNext(): boolean {
    const after = this.peek(1);
    return after.kind === 'operator' && after.text === '[';
  }

  /** `[]`, `[key]`, `[from:to]`. */
  private brackets(of: Node): Node {
    this.expect('[');
    if (this.accept(']')) return { kind: 'iterate', of };
    if (this.accept(':')) {
      const to = this.pipe();
      this.expect(']');
      return { kind: 'slice', of, from: undefined, to };
    }
    const key = this.pipe();
    if (this.accept(':')) {
      const to = this.isOperator(']') ? undefined : this.pipe();
      this.expect(']');
      return { kind: 'slice', of, from: key, to };
    }
    this.expect(']');
    return { kind: 'index', of, key };
  }

  private term(): Node {
    const token = this.peek();
    switch (token.kind) {
      case 'number':
        this.next++;
        return { kind: 'literal', value: token.value };
      case 'string':
        return this.string(undefined);
      case 'format':
        this.next++;
        return this.peek().kind === 'string' ? this.string(token.text) : { kind: 'format', name: token.text };
      case 'field':
        this.next++;
        return { kind: 'index', of: { kind: 'identity' }, key: { kind: 'literal', value: token.text } };
      case 'variable':
        return this.variableTerm(token.text, token.start);
      case 'name':
        return this.word(token.text, token.start);
      case 'operator':
        return this.bracketed(token.text);
      default:
        return this.unexpected();
    }
  }

  private variableTerm(name: string, start: number): Node {
    this.next++;
    if (name === '__loc__') {
      const line = this.text.slice(0, start).split('\n').length;
      const value = new Map<string, string | number>([
        ['file', '<top-level>'],
        ['line', line],
      ]);
      return { kind: 'literal', value };
    }
    if (name !== 'ENV' && !this.knows(`$${name}`)) throw new SyntaxProblem(`$${name} is not defined`, start);
    return { kind: 'variable', name };
  }

  private bracketed(text: string): Node {
    switch (text) {
      case '.':
        this.next++;
        return this.peek().kind === 'string'
          ? { kind: 'index', of: { kind: 'identity' }, key: this.string(undefined) }
          : { kind: 'identity' };
      case '..':
        this.next++;
        return { kind: 'call', name: 'recurse', key: 'recurse/0', arguments: [], target: 'native' };
      case '(': {
        this.next++;
        const node = this.pipe();
        this.expect(')');
        return node;
      }
      case '[': {
        this.next++;
        if (this.accept(']')) return { kind: 'array', body: undefined };
        const body = this.pipe();
        this.expect(']');
        return { kind: 'array', body };
      }
      case '{':
        return this.object();
      default:
        return this.unexpected();
    }
  }

  private word(name: string, start: number): Node {
    switch (name) {
      case 'if':
        this.next++;
        return this.conditional();
      case 'try': {
        this.next++;
        const body = this.tried();
        return { kind: 'try', body, handler: this.accept('catch') ? this.tried() : undefined };
      }
      case 'reduce':
      case 'foreach':
        this.next++;
        return this.loop(name);
      case 'import':
      case 'include':
        throw new SyntaxProblem(`modules ('${name}') are not supported`, start);
      case 'break': {
        if (this.peek(1).kind !== 'variable') return this.call(name, start);
        this.next++;
        const label = this.variable();
        if (!this.knows(`*${label}`)) throw new SyntaxProblem(`$*label-${label} is not defined`, start);
        return { kind: 'break', name: label };
      }
      default:
        return this.call(name, start);
    }
  }

  private tried(): Node {
    return this.deeper(() => (this.accept('-') ? { kind: 'negate', of: this.postfix() } : this.postfix()));
  }

  private conditional(): Node {
    return this.deeper(() => {
      const test = this.pipe();
      this.expect('then');
      const then = this.pipe();
      let otherwise: Node = { kind: 'identity' };
      if (this.accept('elif')) return { kind: 'if', test, then, otherwise: this.conditional() };
      if (this.accept('else')) otherwise = this.pipe();
      this.expect('end');
      return { kind: 'if', test, then, otherwise };
    });
  }

  private loop(kind: 'reduce' | 'foreach'): Node {
    const source = this.postfix();
    this.expect('as');
    const pattern = this.pattern();
    this.expect('(');
    const start = this.pipe();
    this.expect(';');
    return this.within(variablesOf(pattern), () => {
      const update = this.pipe();
      let extract: Node = { kind: 'identity' };
      if (kind === 'foreach' && this.accept(';')) extract = this.pipe();
      this.expect(')');
      return kind === 'reduce'
        ? { kind, source, pattern, start, update }
        : { kind, source, pattern, start, update, extract };
    });
  }

  private call(name: string, start: number): Node {
    if (KEYWORDS.has(name)) this.unexpected();
    this.next++;
    const given: Node[] = [];
    if (this.accept('(')) {
      do given.push(this.pipe());
      while (this.accept(';'));
      this.expect(')');
    }
    const constant = CONSTANTS.get(name);
    const key = `${name}/${given.length}`;
    if (this.knows(key)) return { kind: 'call', name, key, arguments: given, target: 'scope' };
    if (constant !== undefined && given.length === 0) return { kind: 'literal', value: constant };
    if (isNative(key)) return { kind: 'call', name, key, arguments: given, target: 'native' };
    const definition = libraryDefinition(key, this.maxDepth);
    if (definition === undefined) throw new SyntaxProblem(`${key} is not defined`, start);
    return { kind: 'call', name, key, arguments: given, target: definition };
  }

  private string(format: string | undefined): Node {
    const token = this.peek();
    if (token.kind !== 'string') this.unexpected();
    this.next++;
    const [only = ''] = token.parts;
    if (token.parts.length === 1 && typeof only === 'string') return { kind: 'literal', value: only };
    const parts = token.parts.map((part) => (typeof part === 'string' ? part : this.interpolated(part)));
    return { kind: 'string', format, parts };
  }

  private interpolated(tokens: readonly Token[]): Node {
    const inner = new Parser(tokens, this.text, this.maxDepth);
    inner.scope = this.scope;
    inner.depth = this.depth;
    const node = inner.pipe();
    inner.end();
    return node;
  }

  private object(): Node {
    this.expect('{');
    const members: { key: Node; value: Node }[] = [];
    if (this.accept('}')) return { kind: 'object', members };
    do {
      if (this.isOperator('}') && members.length > 0) this.unexpected();
      const token = this.peek();
      if (token.kind === 'variable') {
        const value = this.variableTerm(token.text, token.start);
        members.push({ key: { kind: 'literal', value: token.text }, value });
        continue;
      }
      if (token.kind === 'number') this.unexpected();
      const needsValue = this.isOperator('(');
      const key = this.memberKey();
      if (this.accept(':')) members.push({ key, value: this.memberValue() });
      else if (needsValue) this.unexpected();
      else members.push({ key, value: { kind: 'index', of: { kind: 'identity' }, key } });
    } while (this.accept(','));
    this.expect('}');
    return { kind: 'object', members };
  }

  /** Everything but a comma. */
  private memberValue(): Node {
    return this.deeper(() => {
      const left = this.binary(0);
      return this.accept('|') ? { kind: 'pipe', left, right: this.memberValue() } : left;
    });
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function variablesOf(pattern: Pattern): string[] {
  switch (pattern.kind) {
    case 'variable':
      return [`$${pattern.name}`];
    case 'array':
      return pattern.items.flatMap(variablesOf);
    case 'object':
      return pattern.members.flatMap(({ variable, pattern: inner }) => [
        ...(variable === undefined ? [] : [`$${variable}`]),
        ...(inner === undefined ? [] : variablesOf(inner)),
      ]);
  }
}
