/**
 * Word expansion (POSIX 2.6): a word becomes fields, one string, or a pattern, in the order the standard gives: tilde,
 * parameter, command and arithmetic expansion; field splitting; pathname expansion; quote removal.
 */
import type { DoubleQuoted, ParameterExpansion, Word, WordPart } from '../../grammar/ast.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { codePoints } from '../text/bytes.js';
import { escapePattern } from '../text/pattern.js';
import { watched } from '../text/work.js';
import { evaluateExpansion, expandArithmetic } from './arithmetic.js';
import { type BraceWords, expandBraces, hasBraces } from './braces.js';
import type { ExpansionHost } from './host.js';
import { expandParameter, isSeparateList, parameterOrUnset } from './parameters.js';
import { expandPathname } from './pathnames.js';
import { type Field, FieldBuilder, hasPatternCharacter, splitPlain } from './splitting.js';
import { strip } from './strip.js';
import { expandTilde } from './tilde.js';

/** So many words of braces are expanded between two looks at the clock. */
const WORDS_BETWEEN_TICKS = 256;
/** So many fields are handed on between two looks at the clock: a power of two. */
const FIELDS_BETWEEN_LOOKS = 1 << 14;

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

/** The words of braces, which may be a million: others get their turn meanwhile, and the clock is looked at. */
function expandMany(host: ExpansionHost, words: BraceWords, out: string[], from = 0): Waiting {
  for (let i = from; i < words.count; i++) {
    const waiting = expandWord(host, words.at(i), out) ?? (i % WORDS_BETWEEN_TICKS === 0 ? host.tick() : undefined);
    if (waiting !== undefined) return waiting.then(() => expandMany(host, words, out, i + 1));
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
    if (part.kind === 'DoubleQuoted' && isAllParameters(part)) {
      const values = host.positional();
      if (values.length > host.limits.maxFields) throw limitReached('maxFields', host.limits.maxFields);
      for (const value of values) out.push(value);
      return undefined;
    }
    if (part.kind === 'ParameterExpansion') {
      if (splitLoneParameter(host, part, out)) return undefined;
    } else {
      const whole = expandLonePart(host, part);
      if (whole !== undefined) {
        out.push(whole);
        return undefined;
      }
    }
  }
  if (hasBraces(word)) {
    const words = watched(host.look, () => expandBraces(word, host.limits.maxFields));
    return expandMany(host, words, out);
  }
  const builder = new FieldBuilder(host.separators, host.limits.maxFields, host.patternOption('extglob'));
  const waiting = addParts(host, builder, word.parts, false, false);
  if (waiting !== undefined) return waiting.then(() => addFields(host, builder.finish(), out));
  return addFields(host, builder.finish(), out);
}

/** A word that is `"$@"`, as most uses of it are. */
function isAllParameters(part: DoubleQuoted): boolean {
  if (part.parts.length !== 1) return false;
  const inner = part.parts[0] as WordPart;
  return inner.kind === 'ParameterExpansion' && inner.name === '@' && inner.operation === undefined;
}

/** UTF-16 units: what is longer is looked at for a while. */
const LONG = 1 << 16;

/** The fast path of a word that is one `$x` whose value is no pattern. False sends it down the plain path, which gives the same fields. */
function splitLoneParameter(host: ExpansionHost, part: ParameterExpansion, out: string[]): boolean {
  const value = isPlain(part) ? host.parameter(part.name) : quickOperation(host, part);
  if (value === undefined) return false;
  if (value.length > LONG) host.look();
  if (hasPatternCharacter(value)) return false;
  const { separators } = host;
  if (!separators.leavesWhole(value)) splitPlain(value, separators, host.limits.maxFields, out);
  else if (value !== '') out.push(value);
  return true;
}

/**
 * The fast path of a word that is one `$((x))`, or one double-quoted string of literals and plain parameters. Undefined sends
 * it down the plain path, which gives the same field.
 */
