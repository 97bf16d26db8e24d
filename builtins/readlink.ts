/** readlink: what a symbolic link says, or where a path leads. */
import { isFsError } from '../src/errors.js';
import { andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded } from '../src/text/quote.js';
import { canonicalPath, type Existing } from './kit/canonical.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { eachOperand } from './kit/operands.js';

export const readlink = defineBuiltin({
  name: 'readlink',
  summary: 'print what a symbolic link says, or the physical path of a file',
  usage: 'readlink [OPTION]... FILE...',
  needs: ['read'],
  flags: {
    canonical: { short: 'f', long: 'canonicalize', help: 'follow every link; all but the last part must exist' },
    existing: { short: 'e', long: 'canonicalize-existing', help: 'follow every link; all parts must exist' },
    missing: { short: 'm', long: 'canonicalize-missing', help: 'follow every link; no part need exist' },
    noNewline: { short: 'n', long: 'no-newline', help: 'print no newline after a single FILE' },
    quiet: { short: 'qs', long: ['quiet', 'silent'], help: 'do not say what failed (default)' },
    verbose: { short: 'v', long: 'verbose', help: 'say what failed' },
    zero: { short: 'z', long: 'zero', help: 'end each line with a NUL' },
  },
  statuses: { 0: 'all went well', 1: 'some FILE failed' },

  run(context) {
    const { flags, operands, fs } = context;
    if (operands.length === 0) return usageFailure(context, 'missing operand');
    const how = lastOf(context.given, ['canonical', 'existing', 'missing'])?.flag;
    const existing: Existing = how === 'existing' ? 'all' : how === 'missing' ? 'nothing' : 'all-but-last';
    const verbose = lastOf(context.given, ['quiet', 'verbose'])?.flag === 'verbose';
    const alone = flags.noNewline === true && operands.length === 1;
    if (flags.noNewline && !alone) context.complain('ignoring --no-newline with multiple arguments');
    const end = alone ? '' : flags.zero ? '\0' : '\n';
    return eachOperand(context, operands, (file) => {
      let text: string;
      try {
        text = how === undefined ? fs.readlink(file) : canonicalPath(fs, file, existing);
      } catch (error) {
        if (verbose) return context.failed(gnuQuoteIfNeeded(file), error);
        if (!isFsError(error)) throw error;
        return 1;
      }
      return andThen(context.out.write(text + end), () => 0);
    });
  },
});
