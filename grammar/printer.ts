/** Any tree back to text: parsing what was printed gives the same tree, up to offsets. */
import type {
  Arithmetic,
  Assignment,
  CompleteCommand,
  HereDocument,
  List,
  ListItem,
  ParameterExpansion,
  Redirection,
  SimpleCommand,
  Statement,
  Word,
  WordPart,
} from './ast.js';
import { readDelimiter } from './here-documents.js';
import { REFUSED_WORDS, RESERVED } from './tokens.js';
import { type ReaderOptions, WordReader } from './words.js';

export type Printable = CompleteCommand | List | Statement | Word | WordPart | Assignment | Redirection;

/** The text of a node. Commands end with a newline, after which their here-documents stand. */
export function print(node: Printable): string {
  switch (node.kind) {
    case 'CompleteCommand':
      return printCommand(node);
    case 'List':
      return printList(node);
    case 'Word':
      return wordText(node);
    case 'Assignment':
      return assignmentText(node);
    case 'FileRedirection':
    case 'HereDocument':
      return redirectionText(node);
    case 'Literal':
    case 'Escaped':
    case 'SingleQuoted':
    case 'DoubleQuoted':
    case 'TildePrefix':
    case 'ParameterExpansion':
    case 'CommandSubstitution':
    case 'ArithmeticExpansion':
      return partText(node);
    default: {
      const printer = new CommandPrinter();
      printer.statement(node);
      printer.newline();
      return printer.text;
    }
  }
}

function printCommand(command: CompleteCommand): string {
  const printer = new CommandPrinter();
  printer.line(command.list);
  return printer.text;
}

function printList(list: List): string {
  const printer = new CommandPrinter();
  printer.lines(list);
  return printer.text;
}

// -------------------------------------------------------------------------------------------------------------- words

function wordText(word: Word): string {
  return partsText(word.parts);
}

function partsText(parts: readonly WordPart[]): string {
  let text = '';
  for (const part of parts) text += partText(part);
  return text;
}

