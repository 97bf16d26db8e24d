/** Redirections (POSIX 2.7): descriptors opened before a command and put back after it. */

import { completion, type Outcome } from '../../builtins/kit/outcome.js';
import type {
  FileRedirection,
  HereDocument,
  HereString,
  Redirection,
  RedirectionDescriptor,
  Word,
} from '../../grammar/ast.js';
import { FsError, isFsError } from '../errors.js';
import { ExpansionError } from '../expansion/host.js';
import { expandString, expandWord, joinParts } from '../expansion/words.js';
import { createDescription } from '../io/descriptors.js';
import { fileFacts, fileSink, fileSource, fileStream } from '../io/file-stream.js';
import { FULL_SINK, NULL_FACTS, NULL_SINK, nullSource, randomSource, zeroSource } from '../io/null.js';
import { NO_FACTS } from '../io/output.js';
import type { Description } from '../io/streams.js';
import { textSource } from '../io/text-source.js';
import type { Awaitable, Waiting } from '../steps.js';
import { wordText } from './command-text.js';
import { expansionFailed } from './commands.js';
import { OPTIONS } from './options.js';
import type { ShellState } from './state.js';

/** What stood in a descriptor before a command's redirection; undefined: it was closed. */
interface Saved {
  readonly descriptor: number;
  readonly before: Description | undefined;
}

/**
 * Runs `body` with the redirections made. When one cannot be made, `body` is not run: a message, and status 1. With `onError` the
 * caller says what a failed redirection comes to (a special built-in's ends the shell).
 */
export function withRedirections(
  shell: ShellState,
  redirections: readonly Redirection[],
  body: () => Awaitable<Outcome>,
  onError: (status: number) => Outcome = (status) => status,
): Awaitable<Outcome> {
  const saved: Saved[] = [];
  let made: Waiting | Promise<void>;
  try {
    made = makeAll(shell, redirections, saved, 0);
  } catch (error) {
    return notMade(shell, saved, error, onError);
  }
  if (made !== undefined) {
    return made.then(
      () => runAndRestore(shell, saved, body),
      (error: unknown) => notMade(shell, saved, error, onError),
    );
  }
  return runAndRestore(shell, saved, body);
}

/** The message goes where the redirections before the failed one have it: `2>/dev/null < missing` is quiet. */
function notMade(
  shell: ShellState,
  saved: Saved[],
  error: unknown,
  onError: (status: number) => Outcome,
): Awaitable<Outcome> {
  let outcome: Outcome;
  try {
    outcome = redirectionFailed(shell, error, onError);
  } catch (other) {
    restore(shell, saved);
    throw other;
  }
  return putBack(shell, saved, outcome);
}

function runAndRestore(shell: ShellState, saved: Saved[], body: () => Awaitable<Outcome>): Awaitable<Outcome> {
  let outcome: Awaitable<Outcome>;
  try {
    outcome = body();
  } catch (error) {
    restore(shell, saved);
    throw error;
  }
  if (outcome instanceof Promise) {
    return outcome.then(
      (late) => putBack(shell, saved, late),
      (error: unknown) => {
        restore(shell, saved);
        throw error;
      },
    );
  }
  return putBack(shell, saved, outcome);
}

/** Puts the descriptors back; closing a file writes what it still holds, which may fail. */
function putBack(shell: ShellState, saved: Saved[], outcome: Outcome): Awaitable<Outcome> {
  try {
    const waiting = restore(shell, saved);
    if (waiting === undefined) return outcome;
    return waiting.then(
      () => outcome,
      (error: unknown) => writeFailed(shell, error),
    );
  } catch (error) {
    return writeFailed(shell, error);
  }
}

/** `write error: No space left on device`, found when a file's last bytes went out. */
export function writeFailed(shell: ShellState, error: unknown): Outcome {
  if (!isFsError(error)) throw error;
  shell.complain(`write error: ${error.message}`);
  return 1;
}

function redirectionFailed(shell: ShellState, error: unknown, onError: (status: number) => Outcome): Outcome {
  if (error instanceof ExpansionError) return expansionFailed(shell, error);
  if (error instanceof RedirectionError) {
    shell.complain(error.message);
    return onError(1);
  }
  throw error;
}

/** A redirection that cannot be made. */
class RedirectionError extends Error {}

