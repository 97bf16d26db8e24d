/** An archive as it comes, chunk by chunk: headers are put together, bodies are handed on. */
import { limitReached } from '../../src/limits.js';
import type { Awaitable } from '../../src/steps.js';
import type { BaseContext } from '../kit/context.js';
import { BLOCK, type Header, padding, readHeader } from './header.js';
import { shown } from './names.js';
import { applyPax, type PaxRecords, readPax, unknownKeys } from './pax.js';
import { Fatal, type Report } from './report.js';

/** Takes the bytes of one member. */
export interface Body {
  write(bytes: Uint8Array): Awaitable<unknown>;
  end(): Awaitable<unknown>;
  /** The archive ends before the member does. */
  abandon(): Awaitable<unknown>;
}

export type OnMember = (header: Header) => Promise<Body | undefined>;

/** Long names and pax records: nobody needs more than this. */
const LONGEST_NOTE = 1024 * 1024;

interface Open {
  readonly body: Body | undefined;
  left: number;
}

export class ArchiveReader {
  /** Two blocks of zeros were there. */
  ended = false;
  private readonly context: BaseContext;
  private readonly report: Report;
  private readonly onMember: OnMember;
  private readonly block = Buffer.alloc(BLOCK);
  private held = 0;
  private member: Open | undefined;
  private skip = 0;
  private blocks = 0;
  private last: 'nothing' | 'good' | 'bad' | 'zero' = 'nothing';
  private longName: string | undefined;
  private longLink: string | undefined;
  private pax: PaxRecords | undefined;
  private global: PaxRecords = new Map();

  constructor(context: BaseContext, report: Report, onMember: OnMember) {
    this.context = context;
    this.report = report;
    this.onMember = onMember;
  }

  async give(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.ended; ) {
      const rest = bytes.length - at;
      if (this.member !== undefined) {
        const count = Math.min(rest, this.member.left);
        await this.member.body?.write(bytes.subarray(at, at + count));
        at += count;
        this.member.left -= count;
        if (this.member.left === 0) await this.close();
      } else if (this.skip > 0) {
        const count = Math.min(rest, this.skip);
        this.skip -= count;
        at += count;
      } else {
        const count = Math.min(rest, BLOCK - this.held);
        this.block.set(bytes.subarray(at, at + count), this.held);
        this.held += count;
        at += count;
        if (this.held === BLOCK) await this.header();
      }
    }
  }

  /** No more comes. */
  async end(): Promise<void> {
    if (this.ended) return;
    if (this.member !== undefined || this.skip > 0) {
      await this.member?.body?.abandon();
      this.context.complain('Unexpected EOF in archive');
      throw new Fatal();
    }
    if (this.last === 'nothing') this.report.error('This does not look like a tar archive');
    else if (this.last === 'zero') this.context.complain(`A lone zero block at ${this.blocks}`);
  }

  private async close(): Promise<void> {
    const { member } = this;
    this.member = undefined;
    await member?.body?.end();
  }

  private async header(): Promise<void> {
    this.held = 0;
    this.blocks++;
    const header = readHeader(this.block);
    if (header === 'zero') {
      this.ended = this.last === 'zero';
      this.last = 'zero';
    } else if (header === undefined) {
      if (this.last === 'nothing') this.report.error('This does not look like a tar archive');
      if (this.last !== 'bad') this.report.error('Skipping to next header');
      this.last = 'bad';
    } else {
      this.last = 'good';
      await this.good(header);
    }
  }

  private async good(header: Header): Promise<void> {
    const take = this.noteFor(header);
    if (take !== undefined) return this.open(header.size, new Note(this.context, header.size, take));
    const records = new Map([...this.global, ...(this.pax ?? [])]);
    let member = applyPax(header, records);
    if (this.longName !== undefined) {
      const type = header.type === 'file' && this.longName.endsWith('/') ? 'directory' : header.type;
      member = { ...member, name: this.longName, type };
    }
    if (this.longLink !== undefined) member = { ...member, link: this.longLink };
    this.longName = this.longLink = this.pax = undefined;
    const hasBody = member.type === 'file' || member.type === undefined;
    const size = hasBody ? member.size : 0;
    const body = await this.onMember(member);
    await this.open(size, body);
  }

  private async open(size: number, body: Body | undefined): Promise<void> {
    this.member = { body, left: size };
    this.skip = padding(size);
    this.blocks += Math.ceil(size / BLOCK);
    if (size === 0) await this.close();
  }

  /** What to do with the bytes of a header that is about the next one. */
  private noteFor({ flag }: Header): ((bytes: Buffer) => void) | undefined {
    const text = (bytes: Buffer) => bytes.toString('latin1').replace(/\0.*$/s, '');
    if (flag === 'L') {
      return (bytes) => {
        this.longName = text(bytes);
      };
    }
    if (flag === 'K') {
      return (bytes) => {
        this.longLink = text(bytes);
      };
    }
    if (flag !== 'x' && flag !== 'g') return undefined;
    return (bytes) => {
      const records = readPax(bytes);
      if (records === undefined) return this.report.error('Malformed extended header');
      for (const key of unknownKeys(records)) {
        if (key.startsWith('GNU.sparse.')) {
          this.report.error('sparse members are not supported');
          throw new Fatal();
        }
        this.context.complain(`Ignoring unknown extended header keyword '${shown(key)}'`);
      }
      if (flag === 'x') this.pax = records;
      else this.global = new Map([...this.global, ...records]);
    };
  }
}

class Note implements Body {
  private readonly bytes: Buffer;
  private size = 0;
  private readonly take: (bytes: Buffer) => void;

  constructor(context: BaseContext, size: number, take: (bytes: Buffer) => void) {
    const { maxStringBytes } = context.limits;
    if (size > Math.min(LONGEST_NOTE, maxStringBytes)) throw limitReached('maxStringBytes', maxStringBytes);
    this.bytes = Buffer.alloc(size);
    this.take = take;
  }
  write(bytes: Uint8Array): undefined {
    this.bytes.set(bytes, this.size);
    this.size += bytes.length;
  }
  end(): undefined {
    this.take(this.bytes);
  }
  abandon(): undefined {}
}
