/** Byte strings on their way out, collected so that a line costs no call of its own. */
import type { Waiting } from '../../src/steps.js';
import type { Output } from './context.js';

const ENOUGH = 48 * 1024;

export interface LineWriter {
  /** Takes a byte string (one latin1 character a byte). Wait for what it returns, when it returns something. */
  write(bytes: string): Waiting;
  /** Takes bytes, which stay the caller's once what it returns is waited for. */
  writeBytes(bytes: Uint8Array): Waiting;
  /** Hands what is collected to the output. To be called at the end, and before anybody else writes there. */
  end(): Waiting;
}

export function lineWriter(output: Output): LineWriter {
  let collected = '';
  const end = (): Waiting => {
    if (collected === '') return undefined;
    const bytes = Buffer.from(collected, 'latin1');
    collected = '';
    return output.give(bytes);
  };
  return {
    write(bytes) {
      collected += bytes;
      return collected.length < ENOUGH ? undefined : end();
    },
    writeBytes(bytes) {
      const waiting = end();
      return waiting === undefined ? output.write(bytes) : waiting.then(() => output.write(bytes));
    },
    end,
  };
}
