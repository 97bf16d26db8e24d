/** A raw descriptor of an open regular file. */

import * as fs from 'node:fs';
import type { FileStat } from '../files/files.js';
import type { OpenHow, RawFile } from '../files/kernel.js';
import { descriptorInfo } from './descriptor-info.js';
import { fileStat } from './stat.js';

const { O_APPEND, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

/**
 * open(2)'s flags. Never `O_TRUNC`: a file is cut when it has passed every check. `O_NONBLOCK` changes nothing about a regular
 * file, but that a lease another process took on it fails the open (EAGAIN) and does not hold up the whole shell.
 */
export function flagsOf(how: OpenHow): number {
  const access = how.write ? (how.read ? O_RDWR : O_WRONLY) : O_RDONLY;
  return access | O_NONBLOCK | (how.append ? O_APPEND : 0);
}

export class OpenDescriptor implements RawFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  stat(): FileStat {
    return fileStat(fs.fstatSync(this.#fd, { bigint: true }));
  }

  /** The number, for this room alone. */
  get number(): number {
    return this.#fd;
  }

  tell(): number | undefined {
    return descriptorInfo('/proc/self', this.#fd)?.position;
  }

  read(buffer: Uint8Array, position: number | null): number {
    return fs.readSync(this.#fd, buffer, 0, buffer.length, position);
  }

  write(data: Uint8Array, position: number | null): number {
    return fs.writeSync(this.#fd, data, 0, data.length, position);
  }

  truncate(size: number): void {
    fs.ftruncateSync(this.#fd, size);
  }

  chmod(mode: number): void {
    fs.fchmodSync(this.#fd, mode);
  }

  close(): void {
    fs.closeSync(this.#fd);
  }
}
