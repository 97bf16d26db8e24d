/** Words, assignments and redirections back to text. */
import type {
  ArrayElement,
  Assignment,
  List,
  ParameterExpansion,
  ParameterOperation,
  Redirection,
  Subscript,
  Word,
  WordPart,
} from './ast.js';

/** Prints the commands of a substitution, as short as it gets. */
export type PrintCommands = (list: List) => string;

export class WordPrinter {
  readonly #commands: PrintCommands;

  constructor(commands: PrintCommands) {
    this.#commands = commands;
  }

  word(word: Word): string {
    return this.parts(word.parts);
  }

  parts(parts: readonly WordPart[]): string {
    let text = '';
    for (const part of parts) text += this.part(part);
    return text;
  }

  part(part: WordPart): string {
    switch (part.kind) {
      case 'Literal':
        return part.text;
      case 'Escaped':
        return '\\' + part.text;
      case 'SingleQuoted':
        return part.dollar ? `$'${part.text.replace(/[\\']/g, '\\$&')}'` : `'${part.text}'`;
      case 'DoubleQuoted':
        return `"${this.parts(part.parts)}"`;
      case 'TildePrefix':
        return '~' + part.user;
      case 'ParameterExpansion':
        return this.#parameter(part);
      case 'CommandSubstitution':
        if (part.backquoted) return '`' + (part.text ?? '').replace(/[\\`]/g, '\\$&') + '`';
        return this.#substitution('$', part.body);
      case 'ProcessSubstitution':
        return this.#substitution(part.direction, part.body);
      case 'ArithmeticExpansion':
        return `$((${this.parts(part.parts)}))`;
      case 'BraceList':
        return `{${part.items.map((item) => this.parts(item)).join(',')}}`;
      case 'BraceSequence': {
        const { letters, from, to, step, width } = part;
        const usual = Math.abs(step) === 1 ? '' : `..${Math.abs(step)}`;
        const term = (value: number): string => (letters ? String.fromCharCode(value) : padded(value, width));
        return `{${term(from)}..${term(to)}${usual}}`;
      }
    }
  }

  #substitution(sign: string, body: List): string {
    const text = this.#commands(body);
    // `$((` would start an arithmetic expansion
    return text.startsWith('(') ? `${sign}( ${text})` : `${sign}(${text})`;
  }

  #parameter({ name, braced, subscript, indirect, operation }: ParameterExpansion): string {
    if (!braced) return '$' + name;
    const whole = (indirect ? '!' : '') + name + this.#subscript(subscript);
    if (operation === undefined) return `\${${whole}}`;
    switch (operation.kind) {
      case 'Length':
        return `\${#${whole}}`;
      case 'Keys':
        return `\${!${whole}}`;
      case 'Names':
        return `\${!${whole}${operation.separate ? '@' : '*'}}`;
      default:
        return `\${${whole}${this.#operation(operation)}}`;
    }
  }

  #operation(operation: Exclude<ParameterOperation, { kind: 'Length' | 'Keys' | 'Names' }>): string {
    switch (operation.kind) {
      case 'Strip': {
        const operator = operation.from === 'start' ? '#' : '%';
        return (operation.longest ? operator + operator : operator) + this.word(operation.pattern);
      }
      case 'Substring': {
        const offset = this.word(operation.offset);
        // `${x:-1}` would be another operation
        const space = /^[-=?+]/.test(offset) ? ' ' : '';
        return `:${space}${offset}${operation.length === undefined ? '' : `:${this.word(operation.length)}`}`;
      }
      case 'Replace': {
        const anchor = operation.anchor === undefined ? '' : operation.anchor === 'start' ? '#' : '%';
        const replacement = operation.replacement === undefined ? '' : `/${this.word(operation.replacement)}`;
        return `/${operation.all ? '/' : anchor}${this.word(operation.pattern)}${replacement}`;
      }
      case 'Case': {
        const operator = CASES[operation.to];
        const pattern = operation.pattern === undefined ? '' : this.word(operation.pattern);
        return (operation.all ? operator + operator : operator) + pattern;
      }
      case 'Transform':
        return '@' + operation.operator;
      default: {
        const word = operation.word === undefined ? '' : this.word(operation.word);
        return (operation.orEmpty ? ':' : '') + OPERATORS[operation.kind] + word;
      }
    }
  }

  #subscript(subscript: Subscript | undefined): string {
    if (subscript === undefined) return '';
    return `[${typeof subscript === 'string' ? subscript : this.word(subscript)}]`;
  }

  assignment({ name, subscript, append, value }: Assignment): string {
    const target = `${name}${this.#subscript(subscript)}${append ? '+' : ''}=`;
    if (value.kind === 'Word') return target + this.word(value);
    return `${target}(${value.elements.map((element) => this.#element(element)).join(' ')})`;
  }

  #element({ subscript, append, value }: ArrayElement): string {
    if (subscript === undefined) return this.word(value);
    return `${this.#subscript(subscript)}${append ? '+' : ''}=${this.word(value)}`;
  }

  /** The operator and its target; of a here-document not its lines. */
  redirection(redirection: Redirection): string {
    const { descriptor } = redirection;
    const before = typeof descriptor === 'object' ? `{${descriptor.variable}}` : (descriptor ?? '');
    switch (redirection.kind) {
      case 'FileRedirection':
        return before + joined(redirection.operator, this.word(redirection.target));
      case 'HereString':
        return before + joined('<<<', this.word(redirection.word));
      case 'HereDocument':
        return before + joined(redirection.stripTabs ? '<<-' : '<<', redirection.delimiter);
    }
  }
}

const OPERATORS = { Default: '-', Assign: '=', Error: '?', Alternative: '+' } as const;
const CASES = { upper: '^', lower: ',', toggle: '~' } as const;

/** A word may start with what would become part of the operator: `<<-` is not `<< -`, and `< <(a)` not `<<`. */
function joined(operator: string, word: string): string {
  const space = /^[<>]/.test(word) || (operator === '<<' && word.startsWith('-')) ? ' ' : '';
  return operator + space + word;
}

function padded(value: number, width: number): string {
  const sign = value < 0 ? '-' : '';
  return sign + String(Math.abs(value)).padStart(width - sign.length, '0');
}
