/**
 * Word expansion (POSIX 2.6): a word becomes fields, one string, or a pattern, in the order the standard gives: tilde,
 * parameter, command and arithmetic expansion; field splitting; pathname expansion; quote removal.
 */
import type { ParameterExpansion, Word, WordPart } from '../../grammar/ast.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { escapePattern } from '../text/pattern.js';
import { expandArithmetic } from './arithmetic.js';
import type { ExpansionHost } from './host.js';
import { expandOperation, parameterOrUnset } from './parameters.js';
import { expandPathname } from './pathnames.js';
import { type Field, FieldBuilder, hasPatternCharacter } from './splitting.js';
import { expandTilde } from './tilde.js';

/**
 * Expands words to fields, appended to `out`: what the command line, `for` and here a function's arguments are made of.
 * Synchronous unless a command substitution has to wait.
 */
export function expandWords(host: ExpansionHost, words: readonly Word[], out: string[], from = 0): Waiting {
  for (let i = from; i < words.length; i++) {
    const word = words[i] as Word;
    if (word.literal !== undefined) {
      out.push(word.literal);
      continue;
    }
    const waiting = expandWord(host, word, out);
    if (waiting !== undefined) return waiting.then(() => expandWords(host, words, out, i + 1));
  }
  return undefined;
}

/** Expands one word to its fields, appended to `out`. */
export function expandWord(host: ExpansionHost, word: Word, out: string[]): Waiting {
  if (word.literal !== undefined) {
    out.push(word.literal);
    return undefined;
  }
  if (word.parts.length === 1) {
    const part = word.parts[0] as WordPart;
    if (isAllParameters(part)) {
      const values = host.positional();
      if (values.length > host.limits.maxFields) throw limitReached('maxFields', host.limits.maxFields);
      for (const value of values) out.push(value);
      return undefined;
    }
    const whole = expandLonePart(host, part);
    if (whole !== undefined) {
      out.push(whole);
      return undefined;
    }
  }
  const builder = new FieldBuilder(host.separators, host.limits.maxFields);
  const waiting = addParts(host, builder, word.parts, false, false);
  if (waiting !== undefined) return waiting.then(() => addFields(host, builder.finish(), out));
  return addFields(host, builder.finish(), out);
}

/** A word that is `"$@"`, as most uses of it are. */
function isAllParameters(part: WordPart): boolean {
  if (part.kind !== 'DoubleQuoted' || part.parts.length !== 1) return false;
  const inner = part.parts[0] as WordPart;
  return inner.kind === 'ParameterExpansion' && inner.name === '@' && inner.operation === undefined;
}

/**
 * The fast path: a word that is one `$x` whose value needs neither splitting nor globbing, or one double-quoted string of
 * literals and plain parameters. Undefined sends it down the plain path, which gives the same field.
 */
function expandLonePart(host: ExpansionHost, part: WordPart): string | undefined {
  if (part.kind === 'ParameterExpansion') {
    if (part.operation !== undefined || part.name === '@' || part.name === '*') return undefined;
    const value = host.parameter(part.name);
    if (value === undefined || value === '') return undefined;
    return host.separators.leavesWhole(value) && !hasPatternCharacter(value) ? value : undefined;
  }
  if (part.kind !== 'DoubleQuoted') return undefined;
  let text = '';
  for (const inner of part.parts) {
    if (inner.kind === 'Literal' || inner.kind === 'Escaped') text += inner.text;
    else if (
      inner.kind === 'ParameterExpansion' &&
      inner.operation === undefined &&
      inner.name !== '@' &&
      inner.name !== '*'
    ) {
      const value = host.parameter(inner.name);
      if (value === undefined) return undefined;
      text += value;
    } else return undefined;
  }
  return checkLength(host, text);
}

/** A string longer than the limit ends the run (`x=$x$x`). Characters are at least one byte each. */
export function checkLength(host: ExpansionHost, text: string): string {
  if (text.length > host.limits.maxStringBytes) throw limitReached('maxStringBytes', host.limits.maxStringBytes);
  return text;
}

function addFields(host: ExpansionHost, fields: readonly Field[], out: string[], from = 0): Waiting {
  for (let i = from; i < fields.length; i++) {
    const { text, pattern } = fields[i] as Field;
    if (pattern === undefined || host.noglob) {
      out.push(checkLength(host, text));
      continue;
    }
    const waiting = expandPathname(host, pattern, text, out);
    if (waiting !== undefined) return waiting.then(() => addFields(host, fields, out, i + 1));
  }
  return undefined;
}

