/** The table df prints: which columns there are, and what stands in them. */
import type { FileSystemStat } from '../../src/files/files.js';
import { blocksOf, humanSize } from '../kit/human.js';
import { widthOfText } from '../kit/text-width.js';

export type Field =
  | 'source'
  | 'fstype'
  | 'itotal'
  | 'iused'
  | 'iavail'
  | 'ipcent'
  | 'size'
  | 'used'
  | 'avail'
  | 'pcent'
  | 'file'
  | 'target';

/** In the order of `--output` without a list. */
export const FIELDS: readonly Field[] = [
  'source',
  'fstype',
  'itotal',
  'iused',
  'iavail',
  'ipcent',
  'size',
  'used',
  'avail',
  'pcent',
  'file',
  'target',
];

export interface Row {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  /** The operand, for `--output=file`. */
  readonly file: string;
  readonly facts: Figures;
}

/** Sizes in bytes. */
export interface Figures {
  readonly size: bigint;
  readonly free: bigint;
  readonly available: bigint;
  readonly inodes: bigint;
  readonly freeInodes: bigint;
}

export function figuresOf(facts: FileSystemStat): Figures {
  const block = BigInt(facts.bsize);
  return {
    size: facts.blocks * block,
    free: facts.bfree * block,
    available: facts.bavail * block,
    inodes: facts.files,
    freeInodes: facts.ffree,
  };
}

export function sumOf(rows: readonly Row[]): Row {
  const facts = { size: 0n, free: 0n, available: 0n, inodes: 0n, freeInodes: 0n };
  for (const { facts: one } of rows) {
    facts.size += one.size;
    facts.free += one.free;
    facts.available += one.available;
    facts.inodes += one.inodes;
    facts.freeInodes += one.freeInodes;
  }
  return { source: 'total', type: '-', target: '-', file: '-', facts };
}

export interface Style {
  /** Base of sizes for people. */
  readonly scale: 1024 | 1000 | undefined;
  readonly block: bigint;
  /** The headings of POSIX. */
  readonly posix: boolean;
  /** `--output`: `Avail` is always so short. */
  readonly chosen: boolean;
}

const TITLES: { readonly [field in Field]: string } = {
  source: 'Filesystem',
  fstype: 'Type',
  itotal: 'Inodes',
  iused: 'IUsed',
  iavail: 'IFree',
  ipcent: 'IUse%',
  size: '1K-blocks',
  used: 'Used',
  avail: 'Available',
  pcent: 'Use%',
  file: 'File',
  target: 'Mounted on',
};

const LEFT: ReadonlySet<Field> = new Set<Field>(['source', 'fstype', 'file', 'target']);

const LEAST_WIDTH: { readonly [field in Field]: number } = {
  source: 14,
  fstype: 4,
  itotal: 5,
  iused: 5,
  iavail: 5,
  ipcent: 4,
  size: 5,
  used: 5,
  avail: 5,
  pcent: 4,
  file: 0,
  target: 0,
};

export function table(fields: readonly Field[], rows: readonly Row[], style: Style): string {
  const lines = [
    fields.map((field) => title(field, style)),
    ...rows.map((row) => fields.map((field) => cell(field, row, style))),
  ];
  const widths = fields.map((field, i) =>
    lines.reduce((most, line) => Math.max(most, widthOfText(line[i] as string)), LEAST_WIDTH[field]),
  );
  return lines.map((line) => `${line.map((text, i) => padded(text, i)).join(' ')}\n`).join('');

  function padded(text: string, i: number): string {
    const left = LEFT.has(fields[i] as Field);
    if (left && i === fields.length - 1) return text;
    const spaces = ' '.repeat(Math.max(0, (widths[i] as number) - widthOfText(text)));
    return left ? text + spaces : spaces + text;
  }
}

function title(field: Field, { scale, block, posix, chosen }: Style): string {
  if (field === 'size') {
    if (scale !== undefined) return 'Size';
    return posix ? `${block}-blocks` : `${humanSize(block, 1n, { base: 1024 }).replace('.0', '')}-blocks`;
  }
  if (field === 'avail' && (scale !== undefined || chosen)) return 'Avail';
  if (field === 'pcent' && posix && scale === undefined) return 'Capacity';
  return TITLES[field];
}

function cell(field: Field, row: Row, style: Style): string {
  const { facts } = row;
  const bytes = (amount: bigint): string =>
    style.scale === undefined ? String(blocksOf(amount, style.block)) : humanSize(amount, 1n, { base: style.scale });
  const count = (amount: bigint): string =>
    style.scale === undefined ? String(amount) : humanSize(amount, 1n, { base: style.scale });
  switch (field) {
    case 'source':
      return row.source;
    case 'fstype':
      return row.type;
    case 'target':
      return row.target;
    case 'file':
      return row.file;
    case 'itotal':
      return count(facts.inodes);
    case 'iused':
      return count(facts.inodes - facts.freeInodes);
    case 'iavail':
      return count(facts.freeInodes);
    case 'ipcent':
      return percent(facts.inodes - facts.freeInodes, facts.freeInodes);
    case 'size':
      return bytes(facts.size);
    case 'used':
      return bytes(facts.size - facts.free);
    case 'avail':
      return bytes(facts.available);
    default:
      return percent(facts.size - facts.free, facts.available);
  }
}

/** Of what ordinary users may use, rounded up. */
function percent(used: bigint, available: bigint): string {
  const whole = used + available;
  return whole <= 0n ? '-' : `${(used * 100n + whole - 1n) / whole}%`;
}
