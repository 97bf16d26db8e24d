/** Any tree back to text: parsing what was printed gives the same tree, up to offsets. */
import type {
  ArithmeticFor,
  ArithmeticText,
  Assignment,
  CompleteCommand,
  ConditionalExpression,
  HereDocument,
  List,
  ListItem,
  Pipeline,
  Redirection,
  SimpleCommand,
  Statement,
  Word,
  WordPart,
} from './ast.js';
import { readDelimiter } from './here-documents.js';
import { WordPrinter } from './printed-words.js';
import { plainText } from './quoting.js';
import { isReservedWord } from './tokens.js';
import { type ReaderOptions, WordReader } from './words.js';

/** The nodes that have a text of their own. */
export type Printable = CompleteCommand | List | Statement | Word | WordPart | Assignment | Redirection;

/** The text of a node. Commands end with a newline, after which their here-documents stand. */
export function print(node: Printable): string {
  switch (node.kind) {
    case 'CompleteCommand':
      return printCommand(node);
    case 'List':
      return printList(node);
    case 'Word':
      return words.word(node);
    case 'Assignment':
      return words.assignment(node);
    case 'FileRedirection':
    case 'HereDocument':
    case 'HereString':
      return words.redirection(node);
    case 'Literal':
    case 'Escaped':
    case 'SingleQuoted':
    case 'DoubleQuoted':
    case 'TildePrefix':
    case 'ParameterExpansion':
    case 'CommandSubstitution':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'BraceList':
    case 'BraceSequence':
      return words.part(node);
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
  // a document that its text ended is in the last of its commands
  printer.line(command.list, true);
  return printer.text;
}

function printList(list: List): string {
  const printer = new CommandPrinter();
  printer.lines(list);
  return printer.text;
}

const words = new WordPrinter((list) => {
  const printer = new CommandPrinter();
  printer.inline(list);
  return printer.text;
});

// ----------------------------------------------------------------------------------------------------------- commands

/** A delimiter holds no commands. */
const NO_COMMANDS: ReaderOptions = {
  maxNesting: 0,
  maxParts: 0,
  spent: { parts: 0 },
  substituting: new Set(),
  modes: { posix: false, braces: true, extendedPatterns: false, aliases: undefined },
  readCommands: () => ({ list: EMPTY, end: 0 }),
};
const EMPTY: List = { kind: 'List', start: 0, end: 0, items: [] };

class CommandPrinter {
  text = '';
  #indent = '';
  /** Here-documents that start after the next newline. */
  #documents: HereDocument[] = [];

  /** `last`: nothing follows, so that a document may end without its delimiter, as it did where it was read. */
  newline(last = false): void {
    this.text += '\n';
    const documents = this.#documents;
    if (documents.length === 0) return;
    this.#documents = [];
    for (const document of documents) {
      const body = words.parts(document.body.parts);
      const open = body !== '' && !body.endsWith('\n');
      // whatever stands behind it is part of nothing
      if (open && last) {
        this.text += body;
        return;
      }
      const end = open ? '\n' : '';
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
  line(list: List, last = false): void {
    list.items.forEach((item, index) => {
      if (index > 0) this.text += list.items[index - 1]?.background ? ' ' : '; ';
      this.#item(item);
    });
    this.newline(last);
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
        this.#pipeline(node);
        return;
      case 'SimpleCommand':
        this.#simpleCommand(node);
        return;
      case 'FunctionDefinition':
        // bash wants the parentheses where no brace follows
        if (node.keyword) this.text += 'function ';
        this.text += node.keyword && node.body.kind === 'BraceGroup' ? `${node.name} ` : `${node.name}() `;
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
      case 'Select':
        this.text += `${node.kind === 'For' ? 'for' : 'select'} ${node.name}`;
        if (node.words !== undefined) this.text += ' in' + node.words.map((word) => ' ' + words.word(word)).join('');
        this.text += '; do';
        this.#block(node.body);
        this.text += 'done';
        break;
      case 'ArithmeticFor':
        this.text += `for ((${arithmeticForText(node)})); do`;
        this.#block(node.body);
        this.text += 'done';
        break;
      case 'ArithmeticCommand':
        this.text += `((${arithmeticText(node.text)}))`;
        break;
      case 'Conditional':
        this.text += `[[ ${conditionText(node.expression)} ]]`;
        break;
      case 'Case':
        this.text += `case ${words.word(node.word)} in`;
        this.newline();
        for (const { patterns, body, terminator } of node.items) {
          this.text += `${this.#indent}(${patterns.map((pattern) => words.word(pattern)).join(' | ')})`;
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
    return words.redirection(redirection);
  }

  #pipeline({ timed, negated, commands, both }: Pipeline): void {
    const prefix = [timed === 'no' ? '' : timed === 'posix' ? 'time -p' : 'time', negated ? '!' : ''];
    const written = prefix.filter((word) => word !== '').join(' ');
    this.text += written;
    commands.forEach((command, index) => {
      if (index > 0) this.text += both[index - 1] === true ? ' |& ' : ' | ';
      else if (written !== '') this.text += ' ';
      this.statement(command);
    });
  }

  #simpleCommand({ assignments, words: named, declared, redirections }: SimpleCommand): void {
    const before = assignments.map((assignment) => words.assignment(assignment));
    const texts = named.map((word) => words.word(word));
    // from the last on, so that the indices of those before stay right
    for (const { index, assignment } of declared.toReversed()) texts.splice(index, 0, words.assignment(assignment));
    const after = redirections.map((redirection) => this.#redirection(redirection));
    // `>f if` runs a command called "if"
    const swapped = assignments.length === 0 && isSpecial(named[0]);
    this.text += (swapped ? [...after, ...texts] : [...before, ...texts, ...after]).join(' ');
  }
}

function arithmeticForText({ first, test, next }: ArithmeticFor): string {
  return [first, test, next].map((text) => (text === undefined ? '' : arithmeticText(text))).join(';');
}

function arithmeticText(text: ArithmeticText): string {
  return words.parts(text.parts);
}

function conditionText(node: ConditionalExpression): string {
  switch (node.kind) {
    case 'And':
      return `${conditionText(node.left)} && ${conditionText(node.right)}`;
    case 'Or':
      return `${conditionText(node.left)} || ${conditionText(node.right)}`;
    case 'Not':
      return `! ${conditionText(node.operand)}`;
    case 'Group':
      return `( ${conditionText(node.operand)} )`;
    case 'UnaryTest':
      return (node.operator === undefined ? '' : `${node.operator} `) + words.word(node.operand);
    case 'BinaryTest':
      return `${words.word(node.left)} ${node.operator} ${words.word(node.right)}`;
  }
}

/** Would this word be something else at the start of a command? */
function isSpecial(word: Word | undefined): boolean {
  const text = word === undefined ? undefined : plainText(word);
  return text !== undefined && isReservedWord(text);
}
