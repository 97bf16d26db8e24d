/** The expressions of `test` and `[` (POSIX XCU test): by the number of words, and by a grammar beyond four. */
import type { FileKind, FileStat, Files } from '../../src/files/files.js';
import { limitReached } from '../../src/limits.js';
import { compareBytes } from '../../src/text/bytes.js';
import { compare, type Int, parseInt64 } from '../../src/text/int64.js';

import type { Shell } from './shell.js';

/** What an expression asks of the shell. */
export type TestContext = Pick<Shell, 'fs' | 'limits' | 'isTerminal' | 'isPipe' | 'option' | 'isSet' | 'isReference'>;

/** A wrong expression: status 2. */
export class TestError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Whether the expression holds. */
export function evaluateTest(context: TestContext, words: readonly string[]): boolean | TestError {
  try {
    return byCount(context, words);
  } catch (error) {
    if (error instanceof TestError) return error;
    throw error;
  }
}

/** POSIX says what one to four words mean; more are an expression. */
function byCount(context: TestContext, words: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = words;
  switch (words.length) {
    case 0:
      return false;
    case 1:
      return first !== '';
    case 2:
      if (first === '!') return second === '';
      if (isUnary(first)) return unary(context, first, second);
      // With more words it is the connective; `-e` is the letter of POSIX.
      if (first === '-a') return unary(context, '-e', second);
      throw new TestError(`${first}: unary operator expected`);
    case 3:
      if (isBinary(second)) return binary(context, first, second, third);
      if (second === '-a') return first !== '' && third !== '';
      if (second === '-o') return first !== '' || third !== '';
      if (first === '!') return !byCount(context, words.slice(1));
      if (first === '(' && third === ')') return second !== '';
      throw new TestError(`${second}: binary operator expected`);
    case 4:
      if (first === '!') return !byCount(context, words.slice(1));
      if (first === '(' && words[3] === ')') return byCount(context, words.slice(1, 3));
      return expression(context, words);
    default:
      return expression(context, words);
  }
}

// --------------------------------------------------------------------------------------------- five words and more

interface Reader {
  readonly context: TestContext;
  readonly words: readonly string[];
  at: number;
  /** Open parentheses. */
  depth: number;
}

function expression(context: TestContext, words: readonly string[]): boolean {
  const reader: Reader = { context, words, at: 0, depth: 0 };
  const value = disjunction(reader);
  if (reader.at < words.length) throw new TestError('too many arguments');
  return value;
}

function disjunction(reader: Reader): boolean {
  let value = conjunction(reader);
  while (reader.words[reader.at] === '-o') {
    reader.at += 1;
    const right = conjunction(reader);
    value = value || right;
  }
  return value;
}

function conjunction(reader: Reader): boolean {
  let value = negation(reader);
  while (reader.words[reader.at] === '-a') {
    reader.at += 1;
    const right = negation(reader);
    value = value && right;
  }
  return value;
}

function negation(reader: Reader): boolean {
  let negative = false;
  while (reader.words[reader.at] === '!') {
    reader.at += 1;
    negative = !negative;
  }
  return primary(reader) !== negative;
}

function primary(reader: Reader): boolean {
  const { context, words } = reader;
  const first = words[reader.at];
  if (first === undefined) throw new TestError('argument expected');
  const second = words[reader.at + 1];
  const third = words[reader.at + 2];
  if (second !== undefined && third !== undefined && isBinary(second)) {
    reader.at += 3;
    return binary(context, first, second, third);
  }
  if (first === '(') {
    reader.at += 1;
    reader.depth += 1;
    if (reader.depth > context.limits.maxNesting) throw limitReached('maxNesting', context.limits.maxNesting);
    const value = disjunction(reader);
    if (words[reader.at] !== ')') throw new TestError("`)' expected");
    reader.at += 1;
    reader.depth -= 1;
    return value;
  }
  if (second !== undefined && isUnary(first)) {
    reader.at += 2;
    return unary(context, first, second);
  }
  reader.at += 1;
  return first !== '';
}

// ------------------------------------------------------------------------------------------------------- operators

const UNARY = new Set([...'bcdefghknoprstuvwxzGLNORS'].map((letter) => `-${letter}`));
const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

function isUnary(word: string): boolean {
  return word.length === 2 && UNARY.has(word);
}

function isBinary(word: string): boolean {
  return BINARY.has(word);
}

function integer(text: string): Int {
  // Most are a few plain digits: no text is trimmed or copied for those.
  const small = smallNumber(text);
  if (small >= 0) return small;
  const value = isDecimal(text) && fits(decimal(text)) ? parseInt64(decimal(text)) : undefined;
  if (value === undefined) throw new TestError(`${text}: integer expression expected`);
  return value;
}