/**
 * Adds the expansion of `parts` to `builder`. `quoted`: inside double quotes. `operand`: the parts are the word of
 * an unquoted `${x-word}`, whose literal text is split as the expansion it is a part of.
 */
export function addParts(
  host: ExpansionHost,
  builder: FieldBuilder,
  parts: readonly WordPart[],
  quoted: boolean,
  operand: boolean,
  from = 0,
): Waiting {
  for (let i = from; i < parts.length; i++) {
    const waiting = addPart(host, builder, parts[i] as WordPart, quoted, operand);
    if (waiting !== undefined) return waiting.then(() => addParts(host, builder, parts, quoted, operand, i + 1));
  }
  return undefined;
}

function addPart(
  host: ExpansionHost,
  builder: FieldBuilder,
  part: WordPart,
  quoted: boolean,
  operand: boolean,
): Waiting {
  switch (part.kind) {
    case 'Literal':
      if (quoted) builder.quoted(part.text);
      else if (operand) builder.expanded(part.text);
      else builder.literal(part.text);
      return undefined;
    case 'Escaped':
    case 'SingleQuoted':
      builder.quoted(part.text);
      return undefined;
    case 'DoubleQuoted': {
      // "" is a field of its own, but "$@" with nothing in it is none.
      if (!part.parts.some(isListParameter)) builder.quoted('');
      return addParts(host, builder, part.parts, true, operand);
    }
    case 'TildePrefix':
      builder.quoted(expandTilde(host, part.user));
      return undefined;
    case 'ParameterExpansion':
      return addParameter(host, builder, part, quoted);
    case 'CommandSubstitution':
      return addText(host, builder, host.substitute(part), quoted);
    case 'ArithmeticExpansion':
      return addText(host, builder, expandArithmetic(host, part), quoted);
  }
}

/** `$@`, or an operation on it: what may make no field at all inside double quotes. */
function isListParameter(part: WordPart): boolean {
  return part.kind === 'ParameterExpansion' && part.name === '@' && part.operation?.kind !== 'Length';
}

function addText(host: ExpansionHost, builder: FieldBuilder, text: Awaitable<string>, quoted: boolean): Waiting {
  if (typeof text !== 'string') {
    return text.then((value) => {
      addText(host, builder, value, quoted);
    });
  }
  checkLength(host, text);
  // An empty result inside double quotes adds nothing: the quotes themselves have made the field.
  if (!quoted) builder.expanded(text);
  else if (text !== '') builder.quoted(text);
  return undefined;
}

function addParameter(host: ExpansionHost, builder: FieldBuilder, part: ParameterExpansion, quoted: boolean): Waiting {
  const { name, operation } = part;
  if (operation !== undefined) {
    return expandOperation(host, part, operation, quoted, {
      text: (value) => addText(host, builder, value, quoted),
      word: (word) => {
        // "${@-}" is a field: the word has none of the list's fields, unless it is a list itself.
        if (quoted && !word.parts.some(isListParameter)) builder.quoted('');
        return addParts(host, builder, word.parts, quoted, !quoted);
      },
      list: (values) => addList(host, builder, name, values, quoted),
    });
  }
  if (name === '@' || name === '*') {
    addList(host, builder, name, host.positional(), quoted);
    return undefined;
  }
  return addText(host, builder, parameterOrUnset(host, part) ?? '', quoted);
}

/** `$@` and `$*`, quoted or not, and what `${@#x}` makes of each (POSIX 2.5.2). */
function addList(
  host: ExpansionHost,
  builder: FieldBuilder,
  name: string,
  values: readonly string[],
  quoted: boolean,
): undefined {
  if (quoted && name === '*') {
    builder.quoted(checkLength(host, values.join(host.separators.joiner)));
    return undefined;
  }
  for (let i = 0; i < values.length; i++) {
    if (i > 0) builder.next();
    if (quoted) builder.quoted(values[i] as string);
    else builder.expanded(values[i] as string);
  }
  return undefined;
}

// ------------------------------------------------------------------------------------------------------ one string

