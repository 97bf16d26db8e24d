/**
 * One `s` and nothing else, on many lines at once. It stands beside the cycle of `run.ts`, which answers the same: of most lines only
 * the bytes are copied, and a call for each would cost more than what is replaced.
 */
import { bytesFinder } from '../../src/text/find-bytes.js';
import type { Regex } from '../../src/text/regex/index.js';
import type { Script, Substitution } from './commands.js';
import { substitute } from './substitute.js';

/** Whole lines, with their ends, as they are after the script: good until the next call. Undefined: too much may come of them for one piece. */
export type ManyLines = (lines: Buffer) => Buffer | undefined;

const NEWLINE = 10;
/** What is put in may be so many times longer than what it takes the place of. */
const MOST_GROWTH = 16;

/** Undefined: the script does more, or its regular expression has no bytes that every match has. */
export function manyLines({ commands }: Script, maxStringBytes: number): ManyLines | undefined {
  const [only, more] = commands;
  if (more !== undefined || only?.action.kind !== 's' || only.where.first !== undefined || only.where.negated)
    return undefined;
  const { substitution } = only.action;
  const { regex, parts, print, file, number } = substitution;
  if (regex === undefined || regex.literal === '' || regex.literal.includes('\n') || print || file !== undefined)
    return undefined;
  if (!regex.isLiteral || number > 1) return byLine(regex, substitution, maxStringBytes);
  let text = '';
  for (const part of parts) {
    if (typeof part !== 'string' && part !== 0) return byLine(regex, substitution, maxStringBytes);
    text += part === 0 ? regex.literal : part;
  }
  return text.length > regex.literal.length * MOST_GROWTH
    ? undefined
    : byBytes(Buffer.from(regex.literal, 'latin1'), Buffer.from(text, 'latin1'), substitution.global, maxStringBytes);
}

/** The lines that hold the literal are substituted one by one. */
function byLine(regex: Regex, substitution: Substitution, maxStringBytes: number): ManyLines {
  const find = bytesFinder(Buffer.from(regex.literal, 'latin1'));
  const check = (length: number): void => {
    if (length > maxStringBytes) throw new TooLong();
  };
  const out = new Pieces();
  return (lines) => {
    out.begin(lines);
    try {
      for (let at = find(lines, 0); at >= 0; ) {
        const start = lines.lastIndexOf(NEWLINE, at) + 1;
        const end = lines.indexOf(NEWLINE, at);
        const changed = substitute(regex, substitution, lines.toString('latin1', start, end), check);
        if (changed !== undefined) out.replace(start, end, Buffer.from(changed, 'latin1'));
        at = find(lines, end);
      }
    } catch (error) {
      if (error instanceof TooLong) return undefined;
      throw error;
    }
    return out.end();
  };
}

/** The cycle says so, in its words, when it comes to that line. */
class TooLong extends Error {}

function byBytes(literal: Buffer, replacement: Buffer, global: boolean, maxStringBytes: number): ManyLines {
  const find = bytesFinder(literal);
  const out = new Pieces();
  return (lines) => {
    if (lines.length * MOST_GROWTH > maxStringBytes) return undefined;
    out.begin(lines);
    for (let at = find(lines, 0); at >= 0; ) {
      const end = at + literal.length;
      out.replace(at, end, replacement);
      at = find(lines, global ? end : lines.indexOf(NEWLINE, end));
    }
    return out.end();
  };
}

/** A copy of some bytes, of which parts are replaced. Its room is used again: taking it anew costs more than filling it. */
class Pieces {
  private from: Buffer = Buffer.alloc(0);
  private copied = 0;
  private out: Buffer = Buffer.alloc(0);
  private length = 0;

  begin(from: Buffer): void {
    this.from = from;
    this.copied = 0;
    this.length = 0;
    if (this.out.length < from.length) this.out = Buffer.allocUnsafe(from.length * 2);
  }

  replace(start: number, end: number, text: Buffer): void {
    this.add(this.from, this.copied, start);
    this.add(text, 0, text.length);
    this.copied = end;
  }

  end(): Buffer {
    this.add(this.from, this.copied, this.from.length);
    return this.out.subarray(0, this.length);
  }

  private add(bytes: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.out.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.out.length));
      this.out.copy(larger, 0, 0, this.length);
      this.out = larger;
    }
    const { out } = this;
    // A few bytes cost less than a call.
    if (end - start < 24) for (let i = start, to = this.length; i < end; i++) out[to++] = bytes[i] as number;
    else bytes.copy(out, this.length, start, end);
    this.length = needed;
  }
}
