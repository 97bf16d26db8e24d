/** Paths as text. A component is a single name; `.` and empty ones mean nothing, and only the end of a path says more. */

/**
 * How a path ends. `file/` and `dir/.` can only be directories, and `rmdir dir/.` or `mv dir/..` are refused: the kernel tells
 * these apart from `dir`, so we must too.
 */
export type Ending = 'name' | 'slash' | 'dot' | 'dotdot';

export function endingOf(path: string): Ending {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  const start = path.lastIndexOf('/', end - 1) + 1;
  // `/` is a name that only a directory has, as rmdir(2) sees it: busy, where `.` is invalid.
  if (path === '' || (end - start === 1 && path[start] === '.')) return 'dot';
  if (end - start === 2 && path.startsWith('..', start)) return 'dotdot';
  return end === path.length ? 'name' : 'slash';
}

/** Puts the components of `path` on `stack`, the last of them first: a walk pops the next one off. */
export function pushComponents(stack: string[], path: string): void {
  if (!path.includes('/')) {
    if (path !== '' && path !== '.') stack.push(path);
    return;
  }
  let end = path.length;
  while (end > 0) {
    const start = path.lastIndexOf('/', end - 1) + 1;
    const length = end - start;
    if (length > 1 || (length === 1 && path[start] !== '.')) stack.push(path.slice(start, end));
    end = start - 1;
  }
}

/** `name` in the directory `directory`, as text. */
export function join(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** An absolute path without `.`, `..` and empty components, by its text alone. */
export function normalize(path: string): string {
  const rest: string[] = [];
  pushComponents(rest, path);
  return descend('/', rest);
}

/** From the directory `path` down through components, the last of which comes first, by their text alone. */
export function descend(path: string, rest: readonly string[]): string {
  let at = path;
  for (let i = rest.length - 1; i >= 0; i--) {
    const name = rest[i] as string;
    at = name === '..' ? dirname(at) : join(at, name);
  }
  return at;
}

/** The directory that holds `path`, an absolute path without `.`, `..` and empty components. */
export function dirname(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `directory` or below it, both absolute and without `.`, `..` and empty components. */
export function isWithin(path: string, directory: string): boolean {
  if (!path.startsWith(directory)) return false;
  return path.length === directory.length || directory === '/' || path[directory.length] === '/';
}

/** Whether `name` can be the name of an entry of a directory. */
export function isSingleName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
}
