/** `read` (POSIX XCU read, and bash's options). */
import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { assignTo, isAssignable } from './names.js';
import { isName, letterOptions, wholeNumber } from './options.js';
import { fail, invalidOption, missingArgument } from './output.js';
import { type Gathered, hasInput, readCharacters, TIMED_OUT } from './read-characters.js';
import { splitFields } from './read-fields.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'read [-rs] [-a ARRAY] [-d DELIM] [-n COUNT] [-N COUNT] [-p PROMPT] [-t TIMEOUT] [-u FD] [NAME]...';

/** What the options ask for. */
interface Request {
  raw: boolean;
  delimiter: number;
  descriptor: number;
  prompt: string;
  array: string | undefined;
  /** -n: at most so many characters. */
  count: number | undefined;
  /** -N: so many, whatever they are, and not split. */
  exact: boolean;
  /** Seconds. */
  timeout: number | undefined;
  silent: boolean;
}

export const read: ShellBuiltin = {
  names: ['read'],
  special: false,
  summary: 'read a line into variables',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid, missing } = letterOptions(argv, 'a:d:ei:n:N:p:rst:u:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    if (missing !== undefined) return missingArgument(shell, argv, missing, usage);
    const request = requestOf(given);
    if (typeof request === 'string') return fail(shell, argv, request);
    const names = request.array === undefined ? operands : [];
    const wrong =
      request.array !== undefined && !isName(request.array)
        ? request.array
        : names.find((operand) => !isAssignable(operand));
    if (wrong !== undefined) return fail(shell, argv, `\`${wrong}': not a valid identifier`);
    if (request.array !== undefined && shell.attributes(request.array).includes('A')) {
      return fail(shell, argv, `${request.array}: not an indexed array`);
    }
    const { descriptor, prompt } = request;
    const source = shell.source(descriptor);
    if (source === undefined) return fail(shell, argv, `${descriptor}: invalid file descriptor: Bad file descriptor`);
    if (request.delimiter > 0x7f) return fail(shell, argv, '-d: only ASCII delimiters are supported', 2);
    const terminal = shell.isTerminal(descriptor);
    if (request.silent && terminal) return fail(shell, argv, '-s: rmsh cannot turn off the echo of a terminal');
    if (request.timeout === 0) return andThen(hasInput(shell, source), (there) => (there ? 0 : 1));
    if (prompt !== '' && terminal) void shell.err.write(prompt);
    if (request.count === undefined && request.timeout === undefined) {
      return readLogical(shell, source, request, names, '');
    }
    const gathered = readCharacters(shell, source, {
      delimiter: request.exact ? undefined : request.delimiter,
      raw: request.raw,
      count: request.count ?? Number.POSITIVE_INFINITY,
      until: request.timeout === undefined ? undefined : performance.now() + request.timeout * 1000,
    });
    return andThen(gathered, (late) => taken(shell, request, names, late));
  },
};

/** A text is what is wrong with the options. */
function requestOf(given: readonly { readonly letter: string; readonly value: string }[]): Request | string {
  const request: Request = {
    raw: false,
    delimiter: 0x0a,
    descriptor: 0,
    prompt: '',
    array: undefined,
    count: undefined,
    exact: false,
    timeout: undefined,
    silent: false,
  };
  for (const { letter, value } of given) {
    const number = wholeNumber(value);
    switch (letter) {
      case 'a':
        request.array = value;
        break;
      case 'd':
        request.delimiter = value === '' ? 0 : value.charCodeAt(0);
        break;
      case 'n':
      case 'N':
        if (number === undefined) return `${value}: invalid number`;
        request.count = number;
        request.exact = letter === 'N';
        break;
      case 'p':
        request.prompt = value;
        break;
      case 'r':
        request.raw = true;
        break;
      case 's':
        request.silent = true;
        break;
      case 't':
        if (!/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(value)) return `${value}: invalid timeout specification`;
        request.timeout = Number(value);
        break;
      case 'u':
        if (number === undefined) return `${value}: invalid file descriptor specification`;
        request.descriptor = number;
        break;
      default:
        return `-${letter}: not supported by rmsh`;
    }
  }
  return request;
}

/** Reads lines until one does not end in a continuation. `before` is what the lines so far hold, continuations removed. */
function readLogical(
  shell: Shell,
  source: ByteSource,
  request: Request,
  names: readonly string[],
  before: string,
): Awaitable<Outcome> {
  const { delimiter, raw } = request;
  const line = shell.readLine(source, delimiter);
  const next = (late: Awaited<typeof line>): Awaitable<Outcome> => {
    let text = before + withoutNuls(late?.content ?? '');
    const terminated = late?.terminated === true;
    if (!raw && terminated && endsInBackslash(text)) {
      // A newline is taken away with its backslash; any other delimiter is quoted by it (as in bash; POSIX allows both).
      if (delimiter === 0x0a) text = text.slice(0, -1);
      else text += String.fromCharCode(delimiter);
      return readLogical(shell, source, request, names, text);
    }
    if (!raw && delimiter !== 0x0a) text = withoutContinuations(text);
    return assign(shell, names, request, text) ? (terminated ? 0 : 1) : 1;
  };
  return line instanceof Promise ? line.then(next) : next(line);
}

/** NUL cannot be in a shell string. */
function withoutNuls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** What characters one by one came to. */
function taken(shell: Shell, request: Request, names: readonly string[], { text, end }: Gathered): number {
  if (!assign(shell, names, request, text)) return 1;
  if (end === 'complete') return 0;
  return end === 'timeout' ? TIMED_OUT : 1;
}

/** An odd number of backslashes at the end: the last one is not quoted itself. */
function endsInBackslash(text: string): boolean {
  let i = text.length;
  while (i > 0 && text.charCodeAt(i - 1) === 92) i -= 1;
  return (text.length - i) % 2 === 1;
}

/** `read -d ,` meets newlines inside of its line: one that a backslash stands before is a continuation there too. */
function withoutContinuations(text: string): string {
  return text.includes('\\\n') ? text.replace(/\\(.)/gsu, (both, next) => (next === '\n' ? '' : both)) : text;
}

function assign(shell: Shell, names: readonly string[], { array, exact, raw }: Request, text: string): boolean {
  const whole = (): string => (raw ? text : unquote(text));
  if (array !== undefined) {
    const { maxFields } = shell.limits;
    const values = exact ? [whole()] : splitFields(text, shell.parameter('IFS'), maxFields + 1, raw);
    if (values.length > maxFields) throw limitReached('maxFields', maxFields);
    return shell.setArray(array, values);
  }
  if (names.length === 0) return shell.setVariable('REPLY', whole());
  const values = exact ? [whole()] : splitFields(text, shell.parameter('IFS'), names.length, raw);
  for (let i = 0; i < names.length; i++) if (!assignTo(shell, names[i] as string, values[i] ?? '')) return false;
  return true;
}

/** Without -r a backslash takes the next character as it is. */
function unquote(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.?)/gsu, '$1') : text;
}
