/** `mapfile`, `readarray` (bash): the lines of the input become the elements of an array. */

import type { ByteSource } from '../../src/io/streams.js';
import { limitReached } from '../../src/limits.js';
import type { Awaitable, Waiting } from '../../src/steps.js';
import { byteLength } from '../../src/text/bytes.js';
import { quoteAlways } from '../../src/text/quote.js';
import type { Outcome } from '../kit/outcome.js';
import { isName, letterOptions, wholeNumber } from './options.js';
import { fail, invalidOption, missingArgument } from './output.js';
import type { ReadLine, Shell, ShellBuiltin } from './shell.js';

const usage = 'mapfile [-C CALLBACK] [-c QUANTUM] [-d DELIM] [-n COUNT] [-O ORIGIN] [-s COUNT] [-t] [-u FD] [ARRAY]';

export const mapfile: ShellBuiltin = {
  names: ['mapfile', 'readarray'],
  special: false,
  summary: 'read lines into an array',
  usage,
  run(shell, argv): Awaitable<Outcome> {
    const { given, operands, invalid, missing } = letterOptions(argv, 'c:C:d:n:O:s:tu:');
    if (invalid !== undefined) return invalidOption(shell, argv, invalid, usage);
    if (missing !== undefined) return missingArgument(shell, argv, missing, usage);
    const wanted: Wanted = { delimiter: 0x0a, strip: false, count: 0, skip: 0 };
    let origin: number | undefined;
    let descriptor = 0;
    let callback: string | undefined;
    let quantum = 5000;
    for (const { letter, value } of given) {
      const number = wholeNumber(value);
      switch (letter) {
        case 't':
          wanted.strip = true;
          break;
        case 'd':
          wanted.delimiter = value === '' ? 0 : value.charCodeAt(0);
          if (wanted.delimiter > 0x7f) return fail(shell, argv, '-d: only ASCII delimiters are supported', 2);
          break;
        case 'n':
        case 's':
          if (number === undefined) return fail(shell, argv, `${value}: invalid line count`);
          wanted[letter === 'n' ? 'count' : 'skip'] = number;
          break;
        case 'O':
          if (number === undefined || number > MAX_ORIGIN) return fail(shell, argv, `${value}: invalid array origin`);
          origin = number;
          break;
        case 'u':
          if (number === undefined) return fail(shell, argv, `${value}: invalid file descriptor specification`);
          descriptor = number;
          break;
        case 'C':
          callback = value;
          break;
        case 'c':
          if (number === undefined || number === 0) return fail(shell, argv, `${value}: invalid callback quantum`);
          quantum = number;
          break;
      }
    }
    const source = shell.source(descriptor);
    if (source === undefined) return fail(shell, argv, `${descriptor}: invalid file descriptor: Bad file descriptor`);
    const name = operands[0] ?? 'MAPFILE';
    if (name === '') return fail(shell, argv, 'empty array variable name', 2);
    if (!isName(name)) return fail(shell, argv, `\`${name}': not a valid identifier`);
    if (shell.attributes(name).includes('A')) return fail(shell, argv, `${name}: not an indexed array`);
    if (shell.variable(name)?.readonly === true) {
      shell.complain(`${name}: readonly variable`);
      return 1;
    }
    if (callback !== undefined) {
      if (origin === undefined && !shell.setArray(name, [])) return 1;
      return gatherCalling(shell, source, wanted, { name, origin: origin ?? 0, callback, quantum });
    }
    const lines: string[] = [];
    const store = (): number => {
      if (origin === undefined) return shell.setArray(name, lines) ? 0 : 1;
      const from = origin;
      return lines.every((line, i) => shell.setElement(name, String(from + i), line)) ? 0 : 1;
    };
    const waiting = gather(shell, source, wanted, lines, { lines: 0, bytes: 0 });
    return waiting === undefined ? store() : waiting.then(store);
  },
};

const MAX_ORIGIN = 2 ** 31 - 1;

interface Wanted {
  delimiter: number;
  strip: boolean;
  /** Lines to take; 0: all of them. */
  count: number;
  /** Lines to leave out first. */
  skip: number;
}

/** What was read so far. */
interface Progress {
  lines: number;
  bytes: number;
}

/** Appends the lines to `lines`. They are counted as they come: an input without an end must not fill the memory first. */
function gather(shell: Shell, source: ByteSource, wanted: Wanted, lines: string[], progress: Progress): Waiting {
  while (!isEnough(wanted, lines)) {
    const pause = shell.tick();
    const line =
      pause === undefined
        ? shell.readLine(source, wanted.delimiter)
        : pause.then(() => shell.readLine(source, wanted.delimiter));
    if (line instanceof Promise) return gatherLater(shell, source, wanted, lines, progress, line);
    if (!add(shell, wanted, lines, progress, line)) return undefined;
  }
  return undefined;
}

async function gatherLater(
  shell: Shell,
  source: ByteSource,
  wanted: Wanted,
  lines: string[],
  progress: Progress,
  first: Promise<ReadLine | undefined>,
): Promise<void> {
  let line: Awaitable<ReadLine | undefined> = first;
  while (add(shell, wanted, lines, progress, line instanceof Promise ? await line : line)) {
    if (isEnough(wanted, lines)) return;
    const pause = shell.tick();
    if (pause !== undefined) await pause;
    line = shell.readLine(source, wanted.delimiter);
  }
}

/** `-C`: a command that is run for every so many lines, with the index and the text of the last one, before that is stored. */
async function gatherCalling(
  shell: Shell,
  source: ByteSource,
  wanted: Wanted,
  { name, origin, callback, quantum }: Called,
): Promise<Outcome> {
  const lines: string[] = [];
  const progress: Progress = { lines: 0, bytes: 0 };
  let stored = 0;
  while (!isEnough(wanted, lines)) {
    const pause = shell.tick();
    if (pause !== undefined) await pause;
    if (!add(shell, wanted, lines, progress, await shell.readLine(source, wanted.delimiter))) break;
    if (lines.length === stored) continue;
    const index = String(origin + stored);
    const line = lines[stored] as string;
    stored += 1;
    if (stored % quantum === 0) {
      const outcome = await shell.evaluate(`${callback} ${index} ${quoteAlways(line)}`);
      if (typeof outcome !== 'number') return outcome;
    }
    if (!shell.setElement(name, index, line)) return 1;
  }
  return 0;
}

/** Where the lines go, and what is called. */
interface Called {
  readonly name: string;
  readonly origin: number;
  readonly callback: string;
  readonly quantum: number;
}

function isEnough(wanted: Wanted, lines: readonly string[]): boolean {
  return wanted.count !== 0 && lines.length >= wanted.count;
}

/** False at the end of the input. */
function add(shell: Shell, wanted: Wanted, lines: string[], progress: Progress, line: ReadLine | undefined): boolean {
  if (line === undefined) return false;
  progress.lines += 1;
  if (progress.lines <= wanted.skip) return true;
  const end = line.terminated && !wanted.strip && wanted.delimiter !== 0 ? String.fromCharCode(wanted.delimiter) : '';
  // A value holds no NUL: it ends there, as in bash.
  const nul = line.content.indexOf('\0');
  const text = nul < 0 ? line.content + end : line.content.slice(0, nul);
  progress.bytes += byteLength(text);
  const { maxVariableBytes } = shell.limits;
  if (progress.bytes > maxVariableBytes) throw limitReached('maxVariableBytes', maxVariableBytes);
  lines.push(text);
  return true;
}
