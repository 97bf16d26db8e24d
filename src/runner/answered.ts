/** A program of the host that the caller of the library answers for: nothing is started, a function of the caller's does the work. */
import type { Outcome } from '../../builtins/kit/outcome.js';
import { isBrokenPipe } from '../errors.js';
import type { ExternalHandler, ProgramEnd } from '../io/programs.js';
import type { ByteSource } from '../io/streams.js';
import { visible } from '../text/quote.js';
import { commandContext } from './context.js';
import { attend } from './external.js';
import type { ShellState } from './state.js';

/** Runs `handler` with the streams of the shell. It is over when its promise is settled, or when it has been told to stop. */
export async function runAnswered(
  shell: ShellState,
  handler: ExternalHandler,
  argv: readonly string[],
  environment: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { out, err, stdin } = commandContext(shell, argv);
  const controller = new AbortController();
  const { signal } = controller;
  let misuse: TypeError | undefined;
  const write = (output: typeof out, name: string) => (data: string | Uint8Array) => {
    if (!isOutput(data)) misuse ??= new TypeError(`${name} takes a string or bytes (Uint8Array)`);
    // Whoever was told to stop, or has ended, has nothing more to say: the descriptor may be another's by now.
    const refused = signal.aborted ? signal.reason : misuse;
    const written = refused === undefined ? Promise.resolve().then(() => output.write(data)) : Promise.reject(refused);
    // Nobody need wait for it, and what nobody hears of is not to be the end of the caller's process.
    written.catch(() => undefined);
    return written as Promise<void>;
  };
  const call = {
    argv,
    environment: Object.fromEntries(environment),
    cwd: shell.physicalCwd,
    stdin: chunksOf(stdin, signal),
    stdout: write(out, 'stdout'),
    stderr: write(err, 'stderr'),
    signal,
  };
  const stopped = new Promise<ProgramEnd>((resolve) => {
    signal.addEventListener('abort', () => resolve({ signal: 'TERM' }), { once: true });
  });
  const stop = () => controller.abort();
  // Also one that does not wait for what it writes has failed when that was no output.
  const checked: ExternalHandler = async (one) => {
    const status = await handler(one);
    if (misuse !== undefined) throw misuse;
    return status;
  };
  const ended = Promise.race([answerOf(shell, checked, call, argv), stopped]);
  try {
    return await attend(shell, { ended, signal: stop, terminate: stop }, { feed: undefined, drains: [] });
  } finally {
    stop();
  }
}

async function answerOf(
  shell: ShellState,
  handler: ExternalHandler,
  call: Parameters<ExternalHandler>[0],
  argv: readonly string[],
): Promise<ProgramEnd> {
  let why: string;
  try {
    const status = await handler(call);
    if (Number.isInteger(status) && status >= 0 && status <= 255) return { status };
    why = `its handler answered ${wordsOf(status)}, which is no status from 0 to 255`;
  } catch (error) {
    if (attempted(() => isBrokenPipe(error), false)) return { signal: 'PIPE' };
    why = `its handler failed: ${wordsOf(error)}`;
  }
  // Of one that was told to stop nothing is heard any more.
  if (!call.signal.aborted) shell.complain(`${argv[0]}: ${why}`);
  return { status: 126 };
}

/** Bytes of another realm are bytes too. */
function isOutput(data: unknown): boolean {
  return typeof data === 'string' || Object.prototype.toString.call(data) === '[object Uint8Array]';
}

/** What the handler threw or answered, in words. */
function wordsOf(value: unknown): string {
  const words = () => visible(String(value instanceof Error ? value.message : value));
  return attempted(words, `(${typeof value} that cannot be shown)`);
}

/** A look at what came from the handler: it can be anything, also what throws when it is looked at. */
function attempted<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** What is left in the source goes to the next command that reads, as with any other. */
async function* chunksOf(source: ByteSource | undefined, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (source === undefined) return;
  while (!signal.aborted) {
    if (source.start === source.end && !(await source.fill())) return;
    const chunk = Uint8Array.prototype.slice.call(source.buffer, source.start, source.end);
    source.start = source.end;
    yield chunk;
  }
}
