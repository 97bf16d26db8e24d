import type { CompleteCommand, ParameterOperation, Statement, Word, WordPart } from '../../grammar/index.js';
import { parse } from '../../grammar/index.js';

export { withoutOffsets } from '../../src/fuzz/syntax.js';

/** The commands in a text that has no problem. */
export function commandsOf(text: string): CompleteCommand[] {
  const { commands, problem } = parse(text);
  if (problem !== undefined) throw new Error(`${problem.message} in ${JSON.stringify(text)}`);
  return commands;
}

/** The only statement of a text. */
export function statementOf(text: string): Statement {
  const [command, ...more] = commandsOf(text);
  const item = command?.list.items[0];
  if (item === undefined || more.length > 0 || command?.list.items.length !== 1) throw new Error(`not one: ${text}`);
  return item.statement;
}

/** The words of a simple command. */
export function wordsOf(text: string): readonly Word[] {
  const statement = statementOf(text);
  if (statement.kind !== 'SimpleCommand') throw new Error(`not simple: ${text}`);
  return statement.words;
}

/** Word parts, short: `L` literal, `E` escaped, `S` single-quoted, `D` double-quoted, `T` tilde, `P` parameter ... */
export function shape(parts: readonly WordPart[]): string {
  return parts.map(shapeOf).join(' ');
}

function shapeOf(part: WordPart): string {
  switch (part.kind) {
    case 'Literal':
      return `L(${part.text})`;
    case 'Escaped':
      return `E(${part.text})`;
    case 'SingleQuoted':
      return `S${part.dollar ? '$' : ''}(${part.text})`;
    case 'DoubleQuoted':
      return `D(${shape(part.parts)})`;
    case 'TildePrefix':
      return `T(${part.user})`;
    case 'CommandSubstitution':
      return `C${part.backquoted ? '`' : ''}(${part.text ?? part.body.items.length})`;
    case 'ArithmeticExpansion':
      return `A(${shape(part.parts)}${part.expression === undefined ? '' : ' ='})`;
    case 'ProcessSubstitution':
      return `F${part.direction}(${part.body.items.length})`;
    case 'BraceList':
      return `B(${part.items.map(shape).join(' , ')})`;
    case 'BraceSequence': {
      const { letters, from, to, step, width } = part;
      const [first, last] = letters ? [String.fromCharCode(from), String.fromCharCode(to)] : [from, to];
      return `R(${first} ${last} ${step}${width === 0 ? '' : ` ${width}`})`;
    }
    case 'ParameterExpansion': {
      const { subscript, operation } = part;
      const index =
        subscript === undefined ? '' : `[${typeof subscript === 'string' ? subscript : shape(subscript.parts)}]`;
      const name = (part.indirect ? '!' : '') + part.name + index;
      return `P(${operation?.kind === 'Length' ? '#' : ''}${name}${operation === undefined ? '' : operationShape(operation)})`;
    }
  }
}

function operationShape(operation: ParameterOperation): string {
  switch (operation.kind) {
    case 'Length':
      return '';
    case 'Strip':
      return ` ${operation.from}${operation.longest ? '!' : ''} ${shape(operation.pattern.parts)}`;
    case 'Substring': {
      const length = operation.length === undefined ? '' : ` : ${shape(operation.length.parts)}`;
      return ` from ${shape(operation.offset.parts)}${length}`;
    }
    case 'Replace': {
      const { all, anchor, pattern, replacement } = operation;
      const to = replacement === undefined ? '' : ` / ${shape(replacement.parts)}`;
      return ` replace ${all ? 'all ' : ''}${anchor === undefined ? '' : `${anchor} `}${shape(pattern.parts)}${to}`;
    }
    case 'Case': {
      const { to, all, pattern } = operation;
      return ` ${to}${all ? '!' : ''}${pattern === undefined ? '' : ` ${shape(pattern.parts)}`}`;
    }
    case 'Transform':
      return ` @${operation.operator}`;
    case 'Names':
      return ` names${operation.separate ? '@' : '*'}`;
    case 'Keys':
      return ' keys';
    default: {
      const word = operation.word === undefined ? 'nothing' : shape(operation.word.parts);
      return ` ${operation.orEmpty ? ':' : ''}${operation.kind} ${word}`;
    }
  }
}

/** Calls `visit` with every object in a tree that has offsets, and the offsets of the one around it. */
export function eachSpan(
  node: unknown,
  visit: (inner: { start: number; end: number; kind?: string }, outer: { start: number; end: number }) => void,
  outer = { start: 0, end: Number.POSITIVE_INFINITY },
): void {
  if (typeof node !== 'object' || node === null) return;
  const fields = node as Record<string, unknown>;
  let around = outer;
  if (typeof fields['start'] === 'number' && typeof fields['end'] === 'number') {
    around = { start: fields['start'], end: fields['end'] };
    visit({ ...around, ...(typeof fields['kind'] === 'string' ? { kind: fields['kind'] } : undefined) }, outer);
  }
  // the offsets in a backquoted body count in its own text; a here-document's body stands after the command
  if (fields['backquoted'] === true) return;
  const inside = fields['kind'] === 'HereDocument' ? { start: 0, end: Number.POSITIVE_INFINITY } : around;
  for (const value of Object.values(fields)) eachSpan(value, visit, inside);
}
