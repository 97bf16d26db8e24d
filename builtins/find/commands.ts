/** `-exec` and `-execdir`: other commands, through the same policy, for each file or for many at once. */

import { type Awaitable, andThen } from '../../src/steps.js';
import { byteLength } from '../../src/text/bytes.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import type { Ended } from '../kit/context.js';
import type { Entry } from '../kit/walk/entry.js';
import type { Arguments, Primary } from './arguments.js';
import type { Test } from './expression.js';
import { BadExpression, type Search } from './search.js';

/** GNU's size of a command line: all words with the byte that ends each. */
const MOST_BYTES = 128 * 1024;

/** Where a command runs, and what it calls the file. */
interface Place {
  /** Undefined: where find itself is. */
  readonly cwd: string | undefined;
  readonly file: string;
}

type PlaceOf = (entry: Entry) => Place;

const here: PlaceOf = (entry) => ({ cwd: undefined, file: entry.path });

/** The directory that holds the file, and `./NAME`. */
const beside: PlaceOf = (entry) => {
  if (entry.name === '/') return { cwd: '/', file: '/' };
  const end = entry.path.length - (entry.path.match(/\/*$/) as RegExpMatchArray)[0].length; // matches the end of any text
  const slash = entry.path.lastIndexOf('/', end - 1);
  const cwd = slash < 0 ? '.' : slash === 0 ? '/' : entry.path.slice(0, slash);
  return { cwd, file: `./${entry.name}` };
};

function command(place: PlaceOf): Primary {
  return (args, search) => {
    search.acts = true;
    const { words, many } = takeCommand(args);
    return many ? collect(words, place, search) : runEach(words, place, search);
  };
}

export const exec = command(here);
export const execdir = command(beside);

/** The words up to `;`, or up to `{} +`. */
function takeCommand(args: Arguments): { readonly words: readonly string[]; readonly many: boolean } {
  const words: string[] = [];
  for (;;) {
    const word = args.next();
    if (word === undefined) throw args.missing();
    if (word === ';') {
      if (words.length === 0) throw args.invalid(word);
      return { words, many: false };
    }
    if (word === '+' && words.at(-1)?.includes('{}') === true) break;
    words.push(word);
  }
  const suffix = args.name === '-execdir' ? 'dir' : '';
  const braces = words.filter((word) => word.includes('{}'));
  if (braces.length > 1) {
    throw new BadExpression(`Only one instance of {} is supported with -exec${suffix} ... +`);
  }
  if (words.at(-1) !== '{}') {
    throw new BadExpression(
      `In ${gnuQuoteValue(`-exec${suffix} ... {} +`)} the ${gnuQuoteValue('{}')} must appear by itself, but you specified ${gnuQuoteValue(words.at(-1) ?? '')}`,
    );
  }
  return { words: words.slice(0, -1), many: true };
}

function invoke(search: Search, argv: readonly string[], cwd: string | undefined): Awaitable<Ended> {
  return search.context.invoke(argv, cwd === undefined ? {} : { cwd });
}

function runEach(words: readonly string[], place: PlaceOf, search: Search): Test {
  const holes = words.map((word) => word.includes('{}'));
  return (entry) => {
    const { cwd, file } = place(entry);
    const argv = words.map((word, i) => (holes[i] ? (word === '{}' ? file : word.replaceAll('{}', () => file)) : word));
    return andThen(invoke(search, argv, cwd), ({ status }) => status === 0);
  };
}

/** Always true; the command runs when its line is full, and for `-execdir` when the walk leaves the directory. */
function collect(words: readonly string[], place: PlaceOf, search: Search): Test {
  const fixed = words.reduce((sum, word) => sum + byteLength(word) + 1, 0);
  let files: string[] = [];
  let bytes = fixed;
  let cwd: string | undefined;

  const run = (): Awaitable<unknown> => {
    if (files.length === 0) return undefined;
    const argv = [...words, ...files];
    files = [];
    bytes = fixed;
    return andThen(invoke(search, argv, cwd), ({ status }) => {
      if (status !== 0) search.status = 1;
    });
  };
  search.pending.push({
    flush: (directory) => (directory === undefined || directory === cwd ? run() : undefined),
  });

  return (entry) => {
    const at = place(entry);
    const size = byteLength(at.file) + 1;
    const full = bytes + size > MOST_BYTES || at.cwd !== cwd;
    return andThen(full ? run() : undefined, () => {
      cwd = at.cwd;
      files.push(at.file);
      bytes += size;
      return true;
    });
  };
}