function expandLonePart(host: ExpansionHost, part: WordPart): string | undefined {
  if (part.kind === 'ArithmeticExpansion') {
    // One that was parsed ahead has nothing to wait for. It is evaluated only if its value is used: it may assign.
    if (part.expression === undefined || host.separators.splitsNumbers) return undefined;
    return String(evaluateExpansion(host, part));
  }
  if (part.kind !== 'DoubleQuoted') return undefined;
  let text = '';
  for (const inner of part.parts) {
    if (inner.kind === 'Literal' || inner.kind === 'Escaped') text += inner.text;
    else if (inner.kind === 'ParameterExpansion' && isPlain(inner)) {
      const value = host.parameter(inner.name);
      if (value === undefined) return undefined;
      text += value;
    } else return undefined;
  }
  return checkLength(host, text);
}

/**
 * The fast path of `${x#p}` and its like, and of `${#x}`: a variable's value and a pattern that is there, with nothing made on the
 * way. Undefined sends them down the plain path, which gives the same text; nothing here has an effect that would come twice.
 */
function quickOperation(host: ExpansionHost, part: ParameterExpansion): string | undefined {
  const { operation, name } = part;
  if (part.subscript !== undefined || part.indirect || name === '@' || name === '*') return undefined;
  if (operation?.kind !== 'Strip' && operation?.kind !== 'Length') return undefined;
  const value = host.parameter(name);
  if (value === undefined) return undefined;
  if (operation.kind === 'Length') return String(codePoints(value));
  const pattern = knownPattern(host, operation.pattern);
  return pattern === undefined ? undefined : strip(value, pattern, operation, host.patternNesting);
}

/** A pattern of one part that is literal, or a variable's value. */
function knownPattern(host: ExpansionHost, { parts }: Word): string | undefined {
  const part = parts[0];
  if (part === undefined || parts.length !== 1) return undefined;
  if (part.kind === 'Literal') return part.text;
  if (part.kind === 'SingleQuoted') return escapePattern(part.text);
  if (part.kind === 'ParameterExpansion') return isPlain(part) ? host.parameter(part.name) : undefined;
  if (part.kind !== 'DoubleQuoted' || part.parts.length !== 1) return undefined;
  const inner = part.parts[0] as WordPart;
  const value = inner.kind === 'ParameterExpansion' && isPlain(inner) ? host.parameter(inner.name) : undefined;
  return value === undefined ? undefined : escapePattern(value);
}

/** `$name` and `${name}`: one value, and nothing done to it. */
function isPlain(part: ParameterExpansion): boolean {
  return (
    part.operation === undefined &&
    part.subscript === undefined &&
    !part.indirect &&
    part.name !== '@' &&
    part.name !== '*'
  );
}

/** A string longer than the limit ends the run (`x=$x$x`). Characters are at least one byte each. */
export function checkLength(host: ExpansionHost, text: string): string {
  if (text.length > host.limits.maxStringBytes) throw limitReached('maxStringBytes', host.limits.maxStringBytes);
  return text;
}

function addFields(host: ExpansionHost, fields: readonly Field[], out: string[], from = 0): Waiting {
  for (let i = from; i < fields.length; i++) {
    if (i % FIELDS_BETWEEN_LOOKS === FIELDS_BETWEEN_LOOKS - 1) host.look();
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
    case 'ProcessSubstitution':
      return addText(host, builder, host.processSubstitution(part), quoted);
    case 'BraceList':
    case 'BraceSequence':
      // They are gone from a word that is split; elsewhere the parser makes none.
      return undefined;
  }
}

/** `$@`, `${a[@]}`, or an operation on it: what may make no field at all inside double quotes. */
function isListParameter(part: WordPart): boolean {
  return part.kind === 'ParameterExpansion' && isSeparateList(part);
}

function addText(host: ExpansionHost, builder: FieldBuilder, text: Awaitable<string>, quoted: boolean): Waiting {
  if (typeof text !== 'string') {
    return text.then((value) => {
      addText(host, builder, value, quoted);
    });
  }
  checkLength(host, text);
  // An empty result inside double quotes adds nothing: the quotes themselves have made the field.
  if (text.length > LONG) host.look();
  if (!quoted) builder.expanded(text);
  else if (text !== '') builder.quoted(text);
  return undefined;
}

