/**
 * A compiled regular expression: leftmost-longest matches (POSIX XBD 9.1) in time linear in the text. Texts are byte
 * strings: one latin1 character for each byte.
 */
import type { Look } from '../../steps.js';
import { Alphabet, Beside, type NewlineRole } from './alphabet.js';
import { Backtracker } from './backtrack.js';
import { Dfa } from './dfa.js';
import { finalSpans, findGroups, noGroups } from './groups.js';
import { type Node, transform, walk } from './node.js';
import { compileProgram, type Program } from './program.js';
import { type Required, requiredLiteral } from './required.js';

/** What a search asks, every few milliseconds of work, whether to go on. One for an expression: searches do not wait, so one is under way at most. */
export interface Watch {
  look: Look;
}

/** Bytes that are searched between two looks; a search costs as much as SEARCH bytes on top. */
const BYTES_BETWEEN_LOOKS = 1 << 20;
const SEARCH = 512;
const NOBODY: Look = () => {};

export interface RegexOptions {
  readonly ignoreCase?: boolean;
  /** Default: a character. With `end` the texts must hold whole lines, and `nextLine` scans many. */
  readonly newline?: NewlineRole;
}

/** Steps, and instructions: a ten-thousandth of what is too much. */
const FRESH = 1000;

export class Regex {
  private readonly engine: Engine;
  private readonly look: Look;
  private untilLook = BYTES_BETWEEN_LOOKS;

  /** Throws SyntaxProblem('size') when the automaton would be too large. */
  static of(node: Node, groups: number, options: RegexOptions = {}): Regex {
    return new Regex(new Engine(node, groups, options), NOBODY);
  }

  private constructor(engine: Engine, look: Look) {
    this.engine = engine;
    this.look = look;
  }

  /** The same, with all that was learnt of it, for a run of its own: `look` is called while a search goes on, and what it throws ends that. */
  under(look: Look): Regex {
    return new Regex(this.engine, look);
  }

  /** Number of groups; `exec` answers one pair more. */
  get groups(): number {
    return this.engine.groups;
  }

  /** A byte string that is in every match; empty when none is known. */
  get literal(): string {
    return this.engine.literal;
  }

  /** The literal is all that can match. */
  get isLiteral(): boolean {
    return this.engine.isLiteral;
  }

  /** Whether next to nothing of the work that a search may cost is spent. */
  get isFresh(): boolean {
    return this.engine.isFresh;
  }

  get hasReferences(): boolean {
    return this.engine.hasReferences;
  }

  /** Whether there is a match in `text` that starts at `from` or later. */
  test(text: string, from = 0): boolean {
    this.begin(text.length - from);
    return this.engine.test(text, from);
  }

  /**
   * For `newline: 'end'`: a position in the first line of text[from, to) that matches, or -1. `from` is the start of a line and `to`
   * the end of one. With back-references the line is only a candidate: ask `test`.
   */
  nextLine(text: string, from: number, to: number): number {
    this.begin(to - from);
    return this.engine.nextLine(text, from, to);
  }

  /**
   * The leftmost-longest match in `text` that starts at `from` or later: pairs of start and end, first of the match, then
   * of each group (-1 where a group took no part). With `spanOnly` only the first pair is worked out.
   */
  exec(text: string, from = 0, spanOnly = false): Int32Array | null {
    this.begin(text.length - from);
    return this.engine.exec(text, from, spanOnly);
  }

  /**
   * The match in text[0, to) that starts last, before `to`, and is the longest from there: `to` is an end of the text. For expressions
   * without back-references.
   */
  execLast(text: string, to: number): readonly [start: number, end: number] | null {
    this.begin(to);
    return this.engine.execLast(text, to);
  }

  /** A search in so many bytes begins. Many short ones, as of `s/x/y/g` in a line of megabytes, are long together. */
  private begin(bytes: number): void {
    this.engine.watch.look = this.look;
    this.untilLook -= SEARCH + bytes;
    if (this.untilLook > 0) return;
    this.untilLook = BYTES_BETWEEN_LOOKS;
    this.look();
  }
}

