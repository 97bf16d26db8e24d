/** Parameter expansion (POSIX 2.6.2): `${x}` and its operations, on one value, on an element or on a list. */
import type { ParameterExpansion, ParameterOperation, Word } from '../../grammar/ast.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import { codePoints } from '../text/bytes.js';
import type { Int } from '../text/int64.js';
import { SHORT_WORK, watched } from '../text/work.js';
import { evaluateWord } from './arithmetic.js';
import { ExpansionError, type ExpansionHost, ExpressionError } from './host.js';
import { changeCase } from './letter-case.js';
import { escapeReplacement, type Replacement, replaceMatches, replacementOf } from './replace.js';
import { strip } from './strip.js';
import { rangeOf, substring } from './substring.js';
import { transform, transformList } from './transform.js';
import { expandPattern, expandString, joinEscaped, joinParts } from './words.js';

/** Where the result goes: as text, as the operation's own word, or as a list, which `$@` keeps apart and `$*` joins. */
export interface Receiver {
  text(value: string): Waiting;
  word(word: Word): Waiting;
  list(values: readonly string[]): Waiting;
}

/** What a parameter expansion speaks of, its subscript and indirection resolved. */
interface Subject {
  /** As messages call it: `x`, `a[1]`. */
  readonly name: string;
  /** The value; undefined when unset. For a list: its elements joined, undefined when there are none. */
  readonly value: string | undefined;
  /** All elements, for `$@`, `$*`, `${a[@]}` and `${a[*]}`. */
  readonly values: readonly string[] | undefined;
  /** The name without a subscript, to assign to; and the subscript's text. */
  readonly variable: string;
  readonly subscript: string | undefined;
}

/** Whether `$@`-like: its fields stay apart in double quotes. */
export function isSeparateList(part: ParameterExpansion): boolean {
  if (part.operation?.kind === 'Names') return part.operation.separate;
  if (part.operation?.kind === 'Length') return false;
  return part.name === '@' || part.subscript === '@';
}

/** The value of a plain parameter; `set -u` makes an unset one an error. */
export function parameterOrUnset(host: ExpansionHost, part: ParameterExpansion): string | undefined {
  const value = host.parameter(part.name);
  if (value === undefined && host.nounset) throw unbound(part.name);
  return value;
}

function unbound(name: string): ExpansionError {
  return new ExpansionError(`${name}: unbound variable`);
}

/** Any expansion that is not a plain `$name`. `quoted`: it stands in double quotes. */
export function expandParameter(host: ExpansionHost, part: ParameterExpansion, quoted: boolean, to: Receiver): Waiting {
  const { operation } = part;
  if (operation?.kind === 'Names') return to.list(host.variableNames(part.name));
  if (operation?.kind === 'Keys') return to.list(host.keys(part.name));
  const subject = subjectOf(host, part);
  if (subject instanceof Promise) return subject.then((late) => expandSubject(host, late, operation, quoted, to));
  return expandSubject(host, subject, operation, quoted, to);
}

function subjectOf(host: ExpansionHost, part: ParameterExpansion): Awaitable<Subject> {
  const { name, subscript } = part;
  if (subscript === undefined || typeof subscript === 'string') {
    return indirect(host, part, subjectFor(host, name, subscript));
  }
  const text = expandString(host, subscript);
  return typeof text === 'string'
    ? indirect(host, part, subjectFor(host, name, text))
    : text.then((late) => indirect(host, part, subjectFor(host, name, late)));
}

function subjectFor(host: ExpansionHost, name: string, subscript: string | undefined): Subject {
  if (subscript === '@' || subscript === '*' || ((name === '@' || name === '*') && subscript === undefined)) {
    const values = subscript === undefined ? host.positional() : host.elements(name);
    const value = values.length === 0 ? undefined : values.join(' ');
    return { name: subscript === undefined ? name : `${name}[${subscript}]`, value, values, variable: name, subscript };
  }
  if (subscript === undefined) {
    return { name, value: host.parameter(name), values: undefined, variable: name, subscript };
  }
  const value = host.element(name, subscript);
  return { name: `${name}[${subscript}]`, value, values: undefined, variable: name, subscript };
}

/** `${!x}`: the value of x is the name, with a subscript perhaps, of what is meant. */
function indirect(host: ExpansionHost, part: ParameterExpansion, subject: Subject): Subject {
  if (!part.indirect) return subject;
  // Of a reference it is the name that it stands for.
  const referred = part.subscript === undefined ? host.referenceTarget(part.name) : undefined;
  if (referred !== undefined) return { ...subject, value: referred, values: undefined };
  if (subject.value === undefined) throw new ExpansionError(`${subject.name}: invalid indirect expansion`);
  const target = subject.value;
  const open = target.indexOf('[');
  if (open < 0 || !target.endsWith(']')) {
    if (!isReference(target)) throw new ExpansionError(`${target}: invalid variable name`);
    return subjectFor(host, target, undefined);
  }
  return subjectFor(host, target.slice(0, open), target.slice(open + 1, -1));
}

