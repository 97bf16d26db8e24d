/** base64: encode bytes as text, and decode them. */
import { andThen, type Waiting } from '../src/steps.js';
import { gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { chunksUntil } from './kit/chunks.js';
import type { Output } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';
import { parseInteger } from './kit/numbers.js';

export const base64 = defineBuiltin({
  name: 'base64',
  summary: 'encode bytes as text, and decode them',
  needs: ['read'],
  usage: 'base64 [OPTION]... [FILE]',
  notes: 'With no FILE, or when FILE is -, read standard input.',
  flags: {
    decode: { short: 'd', long: 'decode', help: 'decode' },
    ignore: { short: 'i', long: 'ignore-garbage', help: 'when decoding, ignore what is not of the alphabet' },
    wrap: {
      short: 'w',
      long: 'wrap',
      value: 'COLS',
      parse: columns,
      help: 'break lines after COLS characters, not 76; 0: never',
    },
  },
  statuses: { 0: 'done', 1: 'the input could not be read or is not base64' },

  run(context) {
    const { flags, operands, out } = context;
    const extra = operands[1];
    if (extra !== undefined) return usageFailure(context, `extra operand ${gnuQuoteValue(extra)}`);
    const input = failingAs(context, (operand, reading) => (reading ? 'read error' : gnuQuoteIfNeeded(operand)));
    let invalid = false;
    const status = eachInput(input, operands, (source) => {
      if (flags.decode === true) {
        const decoder = new Decoder(flags.ignore === true);
        const read = chunksUntil(context, source, (chunk) =>
          andThen(out.give(decoder.take(chunk)), () => decoder.failed),
        );
        return andThen(read, () => {
          const rest = decoder.end();
          invalid = decoder.failed;
          return andThen(out.give(rest), () => invalid);
        });
      }
      const encoder = new Encoder(flags.wrap ?? 76, out);
      return andThen(
        chunksOf(context, source, (chunk) => encoder.take(chunk)),
        () => andThen(encoder.end(), () => false),
      );
    });
    return andThen(status, (result) => {
      if (!invalid) return result;
      context.complain('invalid input');
      return 1;
    });
  },
});

function columns(text: string): number | BadValue {
  const read = parseInteger(text);
  if (read.kind === 'value') return Number(read.value);
  // Longer than anything.
  if (read.kind === 'overflow') return 0;
  return new BadValue(`invalid wrap size: ${gnuQuoteValue(text)}`);
}

class Encoder {
  /** Up to two bytes that do not make a group yet. */
  private rest: Buffer = Buffer.alloc(0);
  private column = 0;
  private readonly wrap: number;
  private readonly out: Output;

  constructor(wrap: number, out: Output) {
    this.wrap = wrap;
    this.out = out;
  }

  take(chunk: Uint8Array): Waiting {
    const all = Buffer.concat([this.rest, chunk]);
    const whole = all.length - (all.length % 3);
    this.rest = all.subarray(whole);
    return this.print(all.toString('base64', 0, whole));
  }

  end(): Waiting {
    const last = this.print(this.rest.toString('base64'));
    const end = (): Waiting => (this.wrap > 0 && this.column > 0 ? this.out.write('\n') : undefined);
    return last === undefined ? end() : last.then(end);
  }

  private print(text: string): Waiting {
    if (this.wrap === 0) return this.out.write(text);
    let out = '';
    for (let at = 0; at < text.length; ) {
      if (this.column === this.wrap) {
        out += '\n';
        this.column = 0;
      }
      const part = text.slice(at, at + this.wrap - this.column);
      out += part;
      at += part.length;
      this.column += part.length;
    }
    return this.out.write(out);
  }
}

const NOT_ONE = 255;
const VALUES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(String.fromCharCode(byte));
  return at < 0 ? NOT_ONE : at;
});
const EQUALS = 0x3d;

/** Groups of four characters; a group may end with `=`, and another may follow it. */
class Decoder {
  failed = false;
  private readonly group: number[] = [];
  private pads = 0;
  private readonly ignore: boolean;

  constructor(ignore: boolean) {
    this.ignore = ignore;
  }

  take(chunk: Uint8Array): Buffer {
    const out = Buffer.allocUnsafe(Math.ceil((chunk.length + 4) * 0.75) + 3);
    let length = 0;
    for (let i = 0; i < chunk.length && !this.failed; i++) {
      const byte = chunk[i] as number;
      if (byte === 10) continue;
      const value = VALUES[byte] as number;
      if (byte === EQUALS) {
        if (this.group.length < 2) this.failed = true;
        else this.pads++;
      } else if (value !== NOT_ONE) {
        if (this.pads > 0) this.failed = true;
        else this.group.push(value);
      } else if (!this.ignore) this.failed = true;
      if (this.failed || this.group.length + this.pads === 4) length = this.flush(out, length);
    }
    return out.subarray(0, length);
  }

  end(): Buffer {
    if (this.failed || this.group.length === 0) return Buffer.alloc(0);
    this.failed = true;
    const out = Buffer.allocUnsafe(3);
    return out.subarray(0, this.flush(out, 0));
  }

  /** What the group has of whole bytes, also when it is cut off. */
  private flush(out: Buffer, at: number): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.group;
    const bytes = [(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d];
    const count = Math.max(0, this.group.length - 1);
    for (let i = 0; i < count; i++) out[at + i] = bytes[i] as number;
    this.group.length = 0;
    this.pads = 0;
    return at + count;
  }
}
