/** What a header of type x or g says of the member that follows: `LENGTH KEY=VALUE`, newline (POSIX XCU pax). */
import type { Header } from './header.js';

export type PaxRecords = ReadonlyMap<string, string>;

/** Undefined when they are malformed. */
export function readPax(body: Buffer): PaxRecords | undefined {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const blank = body.indexOf(32, at);
    const digits = blank < 0 ? '' : body.toString('latin1', at, blank);
    if (!/^[0-9]{1,9}$/.test(digits)) return undefined;
    const end = at + Number(digits);
    const equals = body.indexOf(61, blank);
    if (end > body.length || body[end - 1] !== 10 || equals < 0 || equals >= end) return undefined;
    records.set(body.toString('latin1', blank + 1, equals), body.toString('latin1', equals + 1, end - 1));
    at = end;
  }
  return records;
}

const KNOWN = new Set([
  'path',
  'linkpath',
  'size',
  'mtime',
  'uid',
  'gid',
  'uname',
  'gname',
  'atime',
  'ctime',
  'charset',
  'comment',
]);

export function unknownKeys(records: PaxRecords): readonly string[] {
  return [...records.keys()].filter((key) => !KNOWN.has(key));
}

export function applyPax(header: Header, records: PaxRecords): Header {
  const number = (key: string, otherwise: number): number => {
    const text = records.get(key);
    return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : otherwise;
  };
  const name = records.get('path') ?? header.name;
  return {
    ...header,
    name,
    type: header.type === 'file' && name.endsWith('/') ? 'directory' : header.type,
    link: records.get('linkpath') ?? header.link,
    user: records.get('uname') ?? header.user,
    group: records.get('gname') ?? header.group,
    size: number('size', header.size),
    uid: number('uid', header.uid),
    gid: number('gid', header.gid),
    mtimeNs: nanoseconds(records.get('mtime')) ?? header.mtimeNs,
  };
}

function nanoseconds(text: string | undefined): bigint | undefined {
  const found = /^(-?)([0-9]{1,12})(?:\.([0-9]*))?$/.exec(text ?? '');
  if (found === null) return undefined;
  const [, sign, whole = '0', fraction = ''] = found;
  const value = BigInt(whole) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return sign === '-' ? -value : value;
}
