/** What a regular expression means, whichever syntax it was written in. */

/**
 * Symbols are code points; a byte that is not part of valid UTF-8 is the symbol U+DC00 plus the byte, as in shell strings. Sets that
 * are not asked for such a byte by name never hold one: `.` and `[^a]` do not match it (GNU).
 */
export interface SymbolSet {
  /** Sets with one key have the same members. */
  readonly key: string;
  /** The symbol, when it is the only member. */
  readonly only: number | undefined;
  /** All members are ASCII. */
  readonly ascii: boolean;
  has(symbol: number): boolean;
}

export type Assertion =
  /** `^` and `$`: at the ends of the text, and at newlines where asked */
  | 'lineStart'
  | 'lineEnd'
  /** `` \` `` and `\'` */
  | 'textStart'
  | 'textEnd'
  /** `\<` `\>` `\b` `\B` */
  | 'wordStart'
  | 'wordEnd'
  | 'wordEdge'
  | 'notWordEdge'
  /** What `grep -w` asks around a match: no word character before, or after. */
  | 'noWordBefore'
  | 'noWordAfter';

export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: SymbolSet }
  | { readonly kind: 'cat'; readonly items: readonly Node[] }
  | { readonly kind: 'alt'; readonly items: readonly Node[] }
  /** `max` may be Infinity. */
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'group'; readonly index: number; readonly body: Node }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'backref'; readonly index: number };

export const EMPTY: Node = { kind: 'empty' };

export function cat(items: readonly Node[]): Node {
  if (items.length === 1) return items[0] as Node;
  return items.length === 0 ? EMPTY : { kind: 'cat', items };
}

export function alt(items: readonly Node[]): Node {
  return items.length === 1 ? (items[0] as Node) : { kind: 'alt', items };
}

/** Calls `visit` for the node and all below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  const stack = [node];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    visit(top);
    if (top.kind === 'cat' || top.kind === 'alt')
      for (let i = top.items.length - 1; i >= 0; i--) stack.push(top.items[i] as Node);
    else if (top.kind === 'repeat' || top.kind === 'group') stack.push(top.body);
  }
}

/** A copy in which each node, from the leaves up, has passed through `change`. */
export function transform(node: Node, change: (node: Node) => Node): Node {
  switch (node.kind) {
    case 'cat':
    case 'alt':
      return change({ kind: node.kind, items: node.items.map((item) => transform(item, change)) });
    case 'repeat':
    case 'group':
      return change({ ...node, body: transform(node.body, change) });
    default:
      return change(node);
  }
}