/** The expression and its automata, which all runs of a process share. */
class Engine {
  readonly groups: number;
  readonly watch: Watch = { look: NOBODY };
  private readonly node: Node;
  private readonly ignoreCase: boolean;
  private readonly newline: NewlineRole;
  private readonly required: Required;
  private readonly atStart: boolean;
  private readonly references: readonly number[];
  /** Without back-references: those are taken as anything their group may match. */
  private readonly plain: Node;
  private readonly forward: Program;
  private readonly alphabet: Alphabet;
  private readonly tester: Dfa;
  private searcher: Dfa | undefined;
  private reverser: Dfa | undefined;
  private backward: { readonly starts: Dfa; readonly ends: Dfa } | undefined;
  private grouping: { readonly program: Program; readonly alphabet: Alphabet } | undefined;

  constructor(node: Node, groups: number, options: RegexOptions = {}) {
    this.node = node;
    this.groups = groups;
    this.ignoreCase = options.ignoreCase === true;
    this.newline = options.newline ?? 'character';
    this.references = referencedGroups(node);
    this.plain = this.references.length === 0 ? node : withoutReferences(node);
    this.required = requiredLiteral(this.plain);
    this.atStart = (this.newline === 'character' || this.newline === 'end') && startsAtStart(this.plain);
    this.forward = compileProgram(this.plain);
    this.alphabet = new Alphabet(this.forward, this.newline);
    this.tester = new Dfa(this.forward, this.alphabet, {
      scan: 'test',
      lines: this.newline === 'end',
      atStart: this.atStart,
      watch: this.watch,
    });
  }

  get literal(): string {
    return this.required.literal;
  }

  get isLiteral(): boolean {
    return this.required.literal !== '' && this.required.whole && !this.hasReferences;
  }

  get isFresh(): boolean {
    const spent = this.tester.spent + (this.searcher?.spent ?? 0) + (this.reverser?.spent ?? 0);
    return spent < FRESH && this.forward.op.length < FRESH;
  }

  get hasReferences(): boolean {
    return this.references.length > 0;
  }

  test(text: string, from: number): boolean {
    if (this.required.literal !== '') {
      if (!text.includes(this.required.literal, from)) return false;
      if (this.required.whole && !this.hasReferences) return true;
    }
    if (this.tester.test(text, from, text.length, this.alphabet.before(text, from, 0)) < 0) return false;
    return !this.hasReferences || this.exec(text, from, true) !== null;
  }

  nextLine(text: string, from: number, to: number): number {
    const { literal, whole } = this.required;
    if (literal === '') return this.tester.test(text, from, to, Beside.edge);
    for (let at = text.indexOf(literal, from); at >= 0 && at + literal.length <= to; at = text.indexOf(literal, at)) {
      if (whole) return at;
      // Only the line the literal stands in is worth a scan.
      const start = text.lastIndexOf('\n', at) + 1;
      const newline = text.indexOf('\n', at);
      const end = newline < 0 || newline > to ? to : newline;
      if (this.tester.test(text, start, end, Beside.edge) >= 0) return at;
      at = end;
    }
    return -1;
  }

  exec(text: string, from: number, spanOnly: boolean): Int32Array | null {
    if (this.hasReferences) return this.execReferences(text, from);
    if (this.required.literal !== '') {
      const at = text.indexOf(this.required.literal, from);
      if (at < 0) return null;
      if (this.required.whole && (spanOnly || this.groups === 0)) {
        return Int32Array.of(at, at + this.required.literal.length);
      }
    }
    const matchEnd = this.findEnd(text, from);
    if (matchEnd < 0) return null;
    const matchStart = this.findStart(text, from, matchEnd);
    if (spanOnly || this.groups === 0) return Int32Array.of(matchStart, matchEnd);
    const { program, alphabet } = this.withGroups();
    const groups = findGroups(program, alphabet, text, matchStart, matchEnd, noGroups(this.groups), this.watch);
    return finalSpans(groups, matchStart, matchEnd);
  }

