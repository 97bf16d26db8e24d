/** What commands may know of the host: users and groups by name, its own name, mounted file systems. Fixed paths only. */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { decode } from '../text/bytes.js';

/** The kit's `HostFacts`, which this room does not import. */
export interface KnownHost {
  userName(uid: number): string | undefined;
  groupName(gid: number): string | undefined;
  userId(name: string): number | undefined;
  groupId(name: string): number | undefined;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  hostName(): string;
  mounts(): readonly Mount[];
}

export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly dev: bigint;
}

/** Reads each file once, when somebody first asks. */
export function hostFacts(): KnownHost {
  const users = once(() => new Table('/etc/passwd'));
  const groups = once(() => new Table('/etc/group'));
  return {
    userName: (uid) => users().names.get(uid),
    groupName: (gid) => groups().names.get(gid),
    userId: (name) => users().ids.get(name),
    groupId: (name) => groups().ids.get(name),
    uid: process.geteuid?.() ?? 0,
    gid: process.getegid?.() ?? 0,
    groups: process.getgroups?.() ?? [],
    hostName: hostname,
    mounts: readMounts,
  };
}

function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}

/** `name:x:id:...`: passwd(5), group(5). The first line of an id or a name counts. */
class Table {
  readonly names = new Map<number, string>();
  readonly ids = new Map<string, number>();

  constructor(path: string) {
    for (const line of readLines(path)) {
      const [name, , number] = line.split(':');
      const id = Number(number);
      if (name === undefined || number === undefined || number === '' || !Number.isInteger(id)) continue;
      if (!this.names.has(id)) this.names.set(id, name);
      if (!this.ids.has(name)) this.ids.set(name, id);
    }
  }
}

function readLines(path: string): string[] {
  try {
    return decode(fs.readFileSync(path)).split('\n');
  } catch {
    // A host without the file has no names: numbers are shown instead.
    return [];
  }
}

/** proc(5), mountinfo: `36 35 98:0 /root /target options - type source super`. */
function readMounts(): Mount[] {
  const mounts: Mount[] = [];
  for (const line of readLines('/proc/self/mountinfo')) {
    const words = line.split(' ');
    const separator = words.indexOf('-', 6);
    if (separator < 0) continue;
    const [major = '0', minor = '0'] = (words[2] ?? '').split(':');
    mounts.push({
      source: unescapeField(words[separator + 2] ?? ''),
      target: unescapeField(words[4] ?? ''),
      type: words[separator + 1] ?? '',
      dev: deviceNumber(BigInt(major), BigInt(minor)),
    });
  }
  return mounts;
}

/** A blank, tab, newline or backslash in a name is three octal digits. */
function unescapeField(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** makedev(3), as stat(2) has it on Linux. */
function deviceNumber(major: bigint, minor: bigint): bigint {
  return ((major & 0xfffff000n) << 32n) | ((major & 0xfffn) << 8n) | ((minor & 0xffffff00n) << 12n) | (minor & 0xffn);
}
