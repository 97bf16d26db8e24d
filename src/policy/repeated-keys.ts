/**
 * Keys that a JSON text gives twice in one object. JSON.parse keeps the last of them and says nothing: whoever reads the document
 * from the top would believe the other.
 */

/** Paths of such keys, as `limits.maxJobs` and `allowedPaths[1].access`; `text` is valid JSON. */
export function repeatedKeys(text: string, at: (key: string, name: string) => string): string[] {
  const found: string[] = [];
  /** The objects and lists that are open; a list counts its items. */
  const open: { readonly path: string; readonly keys: Set<string> | undefined; item: number; name: string }[] = [];
  const pathOfValue = (): string => {
    const top = open[open.length - 1];
    if (top === undefined) return '';
    return top.keys === undefined ? `${top.path}[${top.item}]` : at(top.path, top.name);
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\],]/g)) {
    const top = open[open.length - 1];
    if (token === '{') open.push({ path: pathOfValue(), keys: new Set(), item: 0, name: '' });
    else if (token === '[') open.push({ path: pathOfValue(), keys: undefined, item: 0, name: '' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (top !== undefined) top.item += 1;
    } else if (token.endsWith(':') && top?.keys !== undefined) {
      const name = String(JSON.parse(token.slice(0, -1)));
      top.name = name;
      if (top.keys.has(name)) found.push(at(top.path, name));
      top.keys.add(name);
    }
  }
  return found;
}
