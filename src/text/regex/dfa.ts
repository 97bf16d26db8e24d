/**
 * A DFA that is built as it runs. One scan reads each symbol once; what it costs to build states is paid once for each state and
 * class, and when the states grow too many all are forgotten, so that at worst a scan is as slow as following the
 * program itself: text times pattern, never more.
 */
import { type Alphabet, Beside, BOUNDARIES, DECODE, LENGTH_SHIFT, SYMBOL, symbolAt, symbolBefore } from './alphabet.js';
import type { Program } from './program.js';
import type { Watch } from './regex.js';
import { Closure } from './simulate.js';
import { regexTooCostly } from './syntax.js';

/** States, and instructions in all of them together, that are kept. */
const MAX_STATES = 4000;
const MAX_ITEMS = 1_000_000;

/**
 * Instructions that making states may follow: so many, and so many more for each byte that is read. Beyond that it is a pattern of
 * thousands of instructions of which every byte of the text needs new sets: an error is better than minutes of silence (an instruction costs some 100 ns).
 */
const MAX_WORK = 10_000_000;
const WORK_PER_BYTE = 100;
/** Between two looks at the clock. */
const WORK_BETWEEN_LOOKS = 10_000;

/** Table entries: 0 is not known yet, `stride` is the dead state, more is a state, less than 0 a state and "a match ends before this symbol". */
const UNKNOWN = 0;

/** Between groups of instructions that started at different places. */
const MARK = -1;

interface State {
  /** Instructions to go on from, before what takes no symbol is followed; groups apart by MARK, the earliest start first. */
  readonly kernel: readonly number[];
  /** What was passed last. */
  readonly passed: number;
  /** A match may still start here. */
  readonly open: boolean;
}

export interface DfaOptions {
  /**
   * `test`: does a match end anywhere; `search`: where does the leftmost-longest match end; `anchored`: where does the longest
   * match from here end.
   */
  readonly scan: 'test' | 'search' | 'anchored';
  /** The text of a `test` is many lines, each scanned on its own. The alphabet must have been made for that, too. */
  readonly lines?: boolean;
  /** Every match starts at the start of the text. */
  readonly atStart: boolean;
  readonly watch: Watch;
}

export class Dfa {
  private readonly program: Program;
  private readonly alphabet: Alphabet;
  private readonly options: DfaOptions;
  private readonly closure: Closure;
  private states: State[] = [];
  private index = new Map<string, number>();
  private starts: number[] = [];
  private items = 0;
  private work = 0;
  private nextLook = WORK_BETWEEN_LOOKS;
  private scanned = 0;
  private stride = 0;
  private table = new Int32Array(0);

  /** The work that went into states so far. */
  get spent(): number {
    return this.work;
  }

  constructor(program: Program, alphabet: Alphabet, options: DfaOptions) {
    this.program = program;
    this.alphabet = alphabet;
    this.options = options;
    this.closure = new Closure(program);
    this.reset();
  }

