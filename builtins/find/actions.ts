/** What find does with the files it finds. */

import { andThen, rescue } from '../../src/steps.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import type { Output } from '../kit/context.js';
import type { Entry } from '../kit/walk/entry.js';
import type { Arguments, Primaries, Primary } from './arguments.js';
import { exec, execdir } from './commands.js';
import { applyFormat, parseFormat } from './format.js';
import { lister } from './listing.js';
import { BadExpression, reportFailure, type Search, shown } from './search.js';

type Place = (args: Arguments, search: Search) => Output;

const toOutput: Place = (_args, search) => search.context.out;

/** The file that is the next argument; several actions may write to one. */
const toFile: Place = (args, search) => {
  const name = args.take();
  const { context, files } = search;
  if (name === '/dev/stdout') return context.out;
  if (name === '/dev/stderr') return context.err;
  const known = files.get(name);
  if (known !== undefined) return known;
  try {
    const file = context.openSink(name, { truncate: true });
    files.set(name, file);
    return file;
  } catch (error) {
    context.failed(gnuQuoteValue(name), error);
    throw new BadExpression('');
  }
};

/** Prints a text for each file. */
function printing(place: Place, text: (entry: Entry, search: Search) => string): Primary {
  return (args, search) => {
    search.acts = true;
    const out = place(args, search);
    return (entry) => andThen(out.write(text(entry, search)), () => true);
  };
}

function formatted(place: Place): Primary {
  return (args, search) => {
    search.acts = true;
    const out = place(args, search);
    const format = parseFormat(args.take(), search);
    return (entry) =>
      andThen(out.write(applyFormat(format, entry, search)), () =>
        andThen(format.flushes ? out.flush() : undefined, () => true),
      );
  };
}

function listed(place: Place): Primary {
  return (args, search) => {
    search.acts = true;
    const out = place(args, search);
    const list = lister(search);
    return (entry) => {
      let line: string;
      try {
        line = list(entry);
      } catch (error) {
        reportFailure(search, entry.path, error);
        return false;
      }
      return andThen(out.write(line), () => true);
    };
  };
}

const line = (entry: Entry, search: Search): string => `${shown(search, entry.path)}\n`;
const withNul = (entry: Entry): string => `${entry.path}\0`;

/** rmsh's runs ask nobody. */
const asking: Primary = (args) => {
  throw new BadExpression(`${args.name} is not supported: nobody is asked; look with -print first, then use -exec`);
};

export const actions: Primaries = {
  print: printing(toOutput, line),
  print0: printing(toOutput, withNul),
  printf: formatted(toOutput),
  ls: listed(toOutput),
  fprint: printing(toFile, line),
  fprint0: printing(toFile, withNul),
  fprintf: formatted(toFile),
  fls: listed(toFile),
  prune(_args, search) {
    search.prunes = true;
    return () => {
      search.pruned = true;
      return true;
    };
  },
  quit(_args, search) {
    // As in GNU, `find -quit` alone prints nothing.
    search.acts = true;
    return () => {
      search.stopped = true;
      return true;
    };
  },
  delete(_args, search) {
    search.acts = true;
    search.deletes = true;
    search.contentsFirst = true;
    return (entry) => {
      if (entry.path === '.') return true;
      return rescue(
        () => andThen(search.context.fs.remove(entry.path), () => true),
        (error) => {
          reportFailure(search, entry.path, error, `cannot delete ${gnuQuoteValue(entry.path)}`);
          return false;
        },
      );
    };
  },
  exec,
  execdir,
  ok: asking,
  okdir: asking,
};
