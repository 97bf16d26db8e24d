/** Pathname expansion (POSIX 2.6.6, 2.14.3): a pattern becomes the sorted names of the files it matches, or stays as it is. */

import { isFsError } from '../errors.js';
import type { Directory, ListFiles, ReadFiles } from '../files/files.js';
import { limitReached } from '../limits.js';
import type { Waiting } from '../steps.js';
import { compareBytes } from '../text/bytes.js';
import { compilePattern, hasPatternCharacters, unescapePattern } from '../text/pattern.js';
import { type ExpansionHost, NoMatch } from './host.js';

/** What it needs of the shell. */
export type PathnameHost = Pick<
  ExpansionHost,
  'patternOption' | 'patternNesting' | 'ignoredPathnames' | 'limits' | 'tick'
> & {
  readonly fs: Pick<ReadFiles, 'tryStat' | 'tryLstat'> & ListFiles;
};

/** Appends to `out` the names that match `pattern`, or `text` (the word, quotes removed) when none does. */
export function expandPathname(host: PathnameHost, pattern: string, text: string, out: string[]): Waiting {
  const search: Search = {
    host,
    components: splitComponents(pattern, host.patternOption('globstar'), host.patternOption('extglob')),
    found: [],
    looked: 0,
  };
  const start = pattern.startsWith('/') ? '/' : '';
  const waiting = matchFrom(search, start, 0);
  if (waiting !== undefined) return waiting.then(() => finish(search, text, out));
  return finish(search, text, out);
}

function finish(search: Search, text: string, out: string[]): undefined {
  const isIgnored = ignoring(search.host);
  if (isIgnored !== undefined) search.found = search.found.filter((name) => !isIgnored(name));
  if (search.found.length === 0) {
    if (search.host.patternOption('failglob')) throw new NoMatch(`no match: ${text}`);
    if (!search.host.patternOption('nullglob')) out.push(text);
    return undefined;
  }
  search.found.sort(compareBytes);
  for (const name of search.found) out.push(name);
  return undefined;
}

/** Which pathnames `GLOBIGNORE` takes away: those that one of its patterns matches as a whole, slashes and all. */
function ignoring(host: PathnameHost): ((name: string) => boolean) | undefined {
  const { ignoredPathnames } = host;
  if (ignoredPathnames === undefined) return undefined;
  const fold = host.patternOption('nocaseglob');
  const patterns = splitIgnored(fold ? ignoredPathnames.toLowerCase() : ignoredPathnames).map((pattern) =>
    compilePattern(pattern, host.patternNesting),
  );
  return (name) => patterns.some((pattern) => pattern.matches(fold ? name.toLowerCase() : name));
}

