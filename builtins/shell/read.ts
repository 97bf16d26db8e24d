/** `read` (POSIX XCU read, and bash's options). */
import type { ByteSource } from '../../src/io/streams.js';
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { isName, letterOptions, wholeNumber } from './options.js';
import { fail, invalidOption } from './output.js';
import { splitFields } from './read-fields.js';
import type { Shell, ShellBuiltin } from './shell.js';

const usage = 'read [-r] [-d DELIM] [-p PROMPT] [-u FD] [NAME]...';

export const read: ShellBuiltin = {
  names: ['read'],
  special: false,
  summary: 'read a line into variables',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid, missing } = letterOptions(argv, 'rd:p:u:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    if (missing !== undefined) return fail(shell, argv, `${missing}: option requires an argument`, 2);
    let raw = false;
    let delimiter = 0x0a;
    let descriptor = 0;
    let prompt = '';
    for (const { letter, value } of given) {
      if (letter === 'r') raw = true;
      else if (letter === 'd') delimiter = value === '' ? 0 : value.charCodeAt(0);
      else if (letter === 'p') prompt = value;
      else {
        const number = wholeNumber(value);
        if (number === undefined) return fail(shell, argv, `${value}: invalid file descriptor specification`);
        descriptor = number;
      }
    }
    for (const name of operands) {
      if (!isName(name)) return fail(shell, argv, `\`${name}': not a valid identifier`);
    }
    const source = shell.source(descriptor);
    if (source === undefined) return fail(shell, argv, `${descriptor}: invalid file descriptor: Bad file descriptor`);
    if (delimiter > 0x7f) return fail(shell, argv, '-d: only ASCII delimiters are supported', 2);
    if (prompt !== '' && shell.isTerminal(descriptor)) void shell.err.write(prompt);
    return readLogical(shell, source, delimiter, raw, operands, '');
  },
};

/** Reads lines until one does not end in a continuation. `before` is what the lines so far hold, continuations removed. */
function readLogical(
  shell: Shell,
  source: ByteSource,
  delimiter: number,
  raw: boolean,
  names: readonly string[],
  before: string,
): Awaitable<Outcome> {
  const line = shell.readLine(source, delimiter);
  const next = (late: Awaited<typeof line>): Awaitable<Outcome> => {
    let text = before + (late?.content ?? '').replaceAll('\0', '');
    const terminated = late?.terminated === true;
    if (!raw && terminated && endsInBackslash(text)) {
      // A newline is taken away with its backslash; any other delimiter is quoted by it (as in bash; POSIX allows both).
      if (delimiter === 0x0a) text = text.slice(0, -1);
      else text += String.fromCharCode(delimiter);
      return readLogical(shell, source, delimiter, raw, names, text);
    }
    if (!raw && delimiter !== 0x0a) text = withoutContinuations(text);
    return assign(shell, names, text, raw) ? (terminated ? 0 : 1) : 2;
  };
  return line instanceof Promise ? line.then(next) : next(line);
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

function assign(shell: Shell, names: readonly string[], text: string, raw: boolean): boolean {
  if (names.length === 0) return shell.setVariable('REPLY', raw ? text : unquote(text));
  const values = splitFields(text, shell.parameter('IFS'), names.length, raw);
  for (let i = 0; i < names.length; i++) if (!shell.setVariable(names[i] as string, values[i] ?? '')) return false;
  return true;
}

/** Without -r a backslash takes the next character as it is. */
function unquote(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.?)/gsu, '$1') : text;
}
