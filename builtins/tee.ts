/** tee: copy the input to the output and to files. */
import { isFsError } from '../src/errors.js';
import { andThen, lastly, type Waiting } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import type { OutputFile } from './kit/context.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachChunk } from './kit/input.js';

export const tee = defineBuiltin({
  name: 'tee',
  summary: 'copy the input to the output and to files',
  needs: ['read', 'write'],
  usage: 'tee [OPTION]... [FILE]...',
  flags: {
    append: { short: 'a', long: 'append', help: 'add to the files, do not overwrite them' },
    interrupts: {
      short: 'i',
      long: 'ignore-interrupts',
      help: 'as ever: an interrupt goes to the shell, which ends the run',
    },
  },
  statuses: { 0: 'everything was written', 1: 'some file could not be written' },

  run(context) {
    let status = 0;
    const failed = (file: string, error: unknown): void => {
      status = context.failed(gnuQuoteIfNeeded(file), error);
    };
    const sinks = new Map<string, OutputFile>();
    const close = (): void => {
      for (const [, sink] of sinks) void sink.close();
    };
    const how = context.flags.append === true ? { append: true } : { truncate: true };
    return lastly(() => {
      for (const [i, file] of context.operands.entries()) {
        try {
          sinks.set(`${i}:${file}`, context.openSink(file, how));
        } catch (error) {
          failed(file, error);
        }
      }
      const write = (key: string, sink: OutputFile, chunk: Uint8Array): Waiting => {
        const gone = (error: unknown): undefined => {
          if (!isFsError(error)) throw error;
          sinks.delete(key);
          void sink.close();
          failed(key.slice(key.indexOf(':') + 1), error);
        };
        try {
          return sink.write(chunk)?.catch(gone);
        } catch (error) {
          return gone(error);
        }
      };
      const copied = eachChunk(
        failingAs(context, () => 'read error'),
        [],
        (chunk) => {
          const waits = [context.out.write(chunk), ...[...sinks].map(([key, sink]) => write(key, sink, chunk))];
          const waiting = waits.filter((one) => one !== undefined);
          return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
        },
      );
      return andThen(copied, (read) => Math.max(read, status));
    }, close);
  },
});