function isReference(text: string): boolean {
  if (text.length === 1 && '@*#?-$!'.includes(text)) return true;
  if (text === '') return false;
  let digits = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code >= 48 && code <= 57;
    const letter = ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
    if (!digit && !letter) return false;
    if (!digit) {
      if (i > 0 && digits) return false;
      digits = false;
    }
  }
  return true;
}

function expandSubject(
  host: ExpansionHost,
  subject: Subject,
  operation: ParameterOperation | undefined,
  quoted: boolean,
  to: Receiver,
): Waiting {
  if (operation === undefined) return deliverValue(host, subject, to);
  switch (operation.kind) {
    case 'Length':
      if (subject.values !== undefined) return to.text(String(subject.values.length));
      return to.text(String(codePoints(settledValue(host, subject))));
    case 'Strip':
      return onEach(host, subject, expandPattern(host, operation.pattern.parts), to, (value, pattern) =>
        strip(value, pattern, operation, host.patternNesting),
      );
    case 'Case': {
      const pattern = operation.pattern === undefined ? '' : expandPattern(host, operation.pattern.parts);
      return onEach(host, subject, pattern, to, (value, text) =>
        changeCase(value, operation, text, host.patternNesting),
      );
    }
    case 'Replace': {
      const pattern = expandPattern(host, operation.pattern.parts);
      return onEach(
        host,
        subject,
        andThen(pattern, (p) => andThen(replacementFor(host, operation), (r): [string, Replacement] => [p, r])),
        to,
        (value, [p, r]) =>
          replaceMatches(value, p, r, operation, {
            ignoreCase: host.patternOption('nocasematch'),
            nesting: host.patternNesting,
          }),
      );
    }
    case 'Substring':
      return expandSubstring(host, subject, operation, to);
    case 'Transform':
      if (subject.values !== undefined)
        return to.list(transformList(host, subject.variable, subject.values, operation.operator));
      if (subject.value === undefined && !'aA'.includes(operation.operator)) return deliverValue(host, subject, to);
      return deliver(
        watched(host.look, () => transform(host, subject.variable, subject.value ?? '', operation.operator)),
        to.text,
      );
    case 'Names':
    case 'Keys':
      return undefined;
    default:
      return expandConditional(host, subject, operation, quoted, to);
  }
}

/** The quotes in a replacement, and in double quotes too, say what of it is plain text. */
function replacementFor(
  host: ExpansionHost,
  { replacement }: Extract<ParameterOperation, { kind: 'Replace' }>,
): Awaitable<Replacement> {
  const parts = replacement?.parts ?? [];
  if (!host.patternOption('patsub_replacement')) return andThen(joinParts(host, parts, false), (text) => () => text);
  return andThen(joinEscaped(host, parts, escapeReplacement, 0, ''), replacementOf);
}

function settledValue(host: ExpansionHost, { name, value }: Subject): string {
  if (value === undefined && host.nounset) throw unbound(name);
  return value ?? '';
}

function deliverValue(host: ExpansionHost, subject: Subject, to: Receiver): Waiting {
  return subject.values === undefined ? to.text(settledValue(host, subject)) : to.list(subject.values);
}

/** Does the same to the value, or to each element of a list. */
function onEach<T>(
  host: ExpansionHost,
  subject: Subject,
  operand: Awaitable<T>,
  to: Receiver,
  change: (value: string, operand: T) => string,
): Waiting {
  const { value, values } = subject;
  const run = (late: T): Waiting => {
    if (values !== undefined) return to.list(watched(host.look, () => values.map((each) => change(each, late))));
    // In what is not set nothing can be found, not even by a pattern that matches the empty text.
    if (value === undefined) return to.text(settledValue(host, subject));
    return to.text(value.length < SHORT_WORK ? change(value, late) : watched(host.look, () => change(value, late)));
  };
  return operand instanceof Promise ? operand.then(run) : run(operand);
}

// --------------------------------------------------------------------------------------- ${x-w} ${x=w} ${x?w} ${x+w}

