/** logrotate: empty log files that have grown too large. A helper of rmsh, not logrotate(8). */
import { FsError } from '../src/errors.js';
import type { FileStat, OpenFile } from '../src/files/files.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuote, gnuQuoteValue } from '../src/text/quote.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { parseInteger } from './kit/numbers.js';
import { eachOperand } from './kit/operands.js';

export const logrotate = defineBuiltin({
  name: 'logrotate',
  summary: 'empty log files that have grown too large',
  usage: 'logrotate (-s SIZE | -f) [-n] [-v] FILE...',
  needs: ['read', 'write'],
  flags: {
    force: { short: 'f', long: 'force', help: 'empty every FILE, whatever its size' },
    dryRun: { short: 'n', long: 'dry-run', help: 'only say what would be emptied' },
    size: { short: 's', long: 'size', value: 'SIZE', parse: parseSize, help: 'empty files of at least SIZE bytes' },
    verbose: { short: 'v', long: 'verbose', help: 'say of each FILE what is done' },
  },
  notes: `SIZE may have a unit: K M G T (of 1024), KB MB ... (of 1000).
Programs that write to a log go on writing to it: it is emptied where it is, not renamed. One file that is named
twice, or reached by two paths, is looked at once. This is not logrotate(8): it reads no configuration and keeps no copies.`,
  statuses: { 0: 'all went well', 1: 'some FILE could not be emptied' },

  run(context) {
    const { flags, operands, fs, out } = context;
    if (flags.size === undefined && !flags.force) {
      return usageFailure(context, `you must specify either ${gnuQuoteValue('-s SIZE')} or ${gnuQuoteValue('-f')}`);
    }
    if (flags.size !== undefined && flags.force) {
      return usageFailure(context, `${gnuQuoteValue('-s')} and ${gnuQuoteValue('-f')} exclude each other`);
    }
    if (operands.length === 0) return usageFailure(context, 'missing file operand');
    const least = flags.size ?? 0n;
    const seen = new Set<string>();

    /** One name: looked at through links, to know the file; written to only by its own name. */
    const look = (path: string): Awaitable<number> => {
      const stat = fs.stat(path);
      if (stat.kind === 'directory') throw new FsError('EISDIR', path);
      if (stat.kind !== 'file') throw new FsError('SPECIAL_FILE', path);
      const key = `${stat.dev}:${stat.ino}`;
      if (seen.has(key)) return say(`${gnuQuote(path)}: the same file as before`);
      seen.add(key);
      if (BigInt(stat.size) < least) return say(`${gnuQuote(path)}: ${stat.size} bytes, kept`);
      if (flags.dryRun) return answer(`would truncate ${gnuQuote(path)} (${stat.size} bytes)`);
      const size = empty(path, stat);
      return say(`truncated ${gnuQuote(path)} (${size} bytes)`);
    };

    const empty = (path: string, before: FileStat): number => {
      const file: OpenFile = fs.openWrite(path, { create: false });
      try {
        const stat = file.stat();
        // Another file may have taken the name since.
        if (stat.ino !== before.ino || stat.dev !== before.dev) throw new FsError('ESTALE', path);
        file.truncate(0);
        return stat.size;
      } finally {
        file.close();
      }
    };

    const answer = (line: string): Awaitable<number> => andThen(out.write(`${line}\n`), () => 0);
    const say = (line: string): Awaitable<number> => (flags.verbose ? answer(line) : 0);

    return eachOperand(context, operands, (path) => {
      try {
        return look(path);
      } catch (error) {
        return context.failed(`cannot truncate ${gnuQuote(path)}`, error);
      }
    });
  },
});

function parseSize(text: string): bigint | BadValue {
  const read = parseInteger(text, { suffixes: 'bkKmMgGtTPEZY0' });
  return read.kind === 'value' ? read.value : new BadValue(`invalid size: ${gnuQuoteValue(text)}`);
}
