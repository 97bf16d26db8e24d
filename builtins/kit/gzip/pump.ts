/** Bytes through zlib: a piece in, what it makes out, never more than one piece ahead. */
import { createDeflateRaw, createInflateRaw } from 'node:zlib';
import type { ByteSource } from '../../../src/io/streams.js';
import type { BaseContext, Output } from '../context.js';
import { Feed } from './feed.js';

/** Anything with `give`: the standard output, a file, or nothing at all (`-t`). */
export type Target = Pick<Output, 'give'>;

export type Expanded = 'done' | 'trailing garbage ignored' | BadGzip;

/** What is wrong with compressed data, in gzip's words. */
export class BadGzip {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** What went through, for those who tell about it. */
export interface Totals {
  /** Compressed bytes. */
  packed: number;
  /** Of those, headers and trailers. */
  framing: number;
  /** Bytes that are not compressed. */
  plain: number;
  /** Of the last member. */
  crc: number;
}

export function noTotals(): Totals {
  return { packed: 0, framing: 0, plain: 0, crc: 0 };
}

/** The input stops within a member. */
export const UNEXPECTED_END = new BadGzip('unexpected end of file');

/** One member (RFC 1952) without a name or a time. */
export async function compress(
  context: BaseContext,
  source: ByteSource,
  out: Target,
  level: number,
  totals: Totals = noTotals(),
): Promise<void> {
  const feed = new Feed(source);
  const counted: Target = {
    give(data) {
      totals.packed += data.length;
      return out.give(data);
    },
  };
  const compressor = new Compressor(context, counted, level);
  for (let piece = await feed.piece(); piece.length > 0; piece = await feed.piece()) {
    totals.plain += piece.length;
    await compressor.write(piece);
  }
  await compressor.end();
  totals.framing = 18;
}

/** The same for bytes that come one after the other. */
export class Compressor {
  private crc = 0;
  private size = 0;
  private started = false;
  private readonly pump: Pump;
  private readonly out: Target;
  private readonly level: number;

  constructor(context: BaseContext, out: Target, level: number) {
    this.out = out;
    this.level = level;
    this.pump = new Pump(createDeflateRaw({ level }), context, out);
  }

  /** The piece must stay as it is until this has settled. */
  async write(piece: Uint8Array): Promise<void> {
    if (!this.started) await this.start();
    this.crc = crc32(piece, this.crc);
    this.size = (this.size + piece.length) % 2 ** 32;
    await this.pump.push(piece);
  }

  async end(): Promise<void> {
    if (!this.started) await this.start();
    await this.pump.end();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.crc, 0);
    trailer.writeUInt32LE(this.size, 4);
    await this.out.give(trailer);
  }

  private async start(): Promise<void> {
    this.started = true;
    const extra = this.level === 9 ? 2 : this.level === 1 ? 4 : 0;
    await this.out.give(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, extra, 3]));
  }
}

/** All members, one after the other. `plain`: what is no member is passed on as it is (`gzip -cdf`). */
export async function expand(
  context: BaseContext,
  source: ByteSource,
  out: Target,
  plain = false,
  totals: Totals = noTotals(),
): Promise<Expanded> {
  const feed = new Feed(source);
  for (let member = 0; ; member++) {
    totals.packed = feed.taken;
    const magic = await feed.take(2);
    if (member > 0 && magic.length === 0) return 'done';
    if (magic[0] !== 0x1f || magic[1] !== 0x8b) {
      if (plain) return passOn(context, feed, magic, out);
      if (member === 0) return magic.length < 2 ? UNEXPECTED_END : new BadGzip('not in gzip format');
      feed.giveBack(magic);
      return (await isZeros(feed)) ? 'done' : 'trailing garbage ignored';
    }
    const wrong = await readHeader(feed);
    if (wrong !== undefined) return wrong;
    totals.framing += feed.taken - totals.packed + 8;
    const problem = await expandMember(context, feed, out, totals);
    if (problem !== undefined) return problem;
  }
}

