/** Running a script that comes on a stream: `sh <script`, a script in a pipe. */

import type { Outcome } from '../../builtins/kit/outcome.js';
import { ScriptParser } from '../../grammar/index.js';
import { NEWLINE, readLine } from '../io/line-reader.js';
import type { ByteSource } from '../io/streams.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen } from '../steps.js';
import { decode } from '../text/bytes.js';
import { parseLimits, runText, setModes } from './run.js';
import { SourceText } from './source.js';
import type { ShellState } from './state.js';

/** A command that has more lines than these is looked for in all that is there, for to parse it line by line is quadratic. */
const SHORT_LINES = 16;

/**
 * Runs a script as its lines come, and takes no more than the command it runs: what a command reads from the same stream is its
 * own (POSIX sh, STDIN).
 */
export async function runStream(shell: ShellState, source: ByteSource): Promise<Outcome> {
  const nextLine = lineReader(source, shell);
  const { maxScriptBytes } = shell.limits;
  let outcome: Outcome = 0;
  let line = 1;
  let pending = '';
  let lines = 0;
  for (;;) {
    const text = await nextLine();
    if (text !== undefined) {
      pending += text;
      lines += 1;
      if (pending.length > maxScriptBytes) throw limitReached('maxScriptBytes', maxScriptBytes);
      if (lines < SHORT_LINES) {
        if (isUnfinished(shell, pending)) continue;
      } else {
        const more = takeLines(shell, source, pending);
        pending += more.text;
        lines += more.lines;
        if (!more.finished) continue;
      }
    }
    if (pending === '') return outcome;
    outcome = await runText(shell, new SourceText(shell.zero, pending, line, shell.source.route));
    if (typeof outcome !== 'number') return outcome;
    line += lines;
    lines = 0;
    pending = '';
  }
}

interface Taken {
  readonly text: string;
  readonly lines: number;
  readonly finished: boolean;
}

/**
 * Takes from what `source` holds already the lines that `pending` needs to be a command, or all of them when it needs more. It
 * asks for no bytes: they may come only when what the script has said so far has run.
 */
function takeLines(shell: ShellState, source: ByteSource, pending: string): Taken {
  const { buffer, start, end } = source;
  const last = end > start ? buffer.lastIndexOf(NEWLINE, end - 1) : -1;
  if (last < start) return { text: '', lines: 0, finished: !isUnfinished(shell, pending) };
  const held = decode(buffer.subarray(start, last + 1));
  const bounds = lineEnds(held);
  let count = bounds.length;
  // `pending` alone may be a command already: then it takes nothing.
  const finished = !isUnfinished(shell, pending + held, true);
  if (finished) {
    // A text that lacks its end lacks it as well with fewer lines.
    let low = -1;
    while (low + 1 < count) {
      const middle = (low + count) >> 1;
      if (isUnfinished(shell, pending + held.slice(0, bounds[middle - 1] ?? 0), true)) low = middle;
      else count = middle;
    }
  }
  let next = start;
  for (let i = 0; i < count; i++) next = buffer.indexOf(NEWLINE, next) + 1;
  source.start = next;
  return { text: held.slice(0, bounds[count - 1] ?? 0), lines: count, finished };
}

/** The offsets after each newline. */
function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at + 1);
  return ends;
}

/** Whether text, or its first command, ends in the middle of a command. A line that ends in a backslash goes on. */
function isUnfinished(shell: ShellState, text: string, firstAlone = false): boolean {
  const parser = new ScriptParser(text.endsWith('\\\n') ? text.slice(0, -1) : text, parseLimits(shell.limits));
  setModes(shell, parser);
  for (;;) {
    const result = parser.next();
    if (result.kind !== 'command') return result.kind === 'incomplete';
    if (result.hereDocumentUnterminated === true || result.endsInBackslash) return true;
    if (firstAlone) return false;
  }
}

/** The lines of a script on a stream, each with its newline; undefined at the end. */
export function lineReader(source: ByteSource, shell: ShellState): () => Awaitable<string | undefined> {
  return () =>
    andThen(readLine(source, NEWLINE, shell.limits.maxScriptBytes, 'maxScriptBytes'), (line) => {
      if (line === undefined) return undefined;
      return line.terminated ? `${line.content}\n` : line.content;
    });
}