  execLast(text: string, to: number): readonly [start: number, end: number] | null {
    if (this.backward === undefined) {
      const reversed = compileProgram(this.plain, { reversed: true });
      const starts = new Dfa(reversed, new Alphabet(reversed, this.newline), {
        scan: 'test',
        atStart: false,
        watch: this.watch,
      });
      const ends = new Dfa(this.forward, this.alphabet, { scan: 'anchored', atStart: false, watch: this.watch });
      this.backward = { starts, ends };
    }
    const start = this.backward.starts.startBefore(text, 0, to, Beside.edge, Beside.edge);
    if (start < 0) return null;
    return [start, this.backward.ends.end(text, start, to, this.alphabet.before(text, start, 0))];
  }

  private findEnd(text: string, from: number): number {
    this.searcher ??= new Dfa(this.forward, this.alphabet, {
      scan: 'search',
      atStart: this.atStart,
      watch: this.watch,
    });
    return this.searcher.end(text, from, text.length, this.alphabet.before(text, from, 0));
  }

  private findStart(text: string, from: number, matchEnd: number): number {
    if (this.reverser === undefined) {
      const program = compileProgram(this.plain, { reversed: true });
      this.reverser = new Dfa(program, new Alphabet(program, this.newline), {
        scan: 'anchored',
        atStart: false,
        watch: this.watch,
      });
    }
    const after = this.alphabet.after(text, matchEnd, text.length);
    return this.reverser.startBefore(text, from, matchEnd, after, this.alphabet.before(text, from, 0));
  }

  private withGroups(): { readonly program: Program; readonly alphabet: Alphabet } {
    if (this.grouping === undefined) {
      const program = compileProgram(this.node, { groups: true });
      this.grouping = { program, alphabet: new Alphabet(program, this.newline) };
    }
    return this.grouping;
  }

  /** The plain expression tells where a match may start; from there on starts are tried one by one. */
  private execReferences(text: string, from: number): Int32Array | null {
    const { program, alphabet } = this.withGroups();
    const backtracker = new Backtracker(program, alphabet, text, {
      ignoreCase: this.ignoreCase,
      groups: this.groups,
      referenced: this.references,
      watch: this.watch,
    });
    for (let at = from; at <= text.length; ) {
      const candidateEnd = this.findEnd(text, at);
      if (candidateEnd < 0) return null;
      at = this.findStart(text, at, candidateEnd);
      const match = backtracker.matchAt(at);
      if (match !== undefined) return finalSpans(match.groups, at, match.end);
      at++;
      while (at < text.length && (text.charCodeAt(at) & 0xc0) === 0x80) at++;
    }
    return null;
  }
}

function referencedGroups(node: Node): number[] {
  const found = new Set<number>();
  walk(node, (below) => {
    if (below.kind === 'backref') found.add(below.index);
  });
  return [...found];
}

/** The same with each back-reference replaced by what its group may match, assertions left out: it matches whatever the original does. */
function withoutReferences(node: Node): Node {
  const bodies = new Map<number, Node>();
  return transform(node, (below) => {
    if (below.kind === 'group') {
      bodies.set(
        below.index,
        transform(below.body, (part) => (part.kind === 'assert' ? { kind: 'empty' } : part)),
      );
    }
    // The group is complete where it is referred to, so it has been seen.
    return below.kind === 'backref' ? (bodies.get(below.index) ?? below) : below;
  });
}

/** Whether each match begins with `^` or `` \` ``. */
function startsAtStart(node: Node): boolean {
  switch (node.kind) {
    case 'assert':
      return node.what === 'lineStart' || node.what === 'textStart';
    case 'cat':
      return node.items.some(
        (item, i) => startsAtStart(item) && node.items.slice(0, i).every((before) => before.kind === 'assert'),
      );
    case 'alt':
      return node.items.every(startsAtStart);
    case 'group':
      return startsAtStart(node.body);
    case 'repeat':
      return node.min > 0 && startsAtStart(node.body);
    default:
      return false;
  }
}
