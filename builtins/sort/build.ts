/** Makes the levels that lines are ordered by from the keys that were asked for. */
import { createHash, randomBytes } from 'node:crypto';
import type { Waiting } from '../../src/steps.js';
import { parseReal, type Real } from '../kit/real.js';
import { Fields, isBlank, type SortKey } from './keys.js';
import { doubleOf, isZeroDecimal, KeyBytes, type Level, pushDecimal, scanDecimal } from './levels.js';
import type { Lines } from './lines.js';
import { pushVersion } from './version.js';

/** The work of one level, in pieces: `step` builds some and answers whether it is done. */
export interface LevelBuilder {
  step(): boolean;
  levels(): readonly Level[];
}

const PIECE = 4096;

export function levelBuilder(key: SortKey, lines: Lines, separator: number | undefined): LevelBuilder {
  const { count, bytes } = lines;
  const fields = new Fields(bytes, separator);
  const encoder = encoderOf(key, bytes, count);
  let next = 0;
  return {
    step() {
      const stop = Math.min(count, next + PIECE);
      for (; next < stop; next++) {
        const from = lines.starts[next] as number;
        const to = lines.ends[next] as number;
        const start = fields.start(key, from, to);
        encoder.take(next, start, Math.max(start, fields.end(key, from, to)));
      }
      return next >= count;
    },
    levels: () => encoder.levels(),
  };
}

interface Encoder {
  take(line: number, start: number, end: number): void;
  levels(): readonly Level[];
}

function encoderOf(key: SortKey, bytes: Uint8Array, count: number): Encoder {
  switch (key.comparison) {
    case 'numeric':
      return new NumericEncoder(bytes, count, key.reverse);
    case 'human':
      return new HumanEncoder(bytes, count, key);
    case 'month':
      return new MonthEncoder(bytes, count, key.reverse);
    case 'general':
      return new MadeEncoder(bytes, count, key.reverse, pushReal);
    case 'version':
      return new MadeEncoder(bytes, count, key.reverse, filtered(key, pushVersion));
    case 'random':
      return new MadeEncoder(bytes, count, key.reverse, filtered(key, randomPusher()));
    default:
      return key.ignore === undefined && !key.fold
        ? new PlainEncoder(bytes, count, key.reverse)
        : new MadeEncoder(bytes, count, key.reverse, filtered(key, pushBytes));
  }
}

/** The bytes of the line as they are. */
class PlainEncoder implements Encoder {
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly bytes: Uint8Array;
  private readonly reverse: boolean;

  constructor(bytes: Uint8Array, count: number, reverse: boolean) {
    this.bytes = bytes;
    this.reverse = reverse;
    this.starts = new Uint32Array(count);
    this.ends = new Uint32Array(count);
  }

  take(line: number, start: number, end: number): void {
    this.starts[line] = start;
    this.ends[line] = end;
  }

  levels(): readonly Level[] {
    const { bytes, starts, ends, reverse } = this;
    return [{ kind: 'bytes', bytes, starts, ends, reverse }];
  }
}

type Push = (out: KeyBytes, bytes: Uint8Array, start: number, end: number) => void;

/** Bytes that `push` makes of each key. */
class MadeEncoder implements Encoder {
  private readonly out: KeyBytes;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly bytes: Uint8Array;
  private readonly reverse: boolean;
  private readonly push: Push;

  constructor(bytes: Uint8Array, count: number, reverse: boolean, push: Push) {
    this.bytes = bytes;
    this.reverse = reverse;
    this.push = push;
    this.out = new KeyBytes(Math.min(bytes.length, count * 16));
    this.starts = new Uint32Array(count);
    this.ends = new Uint32Array(count);
  }

  take(line: number, start: number, end: number): void {
    this.starts[line] = this.out.length;
    this.push(this.out, this.bytes, start, end);
    this.ends[line] = this.out.length;
  }

  levels(): readonly Level[] {
    const { starts, ends, reverse } = this;
    return [{ kind: 'bytes', bytes: this.out.bytes, starts, ends, reverse }];
  }
}

function pushBytes(out: KeyBytes, bytes: Uint8Array, start: number, end: number): void {
  const into = out.reserve(end - start);
  for (let i = start; i < end; i++) into[out.length++] = bytes[i] as number;
}

/** `-d`, `-i` and `-f`: what is left of the key goes to `push`. */
function filtered(key: SortKey, push: Push): Push {
  if (key.ignore === undefined && !key.fold) return push;
  const table = Int16Array.from({ length: 256 }, (_, byte) => {
    const letter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a && byte < 0x80;
    const digit = byte >= 0x30 && byte <= 0x39;
    if (key.ignore === 'dictionary' && !letter && !digit && !isBlank(byte)) return -1;
    if (key.ignore === 'unprintable' && (byte < 0x20 || byte > 0x7e)) return -1;
    return key.fold && letter ? byte & 0xdf : byte;
  });
  let kept = new Uint8Array(256);
  return (out, bytes, start, end) => {
    if (end - start > kept.length) kept = new Uint8Array((end - start) * 2);
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = table[bytes[i] as number] as number;
      if (byte >= 0) kept[length++] = byte;
    }
    push(out, kept, 0, length);
  };
}

/** Doubles as long as they tell all numbers apart, and digits where they do not. */
class NumericEncoder implements Encoder {
  private readonly values: Float64Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly bytes: Uint8Array;
  private readonly reverse: boolean;
  private exact = true;

