/** Here-documents: the delimiter after `<<`, and the lines up to it (POSIX 2.7.4). */
import type { HereDocument, RedirectionDescriptor, Word, WordPart } from './ast.js';
import {
  BACKSLASH,
  DOLLAR,
  DOUBLE_QUOTE,
  ENDS_WORD,
  HASH,
  NEWLINE,
  SINGLE_QUOTE,
  TAB,
  UNQUOTED,
} from './characters.js';
import { Stop } from './diagnostics.js';
import { afterSpaces } from './operators.js';
import { decodeDollarQuoted } from './quoting.js';
import { relocate } from './relocation.js';
import { WordReader } from './words.js';

/** A here-document whose lines are still to come. Its node stands in the tree already; `body` is filled in later. */
export interface PendingHereDocument {
  readonly node: { -readonly [Key in keyof HereDocument]: HereDocument[Key] };
  /** The delimiter without its quotes. */
  readonly delimiter: string;
}

/** `<<` or `<<-` at `start` and the delimiter that must follow at `from`; undefined when there is none. */
export function readHereDocumentStart(
  reader: WordReader,
  start: number,
  from: number,
  descriptor: RedirectionDescriptor,
  stripTabs: boolean,
): PendingHereDocument | undefined {
  const at = afterSpaces(reader, from);
  const delimiter = readDelimiter(reader, at);
  // `<<#` is an operator and a comment.
  if (delimiter.end === at || reader.text.charCodeAt(at) === HASH) return undefined;
  const { end, quoted } = delimiter;
  const node: PendingHereDocument['node'] & HereDocument = {
    kind: 'HereDocument',
    start,
    end,
    descriptor,
    stripTabs,
    delimiter: reader.text.slice(at, end),
    quoted,
    body: { kind: 'Word', start: end, end, parts: [], literal: '' },
  };
  return { node, delimiter: delimiter.text };
}

export interface Delimiter {
  readonly text: string;
  readonly quoted: boolean;
  readonly end: number;
}

