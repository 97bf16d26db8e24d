/** strings: print what is readable in files. */
import { limitReached } from '../src/limits.js';
import { andThen } from '../src/steps.js';
import { BadValue, defineBuiltin } from './kit/define.js';
import { failingAs } from './kit/failing.js';
import { chunksOf, eachInput } from './kit/input.js';
import { lineWriter } from './kit/output.js';

const RADIX = { o: 8, d: 10, x: 16 } as const;

export const strings = defineBuiltin({
  name: 'strings',
  summary: 'print what is readable in files',
  needs: ['read'],
  usage: 'strings [OPTION]... [FILE]...',
  flags: {
    all: { short: 'a', long: 'all', help: 'the whole file, as ever' },
    names: { short: 'f', long: 'print-file-name', help: 'print the name of the file before each string' },
    least: { short: 'n', long: 'bytes', value: 'NUMBER', parse: parseLeast, help: 'at least NUMBER characters, not 4' },
    radix: {
      short: 't',
      long: 'radix',
      value: 'RADIX',
      parse: parseRadix,
      help: 'print the offset of each string in o, d or x',
    },
  },
  statuses: { 0: 'all files were read', 1: 'some file could not be read' },
  obsolete: (argument) => (/^-[0-9]+$/.test(argument) ? ['-n', argument.slice(1)] : undefined),

  run(context) {
    const { flags } = context;
    const least = flags.least ?? 4;
    if (least < 1) {
      context.complain(`invalid minimum string length ${least}`);
      return 1;
    }
    const out = lineWriter(context.out);
    const input = failingAs(context, (operand) => `'${operand}'`);
    const status = eachInput(input, context.operands, (source, operand) => {
      let found = '';
      let offset = 0;
      const show = (): string => {
        const text = found;
        found = '';
        if (text.length < least) return '';
        const place = flags.radix === undefined ? '' : `${(offset - text.length).toString(flags.radix).padStart(7)} `;
        return `${flags.names === true ? `${operand === '-' ? '{standard input}' : operand}: ` : ''}${place}${text}\n`;
      };
      const read = chunksOf(context, source, (chunk) => {
        let text = '';
        for (const byte of chunk) {
          if (byte === 9 || (byte >= 0x20 && byte < 0x7f)) found += String.fromCharCode(byte);
          else if (found !== '') text += show();
          offset++;
        }
        const limit = context.limits.maxVariableBytes;
        if (found.length > limit) throw limitReached('maxVariableBytes', limit);
        return out.write(text);
      });
      return andThen(read, () => andThen(out.write(show()), () => false));
    });
    return andThen(status, (result) => andThen(out.end(), () => result));
  },
});

/** As strtoul(3) reads a number of any base. */
function parseLeast(text: string): number | BadValue {
  const [, sign, hex, octal, decimal] = /^\s*([+-]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))$/.exec(text) ?? [];
  if (text !== '' && sign === undefined) return new BadValue(`invalid integer argument ${text}`);
  const value =
    hex === undefined
      ? Number.parseInt(octal ?? decimal ?? '0', octal === undefined ? 10 : 8)
      : Number.parseInt(hex, 16);
  return sign === '-' ? -value : value;
}

function parseRadix(text: string): number | BadValue {
  return text === 'o' || text === 'd' || text === 'x' ? RADIX[text] : new BadValue(`invalid radix '${text}'`, true);
}
