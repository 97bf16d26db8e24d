/** What find does with the files it finds. */

import { andThen, rescue } from '../../src/steps.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import type { Entry } from '../kit/walk/entry.js';
import type { Primaries, Primary } from './arguments.js';
import { exec, execdir } from './commands.js';
import { applyFormat, parseFormat } from './format.js';
import { lister } from './listing.js';
import { BadExpression, reportFailure, type Search, shown } from './search.js';

/** Prints a text for each file. */
function printing(text: (entry: Entry, search: Search) => string): Primary {
  return (_args, search) => {
    search.acts = true;
    return (entry) => andThen(search.context.out.write(text(entry, search)), () => true);
  };
}

/** rmsh's runs ask nobody. */
const asking: Primary = (args) => {
  throw new BadExpression(`${args.name} is not supported: nobody is asked; look with -print first, then use -exec`);
};

export const actions: Primaries = {
  print: printing((entry, search) => `${shown(search, entry.path)}\n`),
  print0: printing((entry) => `${entry.path}\0`),
  printf(args, search) {
    search.acts = true;
    const format = parseFormat(args.take(), search);
    const { out } = search.context;
    return (entry) =>
      andThen(out.write(applyFormat(format, entry, search)), () =>
        andThen(format.flushes ? out.flush() : undefined, () => true),
      );
  },
  ls(_args, search) {
    search.acts = true;
    const list = lister(search);
    return (entry) => {
      let line: string;
      try {
        line = list(entry);
      } catch (error) {
        reportFailure(search, entry.path, error);
        return false;
      }
      return andThen(search.context.out.write(line), () => true);
    };
  },
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