/** At the colons that are neither quoted nor in a bracket expression. */
function splitIgnored(text: string): string[] {
  const patterns: string[] = [];
  let from = 0;
  let bracket = -1;
  const last = text.lastIndexOf(']');
  for (let i = 0; i <= text.length; i++) {
    const at = text[i];
    if (at === '\\') i += 1;
    else if (at === '[' && bracket < 0 && i + 2 <= last) bracket = text.indexOf(']', i + 2);
    else if (i > bracket) {
      bracket = -1;
      if (at !== ':' && at !== undefined) continue;
      if (i > from) patterns.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return patterns;
}

/** While names are ignored, a leading dot is matched as any other character (bash). */
function matchesDots(host: PathnameHost): boolean {
  return host.patternOption('dotglob') || host.ignoredPathnames !== undefined;
}

/** Part of a pattern between slashes. */
interface Component {
  readonly pattern: string;
  /** The slashes after it, as written: `a//b*` keeps both. */
  readonly slashes: string;
  readonly magic: boolean;
  /** `**` with globstar: directories to any depth. */
  readonly recursive: boolean;
}

interface Search {
  readonly host: PathnameHost;
  readonly components: readonly Component[];
  found: string[];
  looked: number;
}

function splitComponents(pattern: string, globstar: boolean, extended: boolean): Component[] {
  const components: Component[] = [];
  let i = 0;
  while (i < pattern.length && pattern[i] === '/') i++;
  while (i < pattern.length) {
    let end = i;
    while (end < pattern.length && pattern[end] !== '/')
      end += pattern[end] === '\\' && pattern[end + 1] !== '/' ? 2 : 1;
    end = Math.min(end, pattern.length);
    let after = end;
    while (after < pattern.length && pattern[after] === '/') after++;
    const part = pattern.slice(i, end);
    const recursive = globstar && part === '**';
    // Two in a row reach no further than one.
    if (recursive && components.at(-1)?.recursive === true) components.pop();
    components.push({
      pattern: part,
      slashes: pattern.slice(end, after),
      magic: hasPatternCharacters(part, extended),
      recursive,
    });
    i = after;
  }
  return components;
}

/** Matches the components from `index` on, below `prefix` (`` or a path that ends in a slash). */
function matchFrom(search: Search, prefix: string, index: number): Waiting {
  let base = prefix;
  let i = index;
  // Components without pattern characters need no directory to be read.
  while (i < search.components.length && !(search.components[i] as Component).magic) {
    const component = search.components[i] as Component;
    base += unescapePattern(component.pattern) + component.slashes;
    i += 1;
  }
  const { fs } = search.host;
  if (i === search.components.length) {
    const exists = base.endsWith('/') ? fs.tryStat(base)?.kind === 'directory' : fs.tryLstat(base) !== undefined;
    if (exists) search.found.push(base);
    return undefined;
  }
  const component = search.components[i] as Component;
  if (component.recursive) return matchBelow(search, base, i);
  const names = namesThatMatch(search, base, component);
  return matchEach(search, base, i, names, 0);
}

function matchEach(search: Search, base: string, index: number, names: readonly string[], from: number): Waiting {
  const component = search.components[index] as Component;
  const last = index === search.components.length - 1;
  for (let i = from; i < names.length; i++) {
    const path = base + names[i] + component.slashes;
    if (last && component.slashes === '') {
      search.found.push(path);
      continue;
    }
    if (last) {
      if (search.host.fs.tryStat(path)?.kind === 'directory') search.found.push(path);
      continue;
    }
    const pause = search.host.tick();
    const waiting =
      pause === undefined ? matchFrom(search, path, index + 1) : pause.then(() => matchFrom(search, path, index + 1));
    if (waiting !== undefined) {
      const next = i + 1;
      return waiting.then(() => matchEach(search, base, index, names, next));
    }
  }
  return undefined;
}

/** The names in a directory that match; none when it cannot be read: a pattern has no errors. */
function namesThatMatch(search: Search, base: string, component: Component): string[] {
  const fold = search.host.patternOption('nocaseglob');
  const pattern = compilePattern(
    fold ? component.pattern.toLowerCase() : component.pattern,
    search.host.patternNesting,
  );
  // A leading dot is matched only by a dot in the pattern (2.14.3); `.` and `..` by no pattern, as in bash, mksh and ksh.
  const dots = component.pattern.startsWith('.') || component.pattern.startsWith('\\.') || matchesDots(search.host);
  let directory: Directory | undefined;
  try {
    directory = search.host.fs.openDirectory(base === '' ? '.' : base);
    const names: string[] = [];
    const entries = directory.entries();
    countEntries(search, entries.length);
    for (const { name } of entries) {
      const looked = fold ? name.toLowerCase() : name;
      const hidden = name.charCodeAt(0) === 46 && !dots;
      if (hidden ? pattern.matchesHidden?.(looked) === true : pattern.matches(looked)) names.push(name);
    }
    return names;
  } catch (error) {
    if (isFsError(error)) return [];
    throw error;
  } finally {
    directory?.close();
  }
}

function countEntries(search: Search, count: number): void {
  search.looked += count;
  const { maxGlobEntries } = search.host.limits;
  if (search.looked > maxGlobEntries) throw limitReached('maxGlobEntries', maxGlobEntries);
}

// -------------------------------------------------------------------------------------------------------- globstar

/** Matches `**` at `index` and what follows it, in `base` and every directory below it. */
function matchBelow(search: Search, base: string, index: number): Waiting {
  const { slashes } = search.components[index] as Component;
  const below: Below[] = [];
  const match = (): Waiting => {
    if (index < search.components.length - 1) {
      const directories = below.filter(({ directory }) => directory).map(({ path }) => `${path}/`);
      return matchInEach(search, [base, ...directories], index + 1, 0);
    }
    for (const { path, directory } of below) {
      if (slashes === '') search.found.push(path);
      else if (directory || search.host.fs.tryStat(path)?.kind === 'directory') search.found.push(path + slashes);
    }
    return undefined;
  };
  const listed = listBelow(search, base, below);
  if (listed === undefined) return undefined;
  // `a/**` is also `a/` itself; behind a pattern bash leaves out that slash.
  if (base !== '' && index === search.components.length - 1) {
    const literal = search.components.slice(0, index).every(({ magic }) => !magic);
    search.found.push(literal || slashes !== '' ? base : base.replace(/\/+$/, ''));
  }
  return listed === true ? match() : listed.then(match);
}

function matchInEach(search: Search, bases: readonly string[], index: number, from: number): Waiting {
  for (let i = from; i < bases.length; i++) {
    const pause = search.host.tick();
    const base = bases[i] as string;
    const waiting =
      pause === undefined ? matchFrom(search, base, index) : pause.then(() => matchFrom(search, base, index));
    if (waiting !== undefined) return waiting.then(() => matchInEach(search, bases, index, i + 1));
  }
  return undefined;
}

/** What lies below the directory of a `**`. */
interface Below {
  readonly path: string;
  /** A directory itself, and not a link to one: those are not followed, or a loop of links would have no end. */
  readonly directory: boolean;
}

/** Appends all that is below `base`. Undefined: it is no directory that can be read; true: done, or done when the promise is. */
function listBelow(search: Search, base: string, out: Below[]): undefined | true | Promise<void> {
  if (!listDirectory(search, base === '' ? '.' : base, base, out)) return undefined;
  return listFrom(search, out, 0) ?? true;
}

/** `out` grows as its directories are read, and is done when its end is reached. */
function listFrom(search: Search, out: Below[], from: number): Waiting {
  for (let i = from; i < out.length; i++) {
    const { path, directory } = out[i] as Below;
    if (!directory) continue;
    const pause = search.host.tick();
    if (pause !== undefined) {
      return pause.then(() => {
        listDirectory(search, path, `${path}/`, out);
        return listFrom(search, out, i + 1);
      });
    }
    listDirectory(search, path, `${path}/`, out);
  }
  return undefined;
}

/** False when it cannot be read: a pattern has no errors. */
function listDirectory(search: Search, path: string, prefix: string, out: Below[]): boolean {
  const hidden = matchesDots(search.host);
  let directory: Directory | undefined;
  try {
    directory = search.host.fs.openDirectory(path);
    const entries = directory.entries();
    countEntries(search, entries.length);
    for (const { name, kind } of entries) {
      if (name.charCodeAt(0) === 46 && !hidden) continue;
      out.push({ path: prefix + name, directory: (kind ?? directory.lstat(name).kind) === 'directory' });
    }
    return true;
  } catch (error) {
    if (isFsError(error)) return false;
    throw error;
  } finally {
    directory?.close();
  }
}
