/** rev: turn lines round, character by character. */
import { andThen } from '../src/steps.js';
import { decode, isAscii, toByteString } from '../src/text/bytes.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachLine, notStandardInput } from './kit/input.js';
import { lineWriter } from './kit/output.js';

export const rev = defineBuiltin({
  name: 'rev',
  summary: 'turn lines round, character by character',
  needs: ['read'],
  usage: 'rev [FILE]...',
  notes: 'A byte that is no part of a character counts as one.',
  flags: {},
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },

  run(context) {
    const out = lineWriter(context.out);
    const input = failingAs(context, (operand, reading) =>
      reading ? `${operand === '-' ? 'stdin' : operand}: 0` : `cannot open ${operand === './-' ? '-' : operand}`,
    );
    const status = eachLine(input, context.operands.map(notStandardInput), 10, (line, ended) =>
      andThen(out.write(reversed(line) + (ended ? '\n' : '')), () => undefined),
    );
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});

/** Characters that are turned round at one time: as an array, a line takes many times its bytes. */
const BLOCK = 65536;

function reversed(line: string): string {
  const bytes = Buffer.from(line, 'latin1');
  if (isAscii(line)) return bytes.reverse().toString('latin1');
  const text = decode(bytes);
  const blocks: string[] = [];
  for (let end = text.length; end > 0; ) {
    let start = Math.max(0, end - BLOCK);
    if (start > 0 && isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1))) start -= 1;
    blocks.push(toByteString(Array.from(text.slice(start, end)).reverse().join('')));
    end = start;
  }
  return blocks.join('');
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
