/** Which open files lsof shows. */
import type { HeldFile } from '../../src/files/host.js';
import type { HostFacts } from '../kit/context.js';
import type { Process } from '../kit/host/process.js';

export interface Words {
  readonly flags: {
    readonly pids: readonly string[] | undefined;
    readonly users: readonly string[] | undefined;
    readonly names: readonly string[] | undefined;
    readonly every: true | undefined;
  };
  readonly files: readonly FileOperand[];
  /** `+L1`: those that have fewer names. */
  readonly links: number | undefined;
}

/** A file that somebody may hold open. */
export interface FileOperand {
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface Selection {
  /** False: no file of it can be wanted. */
  readonly mayWant: (process: Process) => boolean;
  readonly wants: (process: Process, file: HeldFile) => boolean;
}

type ProcessTest = (process: Process) => boolean;
type FileTest = (file: HeldFile) => boolean;

/** Any of what is asked for will do, or with `-a` all. A text is what is wrong. */
export function selectionOf({ flags, files, links }: Words, host: Pick<HostFacts, 'userId'>): Selection | string {
  const processTests: ProcessTest[] = [];
  const fileTests: FileTest[] = [];
  if (flags.pids !== undefined) {
    const words = listed(flags.pids);
    const bad = words.find((word) => !/^[0-9]+$/.test(word));
    if (bad !== undefined) return `illegal process ID: ${bad}`;
    const pids = new Set(words.map(Number));
    processTests.push(({ pid }) => pids.has(pid));
  }
  if (flags.users !== undefined) {
    const users = new Set<number>();
    for (const word of listed(flags.users)) {
      const id = /^[0-9]+$/.test(word) ? Number(word) : host.userId(word);
      if (id === undefined) return `can't get UID for ${word}`;
      users.add(id);
    }
    processTests.push(({ uid }) => users.has(uid));
  }
  const { names } = flags;
  if (names !== undefined) processTests.push(({ comm }) => names.some((name) => comm.startsWith(name)));
  if (files.length > 0) {
    fileTests.push(({ stat }) => files.some(({ dev, ino }) => stat?.dev === dev && stat.ino === ino));
  }
  // Without anything else asked for, every file; and `+L` alone is a question of its own.
  if (links !== undefined) fileTests.push(({ stat }) => stat !== undefined && hasNames(stat) && stat.nlink < links);
  const every = flags.every === true || processTests.length + fileTests.length === 1;
  if (processTests.length + fileTests.length === 0) return { mayWant: () => true, wants: () => true };
  if (every) {
    return {
      mayWant: (process) => processTests.every((test) => test(process)),
      wants: (process, file) => processTests.every((test) => test(process)) && fileTests.every((test) => test(file)),
    };
  }
  return {
    mayWant: () => true,
    wants: (process, file) => processTests.some((test) => test(process)) || fileTests.some((test) => test(file)),
  };
}

/** Pipes and sockets were never in a directory. */
function hasNames({ kind }: { readonly kind: string | undefined }): boolean {
  return kind === 'file' || kind === 'directory' || kind === 'character' || kind === 'block';
}

function listed(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(',')).filter((word) => word !== '');
}
