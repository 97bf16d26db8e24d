/** The strings in bytes (`od -S`): printable characters, as many as asked for, and a NUL after them. */
import { type Limits, limitReached } from '../../src/limits.js';

export class StringDump {
  private text = '';
  private offset: number;
  private readonly limit: number;
  private readonly shortest: number;
  private readonly address: (offset: number) => string;

  constructor({ maxStringBytes }: Limits, shortest: number, address: (offset: number) => string, offset: number) {
    this.limit = maxStringBytes;
    this.shortest = shortest;
    this.address = address;
    this.offset = offset;
  }

  /** The lines of the strings that end in the chunk. */
  take(chunk: Uint8Array): string {
    let lines = '';
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte >= 0x20 && byte < 0x7f) {
        this.text += String.fromCharCode(byte);
        if (this.text.length > this.limit) throw limitReached('maxStringBytes', this.limit);
        continue;
      }
      if (byte === 0 && this.text.length >= this.shortest) {
        const address = this.address(this.offset + i - this.text.length);
        lines += `${address === '' ? '' : `${address} `}${this.text}\n`;
      }
      this.text = '';
    }
    this.offset += chunk.length;
    return lines;
  }

  /** What has no NUL after it is no string. */
  end(): string {
    return '';
  }
}
