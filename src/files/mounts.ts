/**
 * File systems that are not files but doors into the kernel: no root may be on one, and no walk crosses into one. Known by
 * statfs type, not by path; asked once for each device number.
 */

import type { FileStat } from './files.js';
import { type Held, Refused } from './kernel.js';

const KERNEL_INTERFACES: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x1cd1, // devpts
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0xcafe4a11, // bpf
  0x62656570, // configfs
  0xde5e81e4, // efivarfs
  0xf97cff8c, // selinuxfs
  0x43415d53, // smackfs
  0x42494e4d, // binfmt_misc
  0x65735543, // fusectl
  0x6e736673, // nsfs
]);

export class Mounts {
  readonly #allowed = new Map<bigint, boolean>();

  /** `devices`: the device numbers of what holds device nodes. (devtmpfs has no type of its own, it answers as a tmpfs.) */
  constructor(devices: Iterable<bigint> = []) {
    for (const dev of devices) this.#allowed.set(dev, false);
  }

  allows(held: Held): boolean {
    const known = this.#allowed.get(held.stat.dev);
    if (known !== undefined) return known;
    const allowed = !KERNEL_INTERFACES.has(held.statfs().type);
    this.#allowed.set(held.stat.dev, allowed);
    return allowed;
  }

  /** Throws where `held` is on such a file system. */
  check(held: Held): void {
    if (!this.allows(held)) throw new Refused('EACCES', 'kernel-interface');
  }

  /** The same of an entry that is not held: it is taken hold of only when its device was never met. */
  checkEntry(stat: FileStat, directory: Held, name: string): void {
    const known = this.#allowed.get(stat.dev);
    if (known === true) return;
    if (known === false) throw new Refused('EACCES', 'kernel-interface');
    const held = directory.hold(name);
    try {
      this.check(held);
    } finally {
      held.release();
    }
  }
}