/** ${@-w} asks whether there are positional parameters; ${@:-w} also whether they hold anything. */
function expandConditional(
  host: ExpansionHost,
  subject: Subject,
  operation: Extract<ParameterOperation, { kind: 'Default' | 'Assign' | 'Error' | 'Alternative' }>,
  quoted: boolean,
  to: Receiver,
): Waiting {
  const { value, values, name } = subject;
  const missing = value === undefined || (operation.orEmpty && value === '');
  if (operation.kind === 'Alternative') return missing ? undefined : to.word(operation.word);
  if (!missing) return values === undefined ? to.text(value) : to.list(values);
  switch (operation.kind) {
    case 'Default':
      return to.word(operation.word);
    case 'Assign': {
      if (!isAssignable(subject.variable) || values !== undefined) {
        throw new ExpansionError(`$${name}: cannot assign in this way`);
      }
      const word = quoted ? joinParts(host, operation.word.parts, true) : expandString(host, operation.word);
      return deliver(word, (text) => {
        if (subject.subscript === undefined) host.assign(subject.variable, text);
        else host.assignElement(subject.variable, subject.subscript, text);
        const now =
          subject.subscript === undefined
            ? host.parameter(subject.variable)
            : host.element(subject.variable, subject.subscript);
        return to.text(now ?? text);
      });
    }
    case 'Error': {
      const words = operation.orEmpty ? 'parameter null or not set' : 'parameter not set';
      const message = operation.word === undefined ? words : joinParts(host, operation.word.parts, quoted);
      return deliver(message, (text) => {
        throw new ExpansionError(`${name}: ${text}`);
      });
    }
  }
}

function isAssignable(name: string): boolean {
  const code = name.charCodeAt(0);
  return code === 95 || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

// ---------------------------------------------------------------------------------------------------------- ${x:o:l}

function expandSubstring(
  host: ExpansionHost,
  subject: Subject,
  operation: Extract<ParameterOperation, { kind: 'Substring' }>,
  to: Receiver,
): Waiting {
  // Of nothing there is no part, whatever the numbers say: they are not looked at, as in bash.
  if (subject.value === undefined)
    return subject.values === undefined ? to.text(settledValue(host, subject)) : to.list([]);
  const evaluated = (word: Word): Awaitable<Int> => inSubstring(subject.name, () => evaluateWord(host, word));
  const offset = evaluated(operation.offset);
  const length = operation.length === undefined ? undefined : evaluated(operation.length);
  const cut = (from: Int, count: Int | undefined): Waiting => {
    const at = Number(from);
    const size = count === undefined ? undefined : Number(count);
    if (subject.values === undefined) return to.text(substring(settledValue(host, subject), at, size));
    return to.list(slice(host, subject, subject.values, at, size));
  };
  if (offset instanceof Promise || length instanceof Promise) {
    return Promise.all([offset, length]).then(([from, count]) => cut(from, count));
  }
  return cut(offset, length);
}

/** A wrong offset or length is named after the parameter, as bash does. */
function inSubstring(name: string, evaluate: () => Awaitable<Int>): Awaitable<Int> {
  const named = (error: unknown): never => {
    throw error instanceof ExpressionError ? new ExpressionError(`${name}: ${error.message}`) : error;
  };
  try {
    const value = evaluate();
    return value instanceof Promise ? value.catch(named) : value;
  } catch (error) {
    return named(error);
  }
}

/** `${@:1:2}` counts `$0` as 0; `${a[@]:1}` counts by index, which matters for an array with gaps. */
function slice(
  host: ExpansionHost,
  subject: Subject,
  values: readonly string[],
  offset: number,
  length: number | undefined,
): readonly string[] {
  if (length !== undefined && length < 0) throw new ExpansionError(`${length}: substring expression < 0`);
  if (subject.subscript === undefined) {
    const all = [host.parameter('0') ?? '', ...values];
    const range = rangeOf(all.length, offset, length, String(length));
    return range === undefined ? [] : all.slice(range.from, range.to);
  }
  if (host.isAssociative(subject.variable)) {
    // bash counts them from 1, and takes 0 for 1
    const place = offset < 0 ? values.length + 1 + offset : offset;
    if (place < 0) return [];
    const from = Math.max(place - 1, 0);
    return values.slice(from, length === undefined ? undefined : from + length);
  }
  const keys = host.keys(subject.variable).map(Number);
  const first = offset < 0 ? (keys.at(-1) ?? -1) + 1 + offset : offset;
  if (first < 0) return [];
  const from = keys.findIndex((key) => key >= first);
  return from < 0 ? [] : values.slice(from, length === undefined ? undefined : from + length);
}

function deliver(value: Awaitable<string>, to: (value: string) => Waiting): Waiting {
  return typeof value === 'string' ? to(value) : value.then(to);
}