  private reset(): void {
    this.stride = this.alphabet.size + 8;
    this.table = new Int32Array(this.stride * 32);
    this.states = [];
    this.index = new Map();
    this.starts = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];
    this.items = 0;
    const dead: State = { kernel: [], passed: Beside.other, open: false };
    this.states.push(dead, dead); // nothing is at 0, so that 0 can be UNKNOWN
  }

  /** Whether a match ends in text[from, to): where it was noticed, or -1. With `lines` `to` must be the end of a line. */
  test(text: string, from: number, to: number, passed: number): number {
    const { ofByte } = this.alphabet;
    const lines = this.options.lines === true;
    this.scanned += Math.max(to - from, 0);
    let table = this.table;
    let state = this.start(passed);
    let at = from;
    for (let i = from; i < to; ) {
      at = i;
      let column = ofByte[text.charCodeAt(i)] as number;
      if (column === DECODE) {
        const symbol = symbolAt(text, i, to);
        column = this.alphabet.classOf(symbol & SYMBOL);
        i += symbol >> LENGTH_SHIFT;
      } else {
        i++;
      }
      let next = table[state + column] as number;
      if (next > this.stride) {
        state = next;
        continue;
      }
      if (next === UNKNOWN) {
        next = this.step(state, column);
        table = this.table;
      }
      if (next < 0) return at;
      if (next === this.stride) {
        // Nothing can match in the rest of this line.
        if (!lines) return -1;
        i = text.indexOf('\n', i) + 1;
        if (i === 0) return -1;
        next = this.start(Beside.edge);
        table = this.table;
      }
      state = next;
    }
    return this.finish(state, Beside.edge) < 0 ? to : -1;
  }

  /** Where the leftmost-longest match (`search`), or the longest from `from` (`anchored`), ends; -1 when there is none. */
  end(text: string, from: number, to: number, passed: number): number {
    const { ofByte } = this.alphabet;
    this.scanned += Math.max(to - from, 0);
    let table = this.table;
    let state = this.start(passed);
    let last = -1;
    for (let i = from; i < to; ) {
      const at = i;
      let column = ofByte[text.charCodeAt(i)] as number;
      if (column === DECODE) {
        const symbol = symbolAt(text, i, to);
        column = this.alphabet.classOf(symbol & SYMBOL);
        i += symbol >> LENGTH_SHIFT;
      } else {
        i++;
      }
      let next = table[state + column] as number;
      if (next > this.stride) {
        state = next;
        continue;
      }
      if (next === UNKNOWN) {
        next = this.step(state, column);
        table = this.table;
      }
      if (next < 0) {
        last = at;
        next = -next;
      }
      if (next === this.stride) return last;
      state = next;
    }
    return this.finish(state, Beside.edge) < 0 ? to : last;
  }

  /**
   * Of a reversed program: the least start, not before `from`, of a match that ends at `to`. `beyond` is `Beside` before `from`. With a
   * `test` scan: the greatest start, before `to`, of a match that ends there or earlier.
   */
  startBefore(text: string, from: number, to: number, passed: number, beyond: number): number {
    const { ofByte } = this.alphabet;
    this.scanned += Math.max(to - from, 0);
    let table = this.table;
    let state = this.start(passed);
    let last = -1;
    const first = this.options.scan === 'test';
    for (let i = to; i > from; ) {
      const at = i;
      let column = ofByte[text.charCodeAt(i - 1)] as number;
      if (column === DECODE) {
        const symbol = symbolBefore(text, i, from);
        column = this.alphabet.classOf(symbol & SYMBOL);
        i -= symbol >> LENGTH_SHIFT;
      } else {
        i--;
      }
      let next = table[state + column] as number;
      if (next > this.stride) {
        state = next;
        continue;
      }
      if (next === UNKNOWN) {
        next = this.step(state, column);
        table = this.table;
      }
      if (next < 0) {
        if (first && at < to) return at;
        if (!first) last = at;
        next = -next;
      }
      if (next === this.stride) return last;
      state = next;
    }
    return this.finish(state, beyond) < 0 ? from : last;
  }

  private finish(state: number, beyond: number): number {
    const known = this.table[state + beyond] as number;
    return known === UNKNOWN ? this.step(state, beyond) : known;
  }

  private start(passed: number): number {
    let state = this.starts[passed] as number;
    if (state === UNKNOWN) {
      const anchored = this.options.scan === 'anchored';
      const open = !anchored && (!this.options.atStart || passed === Beside.edge);
      state = this.intern({ kernel: anchored ? [this.program.start] : [], passed, open });
      this.starts[passed] = state;
    }
    return state;
  }

  /** The table entry for `column` in `state`, computed and kept. */
  private step(state: number, column: number): number {
    const from = this.states[state / this.stride] as State;
    if (this.states.length >= MAX_STATES || this.items > MAX_ITEMS || column >= this.stride) {
      this.reset();
      state = this.intern(from);
    }
    const { next, matched } = this.follow(from, column);
    this.work += next.kernel.length;
    if (this.work > MAX_WORK + WORK_PER_BYTE * this.scanned) throw regexTooCostly();
    if (this.work > this.nextLook) {
      this.nextLook = this.work + WORK_BETWEEN_LOOKS;
      this.options.watch.look();
    }
    const target = column < BOUNDARIES ? this.afterBoundary(matched) : this.intern(next);
    const entry = matched ? -target : target;
    this.table[state + column] = entry;
    return entry;
  }

  /** What follows the end of the text: nothing, or the next line. */
  private afterBoundary(matched: boolean): number {
    return this.options.lines === true && !matched ? this.start(Beside.edge) : this.stride;
  }

  private follow(state: State, column: number): { next: State; matched: boolean } {
    const ahead = this.alphabet.beside[column] as number;
    const accepts = this.alphabet.accepts[column] as Uint8Array;
    const { closure } = this;
    const { arg, out } = this.program;
    const kernel: number[] = [];
    const group: number[] = [];
    let matched = false;
    let open = state.open;
    const search = this.options.scan === 'search';

    const take = (): void => {
      if (kernel.length > 0 && search) kernel.push(MARK);
      const before = kernel.length;
      this.work += group.length;
      for (const pc of group) {
        const target = out[pc] as number;
        if (accepts[arg[pc] as number] === 1 && !this.taken(target)) kernel.push(target);
      }
      if (kernel.length === before && before > 0 && search) kernel.pop();
      group.length = 0;
    };

    closure.clear();
    this.clearTaken();
    for (const pc of state.kernel) {
      if (pc !== MARK) {
        closure.follow(pc, state.passed, ahead, group);
        continue;
      }
      take();
      if (closure.matched) break;
    }
    if (open && !(search && closure.matched)) {
      // What starts here comes after all that started before.
      if (search) take();
      closure.follow(this.program.start, state.passed, ahead, group);
    }
    take();
    if (closure.matched) {
      matched = true;
      // A later start cannot be the leftmost any more.
      if (search) open = false;
    }
    if (this.options.atStart) open = false;
    return { next: { kernel, passed: this.alphabet.beside[column] as number, open }, matched };
  }

  private takenRound = 0;
  private takenIn = new Uint32Array(0);

  private clearTaken(): void {
    if (this.takenIn.length === 0) this.takenIn = new Uint32Array(this.program.op.length);
    this.takenRound++;
  }

  private taken(pc: number): boolean {
    if (this.takenIn[pc] === this.takenRound) return true;
    this.takenIn[pc] = this.takenRound;
    return false;
  }

  private intern(state: State): number {
    if (state.kernel.length === 0 && !state.open) return this.stride;
    const key = `${state.passed}${state.open ? 'o' : 'c'}${state.kernel.join()}`;
    const known = this.index.get(key);
    if (known !== undefined) return known;
    const id = (this.states.push(state) - 1) * this.stride;
    this.index.set(key, id);
    this.items += state.kernel.length;
    if (id + this.stride > this.table.length) {
      const grown = new Int32Array(this.table.length * 2);
      grown.set(this.table);
      this.table = grown;
    }
    return id;
  }
}
