/** Paths as texts. */

/** Without slashes at the end, but `/` for slashes alone. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** As basename(1): `b` of `a/b/`; `/` of `//`; nothing of nothing. */
export function baseName(path: string): string {
  const bare = withoutTrailingSlashes(path);
  return bare === '/' ? bare : bare.slice(bare.lastIndexOf('/') + 1);
}

/** As dirname(1): `a` of `a//b/`; `.` where there is no slash. */
export function directoryName(path: string): string {
  const bare = withoutTrailingSlashes(path);
  const slash = bare.lastIndexOf('/');
  if (slash < 0) return '.';
  return withoutTrailingSlashes(bare.slice(0, slash)) || '/';
}

export function joinPath(directory: string, name: string): string {
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}

/** An absolute path without `.`, `..` and double slashes, as text: links are not looked at. */
export function normalizePath(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** How to get from the directory `from` to `to`, both absolute and normal. */
export function relativePath(from: string, to: string): string {
  const a = from.split('/').filter((part) => part !== '');
  const b = to.split('/').filter((part) => part !== '');
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return [...a.slice(shared).map(() => '..'), ...b.slice(shared)].join('/') || '.';
}