  constructor(bytes: Uint8Array, count: number, reverse: boolean) {
    this.bytes = bytes;
    this.reverse = reverse;
    this.values = new Float64Array(count);
    this.starts = new Uint32Array(count);
    this.ends = new Uint32Array(count);
  }

  take(line: number, start: number, end: number): void {
    this.starts[line] = start;
    this.ends[line] = end;
    if (!this.exact) return;
    const value = doubleOf(this.bytes, scanDecimal(this.bytes, start, end));
    if (value === undefined) this.exact = false;
    else this.values[line] = value;
  }

  levels(): readonly Level[] {
    if (this.exact) return [{ kind: 'numbers', values: this.values, reverse: this.reverse }];
    const made = new MadeEncoder(this.bytes, this.values.length, this.reverse, pushNumber);
    for (let i = 0; i < this.values.length; i++) made.take(i, this.starts[i] as number, this.ends[i] as number);
    return made.levels();
  }
}

function pushNumber(out: KeyBytes, bytes: Uint8Array, start: number, end: number): void {
  pushDecimal(out, bytes, scanDecimal(bytes, start, end));
}

/** First by what the suffix says (`2K` is below `1M`), then by number. */
class HumanEncoder implements Encoder {
  private readonly ranks: Float64Array;
  private readonly numbers: NumericEncoder;
  private readonly bytes: Uint8Array;
  private readonly reverse: boolean;
  private readonly fold: boolean;

  constructor(bytes: Uint8Array, count: number, { reverse, fold }: SortKey) {
    this.bytes = bytes;
    this.reverse = reverse;
    this.fold = fold;
    this.ranks = new Float64Array(count);
    this.numbers = new NumericEncoder(bytes, count, reverse);
  }

  take(line: number, start: number, end: number): void {
    const decimal = scanDecimal(this.bytes, start, end);
    const letter = decimal.end < end ? String.fromCharCode(this.bytes[decimal.end] as number) : ' ';
    const suffix = SUFFIXES.indexOf(this.fold ? letter.toUpperCase() : letter);
    const rank = isZeroDecimal(decimal) ? 0 : suffix < 0 ? 0 : suffix === 0 ? 1 : suffix;
    this.ranks[line] = rank === 0 ? 0 : decimal.negative ? -rank : rank;
    this.numbers.take(line, start, end);
  }

  levels(): readonly Level[] {
    return [{ kind: 'numbers', values: this.ranks, reverse: this.reverse }, ...this.numbers.levels()];
  }
}

/** `k` counts as `K`. */
const SUFFIXES = 'kKMGTPEZY';

class MonthEncoder implements Encoder {
  private readonly values: Float64Array;
  private readonly bytes: Uint8Array;
  private readonly reverse: boolean;

  constructor(bytes: Uint8Array, count: number, reverse: boolean) {
    this.bytes = bytes;
    this.reverse = reverse;
    this.values = new Float64Array(count);
  }

  take(line: number, start: number, end: number): void {
    let at = start;
    while (at < end && isBlank(this.bytes[at] as number)) at++;
    if (at + 3 > end) return;
    let name = '';
    for (let i = at; i < at + 3; i++) name += String.fromCharCode((this.bytes[i] as number) & 0xdf);
    this.values[line] = MONTHS.indexOf(name) + 1;
  }

  levels(): readonly Level[] {
    return [{ kind: 'numbers', values: this.values, reverse: this.reverse }];
  }
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** What is no number, then NaN, then numbers as C's long double has them. */
function pushReal(out: KeyBytes, bytes: Uint8Array, start: number, end: number): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const parsed = parseReal(text);
  if (parsed.end === 0) out.push(0);
  else if (parsed.value.kind === 'nan') out.push(1);
  else pushFinite(out, parsed.value);
}

function pushFinite(out: KeyBytes, value: Real & { kind: 'finite' | 'infinity' }): void {
  if (value.kind === 'finite' && value.mantissa === 0n) {
    out.push(4);
    return;
  }
  const flip = value.negative ? 0xff : 0;
  out.push(value.negative ? 3 : 5);
  if (value.kind === 'infinity') {
    for (let i = 0; i < 2; i++) out.push(0xff ^ flip);
    return;
  }
  // The mantissa with its highest bit set, and the exponent that goes with it, moved above 0.
  const hex = value.mantissa.toString(2).length;
  const exponent = value.exponent + hex + 17_000;
  out.push((exponent >> 8) ^ flip);
  out.push((exponent & 0xff) ^ flip);
  const mantissa = value.mantissa << BigInt(64 - hex);
  for (let shift = 56n; shift >= 0n; shift -= 8n) out.push(Number((mantissa >> shift) & 0xffn) ^ flip);
}

/** The same key has the same place, any other a random one. */
function randomPusher(): Push {
  const salt = randomBytes(16);
  return (out, bytes, start, end) => {
    const digest = createHash('md5').update(salt).update(bytes.subarray(start, end)).digest();
    pushBytes(out, digest, 0, digest.length);
  };
}

/** Builds all levels; waits when told to. */
export function buildAll(builders: readonly LevelBuilder[], tick: () => Waiting): Waiting {
  for (const builder of builders) {
    while (!builder.step()) {
      const waiting = tick();
      if (waiting !== undefined) return waiting.then(() => buildAll(builders, tick));
    }
  }
  return undefined;
}
