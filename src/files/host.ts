/** What procfs and sysfs tell of a host, as data: processes, the files they hold open, interfaces of the network. */
import type { FileKind } from './files.js';

/** Texts that the kernel keeps, by the last part of their name in proc(5), and the names of ports. */
export type KernelText =
  | 'meminfo'
  | 'stat'
  | 'vmstat'
  | 'pid_max'
  | 'tcp'
  | 'tcp6'
  | 'udp'
  | 'udp6'
  | 'sockstat'
  | 'sockstat6'
  | 'snmp'
  | 'route'
  | 'ipv6_route'
  | 'if_inet6'
  | 'services';

/** proc(5): `/proc/PID/stat` and `/proc/PID/status`, of one moment each. */
export interface ProcessTexts {
  readonly pid: number;
  readonly stat: string;
  readonly status: string;
}

export interface HeldFile {
  /** `cwd`, `rtd`, `txt`, or the number of the descriptor. */
  readonly place: string;
  /** What procfs's link says: a path, ` (deleted)` after it, or `socket:[123]`. */
  readonly link: string;
  /** Undefined where the kernel does not tell. */
  readonly stat: HeldStat | undefined;
  /** Open flags as in open(2), and the offset, for a descriptor. */
  readonly flags: number | undefined;
  readonly position: bigint | undefined;
}

export interface HeldStat {
  readonly kind: FileKind | undefined;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly rdev: bigint;
  readonly nlink: number;
  readonly size: bigint;
}

/** One network interface, as /sys/class/net has it: undefined for what is not there. */
export interface NetworkInterface {
  readonly name: string;
  readonly index: number;
  readonly peerIndex: number | undefined;
  readonly flags: number;
  readonly mtu: number;
  readonly queueLength: number | undefined;
  /** `up`, `down`, `unknown` ... */
  readonly state: string;
  /** Whether there is somebody at the other end; undefined for an interface that is down. */
  readonly carrier: boolean | undefined;
  readonly type: number;
  readonly address: string;
  readonly broadcast: string;
  /** IPv4 addresses with the length of their network: `192.0.2.2/24`. */
  readonly addresses4: readonly string[];
}

export interface KernelFacts {
  /** The number of the process that asks. */
  readonly self: number;
  /** Undefined where this kernel has no such file. */
  text(name: KernelText): string | undefined;
  /** Numbers of the processes there are, rising. */
  processes(): readonly number[];
  /** Undefined when the process has ended. */
  process(pid: number): ProcessTexts | undefined;
  /** What a process holds open. Undefined where this user may not look, or the process has ended. */
  heldFiles(pid: number): readonly HeldFile[] | undefined;
  interfaces(): readonly NetworkInterface[];
}
