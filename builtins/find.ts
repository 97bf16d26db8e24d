/** find: walk directories and act on the files an expression is true of. */

import { type Awaitable, andThen, isPromise } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import { evaluate } from './find/expression.js';
import { type Plan, parse } from './find/parse.js';
import { BadExpression, reportFailure } from './find/search.js';
import { defineBuiltin } from './kit/define.js';
import { forEach } from './kit/repeat.js';
import { walk } from './kit/walk/walk.js';

export const find = defineBuiltin({
  name: 'find',
  summary: 'look for files in directories',
  usage: 'find [-H] [-L] [-P] [PATH]... [EXPRESSION]',
  needs: ['read', 'list', 'write', 'remove', 'invoke', 'clock', 'host'],
  options: 'none',
  flags: {},
  notes: `Without a PATH the current directory; without an action, -print.

Links: -P never follows them (default), -H those given as PATH, -L all.
Operators, in order of precedence: ( EXPR )  ! EXPR  -not EXPR  A B  A -a B  A -o B  A , B
For the whole search: -depth -maxdepth N -mindepth N -xdev -mount
For what comes after: -daystart -regextype TYPE
Tests (N may be +N for more, -N for less): -name -iname -path -ipath -wholename -iwholename PATTERN
  -lname -ilname PATTERN -regex -iregex EXPR -type -xtype [bcdpfls] -size N[bcwkMG] -empty -perm [-/]MODE -links N -inum N
  -samefile FILE -newer -anewer -cnewer -newerXY FILE -mtime -atime -ctime N -mmin -amin -cmin N -used N
  -user NAME -group NAME -uid N -gid N -nouser -nogroup -fstype TYPE
  -readable -writable -executable -true -false
Actions: -print -print0 -printf FORMAT -ls -fprint -fprint0 -fls FILE -fprintf FILE FORMAT -prune -quit -delete -exec COMMAND ; -exec COMMAND {} +
  -execdir COMMAND ; -execdir COMMAND {} +

-delete removes files only, never directories, and each draws on the removal budget of the run. It is find that removes: also where rm
is not among the commands that are allowed.`,
  statuses: { 0: 'all went well', 1: 'something failed or the expression is none' },

  run(context): Awaitable<number> {
    let plan: Plan;
    try {
      plan = parse(context, context.operands);
    } catch (error) {
      if (!(error instanceof BadExpression)) throw error;
      if (error.message !== '') context.complain(error.message);
      return 1;
    }
    return search(plan);
  },
});

function search({ search: state, starts, expression }: Plan): Awaitable<number> {
  const { context } = state;
  const stopped = () => state.stopped;
  const flush = (directory: string | undefined): Awaitable<unknown> =>
    state.pending.length === 0
      ? undefined
      : forEach(state.pending, (one) => andThen(one.flush(directory), () => undefined));

  const walking = walk(starts, context.fs, context.tick, walkOptions(state), {
    visit(entry) {
      state.pruned = false;
      const value = evaluate(expression, entry, stopped);
      return isPromise(value) ? value : undefined;
    },
    pruned: () => state.pruned,
    stopped,
    leave: flush,
    failed: (path, error) => reportFailure(state, path, error),
    loop(path, above) {
      context.complain(
        `File system loop detected; ${gnuQuoteValue(path)} is part of the same file system loop as ${gnuQuoteValue(above)}.`,
      );
      state.status = 1;
    },
  });
  const files = () =>
    forEach([...state.files.values()], (file) => andThen(file.close() as Awaitable<void>, () => false));
  return andThen(walking, () => andThen(flush(undefined), () => andThen(files(), () => state.status)));
}

function walkOptions(state: Plan['search']) {
  const { follow, minDepth, maxDepth, contentsFirst, oneFileSystem } = state;
  return { follow, minDepth, maxDepth, contentsFirst, oneFileSystem };
}
