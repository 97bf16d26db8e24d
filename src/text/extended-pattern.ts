/**
 * Matching of extended patterns, in step with the text and never back: all that could still match is followed at once, so that
 * no nesting of `*( )` takes more than pattern times text. `!( )` follows what it must not be, from each place where it may begin;
 * beginnings from which the same is left go on as one.
 */
import { ShellError } from '../errors.js';
import type { Items } from './extended-parse.js';
import type { Pattern } from './pattern.js';
import { accepts, type Single } from './pattern-parse.js';
import { worked } from './work.js';

/** Kept states, by the numbers they are made of: more are forgotten, and found again when they come again. */
const KEPT_SIZE = 1_000_000;
/** How many characters a state remembers what comes after. */
const KEPT_CHARACTERS = 256;
/** How many beginnings of `!( )` may be open at once with something different left. */
const MAX_OPEN = 2000;
/** How many places `matchesIn` knows to lead nowhere before it forgets them. */
const MAX_BARREN = 4_000_000;
const DOT = 0x2e;

/** One place in a pattern. */
type Place =
  /** Takes one character. */
  | { readonly kind: 'single'; readonly single: Single; readonly next: number }
  /** Takes nothing, and goes on in each of these. */
  | { readonly kind: 'split'; readonly nexts: number[]; readonly star?: true }
  /** Takes all that the machine does not. */
  | { readonly kind: 'not'; readonly machine: Machine; readonly next: number }
  | { readonly kind: 'end' };

/** A `!( )` that has begun: its place, and what its machine is in. */
interface Open {
  readonly place: number;
  readonly inner: State;
}

/** All places the text so far leads to. */
interface State {
  readonly id: number;
  /** Places that take a character. */
  readonly singles: Uint32Array;
  readonly open: readonly Open[];
  /** The text so far matches. */
  readonly accepting: boolean;
  readonly next: Map<number, State>;
}

class Machine {
  readonly #places: Place[] = [{ kind: 'end' }];
  readonly #first: number;
  #start: State | undefined;
  #afterDot: State | undefined;
  readonly #known = new Map<string, State>();
  #knownSize = 0;
  #ids = 0;
  /** For each place, the last closure it was part of. */
  #marks: Uint32Array;
  #closure = 0;

  /** `backwards`: for the text from its end on. */
  constructor(alternatives: readonly Items[], backwards: boolean) {
    this.#first = this.#split(alternatives.map((items) => this.#sequence(items, 0, backwards)));
    this.#marks = new Uint32Array(this.#places.length);
  }

  // ------------------------------------------------------------------------------------------------------- building

  #add(place: Place): number {
    return this.#places.push(place) - 1;
  }

  #split(nexts: number[]): number {
    return nexts.length === 1 ? (nexts[0] as number) : this.#add({ kind: 'split', nexts });
  }

  /** The place where `items` begin, when `next` is what follows them. */
  #sequence(items: Items, next: number, backwards: boolean): number {
    let after = next;
    for (let n = 0; n < items.length; n++) {
      // what is built first is matched last
      const item = items[backwards ? n : items.length - 1 - n] as Items[number];
      if (item === 'star') {
        const nexts: number[] = [];
        const loop = this.#add({ kind: 'split', nexts, star: true });
        nexts.push(this.#add({ kind: 'single', single: 'any', next: loop }), after);
        after = loop;
      } else if (typeof item === 'object' && 'operator' in item) {
        const { operator, alternatives } = item;
        const all = (following: number) => alternatives.map((one) => this.#sequence(one, following, backwards));
        after = this.#group(operator, all, after, () => new Machine(alternatives, backwards));
      } else after = this.#add({ kind: 'single', single: item, next: after });
    }
    return after;
  }

  #group(operator: string, all: (next: number) => number[], next: number, machine: () => Machine): number {
    switch (operator) {
      case '@':
        return this.#split(all(next));
      case '?':
        return this.#split([...all(next), next]);
      case '*':
        return this.#repeated(all, next);
      case '+': {
        const nexts: number[] = [];
        const again = this.#add({ kind: 'split', nexts });
        const begin = this.#split(all(again));
        nexts.push(begin, next);
        return begin;
      }
      default:
        return this.#add({ kind: 'not', machine: machine(), next });
    }
  }

  #repeated(all: (next: number) => number[], next: number): number {
    const nexts: number[] = [];
    const loop = this.#add({ kind: 'split', nexts });
    nexts.push(...all(loop), next);
    return loop;
  }

  // -------------------------------------------------------------------------------------------------------- running

  get start(): State {
    this.#start ??= this.#close([this.#first], []);
    return this.#start;
  }

  step(state: State, c: number): State {
    worked(4);
    const known = state.next.get(c);
    if (known !== undefined) return known;
    const next = this.#close(this.#after(state, c, false), this.#openAfter(state, c));
    if (state.next.size < KEPT_CHARACTERS) state.next.set(c, next);
    return next;
  }

  /** After a dot that the pattern must name: no `?` and no bracket takes it, and no `*` or `!( )` is before it. */
  get afterDot(): State {
    this.#afterDot ??= this.#close(this.#after(this.#close([this.#first], [], true), DOT, true), []);
    return this.#afterDot;
  }

  #after(state: State, c: number, named: boolean): number[] {
    const reached: number[] = [];
    for (const at of state.singles) {
      const place = this.#places[at] as Place & { kind: 'single' };
      if (named ? place.single === c : accepts(place.single, c)) reached.push(place.next);
    }
    return reached;
  }

  #openAfter(state: State, c: number): Open[] {
    return state.open.map(({ place, inner }) => {
      const { machine } = this.#places[place] as Place & { kind: 'not' };
      return { place, inner: machine.step(inner, c) };
    });
  }

  /** The state of these places, and of all that they lead to without a character; `named`: not through `*` and `!( )`. */
  #close(from: number[], begun: readonly Open[], named = false): State {
    const closure = ++this.#closure;
    worked(16 + from.length + 16 * begun.length);
    const stack = from;
    const singles: number[] = [];
    const open = new Map<string, Open>();
    let accepting = false;
    const enter = (place: number, next: number, inner: State) => {
      const key = `${place}:${inner.id}`;
      if (open.has(key)) return;
      if (open.size >= MAX_OPEN) throw new ShellError('limit', TOO_COMPLEX);
      open.set(key, { place, inner });
      if (!inner.accepting) stack.push(next);
    };
    for (const { place, inner } of begun) enter(place, (this.#places[place] as Place & { kind: 'not' }).next, inner);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#marks[at] === closure) continue;
      this.#marks[at] = closure;
      const place = this.#places[at] as Place;
      worked(8);
      if (place.kind === 'single') singles.push(at);
      else if (named && (place.kind === 'not' || (place.kind === 'split' && place.star))) continue;
      else if (place.kind === 'split') for (const next of place.nexts) stack.push(next);
      else if (place.kind === 'not') enter(at, place.next, place.machine.start);
      else accepting = true;
    }
    return this.#intern(Uint32Array.from(singles).sort(), [...open.keys()].sort(), open, accepting);
  }

  #intern(singles: Uint32Array, keys: string[], open: ReadonlyMap<string, Open>, accepting: boolean): State {
    const key = `${singles.join()}|${keys.join()}|${accepting}`;
    let state = this.#known.get(key);
    if (state === undefined) {
      this.#knownSize += 16 + singles.length + keys.length;
      if (this.#knownSize > KEPT_SIZE) {
        this.#known.clear();
        this.#knownSize = 0;
      }
      state = { id: this.#ids++, singles, open: [...open.values()], accepting, next: new Map() };
      this.#known.set(key, state);
    }
    return state;
  }
}

