/** The patterns of one grep as one regular expression. */
import type { Look } from '../../src/steps.js';
import { fromByteString } from '../../src/text/bytes.js';
import { buildRegex, parseRegex, type Regex, RegexError } from '../../src/text/regex/index.js';
import { alt, cat, type Node, transform } from '../../src/text/regex/node.js';
import { literalNodes } from '../../src/text/regex/sets.js';

export type Syntax = 'basic' | 'extended' | 'fixed';

export interface PatternOptions {
  readonly syntax: Syntax;
  readonly ignoreCase: boolean;
  /** -w */
  readonly words: boolean;
  /** -x */
  readonly wholeLines: boolean;
  /** -z: lines end with NUL, and a newline is a character. */
  readonly zero: boolean;
  readonly look: Look;
}

/** One line of patterns and where it came from. */
export interface PatternLine {
  /** A byte string. */
  readonly text: string;
  /** `FILE:LINE`, for messages about patterns from a file. */
  readonly origin: string | undefined;
}

export interface Patterns {
  /** Undefined: there is no pattern at all, and nothing matches. */
  readonly regex: Regex | undefined;
  readonly warnings: readonly string[];
}

/** Bytes of all patterns together: each becomes a node of some hundred bytes. */
const MAX_PATTERNS = 1 << 22;

/** Answers the message of what is wrong with a pattern. */
export function compilePatterns(
  lines: readonly PatternLine[],
  options: PatternOptions,
): Patterns | { message: string } {
  const warnings: string[] = [];
  const nodes: Node[] = [];
  const fixed: string[] = [];
  const seen = new Set<string>();
  let groups = 0;
  let size = 0;
  for (const { text, origin } of lines) {
    if (seen.has(text)) continue;
    seen.add(text);
    size += text.length;
    if (size > MAX_PATTERNS) return { message: messageOf(new RegexError('size'), undefined) };
    if (options.syntax === 'fixed' || isPlain(text)) {
      fixed.push(fromByteString(text));
      continue;
    }
    const parsed = parseRegex(fromByteString(text), {
      syntax: options.syntax,
      dialect: 'grep',
      ignoreCase: options.ignoreCase,
    });
    if (parsed instanceof RegexError) return { message: messageOf(parsed, origin) };
    warnings.push(...parsed.warnings);
    nodes.push(renumber(parsed.node, groups));
    groups += parsed.groups;
  }
  if (fixed.length > 0) nodes.push(literalAlternatives(fixed, options.ignoreCase));
  if (nodes.length === 0) return { regex: undefined, warnings };
  const regex = buildRegex(surround(alt(nodes), options), groups, {
    ignoreCase: options.ignoreCase,
    newline: options.zero ? 'character' : 'end',
    look: options.look,
  });
  if (regex instanceof RegexError) return { message: messageOf(regex, undefined) };
  return { regex, warnings };
}

function messageOf(error: RegexError, origin: string | undefined): string {
  return origin === undefined || error.code === 'classSyntax' ? error.message : `${origin}: ${error.message}`;
}

/** No character of it means anything in any syntax. */
function isPlain(text: string): boolean {
  return !/[\\[\].*^$+?(){}|]/.test(text);
}

/** Back-references count the groups of their own pattern. */
function renumber(node: Node, by: number): Node {
  if (by === 0) return node;
  return transform(node, (below) =>
    below.kind === 'group' || below.kind === 'backref' ? { ...below, index: below.index + by } : below,
  );
}

function surround(node: Node, { words, wholeLines }: PatternOptions): Node {
  if (wholeLines) return cat([{ kind: 'assert', what: 'textStart' }, node, { kind: 'assert', what: 'textEnd' }]);
  if (words) return cat([{ kind: 'assert', what: 'noWordBefore' }, node, { kind: 'assert', what: 'noWordAfter' }]);
  return node;
}

/** Deeper common beginnings than this are not shared: the compiler recurses. */
const MAX_SHARED = 200;

/** Many fixed strings as a tree of their common beginnings, so that their number does not matter to the automaton. */
function literalAlternatives(texts: readonly string[], ignoreCase: boolean): Node {
  if (texts.length === 1) return cat(literalNodes(texts[0] as string, ignoreCase));
  const rows = [...new Set(texts)].sort().map((text) => literalNodes(text, ignoreCase));
  return share(rows, 0, rows.length, 0, 0);
}

/** Rows `low` to `high` are sorted and alike in their first `from` nodes. */
function share(rows: readonly (readonly Node[])[], low: number, high: number, from: number, depth: number): Node {
  if (high - low === 1 || depth > MAX_SHARED) return alt(rows.slice(low, high).map((row) => cat(row.slice(from))));
  const branches: Node[] = [];
  for (let i = low; i < high; ) {
    const key = keyAt(rows[i] as readonly Node[], from);
    let end = i + 1;
    while (end < high && keyAt(rows[end] as readonly Node[], from) === key) end++;
    if (key === '') branches.push(cat([]));
    else {
      const first = rows[i] as readonly Node[];
      let to = from + 1;
      while (keyAt(first, to) !== '' && sameAt(rows, i, end, to)) to++;
      const rest = share(rows, i, end, to, depth + 1);
      branches.push(cat([...first.slice(from, to), rest]));
    }
    i = end;
  }
  return alt(branches);
}

function sameAt(rows: readonly (readonly Node[])[], low: number, high: number, at: number): boolean {
  const key = keyAt(rows[low] as readonly Node[], at);
  for (let i = low + 1; i < high; i++) if (keyAt(rows[i] as readonly Node[], at) !== key) return false;
  return true;
}

function keyAt(row: readonly Node[], at: number): string {
  const node = row[at];
  return node?.kind === 'set' ? node.set.key : '';
}
