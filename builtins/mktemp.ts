/** mktemp: make a file or directory with a name that nobody else has. */
import { FsError, isFsError } from '../src/errors.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { defineBuiltin, usageFailure } from './kit/define.js';
import { joinPath } from './kit/paths.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ATTEMPTS = 1000;

export const mktemp = defineBuiltin({
  name: 'mktemp',
  summary: 'make a temporary file or directory and print its name',
  usage: 'mktemp [OPTION]... [TEMPLATE]',
  needs: ['read', 'write', 'environment'],
  remediationOnly: true,
  flags: {
    directory: { short: 'd', long: 'directory', help: 'make a directory' },
    dryRun: { short: 'u', long: 'dry-run', help: 'make nothing, only print a name' },
    quiet: { short: 'q', long: 'quiet', help: 'do not say what failed' },
    suffix: { long: 'suffix', value: 'SUFFIX', help: 'append SUFFIX to the name' },
    parent: { short: 'p', value: 'DIR', help: 'in DIR, unless it is empty' },
    parentOptional: { long: 'tmpdir', value: 'DIR', optional: true, help: 'the same; in $TMPDIR, else /tmp' },
    template: { short: 't', help: 'TEMPLATE is a name in $TMPDIR, else in DIR of -p, else in /tmp' },
  },
  notes: 'TEMPLATE must have at least three Xs one after the other; the default is tmp.XXXXXXXXXX with --tmpdir.',
  statuses: { 0: 'made', 1: 'not made' },

  run(context): Awaitable<number> {
    const { flags, operands, fs, environment } = context;
    if (operands.length > 1) return usageFailure(context, 'too many templates');
    const refuse = (message: string): number => {
      context.complain(message);
      return 1;
    };
    let template = operands[0] ?? 'tmp.XXXXXXXXXX';
    const { suffix } = flags;
    if (suffix !== undefined && !template.endsWith('X')) {
      return refuse(`with --suffix, template ${gnuQuoteValue(template)} must end in X`);
    }
    template += suffix ?? '';
    const lastMark = suffix === undefined ? template.lastIndexOf('X') + 1 : template.length - suffix.length;
    const end = template.slice(lastMark);
    let firstMark = lastMark;
    while (firstMark > 0 && template[firstMark - 1] === 'X') firstMark--;
    const marks = lastMark - firstMark;
    if (marks < 3) return refuse(`too few X's in template ${gnuQuoteValue(template)}`);
    if (end.includes('/')) return refuse(`invalid suffix ${gnuQuoteValue(end)}, contains directory separator`);

    const parent = flags.parent ?? (typeof flags.parentOptional === 'string' ? flags.parentOptional : undefined);
    const inDirectory =
      operands.length === 0 || flags.template || flags.parent !== undefined || flags.parentOptional !== undefined;
    let place = template;
    if (inDirectory) {
      const variable = environment.get('TMPDIR') ?? '';
      const fallback = variable === '' ? '/tmp' : variable;
      let directory: string;
      if (flags.template) {
        directory = variable !== '' ? variable : parent === undefined || parent === '' ? '/tmp' : parent;
        if (template.includes('/')) {
          return refuse(`invalid template, ${gnuQuoteValue(template)}, contains directory separator`);
        }
      } else {
        directory = parent === undefined || parent === '' ? fallback : parent;
        if (template.startsWith('/')) {
          return refuse(`invalid template, ${gnuQuoteValue(template)}; with --tmpdir, it may not be absolute`);
        }
      }
      place = joinPath(directory, template);
    }

    const start = place.slice(0, place.length - end.length - marks);
    try {
      const path = flags.dryRun
        ? untaken((name) => fs.tryLstat(name), start, marks, end)
        : make(start, marks, end, (name) => {
            if (flags.directory) fs.mkdir(name, 0o700);
            else fs.openWrite(name, { exclusive: true, mode: 0o600 }).close();
          });
      return andThen(context.out.write(`${path}\n`), () => 0);
    } catch (error) {
      if (!isFsError(error)) throw error;
      if (!flags.quiet) {
        const kind = flags.directory ? 'directory' : 'file';
        context.failed(`failed to create ${kind} via template ${gnuQuoteValue(place)}`, error);
      }
      return 1;
    }
  },
});

/** Tries names until one is free. Throws FsError. */
function make(start: string, length: number, end: string, create: (path: string) => void): string {
  for (let i = 0; i < ATTEMPTS; i++) {
    const path = start + randomName(length) + end;
    try {
      create(path);
      return path;
    } catch (error) {
      if (!isFsError(error) || error.code !== 'EEXIST') throw error;
    }
  }
  throw new FsError('EEXIST', start);
}

function untaken(look: (path: string) => unknown, start: string, length: number, end: string): string {
  return make(start, length, end, (path) => {
    if (look(path) !== undefined) throw new FsError('EEXIST', path);
  });
}

function randomName(length: number): string {
  let name = '';
  while (name.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // 248 is four times the number of letters: each is as likely as any other.
      if (byte < 248 && name.length < length) name += LETTERS[byte % LETTERS.length];
    }
  }
  return name;
}