const TOO_COMPLEX = `limit reached: !( ) in a pattern is open in ${MAX_OPEN} places at one time`;

/** Nothing that follows can match any more. */
function isOver(state: State): boolean {
  return state.singles.length === 0 && state.open.length === 0;
}

export class ExtendedPattern implements Pattern {
  readonly literal = undefined;
  readonly #items: Items;
  readonly #forwards: Machine;
  #backwards: Machine | undefined;

  constructor(items: Items) {
    this.#items = items;
    this.#forwards = new Machine([items], false);
  }

  matches(text: string): boolean {
    return this.#matchesFrom(this.#forwards.start, text, 0);
  }

  matchesHidden(name: string): boolean {
    return this.#matchesFrom(this.#forwards.afterDot, name, 1);
  }

  #matchesFrom(start: State, text: string, from: number): boolean {
    let state = start;
    for (let i = from; i < text.length; ) {
      if (isOver(state)) return false;
      const c = text.codePointAt(i) as number;
      state = this.#forwards.step(state, c);
      i += c > 0xffff ? 2 : 1;
    }
    return state.accepting;
  }

  shortestPrefix(text: string): number {
    return this.#prefix(text, true);
  }

  longestPrefix(text: string): number {
    return this.#prefix(text, false);
  }

  #prefix(text: string, shortest: boolean): number {
    let state = this.#forwards.start;
    let found = -1;
    for (let i = 0; ; ) {
      if (state.accepting) {
        found = i;
        if (shortest) return i;
      }
      if (i >= text.length || isOver(state)) return found;
      const c = text.codePointAt(i) as number;
      state = this.#forwards.step(state, c);
      i += c > 0xffff ? 2 : 1;
    }
  }

  shortestSuffix(text: string): number {
    return this.#suffix(text, true);
  }

  longestSuffix(text: string): number {
    return this.#suffix(text, false);
  }

  #suffix(text: string, shortest: boolean): number {
    this.#backwards ??= new Machine([this.#items], true);
    let state = this.#backwards.start;
    let found = -1;
    for (let i = text.length; ; ) {
      if (state.accepting) {
        found = i;
        if (shortest) return i;
      }
      if (i === 0 || isOver(state)) return found;
      const pair = i > 1 ? (text.codePointAt(i - 2) as number) : 0;
      const c = pair > 0xffff ? pair : text.charCodeAt(i - 1);
      state = this.#backwards.step(state, c);
      i -= c > 0xffff ? 2 : 1;
    }
  }

  matchesIn(text: string, all: boolean): { readonly start: number; readonly end: number }[] {
    const found: { start: number; end: number }[] = [];
    // states, with their places, from which nothing matches: what comes there again need not be looked at again
    const barren = new Set<number>();
    for (let at = 0; ; ) {
      const end = this.#longestFrom(text, at, barren);
      // Nothing is no match, unless there is nothing else.
      if (end > at || (end === at && text === '')) {
        found.push({ start: at, end });
        if (!all) break;
      }
      at = end > at ? end : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
      if (at >= text.length) break;
    }
    return found;
  }

  #longestFrom(text: string, from: number, barren: Set<number>): number {
    const passed: number[] = [];
    let state = this.#forwards.start;
    let found = -1;
    for (let i = from; ; ) {
      if (state.accepting) {
        found = i;
        passed.length = 0;
      } else {
        const key = state.id * (text.length + 1) + i;
        if (barren.has(key)) break;
        passed.push(key);
      }
      if (i >= text.length || isOver(state)) break;
      const c = text.codePointAt(i) as number;
      state = this.#forwards.step(state, c);
      i += c > 0xffff ? 2 : 1;
    }
    if (barren.size + passed.length > MAX_BARREN) barren.clear();
    for (const key of passed) barren.add(key);
    return found;
  }
}
