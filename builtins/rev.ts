/** rev: turn lines round, character by character. */
import { andThen } from '../src/steps.js';
import { decode, toByteString } from '../src/text/bytes.js';
import { defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { eachLine } from './kit/input.js';
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
    const input = failingAs(context, (operand, error) =>
      error.code === 'EISDIR' ? `${operand}: 0` : `cannot open ${operand}`,
    );
    const status = eachLine(input, context.operands, 10, (line, ended) =>
      andThen(out.write(reversed(line) + (ended ? '\n' : '')), () => undefined),
    );
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});

function reversed(line: string): string {
  let ascii = true;
  for (let i = 0; i < line.length && ascii; i++) ascii = line.charCodeAt(i) < 0x80;
  if (ascii) return line.split('').reverse().join('');
  const characters = Array.from(decode(Buffer.from(line, 'latin1')));
  return toByteString(characters.reverse().join(''));
}
