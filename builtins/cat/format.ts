/** What cat does to bytes when it is asked for more than copying. */
import type { Waiting } from '../../src/steps.js';
import type { Output } from '../kit/context.js';

export interface CatStyle {
  readonly number: boolean;
  readonly numberNonblank: boolean;
  readonly squeeze: boolean;
  readonly ends: boolean;
  readonly tabs: boolean;
  readonly nonprinting: boolean;
}

export interface CatFormatter {
  take(chunk: Uint8Array, out: Output): Waiting;
  end(out: Output): Waiting;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export function catFormatter(style: CatStyle): CatFormatter {
  const shown = spellings(style);
  /** Bytes since the last newline: none, so that the next byte begins a line. */
  let lineStart = true;
  /** Empty lines just printed. */
  let empty = 0;
  let line = 0;
  /** `-E` without `-v` prints a carriage return as `^M`, but only before a newline: one at a chunk's end must wait. */
  const marksReturns = style.ends && !style.nonprinting;
  let heldReturn = false;

  function begin(blank: boolean): string {
    lineStart = false;
    if (style.numberNonblank ? blank : !style.number) return '';
    line++;
    return `${String(line).padStart(6)}\t`;
  }

  function endLine(): string {
    const blank = lineStart;
    if (!blank) empty = 0;
    else if (++empty > 1 && style.squeeze) return '';
    const number = blank ? begin(true) : '';
    lineStart = true;
    return `${number}${style.ends ? '$' : ''}\n`;
  }

  function convert(chunk: Uint8Array): string {
    let text = '';
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (heldReturn) {
        heldReturn = false;
        text += byte === NEWLINE ? '^M' : '\r';
      }
      if (byte === NEWLINE) {
        text += endLine();
        continue;
      }
      if (lineStart) text += begin(false);
      if (byte === RETURN && marksReturns) heldReturn = true;
      else text += shown[byte] as string;
    }
    return text;
  }

  return {
    take(chunk, out) {
      // Pieces of a chunk, so that what one byte becomes does not make the text many times as large.
      let from = 0;
      const more = (): Waiting => {
        while (from < chunk.length) {
          const piece = chunk.subarray(from, from + 16_384);
          from += piece.length;
          const waiting = out.give(Buffer.from(convert(piece), 'latin1'));
          if (waiting !== undefined) return waiting.then(more);
        }
        return undefined;
      };
      return more();
    },
    end(out) {
      if (!heldReturn) return undefined;
      heldReturn = false;
      return out.write('\r');
    },
  };
}

/** Each byte as a byte string. */
function spellings(style: CatStyle): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte === 9) return style.tabs ? '^I' : '\t';
    if (!style.nonprinting) return String.fromCharCode(byte);
    const low = byte & 0x7f;
    const text = low < 32 ? `^${String.fromCharCode(low + 64)}` : low === 127 ? '^?' : String.fromCharCode(low);
    return byte >= 128 ? `M-${text}` : text;
  });
}