function partText(part: WordPart): string {
  switch (part.kind) {
    case 'Literal':
      return part.text;
    case 'Escaped':
      return '\\' + part.text;
    case 'SingleQuoted':
      return part.dollar ? `$'${part.text.replace(/[\\']/g, '\\$&')}'` : `'${part.text}'`;
    case 'DoubleQuoted':
      return `"${partsText(part.parts)}"`;
    case 'TildePrefix':
      return '~' + part.user;
    case 'ParameterExpansion':
      return parameterText(part);
    case 'CommandSubstitution':
      return part.backquoted ? '`' + (part.text ?? '').replace(/[\\`]/g, '\\$&') + '`' : substitutionText(part.body);
    case 'ArithmeticExpansion':
      return `$((${partsText(part.parts)}))`;
  }
}

function substitutionText(body: List): string {
  const printer = new CommandPrinter();
  printer.inline(body);
  // `$((` would start an arithmetic expansion
  return printer.text.startsWith('(') ? `$( ${printer.text})` : `$(${printer.text})`;
}

function parameterText({ name, braced, operation }: ParameterExpansion): string {
  if (!braced) return '$' + name;
  if (operation === undefined) return `\${${name}}`;
  switch (operation.kind) {
    case 'Length':
      return `\${#${name}}`;
    case 'Strip': {
      const operator = operation.from === 'start' ? '#' : '%';
      return `\${${name}${operation.longest ? operator + operator : operator}${wordText(operation.pattern)}}`;
    }
    default: {
      const operator = (operation.orEmpty ? ':' : '') + OPERATORS[operation.kind];
      return `\${${name}${operator}${operation.word === undefined ? '' : wordText(operation.word)}}`;
    }
  }
}

const OPERATORS = { Default: '-', Assign: '=', Error: '?', Alternative: '+' } as const;

function assignmentText({ name, value }: Assignment): string {
  return `${name}=${wordText(value)}`;
}

function redirectionText(redirection: Redirection): string {
  const descriptor = redirection.descriptor === undefined ? '' : String(redirection.descriptor);
  if (redirection.kind === 'FileRedirection') return descriptor + redirection.operator + wordText(redirection.target);
  const operator = redirection.stripTabs ? '<<-' : '<<';
  // a delimiter may start with a character that would become part of the operator
  const space = /^[-<]/.test(redirection.delimiter) ? ' ' : '';
  return descriptor + operator + space + redirection.delimiter;
}

// ----------------------------------------------------------------------------------------------------------- commands

/** A delimiter holds no commands. */
const NO_COMMANDS: ReaderOptions = {
  maxNesting: 0,
  maxParts: 0,
  spent: { parts: 0 },
  readCommands: () => ({ list: EMPTY, end: 0 }),
};
const EMPTY: List = { kind: 'List', start: 0, end: 0, items: [] };

class CommandPrinter {
  text = '';
  #indent = '';
  /** Here-documents that start after the next newline. */
  #documents: HereDocument[] = [];

  newline(): void {
    this.text += '\n';
    const documents = this.#documents;
    if (documents.length === 0) return;
    this.#documents = [];
    for (const document of documents) {
      const body = partsText(document.body.parts);
      // a document that the end of its text had ended may lack the newline
      const end = body === '' || body.endsWith('\n') ? '' : '\n';
      this.text += body + end + readDelimiter(new WordReader(document.delimiter, NO_COMMANDS), 0).text + '\n';
    }
  }

  /** Each item on a line of its own. */
  lines(list: List): void {
    for (const item of list.items) {
      this.text += this.#indent;
      this.#item(item);
      this.newline();
    }
  }

  /** All items up to one newline, which makes them one complete command. */
  line(list: List): void {
    list.items.forEach((item, index) => {
      if (index > 0) this.text += list.items[index - 1]?.background ? ' ' : '; ';
      this.#item(item);
    });
    this.newline();
  }

  /** As short as it gets: the last item has no newline, unless its here-documents need one. */
  inline(list: List): void {
    list.items.forEach((item, index) => {
      this.#item(item);
      if (index < list.items.length - 1 || this.#documents.length > 0) this.newline();
    });
  }

  #item({ statement, background }: ListItem): void {
    this.statement(statement);
    if (background) this.text += ' &';
  }

  #block(list: List): void {
    this.newline();
    const outer = this.#indent;
    this.#indent += '  ';
    this.lines(list);
    this.#indent = outer;
    this.text += outer;
  }

  /** `if list; then`: on one line when the list is one command. */
  #heading(word: string, list: List, next: string): void {
    this.text += word;
    const only = list.items.length === 1 ? list.items[0] : undefined;
    if (only === undefined || only.background) {
      this.#block(list);
    } else {
      this.text += ' ';
      this.statement(only.statement);
      if (this.#documents.length > 0) {
        this.newline();
        this.text += this.#indent;
      } else {
        this.text += '; ';
      }
    }
    this.text += next;
  }

  statement(node: Statement): void {
    switch (node.kind) {
      case 'AndOr':
        this.statement(node.first);
        for (const { operator, statement } of node.rest) {
          this.text += ` ${operator} `;
          this.statement(statement);
        }
        return;
      case 'Pipeline':
        if (node.negated) this.text += '! ';
        node.commands.forEach((command, index) => {
          if (index > 0) this.text += ' | ';
          this.statement(command);
        });
        return;
      case 'SimpleCommand':
        this.#simpleCommand(node);
        return;
      case 'FunctionDefinition':
        this.text += `${node.name}() `;
        this.statement(node.body);
        return;
      case 'BraceGroup':
        this.text += '{';
        this.#block(node.body);
        this.text += '}';
        break;
      case 'Subshell':
        this.text += '(';
        this.#block(node.body);
        this.text += ')';
        break;
      case 'If':
        node.clauses.forEach(({ condition, body }, index) => {
          this.#heading(index === 0 ? 'if' : 'elif', condition, 'then');
          this.#block(body);
        });
        if (node.otherwise !== undefined) {
          this.text += 'else';
          this.#block(node.otherwise);
        }
        this.text += 'fi';
        break;
      case 'While':
        this.#heading(node.until ? 'until' : 'while', node.condition, 'do');
        this.#block(node.body);
        this.text += 'done';
        break;
      case 'For':
        this.text += `for ${node.name}`;
        if (node.words !== undefined) this.text += ' in' + node.words.map((word) => ' ' + wordText(word)).join('');
        this.text += '; do';
        this.#block(node.body);
        this.text += 'done';
        break;
      case 'Case':
        this.text += `case ${wordText(node.word)} in`;
        this.newline();
        for (const { patterns, body, terminator } of node.items) {
          this.text += `${this.#indent}(${patterns.map(wordText).join(' | ')})`;
          this.#block(body);
          this.text += terminator;
          this.newline();
        }
        this.text += this.#indent + 'esac';
        break;
    }
    for (const redirection of node.redirections) this.text += ' ' + this.#redirection(redirection);
  }

  #redirection(redirection: Redirection): string {
    if (redirection.kind === 'HereDocument') this.#documents.push(redirection);
    return redirectionText(redirection);
  }

  #simpleCommand({ assignments, words, redirections }: SimpleCommand): void {
    const before = assignments.map(assignmentText);
    const named = words.map(wordText);
    const after = redirections.map((redirection) => this.#redirection(redirection));
    // `>f if` runs a command called "if"
    const swapped = assignments.length === 0 && isSpecial(words[0]);
    this.text += (swapped ? [...after, ...named] : [...before, ...named, ...after]).join(' ');
  }
}

/** Would this word be something else at the start of a command? */
function isSpecial(word: Word | undefined): boolean {
  const part = word?.parts[0];
  if (word?.parts.length !== 1 || part?.kind !== 'Literal') return false;
  return RESERVED.has(part.text) || REFUSED_WORDS.has(part.text);
}

// --------------------------------------------------------------------------------------------------------- arithmetic

/** An expression, in parentheses wherever one operator meets another. */
export function printArithmetic(node: Arithmetic): string {
  switch (node.kind) {
    case 'Number':
      // there are no negative constants, and the least integer is only written as one that wraps around
      return node.value < 0 ? (BigInt(node.value) + 2n ** 64n).toString() : node.value.toString();
    case 'Variable':
      return node.name;
    case 'Parameter':
      return `\${${node.name}}`;
    case 'Unary':
      return `${node.operator} ${operandText(node.operand)}`;
    case 'Binary':
    case 'Logical':
      return `${operandText(node.left)} ${node.operator} ${operandText(node.right)}`;
    case 'Conditional':
      return `${operandText(node.test)} ? ${operandText(node.then)} : ${operandText(node.otherwise)}`;
    case 'Assignment':
      return `${node.name} ${node.operator ?? ''}= ${operandText(node.value)}`;
    case 'Increment': {
      const sign = node.by === 1 ? '++' : '--';
      return node.prefix ? sign + node.name : node.name + sign;
    }
    case 'Comma':
      return `${operandText(node.left)}, ${operandText(node.right)}`;
  }
}

function operandText(node: Arithmetic): string {
  const simple = node.kind === 'Number' || node.kind === 'Variable' || node.kind === 'Parameter';
  return simple ? printArithmetic(node) : `(${printArithmetic(node)})`;
}