/** The value of at most 15 digits; -1 for any other text. */
function smallNumber(text: string): number {
  if (text.length === 0 || text.length > 15) return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Blanks around a decimal number with an optional sign: nothing else is a number to `test`. */
function isDecimal(text: string): boolean {
  const trimmed = text.trim();
  let i = trimmed[0] === '-' || trimmed[0] === '+' ? 1 : 0;
  if (i === trimmed.length) return false;
  for (; i < trimmed.length; i++) if ((trimmed[i] as string) < '0' || (trimmed[i] as string) > '9') return false;
  return true;
}

/** 64 bits hold it: a number that would wrap is none. */
function fits(digits: string): boolean {
  if (digits.length < 19) return true;
  if (digits.length > 20) return false;
  const value = BigInt(digits);
  return value === BigInt.asIntN(64, value);
}

/** Without leading zeros, which would make it octal. */
function decimal(text: string): string {
  const trimmed = text.trim();
  const sign = trimmed[0] === '-' ? '-' : '';
  let i = trimmed[0] === '-' || trimmed[0] === '+' ? 1 : 0;
  while (i < trimmed.length - 1 && trimmed[i] === '0') i += 1;
  return sign + trimmed.slice(i);
}

function binary(context: TestContext, left: string, operator: string, right: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return compareBytes(left, right) < 0;
    case '>':
      return compareBytes(left, right) > 0;
    case '-eq':
      return integer(left) === integer(right);
    case '-ne':
      return integer(left) !== integer(right);
    case '-lt':
      return compare(integer(left), integer(right)) < 0;
    case '-le':
      return compare(integer(left), integer(right)) <= 0;
    case '-gt':
      return compare(integer(left), integer(right)) > 0;
    case '-ge':
      return compare(integer(left), integer(right)) >= 0;
    default:
      return files(context.fs, left, operator, right);
  }
}

/** `-nt` and `-ot` are true also when only the newer, or the older, is there (POSIX.1-2024). */
function files(fs: Files, left: string, operator: string, right: string): boolean {
  const a = fs.tryStat(left);
  const b = fs.tryStat(right);
  if (operator === '-ef') return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
  if (operator === '-nt') return a !== undefined && (b === undefined || a.mtimeNs > b.mtimeNs);
  return b !== undefined && (a === undefined || a.mtimeNs < b.mtimeNs);
}

const KINDS: Readonly<Record<string, FileKind>> = {
  b: 'block',
  c: 'character',
  d: 'directory',
  f: 'file',
  p: 'fifo',
  S: 'socket',
};

function unary(context: TestContext, operator: string, operand: string): boolean {
  const letter = operator[1] as string;
  switch (letter) {
    case 'n':
      return operand !== '';
    case 'z':
      return operand === '';
    case 't':
      return context.isTerminal(Number(integer(operand)));
    case 'o':
      return context.option(operand);
    case 'v':
      return context.isSet(operand);
    case 'R':
      return context.isReference(operand);
    case 'h':
    case 'L':
      return context.fs.tryLstat(operand)?.kind === 'symlink';
    case 'r':
      return context.fs.access(operand, 'read');
    case 'w':
      return context.fs.access(operand, 'write');
    case 'x':
      return context.fs.access(operand, 'execute');
    default: {
      const descriptor = letter === 'p' ? descriptorOf(operand) : undefined;
      if (descriptor !== undefined) return context.isPipe(descriptor);
      const stat = context.fs.tryStat(operand);
      return stat !== undefined && fileHas(stat, letter);
    }
  }
}

const STANDARD: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };

/** Of `[ -p /dev/stdin ]`, with which scripts ask whether they are given something to read. */
function descriptorOf(path: string): number | undefined {
  const number = /^\/dev\/fd\/([0-9]{1,6})$/.exec(path)?.[1];
  return number === undefined ? STANDARD[path] : Number(number);
}

function fileHas(stat: FileStat, letter: string): boolean {
  const kind = KINDS[letter];
  if (kind !== undefined) return stat.kind === kind;
  switch (letter) {
    case 'g':
      return (stat.mode & 0o2000) !== 0;
    case 'k':
      return (stat.mode & 0o1000) !== 0;
    case 'u':
      return (stat.mode & 0o4000) !== 0;
    case 's':
      return stat.size > 0;
    case 'N':
      return stat.mtimeNs > stat.atimeNs;
    case 'O':
      return stat.uid === process.geteuid?.();
    case 'G':
      return stat.gid === process.getegid?.();
    default:
      // -e
      return true;
  }
}