function restore(shell: ShellState, saved: Saved[]): Waiting {
  const kept = shell.redirectionsKept;
  shell.redirectionsKept = false;
  let pending: Promise<void>[] | undefined;
  let failure: { readonly error: unknown } | undefined;
  for (let i = saved.length - 1; i >= 0; i--) {
    const { descriptor, before } = saved[i] as Saved;
    try {
      const leaving = kept ? before : shell.descriptors.exchange(descriptor, before);
      const waiting = leaving?.release();
      if (waiting !== undefined) (pending ??= []).push(waiting);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  if (pending === undefined) return undefined;
  return Promise.all(pending).then(() => undefined);
}

function makeAll(shell: ShellState, redirections: readonly Redirection[], saved: Saved[], from: number): Waiting {
  for (let i = from; i < redirections.length; i++) {
    const waiting = make(shell, redirections[i] as Redirection, saved);
    if (waiting !== undefined) return waiting.then(() => makeAll(shell, redirections, saved, i + 1));
  }
  return undefined;
}

function make(shell: ShellState, redirection: Redirection, saved: Saved[]): Waiting {
  if (redirection.kind === 'HereDocument') return makeHereDocument(shell, redirection, saved);
  if (redirection.kind === 'HereString') return makeHereString(shell, redirection, saved);
  const target = targetOf(shell, redirection.target);
  if (typeof target !== 'string') return target.then((late) => open(shell, redirection, late, saved));
  return open(shell, redirection, target, saved);
}

/**
 * The target is one word: a pattern that gives one name is that name, and what gives two is refused, as in bash. In POSIX mode
 * the word is neither split nor a pattern.
 */
function targetOf(shell: ShellState, word: Word): Awaitable<string> {
  if (word.literal !== undefined) return word.literal;
  if ((shell.options & OPTIONS.posix.bit) !== 0) return expandString(shell, word);
  const fields: string[] = [];
  const one = (): string => {
    if (fields.length === 1) return fields[0] as string;
    throw new RedirectionError(`${wordText(word)}: ambiguous redirect`);
  };
  const waiting = expandWord(shell, word, fields);
  return waiting === undefined ? one() : waiting.then(one);
}

function makeHereDocument(shell: ShellState, node: HereDocument, saved: Saved[]): Waiting {
  const put = (text: string): undefined => {
    const description = createDescription(textSource(text), undefined, NO_FACTS);
    place(shell, node.descriptor, 0, description, saved);
  };
  let text: Awaitable<string>;
  try {
    text = node.quoted ? expandString(shell, node.body) : joinParts(shell, node.body.parts, true);
  } catch (error) {
    throw documentFailed(error);
  }
  if (typeof text === 'string') return put(text);
  return text.then(put, (error: unknown) => {
    throw documentFailed(error);
  });
}

/** A document that cannot be expanded is a redirection that failed: shells go on with the next command. */
function documentFailed(error: unknown): unknown {
  return error instanceof ExpansionError ? new RedirectionError(error.message) : error;
}

/** `<<< word`: the word and a newline. */
function makeHereString(shell: ShellState, node: HereString, saved: Saved[]): Waiting {
  const put = (text: string): undefined => {
    const description = createDescription(textSource(`${text}\n`), undefined, NO_FACTS);
    place(shell, node.descriptor, 0, description, saved);
  };
  const text = expandString(shell, node.word);
  return typeof text === 'string' ? put(text) : text.then(put);
}

/** The first descriptor that `{name}>file` gives out, as in bash. */
const FIRST_NAMED = 10;

/** Puts `description` where `which` says. A descriptor that a variable names is the script's own: it outlives the command. */
function place(
  shell: ShellState,
  which: RedirectionDescriptor,
  standard: number,
  description: Description | undefined,
  saved: Saved[],
): void {
  if (typeof which !== 'object') {
    replace(shell, which ?? standard, description, saved);
    return;
  }
  if (description === undefined) {
    const number = shell.parameter(which.variable) ?? '';
    if (!isDigits(number)) throw new RedirectionError(`${which.variable}: Bad file descriptor`);
    void shell.descriptors.close(Number(number));
    return;
  }
  const number = shell.descriptors.lowestFree(FIRST_NAMED);
  shell.assign(which.variable, String(number));
  try {
    void shell.descriptors.set(number, description);
  } catch (error) {
    throw notPlaced(shell, error, which.variable);
  }
}

function replace(shell: ShellState, descriptor: number, next: Description | undefined, saved: Saved[]): void {
  try {
    saved.push({ descriptor, before: shell.descriptors.exchange(descriptor, next) });
  } catch (error) {
    next?.release();
    throw notPlaced(shell, error, String(descriptor));
  }
}

/** `error` as a redirection tells it. A full table of descriptors is a limit of the run, and goes on record as one. */
function notPlaced(shell: ShellState, error: unknown, what: string): unknown {
  if (isFsError(error) && error.code === 'EMFILE') {
    const { audit, limits } = shell.scope;
    void audit?.emit({ event: 'limit', limit: 'maxDescriptors', value: limits.maxDescriptors });
  }
  return refused(error, what);
}

function refused(error: unknown, what: string): unknown {
  return isFsError(error) ? new RedirectionError(`${what}: ${error.message}`) : error;
}

function open(shell: ShellState, node: FileRedirection, target: string, saved: Saved[]): undefined {
  const { operator } = node;
  const standard = operator.startsWith('<') ? 0 : 1;
  if (operator === '<&' || operator === '>&') {
    duplicate(shell, node.descriptor, standard, target, saved);
    return undefined;
  }
  const both = operator === '&>' || operator === '&>>';
  let description: Description;
  try {
    description = openTarget(shell, target, operator === '&>' ? '>' : operator === '&>>' ? '>>' : operator);
  } catch (error) {
    throw refused(error, target);
  }
  place(shell, node.descriptor, standard, description, saved);
  if (both) replace(shell, 2, description.retain(), saved);
  return undefined;
}

/** `n>&m`, `n<&m`, `n>&-`. */
function duplicate(
  shell: ShellState,
  which: RedirectionDescriptor,
  standard: number,
  target: string,
  saved: Saved[],
): void {
  if (target === '-') {
    place(shell, which, standard, undefined, saved);
    return;
  }
  // `3>&4-` (bash, ksh): 4 is closed when 3 has taken its place.
  const moves = target.endsWith('-') && isDigits(target.slice(0, -1));
  if (moves) {
    const from = Number(target.slice(0, -1));
    duplicate(shell, which, standard, String(from), saved);
    if (from !== (which ?? standard)) replace(shell, from, undefined, saved);
    return;
  }
  if (!isDigits(target)) throw new RedirectionError(`${target}: ambiguous redirect`);
  const description = shell.descriptors.get(Number(target));
  // As in every shell, `3<&4` may copy a descriptor that is open for writing only: it is a read from it that fails.
  if (description === undefined) throw new RedirectionError(`${target}: Bad file descriptor`);
  place(shell, which, standard, description.retain(), saved);
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 48 || text.charCodeAt(i) > 57) return false;
  return text.length > 0 && text.length < 6;
}

/** Opens what a redirection names; the interpreter's own names are never looked up on the disk (design: by literal path). */
export function openTarget(shell: ShellState, path: string, operator: FileRedirection['operator']): Description {
  const device = ownDevice(shell, path, operator.startsWith('<') && operator !== '<>');
  if (device !== undefined) return device;
  const { fs } = shell;
  const { dirty } = shell.scope;
  switch (operator) {
    case '<': {
      const file = fs.open(path);
      return createDescription(fileSource(file, dirty, shell.tick), undefined, fileFacts(file));
    }
    case '<>': {
      const file = fs.openWrite(path, { read: true });
      const { source, sink } = fileStream(file, dirty, shell.tick);
      return createDescription(source, sink, fileFacts(file));
    }
    case '>>': {
      const file = fs.openWrite(path, { append: true });
      return createDescription(undefined, fileSink(file, dirty), fileFacts(file));
    }
    default: {
      if (operator === '>' && (shell.options & OPTIONS.noclobber.bit) !== 0) {
        const there = fs.tryStat(path);
        if (there !== undefined) throw new RedirectionError(`${path}: cannot overwrite existing file`);
        const file = fs.openWrite(path, { exclusive: true });
        return createDescription(undefined, fileSink(file, dirty), fileFacts(file));
      }
      const file = fs.openWrite(path, { truncate: true });
      return createDescription(undefined, fileSink(file, dirty), fileFacts(file));
    }
  }
}

/** `/dev/null` and its like, `/dev/stdin`, `/dev/fd/N`, `/dev/tty`; undefined for any other path. */
export function ownDevice(shell: ShellState, path: string, reading: boolean): Description | undefined {
  if (!path.startsWith('/dev/')) return undefined;
  switch (path) {
    case '/dev/null':
      return createDescription(nullSource(), NULL_SINK, NULL_FACTS);
    case '/dev/zero':
      return createDescription(zeroSource(shell.tick), NULL_SINK, NO_FACTS);
    case '/dev/urandom':
    case '/dev/random':
      return createDescription(randomSource(shell.tick), NULL_SINK, NO_FACTS);
    case '/dev/full':
      return createDescription(zeroSource(shell.tick), FULL_SINK, NO_FACTS);
    case '/dev/stdin':
      return sameAs(shell, 0, path, reading);
    case '/dev/stdout':
      return sameAs(shell, 1, path, reading);
    case '/dev/stderr':
      return sameAs(shell, 2, path, reading);
    case '/dev/tty': {
      const { terminal } = shell.scope;
      if (terminal === undefined) throw new FsError('ENXIO', path);
      return terminal.retain();
    }
  }
  const number = path.startsWith('/dev/fd/') ? path.slice('/dev/fd/'.length) : '';
  return isDigits(number) ? sameAs(shell, Number(number), path, reading) : undefined;
}

function sameAs(shell: ShellState, descriptor: number, path: string, reading: boolean): Description {
  const description = shell.descriptors.get(descriptor);
  if (description === undefined) throw new FsError('ENOENT', path);
  if ((reading ? description.source : description.sink) === undefined) throw new FsError('EACCES', path);
  return description.retain();
}

/** For a redirection error of a special built-in: it ends a script (POSIX 2.8.1). */
export function endsShell(status: number): Outcome {
  return completion('builtin error', status);
}
