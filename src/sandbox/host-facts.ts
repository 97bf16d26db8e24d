/** What commands may know of the host: users and groups, its own name, kernel and load, mounted file systems. Fixed paths only. */
import * as fs from 'node:fs';
import { availableParallelism, cpus, hostname, loadavg, machine, release, type, uptime, version } from 'node:os';
import type { KernelFacts } from '../files/host.js';
import type { Awaitable } from '../steps.js';
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
  readonly realUid: number;
  readonly realGid: number;
  account(name: string): KnownAccount | undefined;
  hostName(): string;
  /** As tzdata names it; undefined where `/etc/localtime` is no link to it. */
  timeZone(): string | undefined;
  system(): { readonly name: string; readonly release: string; readonly version: string; readonly machine: string };
  processors(): { readonly all: number; readonly usable: number };
  load(): {
    readonly uptime: number;
    readonly averages: readonly [number, number, number];
    readonly logins: number;
  };
  mounts(): readonly Mount[];
  kernel(): Awaitable<KernelFacts>;
}

interface KnownAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly dev: bigint;
  /** Which directory of its file system is mounted. */
  readonly root: string;
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
    realUid: process.getuid?.() ?? 0,
    realGid: process.getgid?.() ?? 0,
    account: readAccount,
    timeZone: zoneOfHost,
    hostName: hostname,
    system: () => ({ name: type(), release: release(), version: version(), machine: machine() }),
    processors: () => ({ all: cpus().length, usable: availableParallelism() }),
    load: () => {
      const [one = 0, five = 0, fifteen = 0] = loadavg();
      return { uptime: uptime(), averages: [one, five, fifteen], logins: countLogins() };
    },
    mounts: readMounts,
    kernel: () => import('./kernel-facts.js').then(({ kernelFacts }) => kernelFacts),
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

/** passwd(5): `name:x:uid:gid:...`; group(5): `name:x:gid:member,member`. */
function readAccount(name: string): KnownAccount | undefined {
  const line = readLines('/etc/passwd').find((one) => one.startsWith(`${name}:`));
  const [, , uid = '', gid = ''] = line?.split(':') ?? [];
  if (!/^[0-9]+$/.test(uid) || !/^[0-9]+$/.test(gid)) return undefined;
  const groups = new Set([Number(gid)]);
  for (const group of readLines('/etc/group')) {
    const [, , id = '', members = ''] = group.split(':');
    if (/^[0-9]+$/.test(id) && members.split(',').includes(name)) groups.add(Number(id));
  }
  return { name, uid: Number(uid), gid: Number(gid), groups: [...groups] };
}

/** utmp(5): records of 384 bytes, which begin with their type. */
function countLogins(): number {
  const SIZE = 384;
  const USER_PROCESS = 7;
  let records: Buffer;
  try {
    records = fs.readFileSync('/run/utmp');
  } catch {
    return 0;
  }
  let logins = 0;
  for (let at = 0; at + SIZE <= records.length; at += SIZE) if (records.readInt16LE(at) === USER_PROCESS) logins++;
  return logins;
}

/** proc(5), mountinfo: `36 35 98:0 /root /target options - type source super`. */
export function readMounts(): Mount[] {
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
      root: unescapeField(words[3] ?? ''),
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

function zoneOfHost(): string | undefined {
  try {
    return /\/zoneinfo\/(.+)$/.exec(fs.readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
}
