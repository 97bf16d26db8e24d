/** tail -f: what is added to files, until the run ends. */
import type { ByteSource } from '../../src/io/streams.js';
import type { Waiting } from '../../src/steps.js';
import { gnuQuoteIfNeeded } from '../../src/text/quote.js';
import type { Context } from '../kit/context.js';

const POLL_MS = 200;

export interface Followed {
  source: ByteSource;
  readonly operand: string;
  /** Bytes read so far: a file with fewer has been cut. */
  read: number;
}

/** Ends only by what it throws: the end of the run, or a reader that has left. */
export async function follow(
  context: Context<'read' | 'clock'>,
  followed: readonly Followed[],
  header: (operand: string) => Waiting,
): Promise<number> {
  for (;;) {
    for (const entry of followed) {
      reopenIfCut(context, entry);
      await copyNew(context, entry, header);
    }
    // Nothing to write: but where the reader has left, this says so.
    await context.out.write('');
    await context.out.flush();
    await context.clock.sleep(POLL_MS);
    await context.tick();
  }
}

async function copyNew(context: Context<'read'>, entry: Followed, header: (operand: string) => Waiting): Promise<void> {
  const { source } = entry;
  while (source.start < source.end || (await source.fill())) {
    await header(entry.operand);
    const chunk = source.buffer.subarray(source.start, source.end);
    source.start = source.end;
    entry.read += chunk.length;
    await context.out.write(chunk);
    await context.tick();
  }
}

function reopenIfCut(context: Context<'read'>, entry: Followed): void {
  if (entry.operand === '-') return;
  const stat = context.fs.tryStat(entry.operand);
  if (stat === undefined || stat.kind !== 'file' || stat.size >= entry.read) return;
  context.complain(`${gnuQuoteIfNeeded(entry.operand)}: file truncated`);
  try {
    const source = context.openSource(entry.operand);
    entry.source.close();
    entry.source = source;
    entry.read = 0;
  } catch (error) {
    context.failed(gnuQuoteIfNeeded(entry.operand), error);
  }
}
