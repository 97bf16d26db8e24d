/** The block before each member: POSIX XCU pax, "ustar Interchange Format", and GNU's older form of it. */

export const BLOCK = 512;

/** What a member is, as its type flag says. */
export type Type = 'file' | 'hard link' | 'symlink' | 'character' | 'block' | 'directory' | 'fifo';

const TYPES: ReadonlyMap<string, Type> = new Map([
  ['\0', 'file'],
  ['0', 'file'],
  ['7', 'file'],
  ['1', 'hard link'],
  ['2', 'symlink'],
  ['3', 'character'],
  ['4', 'block'],
  ['5', 'directory'],
  ['6', 'fifo'],
]);
const FLAGS = {
  file: '0',
  'hard link': '1',
  symlink: '2',
  character: '3',
  block: '4',
  directory: '5',
  fifo: '6',
} as const satisfies Record<Type, string>;

export interface Header {
  /** The type flag. */
  readonly flag: string;
  /** Undefined for what is none of them. */
  readonly type: Type | undefined;
  /** Byte strings. */
  readonly name: string;
  readonly link: string;
  readonly user: string;
  readonly group: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly major: number;
  readonly minor: number;
}

/** Undefined when the block is no header; `'zero'` for one of zeros. */
export function readHeader(block: Buffer): Header | 'zero' | undefined {
  if (block.every((byte) => byte === 0)) return 'zero';
  const number = (from: number, length: number) => readNumber(block.subarray(from, from + length));
  const text = (from: number, length: number) => readText(block.subarray(from, from + length));
  if (!sums(block).includes(number(148, 8) ?? -1)) return undefined;
  const size = number(124, 12);
  if (size === undefined || size < 0) return undefined;
  const flag = String.fromCharCode(block[156] as number); // the block has 512 bytes
  const magic = block.toString('latin1', 257, 263);
  const prefix = magic === 'ustar\0' ? text(345, 155) : '';
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const hasNames = magic.startsWith('ustar');
  let type = TYPES.get(flag);
  if (type === 'file' && name.endsWith('/')) type = 'directory';
  return {
    flag,
    type,
    name,
    link: text(157, 100),
    user: hasNames ? text(265, 32) : '',
    group: hasNames ? text(297, 32) : '',
    mode: (number(100, 8) ?? 0) & 0o7777,
    uid: number(108, 8) ?? 0,
    gid: number(116, 8) ?? 0,
    size,
    mtimeNs: BigInt(number(136, 12) ?? 0) * 1_000_000_000n,
    major: hasNames ? (number(329, 8) ?? 0) : 0,
    minor: hasNames ? (number(337, 8) ?? 0) : 0,
  };
}

/** The checksum, and what old tars made of it, whose characters had a sign. */
function sums(block: Buffer): readonly [number, number] {
  let unsigned = 0;
  let signed = 0;
  for (let i = 0; i < BLOCK; i++) {
    const byte = i >= 148 && i < 156 ? 32 : (block[i] as number);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return [unsigned, signed];
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? field.length : end);
}

/** Octal digits, or a number of base 256 where the first bit is set. Undefined where it is no number. */
function readNumber(field: Buffer): number | undefined {
  const first = field[0] as number; // no field is empty
  if ((first & 0x80) === 0) {
    const digits = /^ *([0-7]*)[ \0]*/.exec(field.toString('latin1'));
    return digits === null || digits[0].length < 1 ? undefined : Number.parseInt(digits[1] || '0', 8);
  }
  let value = first === 0xff ? -1n : BigInt(first & 0x7f);
  for (const byte of field.subarray(1)) value = value * 256n + BigInt(byte);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** GNU's form. Names longer than their fields are cut: what is said of them before counts. */
export function writeHeader(header: Omit<Header, 'flag' | 'type'> & { readonly type: Type | 'L' | 'K' }): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(header.name.slice(0, 100), 0, 'latin1');
  writeNumber(block, 100, 8, header.mode);
  writeNumber(block, 108, 8, header.uid);
  writeNumber(block, 116, 8, header.gid);
  writeNumber(block, 124, 12, header.size);
  const seconds = header.mtimeNs / 1_000_000_000n - (header.mtimeNs % 1_000_000_000n < 0n ? 1n : 0n);
  writeNumber(block, 136, 12, Number(seconds));
  const { type } = header;
  block.write(type === 'L' || type === 'K' ? type : FLAGS[type], 156, 'latin1');
  block.write(header.link.slice(0, 100), 157, 'latin1');
  block.write('ustar  \0', 257, 'latin1');
  block.write(header.user.slice(0, 31), 265, 'latin1');
  block.write(header.group.slice(0, 31), 297, 'latin1');
  if (type === 'character' || type === 'block') {
    writeNumber(block, 329, 8, header.major);
    writeNumber(block, 337, 8, header.minor);
  }
  block.write(`${sums(block)[0].toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function writeNumber(block: Buffer, from: number, length: number, value: number): void {
  if (value >= 0 && value < 8 ** (length - 1)) {
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, from, 'latin1');
    return;
  }
  let rest = BigInt(value);
  for (let i = from + length - 1; i > from; i--) {
    block[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  block[from] = value < 0 ? 0xff : 0x80;
}

/** How many zeros follow so many bytes. */
export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