async function passOn(context: BaseContext, feed: Feed, first: Buffer, out: Target): Promise<'done'> {
  feed.giveBack(first);
  for (let piece = await feed.piece(); piece.length > 0; piece = await feed.piece()) {
    await context.tick();
    await out.give(piece);
  }
  return 'done';
}

async function isZeros(feed: Feed): Promise<boolean> {
  for (let piece = await feed.piece(); piece.length > 0; piece = await feed.piece()) {
    if (piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** What follows the magic number; nothing in it is used. */
async function readHeader(feed: Feed): Promise<BadGzip | undefined> {
  const fixed = await feed.take(8);
  if (fixed.length < 8) return UNEXPECTED_END;
  const [method = 0, flags = 0] = fixed;
  if (method !== 8) return new BadGzip(`unknown method ${method} -- not supported`);
  if ((flags & 4) !== 0) {
    const size = await feed.take(2);
    if (size.length < 2) return UNEXPECTED_END;
    await feed.take(size.readUInt16LE(0));
  }
  if ((flags & 8) !== 0 && !(await feed.skipText())) return UNEXPECTED_END;
  if ((flags & 16) !== 0 && !(await feed.skipText())) return UNEXPECTED_END;
  if ((flags & 2) !== 0) await feed.take(2);
  return undefined;
}

async function expandMember(
  context: BaseContext,
  feed: Feed,
  out: Target,
  totals: Totals,
): Promise<BadGzip | undefined> {
  let crc = 0;
  let size = 0;
  let total = 0;
  const counted: Target = {
    give(data) {
      crc = crc32(data, crc);
      total += data.length;
      size = (size + data.length) % 2 ** 32;
      return out.give(data);
    },
  };
  const inflate = createInflateRaw();
  const pump = new Pump(inflate, context, counted);
  for (let fed = 0; ; ) {
    const piece = await feed.piece();
    if (piece.length === 0) {
      await pump.end();
      return UNEXPECTED_END;
    }
    await pump.push(piece);
    if (pump.failure !== undefined) return new BadGzip('invalid compressed data--format violated');
    fed += piece.length;
    const unused = fed - inflate.bytesWritten;
    if (unused === 0) continue;
    feed.giveBack(piece.subarray(piece.length - unused));
    break;
  }
  await pump.end();
  const trailer = await feed.take(8);
  if (trailer.length < 8) return UNEXPECTED_END;
  totals.plain += total;
  totals.crc = crc;
  if (trailer.readUInt32LE(0) !== crc) return new BadGzip('invalid compressed data--crc error');
  return trailer.readUInt32LE(4) === size ? undefined : new BadGzip('invalid compressed data--length error');
}

type Transform = ReturnType<typeof createDeflateRaw> | ReturnType<typeof createInflateRaw>;

class Pump {
  failure: Error | undefined;
  private readonly made: Buffer[] = [];
  /** Also after an error, when nobody answers for what was written. */
  private readonly closed: Promise<void>;
  private readonly transform: Transform;
  private readonly context: BaseContext;
  private readonly out: Target;

  constructor(transform: Transform, context: BaseContext, out: Target) {
    this.transform = transform;
    this.context = context;
    this.out = out;
    this.closed = new Promise((resolve) => transform.once('close', () => resolve()));
    transform.on('data', (piece: Buffer) => this.made.push(piece));
    transform.on('error', (error) => {
      this.failure = error;
    });
  }

  async push(piece: Uint8Array): Promise<void> {
    const taken = new Promise<void>((resolve) => this.transform.write(piece, () => resolve()));
    await Promise.race([taken, this.closed]);
    await this.deliver();
  }

  async end(): Promise<void> {
    this.transform.end();
    await this.closed;
    await this.deliver();
  }

  private async deliver(): Promise<void> {
    await this.context.tick();
    for (const piece of this.made.splice(0)) await this.out.give(piece);
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ ((value & 1) * 0xedb88320);
  return value;
});

function crc32(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