/** The delimiter word at `start`, in which only quotes are special. */
export function readDelimiter(reader: WordReader, start: number): Delimiter {
  const { text } = reader;
  let delimiter = '';
  let quoted = false;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 128 && UNQUOTED[code] === ENDS_WORD) break;
    if (code === BACKSLASH) {
      if (text.charCodeAt(at + 1) !== NEWLINE) {
        quoted = true;
        delimiter += text.charAt(at + 1);
      }
      at += 2;
    } else if (code === SINGLE_QUOTE || (code === DOLLAR && text.charCodeAt(at + 1) === SINGLE_QUOTE)) {
      const dollar = code === DOLLAR;
      const from = dollar ? at + 2 : at + 1;
      const end = closingQuote(reader, from, SINGLE_QUOTE, dollar, at);
      const inner = text.slice(from, end);
      delimiter += dollar ? decodeDollarQuoted(inner) : inner;
      quoted = true;
      at = end + 1;
    } else if (code === DOUBLE_QUOTE) {
      const end = closingQuote(reader, at + 1, DOUBLE_QUOTE, true, at);
      delimiter += text.slice(at + 1, end).replace(/\\([$`"\\])|\\\n/g, '$1');
      quoted = true;
      at = end + 1;
    } else {
      delimiter += text.charAt(at);
      at++;
    }
  }
  return { text: delimiter, quoted, end: Math.min(at, text.length) };
}

function closingQuote(reader: WordReader, from: number, quote: number, escapes: boolean, opener: number): number {
  const { text } = reader;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (escapes && code === BACKSLASH) at++;
  }
  return reader.unterminated(String.fromCharCode(quote), String.fromCharCode(quote), opener);
}

/** The lines of a document, and what comes after its delimiter. */
interface Lines {
  /** The document is `text.slice(start, end)`. */
  readonly end: number;
  readonly next: number;
  /** False when the text ended first. */
  readonly terminated: boolean;
  /** Where tabs have to be left out, and quoted newlines between them: pairs of start and end. */
  readonly tabs: readonly number[];
}

/** Reads the document that starts at `start` and returns the offset after its delimiter; -1 when there was none. */
export function readDocument(reader: WordReader, start: number, document: PendingHereDocument): number {
  const { node } = document;
  const lines = findEnd(reader.text, start, document);
  node.body = bodyOf(reader, start, lines, node.quoted);
  return lines.terminated ? lines.next : -1;
}

function findEnd(text: string, start: number, { node, delimiter }: PendingHereDocument): Lines {
  const tabs: number[] = [];
  let at = start;
  while (at < text.length) {
    let from = at;
    if (node.stripTabs) {
      // lines are joined first: what begins with a quoted newline begins with the tabs behind it
      for (;;) {
        while (text.charCodeAt(from) === TAB) from++;
        if (node.quoted || !text.startsWith('\\\n', from)) break;
        from += 2;
      }
    }
    let end = lineEnd(text, from);
    let line: string | undefined;
    if (!node.quoted) {
      // a line that ends in a backslash goes on in the next one, also in search of the delimiter
      let piece = from;
      while (end < text.length && endsInBackslash(text, from, end)) {
        line = (line ?? '') + text.slice(piece, end - 1);
        piece = end + 1;
        end = lineEnd(text, piece);
      }
      if (line !== undefined) line += text.slice(piece, end);
    }
    const found =
      line === undefined
        ? end - from === delimiter.length && text.startsWith(delimiter, from)
        : line.length === delimiter.length && line === delimiter;
    if (found) return { end: at, next: Math.min(end + 1, text.length), terminated: true, tabs };
    if (from > at) tabs.push(at, from);
    at = end + 1;
  }
  return { end: text.length, next: text.length, terminated: false, tabs };
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}

/** Is the newline at `end` quoted: is the number of backslashes before it odd? */
function endsInBackslash(text: string, from: number, end: number): boolean {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (end - at) % 2 === 1;
}

function bodyOf(reader: WordReader, start: number, lines: Lines, quoted: boolean): Word {
  const { end, tabs } = lines;
  const stripped = tabs.length === 0 ? undefined : withoutTabs(reader.text, start, end, tabs);
  if (quoted) {
    const text = stripped ?? reader.text.slice(start, end);
    const parts: WordPart[] = text === '' ? [] : [{ kind: 'Literal', start, end, text }];
    return { kind: 'Word', start, end, parts, literal: text };
  }
  // the text is cut at the end of the document, so that nothing in it can run over its delimiter
  const inner =
    stripped === undefined
      ? new WordReader(reader.text.slice(0, end), reader.options, reader.depth, { reader, offset: 0 })
      : new WordReader(stripped, reader.options, reader.depth, { reader, offset: start });
  if (stripped === undefined) inner.position = start;
  let body: Word;
  try {
    body = inner.quotedText();
  } catch (error) {
    if (!(error instanceof Stop) || (!error.incomplete && stripped === undefined)) throw error;
    // what is missing cannot come after the delimiter
    throw new Stop({ message: error.problem.message, offset: start, kind: error.problem.kind }, false);
  }
  if (stripped !== undefined) moveBack(body, start, tabs);
  return body;
}

function withoutTabs(text: string, start: number, end: number, tabs: readonly number[]): string {
  const pieces: string[] = [];
  let from = start;
  for (let i = 0; i < tabs.length; i += 2) {
    pieces.push(text.slice(from, tabs[i]));
    from = tabs[i + 1] ?? end;
  }
  pieces.push(text.slice(from, end));
  return pieces.join('');
}

/** Offsets in a stripped document become offsets in the text it was taken from. */
function moveBack(node: object, start: number, tabs: readonly number[]): void {
  // for each run of tabs, the offset in the stripped text at which it was left out
  const gaps: number[] = [];
  let removed = 0;
  for (let i = 0; i < tabs.length; i += 2) {
    const from = tabs[i] ?? 0;
    gaps.push(from - start - removed);
    removed += (tabs[i + 1] ?? 0) - from;
  }
  const widths = gaps.map((_, i) => (tabs[2 * i + 1] ?? 0) - (tabs[2 * i] ?? 0));
  const sums: number[] = [];
  let sum = 0;
  for (const width of widths) sums.push((sum += width));
  const original = (offset: number): number => {
    let low = 0;
    let high = gaps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      // `middle` is below the length, so there is an entry
      if (gaps[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return start + offset + (low === 0 ? 0 : (sums[low - 1] ?? 0));
  };
  relocate(node, { start: original, end: original });
}
