/** Permission bits as chmod(1) reads them (POSIX, and GNU's additions) and as `ls -l` prints them. */
import type { FileKind } from '../../src/files/files.js';

const SETUID = 0o4000;
const SETGID = 0o2000;
const STICKY = 0o1000;
const ALL = 0o7777;
const READ = 0o444;
const WRITE = 0o222;
const EXECUTE = 0o111;

interface Change {
  readonly op: '=' | '+' | '-';
  /** What `value` still needs: nothing, `X`, or a copy of what the class it names has. */
  readonly flag: 'plain' | 'X' | 'copy';
  /** The bits of the classes named before the operator; 0 where none is, and the umask decides. */
  readonly affected: number;
  readonly value: number;
  /** Bits that were named: setuid and setgid of a directory only change when they were. */
  readonly mentioned: number;
}

/** A mode as it was written: `755`, `u+x,g=u,o-w`. */
export interface ModeChange {
  readonly changes: readonly Change[];
  /** Written in digits. */
  readonly octal: boolean;
}

/** Undefined for what is no mode. */
export function parseMode(text: string): ModeChange | undefined {
  if (/^[0-7]+$/.test(text)) {
    const value = Number.parseInt(text, 8);
    if (value > ALL) return undefined;
    // Up to four digits leave the setuid and setgid bits of a directory alone unless they are given.
    const mentioned = text.length < 5 ? (value & (SETUID | SETGID)) | STICKY | 0o777 : ALL;
    return { octal: true, changes: [{ op: '=', flag: 'plain', affected: ALL, value, mentioned }] };
  }
  const changes: Change[] = [];
  for (const clause of text.split(',')) if (!parseClause(clause, changes)) return undefined;
  return { octal: false, changes };
}

function parseClause(clause: string, changes: Change[]): boolean {
  let i = 0;
  let affected = 0;
  for (; i < clause.length && 'ugoa'.includes(clause[i] as string); i++) affected |= classBits(clause[i] as string);
  if (i === clause.length) return false;
  while (i < clause.length) {
    const op = clause[i++];
    if (op !== '=' && op !== '+' && op !== '-') return false;
    const start = i;
    while (i < clause.length && !'=+-'.includes(clause[i] as string)) i++;
    const change = parsePermissions(op, clause.slice(start, i), affected, i === clause.length);
    if (change === undefined) return false;
    changes.push(change);
  }
  return true;
}

function parsePermissions(op: '=' | '+' | '-', text: string, affected: number, last: boolean): Change | undefined {
  if (/^[0-7]+$/.test(text)) {
    const value = Number.parseInt(text, 8);
    if (affected !== 0 || !last || value > ALL) return undefined;
    return { op, flag: 'plain', affected: ALL, value, mentioned: ALL };
  }
  if (text === 'u' || text === 'g' || text === 'o') {
    const value = text === 'u' ? 0o700 : text === 'g' ? 0o070 : 0o007;
    return { op, flag: 'copy', affected, value, mentioned: affected === 0 ? value : affected & value };
  }
  let value = 0;
  let flag: Change['flag'] = 'plain';
  for (const letter of text) {
    if (letter === 'r') value |= READ;
    else if (letter === 'w') value |= WRITE;
    else if (letter === 'x') value |= EXECUTE;
    else if (letter === 's') value |= SETUID | SETGID;
    else if (letter === 't') value |= STICKY;
    else if (letter === 'X') flag = 'X';
    else return undefined;
  }
  return { op, flag, affected, value, mentioned: affected === 0 ? value : affected & value };
}

function classBits(letter: string): number {
  if (letter === 'u') return SETUID | 0o700;
  if (letter === 'g') return SETGID | 0o070;
  return letter === 'o' ? STICKY | 0o007 : ALL;
}

/** The permission bits that `old` becomes. */
export function adjustMode(old: number, directory: boolean, umask: number, mode: ModeChange): number {
  let bits = old & ALL;
  for (const change of mode.changes) {
    const kept = directory ? (SETUID | SETGID) & ~change.mentioned : 0;
    let { value } = change;
    if (change.flag === 'copy') {
      value &= bits;
      value |= (value & READ ? READ : 0) | (value & WRITE ? WRITE : 0) | (value & EXECUTE ? EXECUTE : 0);
    } else if (change.flag === 'X' && (directory || (bits & EXECUTE) !== 0)) value |= EXECUTE;
    value &= (change.affected === 0 ? ~umask : change.affected) & ~kept;
    if (change.op === '+') bits |= value;
    else if (change.op === '-') bits &= ~value;
    else bits = (bits & ((change.affected === 0 ? 0 : ~change.affected) | kept)) | value;
  }
  return bits & ALL;
}

const KIND_LETTERS: { readonly [kind in FileKind]: string } = {
  file: '-',
  directory: 'd',
  symlink: 'l',
  fifo: 'p',
  socket: 's',
  block: 'b',
  character: 'c',
};

/** `drwxr-xr-x`, as `ls -l` and `stat -c %A` print it. */
export function modeString(kind: FileKind, mode: number): string {
  const executable = (bit: number, special: number, letter: string): string => {
    if ((mode & special) === 0) return mode & bit ? 'x' : '-';
    return mode & bit ? letter : letter.toUpperCase();
  };
  const readWrite = (shift: number): string => ((mode >> shift) & 4 ? 'r' : '-') + ((mode >> shift) & 2 ? 'w' : '-');
  return (
    KIND_LETTERS[kind] +
    readWrite(6) +
    executable(0o100, SETUID, 's') +
    readWrite(3) +
    executable(0o010, SETGID, 's') +
    readWrite(0) +
    executable(0o001, STICKY, 't')
  );
}