function addParameter(host: ExpansionHost, builder: FieldBuilder, part: ParameterExpansion, quoted: boolean): Waiting {
  if (isPlain(part)) return addText(host, builder, parameterOrUnset(host, part) ?? '', quoted);
  return expandParameter(host, part, quoted, {
    text: (value) => addText(host, builder, value, quoted),
    word: (word) => {
      // "${@-}" is a field: the word has none of the list's fields, unless it is a list itself.
      if (quoted && !word.parts.some(isListParameter)) builder.quoted('');
      return addParts(host, builder, word.parts, quoted, !quoted);
    },
    list: (values) => addList(host, builder, isSeparateList(part), values, quoted),
  });
}

/** `$@` and `$*`, quoted or not, and what `${@#x}` makes of each (POSIX 2.5.2). */
function addList(
  host: ExpansionHost,
  builder: FieldBuilder,
  separate: boolean,
  values: readonly string[],
  quoted: boolean,
): undefined {
  if (quoted && !separate) {
    builder.quoted(checkLength(host, values.join(host.separators.joiner)));
    return undefined;
  }
  for (let i = 0; i < values.length; i++) {
    if (i > 0) builder.next();
    if (i % FIELDS_BETWEEN_LOOKS === FIELDS_BETWEEN_LOOKS - 1) host.look();
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
    case 'ProcessSubstitution':
      return host.processSubstitution(part);
    case 'BraceList':
    case 'BraceSequence':
      return '';
  }
}

function parameterString(host: ExpansionHost, part: ParameterExpansion, quoted: boolean): Awaitable<string> {
  if (isPlain(part)) return parameterOrUnset(host, part) ?? '';
  const quick = quickOperation(host, part);
  if (quick !== undefined) return quick;
  const joiner = isSeparateList(part) ? ' ' : host.separators.joiner;
  return collect((sink) =>
    expandParameter(host, part, quoted, {
      text: (value) => sink(value),
      word: (word) => sink(quoted ? joinParts(host, word.parts, true) : expandString(host, word)),
      list: (values) => sink(values.join(joiner)),
    }),
  );
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
export function expandPattern(host: ExpansionHost, parts: readonly WordPart[]): Awaitable<string> {
  return joinEscaped(host, parts, escapePattern, 0, '');
}

/** Expands a word to text in which what was quoted is escaped, for a notation of its own: `[[ x =~ word ]]`. */
export function joinEscaped(
  host: ExpansionHost,
  parts: readonly WordPart[],
  quoteText: (text: string) => string,
  from: number,
  text: string,
): Awaitable<string> {
  let pattern = text;
  for (let i = from; i < parts.length; i++) {
    const piece = escapedText(host, parts[i] as WordPart, quoteText);
    if (typeof piece !== 'string') {
      const before = pattern;
      return piece.then((value) => joinEscaped(host, parts, quoteText, i + 1, before + value));
    }
    pattern += piece;
  }
  return checkLength(host, pattern);
}

function escapedText(host: ExpansionHost, part: WordPart, quoteText: (text: string) => string): Awaitable<string> {
  switch (part.kind) {
    case 'Literal':
      return part.text;
    case 'Escaped':
    case 'SingleQuoted':
      return quoteText(part.text);
    case 'DoubleQuoted':
      return andThen(joinParts(host, part.parts, true), quoteText);
    case 'TildePrefix':
      return quoteText(expandTilde(host, part.user));
    case 'ParameterExpansion': {
      const { operation } = part;
      // The word of `${x-word}` keeps its own quoting: `case a* in ${u-'a*'})` compares with the literal.
      if (operation !== undefined && 'word' in operation) {
        return collect((sink) =>
          expandParameter(host, part, false, {
            text: (value) => sink(value),
            word: (word) => sink(joinEscaped(host, word.parts, quoteText, 0, '')),
            list: (values) => sink(values.join(' ')),
          }),
        );
      }
      return parameterString(host, part, false);
    }
    case 'CommandSubstitution':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'BraceList':
    case 'BraceSequence':
      return stringOf(host, part, false);
  }
}