/** Expands a word where no splitting happens: an assignment, `case` word, redirection target, here-document. */
export function expandString(host: ExpansionHost, word: Word): Awaitable<string> {
  if (word.literal !== undefined) return word.literal;
  if (word.parts.length === 1) {
    const part = word.parts[0] as WordPart;
    if (part.kind === 'Literal') return part.text;
    return andThen(stringOf(host, part, false), (text) => checkLength(host, text));
  }
  return joinParts(host, word.parts, false);
}

/** The parts' expansions, one after the other. `quoted`: inside double quotes. */
export function joinParts(
  host: ExpansionHost,
  parts: readonly WordPart[],
  quoted: boolean,
  text = '',
  from = 0,
): Awaitable<string> {
  let joined = text;
  for (let i = from; i < parts.length; i++) {
    const piece = stringOf(host, parts[i] as WordPart, quoted);
    if (typeof piece !== 'string') {
      const before = joined;
      return piece.then((value) => joinParts(host, parts, quoted, before + value, i + 1));
    }
    joined += piece;
  }
  return checkLength(host, joined);
}

function stringOf(host: ExpansionHost, part: WordPart, quoted: boolean): Awaitable<string> {
  switch (part.kind) {
    case 'Literal':
    case 'Escaped':
    case 'SingleQuoted':
      return part.text;
    case 'DoubleQuoted':
      return joinParts(host, part.parts, true);
    case 'TildePrefix':
      return expandTilde(host, part.user);
    case 'CommandSubstitution':
      return host.substitute(part);
    case 'ArithmeticExpansion':
      return expandArithmetic(host, part);
    case 'ParameterExpansion':
      return parameterString(host, part, quoted);
  }
}

function parameterString(host: ExpansionHost, part: ParameterExpansion, quoted: boolean): Awaitable<string> {
  const { name, operation } = part;
  const joiner = name === '@' ? ' ' : host.separators.joiner;
  if (operation !== undefined) {
    return collect((sink) =>
      expandOperation(host, part, operation, quoted, {
        text: (value) => sink(value),
        word: (word) => sink(quoted ? joinParts(host, word.parts, true) : expandString(host, word)),
        list: (values) => sink(values.join(joiner)),
      }),
    );
  }
  if (name === '@' || name === '*') return host.positional().join(joiner);
  return parameterOrUnset(host, part) ?? '';
}

/** Turns the calls an operation makes into the string it called with. */
function collect(run: (sink: (value: Awaitable<string>) => Waiting) => Waiting): Awaitable<string> {
  let text = '';
  const waiting = run((value) => {
    if (typeof value === 'string') {
      text = value;
      return undefined;
    }
    return value.then((late) => {
      text = late;
    });
  });
  return waiting === undefined ? text : waiting.then(() => text);
}

// --------------------------------------------------------------------------------------------------------- pattern

/** Expands a word to a pattern (`case`, `${x#p}`): unquoted pattern characters count, quoted ones are escaped. */
export function expandPattern(host: ExpansionHost, parts: readonly WordPart[], from = 0, text = ''): Awaitable<string> {
  let pattern = text;
  for (let i = from; i < parts.length; i++) {
    const piece = patternOf(host, parts[i] as WordPart);
    if (typeof piece !== 'string') {
      const before = pattern;
      return piece.then((value) => expandPattern(host, parts, i + 1, before + value));
    }
    pattern += piece;
  }
  return checkLength(host, pattern);
}

function patternOf(host: ExpansionHost, part: WordPart): Awaitable<string> {
  switch (part.kind) {
    case 'Literal':
      return part.text;
    case 'Escaped':
    case 'SingleQuoted':
      return escapePattern(part.text);
    case 'DoubleQuoted':
      return andThen(joinParts(host, part.parts, true), escapePattern);
    case 'TildePrefix':
      return escapePattern(expandTilde(host, part.user));
    case 'ParameterExpansion': {
      const { operation } = part;
      // The word of `${x-word}` keeps its own quoting: `case a* in ${u-'a*'})` compares with the literal.
      if (operation !== undefined && operation.kind !== 'Length' && operation.kind !== 'Strip') {
        return collect((sink) =>
          expandOperation(host, part, operation, false, {
            text: (value) => sink(value),
            word: (word) => sink(expandPattern(host, word.parts)),
            list: (values) => sink(values.join(' ')),
          }),
        );
      }
      return parameterString(host, part, false);
    }
    case 'CommandSubstitution':
    case 'ArithmeticExpansion':
      return stringOf(host, part, false);
  }
}
