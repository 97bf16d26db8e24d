/** Which processes ps shows: by its options, and by words without a dash as BSD had them. */
import type { HostFacts } from '../kit/context.js';
import type { Process } from '../kit/host/process.js';

/** What is wrong with the words. */
export class PsError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export interface Selection {
  /** `self`: the process that asks, if it can be seen. */
  readonly includes: (process: Process, self: Process | undefined) => boolean;
  readonly format: 'short' | 'bsd' | 'user';
  /** What a word without a dash asks for. */
  readonly columns: readonly string[];
  readonly bare: boolean;
}

interface Words {
  readonly flags: {
    readonly every: true | undefined;
    readonly pids: readonly string[] | undefined;
    readonly parents: readonly string[] | undefined;
    readonly names: readonly string[] | undefined;
    readonly users: readonly string[] | undefined;
  };
  readonly operands: readonly string[];
}

type Test = (process: Process) => boolean;

export function selectionOf({ flags, operands }: Words, host: Pick<HostFacts, 'userId'>): Selection | PsError {
  const bsd = readLetters(operands);
  if (bsd instanceof PsError) return bsd;
  const tests: Test[] = [];
  const pids = numbers([...(flags.pids ?? []), ...bsd.pids]);
  const parents = numbers(flags.parents ?? []);
  if (pids === undefined || parents === undefined) return new PsError('process ID list syntax error');
  if (pids.size > 0) tests.push(({ pid }) => pids.has(pid));
  if (parents.size > 0) tests.push(({ ppid }) => parents.has(ppid));
  const names = new Set(listed(flags.names ?? []));
  if (names.size > 0) tests.push(({ comm }) => names.has(comm));
  const users = new Set<number>();
  for (const word of listed(flags.users ?? [])) {
    const id = /^[0-9]+$/.test(word) ? Number(word) : host.userId(word);
    if (id === undefined) return new PsError('user name does not exist');
    users.add(id);
  }
  if (users.size > 0) tests.push(({ uid }) => users.has(uid));
  const { letters, columns } = bsd;
  return {
    includes: (process, self) => {
      if (flags.every || tests.some((test) => test(process))) return true;
      if (tests.length > 0) return false;
      return includedByDefault(process, self, letters);
    },
    format: letters.has('u') ? 'user' : bsd.given ? 'bsd' : 'short',
    columns,
    bare: letters.has('h'),
  };
}

/** The user's own on this terminal; with `a` of all users, with `x` also without a terminal. */
function includedByDefault(process: Process, self: Process | undefined, letters: ReadonlySet<string>): boolean {
  const isOwn = process.uid === self?.uid;
  if (letters.has('x')) return letters.has('a') || isOwn;
  if (letters.has('a')) return process.tty !== 0;
  return isOwn && process.tty === self?.tty;
}

interface Letters {
  readonly letters: ReadonlySet<string>;
  readonly columns: readonly string[];
  readonly pids: readonly string[];
  readonly given: boolean;
}

/** `aux`, `axo pid,comm`, `1234`. */
function readLetters(operands: readonly string[]): Letters | PsError {
  const letters = new Set<string>();
  const columns: string[] = [];
  const pids: string[] = [];
  for (let i = 0; i < operands.length; i++) {
    const word = operands[i] as string;
    if (/^[0-9]/.test(word)) {
      pids.push(word);
      continue;
    }
    for (let at = 0; at < word.length; at++) {
      const letter = word[at] as string;
      if (letter === 'o') {
        const list = word.slice(at + 1) || operands[++i];
        if (list === undefined) return new PsError('format specification must follow o');
        columns.push(list);
        break;
      }
      if (letter === 'e') return new PsError('the environment of processes is not shown');
      if (!'auxwh'.includes(letter)) return new PsError('unsupported option (BSD syntax)');
      letters.add(letter);
    }
  }
  return { letters, columns, pids, given: operands.length > 0 };
}

function listed(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(/[, \t]+/)).filter((word) => word !== '');
}

/** Undefined: one of them is no number of a process. */
function numbers(lists: readonly string[]): ReadonlySet<number> | undefined {
  const words = listed(lists);
  if (words.length === 0 && lists.length > 0) return undefined;
  return words.every((word) => /^[1-9][0-9]*$/.test(word)) ? new Set(words.map(Number)) : undefined;
}
