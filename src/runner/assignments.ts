/** Assignments with all that bash adds: `a[i]=v`, `x+=v`, `a=( ... )`; and as arguments of `declare` and its like. */

import type { ExpandedAssignment, ExpandedElement } from '../../builtins/shell/shell.js';
import type { ArrayElement, Assignment, List, SimpleCommand, Word } from '../../grammar/ast.js';
import { ScriptParser } from '../../grammar/index.js';
import { evaluateText } from '../expansion/arithmetic.js';
import { expandString, expandWord } from '../expansion/words.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { add, parseInt64 } from '../text/int64.js';
import { quote } from '../text/quote.js';
import { assignArray, assignElement } from './arrays.js';
import { parseLimits, setModes } from './run.js';
import type { ShellState } from './state.js';

export function expandAssignment(shell: ShellState, assignment: Assignment): Awaitable<ExpandedAssignment> {
  const { name, append, value } = assignment;
  const subscript = assignment.subscript === undefined ? undefined : expandString(shell, assignment.subscript);
  return andThen(subscript, (key) => {
    const expanded = value.kind === 'ArrayLiteral' ? expandElements(shell, value.elements) : expandString(shell, value);
    return andThen<string | readonly ExpandedElement[], ExpandedAssignment>(expanded, (late) => ({
      name,
      subscript: key,
      append,
      value: late,
    }));
  });
}

/** The elements of `(a b)`, a text that was made by the script; undefined, and a message, for one that is no list of them alone. */
export function expandArrayText(shell: ShellState, text: string): Awaitable<readonly ExpandedElement[] | undefined> {
  const parser = new ScriptParser(`_=${text}`, parseLimits(shell.limits));
  setModes(shell, parser);
  const read = parser.next();
  const value = read.kind === 'command' && parser.next().kind === 'end' ? onlyValue(read.command.list) : undefined;
  if (value?.kind === 'ArrayLiteral') return expandElements(shell, value.elements);
  shell.complain(`syntax error in the list of an array: ${text}`);
  return undefined;
}

/** What a list assigns that is one assignment and nothing else. */
function onlyValue({ items }: List): Assignment['value'] | undefined {
  const [item, second] = items;
  if (item === undefined || second !== undefined || item.background || item.statement.kind !== 'SimpleCommand') {
    return undefined;
  }
  const { assignments, words, redirections } = item.statement;
  return assignments.length === 1 && words.length + redirections.length === 0 ? assignments[0]?.value : undefined;
}

function expandElements(
  shell: ShellState,
  elements: readonly ArrayElement[],
  out: ExpandedElement[] = [],
  from = 0,
): Awaitable<readonly ExpandedElement[]> {
  for (let i = from; i < elements.length; i++) {
    const waiting = expandElement(shell, elements[i] as ArrayElement, out);
    if (waiting !== undefined) return waiting.then(() => expandElements(shell, elements, out, i + 1));
  }
  return out;
}

/** With a subscript the value is one string; without, a word like any other. */
function expandElement(shell: ShellState, element: ArrayElement, out: ExpandedElement[]): Waiting {
  if (element.subscript === undefined) {
    const fields: string[] = [];
    const put = (): undefined => {
      for (const value of fields) out.push({ subscript: undefined, append: false, value });
    };
    const waiting = expandWord(shell, element.value, fields);
    return waiting === undefined ? put() : waiting.then(put);
  }
  const done = andThen(expandString(shell, element.subscript), (subscript) =>
    andThen(expandString(shell, element.value), (value) => {
      out.push({ subscript, append: element.append, value });
      return '';
    }),
  );
  return done instanceof Promise ? done.then(() => undefined) : undefined;
}

/**
 * Expands the words of `declare`, `export` and their like, assignments among them: those go into `argv` as text, and by their place
 * into what is answered, since an array is no text.
 */
export function expandDeclaration(
  shell: ShellState,
  { words, declared }: SimpleCommand,
  argv: string[],
): Awaitable<ReadonlyMap<number, ExpandedAssignment>> {
  const found = new Map<number, ExpandedAssignment>();
  const next = (word: number, at: number): Awaitable<ReadonlyMap<number, ExpandedAssignment>> => {
    const argument = declared[at];
    if (argument !== undefined && argument.index === word) {
      return andThen(expandAssignment(shell, argument.assignment), (assignment) => {
        found.set(argv.length, assignment);
        argv.push(argumentText(assignment));
        return next(word, at + 1);
      });
    }
    if (word >= words.length) return found;
    const waiting = expandWord(shell, words[word] as Word, argv);
    return waiting === undefined ? next(word + 1, at) : waiting.then(() => next(word + 1, at));
  };
  return next(0, 0);
}

/** Carries it out. Throws ExpansionError where the variable is readonly or the subscript is none. */
export function assignExpanded(shell: ShellState, { name, subscript, append, value }: ExpandedAssignment): void {
  if (value === undefined) return;
  if (typeof value !== 'string') {
    assignArray(shell, name, value, append);
    return;
  }
  if (subscript !== undefined) {
    const text = append ? appended(shell, name, shell.element(name, subscript), value) : value;
    assignElement(shell, name, subscript, text);
    return;
  }
  shell.assign(name, append ? appended(shell, name, shell.parameter(name), value) : value);
}

/** `x+=v`: text is put at the end, and a `declare -i` variable is added to. */
function appended(shell: ShellState, name: string, before: string | undefined, value: string): string {
  if (shell.variables.get(name)?.integer !== true) return (before ?? '') + value;
  return String(add(parseInt64(before ?? '0') ?? 0, evaluateText(shell, value)));
}

/** The word that a command is handed for it: an array is told in a form that can be read. */
function argumentText(assignment: ExpandedAssignment): string {
  const { name, subscript, append, value } = assignment;
  if (typeof value !== 'string') return expandedText(assignment);
  return `${subscript === undefined ? name : `${name}[${subscript}]`}${append ? '+' : ''}=${value}`;
}

/** As `set -x` shows it. */
export function expandedText({ name, subscript, append, value }: ExpandedAssignment): string {
  const target = subscript === undefined ? name : `${name}[${subscript}]`;
  if (value === undefined) return target;
  const text =
    typeof value === 'string'
      ? value === ''
        ? ''
        : quote(value)
      : `(${value.map((element) => elementText(element)).join(' ')})`;
  return `${target}${append ? '+' : ''}=${text}`;
}

function elementText({ subscript, value }: ExpandedElement): string {
  return subscript === undefined ? quote(value) : `[${subscript}]=${quote(value)}`;
}
