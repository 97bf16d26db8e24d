/** What a running program has around it, and how its parts hand on what they make. */
import type { Limits } from '../../src/limits.js';
import { limitReached } from '../../src/limits.js';
import type { Look } from '../../src/steps.js';
import type { Definition, Node } from './tree.js';
import { isArray, type Json } from './value.js';

/** Handed on in place of a value: somebody has to wait, for the event loop's turn or for the next input. */
export const PAUSE = Symbol('pause');
export type Pause = typeof PAUSE;

/** The values of a filter, one after the other, as they are asked for. */
export type Flow = Generator<Json | Pause, void, undefined>;

/** Where a value was found: `parent` undefined at the top. */
export interface Located {
  readonly value: Json;
  readonly path: Link | undefined;
}

export interface Link {
  readonly parent: Link | undefined;
  readonly key: Json;
}

export type LocatedFlow = Generator<Located | Pause, void, undefined>;

export function listed(path: Link | undefined): Json[] {
  const keys: Json[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

/** Names in force while a program runs, the innermost first. */
export type Env =
  | undefined
  | { readonly kind: 'value'; readonly key: string; readonly value: Json; readonly next: Env }
  | { readonly kind: 'function'; readonly key: string; readonly definition: Definition; readonly next: Env }
  | { readonly kind: 'closure'; readonly key: string; readonly body: Node; readonly env: Env; readonly next: Env }
  | { readonly kind: 'label'; readonly key: string; readonly next: Env };

export type Frame = Exclude<Env, undefined>;

/** Finds a name that the parser has found before. */
export function lookUp(env: Env, key: string): Frame {
  for (let frame = env; frame !== undefined; frame = frame.next) if (frame.key === key) return frame;
  throw new Error(`jq: ${key} was known to the parser and is not there`);
}

/** `break $name`: leaves the label whose frame it is. */
export class Break {
  readonly label: Frame;
  constructor(label: Frame) {
    this.label = label;
  }
}

/** `halt`, `halt_error`. */
export class Halt {
  readonly status: number;
  /** Printed on the error stream as it is. */
  readonly message: string;
  constructor(status: number, message: string) {
    this.status = status;
    this.message = message;
  }
}

/** The world of a program. */
export interface World {
  readonly limits: Limits;
  readonly look: Look;
  /** The next input; undefined when there is none left, PAUSE when it has to be waited for. */
  takeInput(): Json | undefined | Pause;
  readonly inputName: () => Json;
  readonly environment: ReadonlyMap<string, string>;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** Prints a line on the error stream. */
  report(line: string): void;
}

/** Members of an object that are weighed one by one. */
const MANY = 64;

/** Steps between two pauses. */
const SLICE = 512;

export class Pacer {
  private steps = 0;
  /** What a list may take, in words of eight bytes. */
  readonly most: number;
  private readonly weights = new WeakMap<object, number>();

  constructor(limits: Limits) {
    // An item takes eight bytes at least.
    this.most = Math.floor(limits.maxStringBytes / 8);
    this.limits = limits;
  }
  private readonly limits: Limits;

  /** Whether it is time to hand on a pause. */
  isDue(): boolean {
    this.steps = (this.steps + 1) % SLICE;
    return this.steps === 0;
  }

  /** What an item of a list takes, in words of eight bytes: with what is in it, as far as that is known. */
  weight(item: Json): number {
    if (typeof item === 'string') return 1 + (item.length >> 3);
    if (typeof item !== 'object' || item === null) return 1;
    const known = this.weights.get(item);
    if (known !== undefined) return known;
    if (isArray(item)) return 1 + item.length;
    let sum = 4;
    if (item.size > MANY) return sum + 4 * item.size;
    for (const value of item.values()) sum += 4 + (typeof value === 'object' ? this.weight(value) : 0);
    return sum;
  }

  /** A list is collected, and takes so much. */
  collected(list: readonly Json[], weight: number): void {
    // The others are small, and are weighed by their length.
    if (weight > 2 * list.length + MANY) this.weights.set(list, weight);
  }

  /** Lists in lists may not grow without end either. */
  checkWeight(weight: number): void {
    if (weight > this.most) throw limitReached('maxStringBytes', this.limits.maxStringBytes);
  }

  /** A list that is being collected may not grow without end. */
  check(list: readonly unknown[]): void {
    if (list.length > this.most) throw limitReached('maxStringBytes', this.limits.maxStringBytes);
  }
}
