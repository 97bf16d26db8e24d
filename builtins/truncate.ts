/** truncate: give files a size. */
import { FsError, isFsError } from '../src/errors.js';
import type { OpenFile } from '../src/files/files.js';
import { gnuQuote, gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { INTMAX, parseInteger } from './kit/numbers.js';
import { eachOperand } from './kit/operands.js';

type Relation = '=' | '+' | '-' | '<' | '>' | '/' | '%';

interface Size {
  readonly relation: Relation;
  readonly value: bigint;
}

export const truncate = defineBuiltin({
  name: 'truncate',
  summary: 'shrink or extend files to a size',
  usage: 'truncate [-co] -s SIZE FILE...\ntruncate [-c] -r RFILE [-s RELATIVE-SIZE] FILE...',
  needs: ['read', 'write'],
  remediationOnly: true,
  flags: {
    noCreate: { short: 'c', long: 'no-create', help: 'do not make files' },
    blocks: { short: 'o', long: 'io-blocks', help: 'SIZE is in blocks of the file, not bytes' },
    reference: { short: 'r', long: 'reference', value: 'RFILE', help: 'the size of RFILE' },
    size: { short: 's', long: 'size', value: 'SIZE', parse: parseSize, help: 'the size, or a change of it' },
  },
  notes: `SIZE is a number with a unit K M G T P E (of 1024) or KB MB ... (of 1000) behind it, and before it
  +  grow by      -  shrink by      <  at most      >  at least
  /  round down to a multiple of    %  round up to a multiple of
A file with more than one name, a symbolic link and a special file are refused.`,
  statuses: { 0: 'all have their size', 1: 'some have not' },

  run(context) {
    const { flags, operands, fs } = context;
    const { size, reference } = flags;
    if (size === undefined && reference === undefined) {
      return usageFailure(
        context,
        `you must specify either ${gnuQuoteValue('--size')} or ${gnuQuoteValue('--reference')}`,
      );
    }
    if (reference !== undefined && size?.relation === '=') {
      const [a, b] = [gnuQuoteValue('--size'), gnuQuoteValue('--reference')];
      return usageFailure(context, `you must specify a relative ${a} with ${b}`);
    }
    if (flags.blocks && size === undefined) {
      const [a, b] = [gnuQuoteValue('--io-blocks'), gnuQuoteValue('--size')];
      return usageFailure(context, `${a} was specified but ${b} was not`);
    }
    if (operands.length === 0) return usageFailure(context, 'missing file operand');
    let base: bigint | undefined;
    if (reference !== undefined) {
      try {
        base = BigInt(fs.stat(reference).size);
      } catch (error) {
        return context.failed(`cannot stat ${gnuQuote(reference)}`, error);
      }
    }
    const wanted: Size = size ?? { relation: '+', value: 0n };

    return eachOperand(context, operands, (path) => {
      let file: OpenFile;
      try {
        file = fs.openWrite(path, { create: flags.noCreate !== true });
      } catch (error) {
        if (flags.noCreate && isFsError(error) && error.code === 'ENOENT') return 0;
        return context.failed(`cannot open ${gnuQuote(path)} for writing`, error);
      }
      try {
        const stat = file.stat();
        const unit = flags.blocks ? BigInt(stat.blksize) : 1n;
        const next = newSize(wanted.relation, wanted.value * unit, base ?? BigInt(stat.size));
        if (next > INTMAX || wanted.value * unit > INTMAX) {
          context.complain(`overflow extending size of file ${gnuQuote(path)}`);
          return 1;
        }
        try {
          if (next > BigInt(Number.MAX_SAFE_INTEGER)) throw new FsError('EFBIG', path);
          file.truncate(Number(next));
        } catch (error) {
          return context.failed(`failed to truncate ${gnuQuote(path)} at ${next} bytes`, error);
        }
        return 0;
      } finally {
        file.close();
      }
    });
  },
});

function parseSize(text: string): Size | BadValue {
  const head = /^[ \t\n\v\f\r]*([<>/%]?)/.exec(text) as RegExpExecArray; // matches any text
  let relation: Relation = head[1] === '' ? '=' : (head[1] as Relation); // one of its characters
  let rest = text.slice(head[0].length).trimStart();
  if (rest.startsWith('+') || rest.startsWith('-')) {
    if (relation !== '=') return new BadValue('multiple relative modifiers specified', true);
    relation = rest[0] as '+' | '-';
    rest = rest.slice(1);
    if (/^[+-]/.test(rest)) return new BadValue(`Invalid number: ${gnuQuoteValue(text)}`);
  }
  const read = parseInteger(rest, { suffixes: 'EgGkKmMPtTYZ0', signed: true });
  const shown = gnuQuoteValue(relation === '+' || relation === '-' ? text.trimStart() : rest);
  if (read.kind === 'overflow') return new BadValue(`Invalid number: ${shown}: Value too large for defined data type`);
  if (read.kind !== 'value') return new BadValue(`Invalid number: ${shown}`);
  if ((relation === '/' || relation === '%') && read.value === 0n) return new BadValue('division by zero');
  return { relation, value: read.value };
}

function newSize(relation: Relation, value: bigint, size: bigint): bigint {
  const next = relative(relation, value, size);
  return next < 0n ? 0n : next;
}

function relative(relation: Relation, value: bigint, size: bigint): bigint {
  switch (relation) {
    case '+':
      return size + value;
    case '-':
      return size - value;
    case '<':
      return size < value ? size : value;
    case '>':
      return size > value ? size : value;
    case '/':
      return size - (size % value);
    case '%':
      return ((size + value - 1n) / value) * value;
    default:
      return value;
  }
}
