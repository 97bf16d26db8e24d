/** What can go wrong, as data. Programs read `code` and the fields; `message` is for people. */

/** POSIX's words for an errno (XBD `<errno.h>`, as glibc prints them), and ours for what only a policy refuses. */
const FS_MESSAGES = {
  E2BIG: 'Argument list too long',
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EBADF: 'Bad file descriptor',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  EMLINK: 'Too many links',
  ENAMETOOLONG: 'File name too long',
  ENFILE: 'Too many open files in system',
  ENODEV: 'No such device',
  ENOEXEC: 'Exec format error',
  ENOENT: 'No such file or directory',
  ENOMEM: 'Cannot allocate memory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  ENOTSUP: 'Operation not supported',
  ENXIO: 'No such device or address',
  EPERM: 'Operation not permitted',
  EPIPE: 'Broken pipe',
  EROFS: 'Read-only file system',
  ESPIPE: 'Illegal seek',
  ESTALE: 'Stale file handle',
  ETXTBSY: 'Text file busy',
  EXDEV: 'Invalid cross-device link',
  /** The run's removals are spent. */
  BUDGET: 'run-wide budget of file removals is exhausted',
  /** The policy's mode is read-only. */
  READ_ONLY_MODE: 'remediation mode required',
  /** A write went through a symlink. */
  SYMLINK_WRITE: 'symlinks are not supported as write targets',
  /** A write to a file that has another name. */
  HARD_LINK_WRITE: 'refusing to write to a file with more than one link',
  /** A FIFO, socket or device where only a regular file will do. */
  SPECIAL_FILE: 'not a regular file',
} as const;

/** The names of errno that there are here, and ours. */
export type FsErrorCode = keyof typeof FS_MESSAGES;

/** The rule of the policy that refused something: for programs and for the audit trail. */
export type PolicyRule =
  /** Something would be changed, and the mode is read-only. */
  | 'mode'
  | 'outside-roots'
  | 'read-only-root'
  /** A root itself, or a directory that holds one, would be removed or renamed. */
  | 'root'
  /** A write through a symbolic link. */
  | 'symlink'
  /** A write to a file that has another name. */
  | 'link-count'
  /** A FIFO, socket or device where only a regular file will do. */
  | 'special-file'
  /** procfs, sysfs and their like, also where one is mounted within a root. */
  | 'kernel-interface'
  /** The run's removals are spent. */
  | 'budget'
  /** More files for one rm than it may have. */
  | 'operands'
  /** A command that is not among those that are granted. */
  | 'command';

/** The file system, or the policy in front of it, said no. */
export class FsError extends Error {
  override readonly name = 'FsError';
  /** The name of errno, or one of ours: `BUDGET` when the removals of the run are spent. */
  readonly code: FsErrorCode;
  /** The path as the script wrote it; never a descriptor path, never a path outside the roots that the script did not name. */
  readonly path: string;

  /** `message` replaces the code's own words where a number belongs in them (BUDGET). */
  constructor(code: FsErrorCode, path: string, message: string = FS_MESSAGES[code]) {
    // It tells of the files and not of the program: to write down where it was made would cost more than all that led to it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.path = path;
  }
}

/** Whether `code` is one we have words for. */
export function isFsErrorCode(code: string): code is FsErrorCode {
  return Object.hasOwn(FS_MESSAGES, code);
}

/**
 * By `name` and not by `instanceof`: a command loaded from its own bundle has its own copy of the class.
 */
export function isFsError(error: unknown): error is FsError {
  return error instanceof Error && error.name === 'FsError';
}

/** Why a run was stopped. Nothing in the script sees it: no `||`, trap or EXIT action runs. */
export type ShellErrorCode = 'syntax' | 'limit' | 'aborted' | 'timeout' | 'audit' | 'bug';

/** The one thing that is thrown through the Runner: what must stop the whole run. */
export class ShellError extends Error {
  override readonly name = 'ShellError';
  /** Why the run must stop. */
  readonly code: ShellErrorCode;
  /** For `limit`: the row of the limits table that was met. */
  readonly limit: string | undefined;

  /** `limit`: which one was met. */
  constructor(code: ShellErrorCode, message: string, limit?: string) {
    super(message);
    this.code = code;
    this.limit = limit;
  }
}

export function isShellError(error: unknown): error is ShellError {
  return error instanceof Error && error.name === 'ShellError';
}

/**
 * Thrown by a sink whose reader has left, as SIGPIPE would be raised: it ends the command that wrote, with status 141. One
 * frozen value, not an Error: it is made once and carries no stack.
 */
export const BROKEN_PIPE: { readonly brokenPipe: true } = Object.freeze({ brokenPipe: true });

/** Thrown by a tick in a shell that a signal has ended: whatever it was doing ends there. As BROKEN_PIPE, made once. */
export const SIGNALLED: { readonly signalled: true } = Object.freeze({ signalled: true });

export function isSignalled(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'signalled' in thrown;
}

export function isBrokenPipe(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'brokenPipe' in thrown;
}
