/** What a command sees of the Runner's context: its own part, and its parsed words. */
import type { Context, FullContext, Need, Umask } from './context.js';
import type { Flags, Parsed } from './define.js';

/**
 * Passes on what is asked for, so that the Runner may make the parts of its context only when a command looks at them. The
 * functions of a context do not use `this`: commands take them apart.
 */
export class View implements FullContext {
  private readonly full: FullContext;
  private readonly parsed: Parsed<Flags>;
  private readonly failing: FullContext['failed'] | undefined;
  readonly flags: Parsed<Flags>['flags'];
  readonly given: Parsed<Flags>['given'];
  readonly operands: readonly string[];
  readonly optionWords: readonly string[];

  /** `failing` stands in for the context's own `failed`. */
  constructor(full: FullContext, parsed: Parsed<Flags>, failing?: FullContext['failed']) {
    this.full = full;
    this.parsed = parsed;
    this.failing = failing;
    this.flags = parsed.flags;
    this.given = parsed.given;
    this.operands = parsed.operands;
    this.optionWords = parsed.optionWords;
  }
  get name() {
    return this.full.name;
  }
  get tick() {
    return this.full.tick;
  }
  get look() {
    return this.full.look;
  }
  get limits() {
    return this.full.limits;
  }
  get complain() {
    return this.full.complain;
  }
  get refused() {
    return this.full.refused;
  }
  get failed() {
    return this.failing ?? this.full.failed;
  }
  withFailed(failing: FullContext['failed']): View {
    return new View(this.full, this.parsed, failing);
  }
  get stdin() {
    return this.full.stdin;
  }
  get stdinFacts() {
    return this.full.stdinFacts;
  }
  get out() {
    return this.full.out;
  }
  get err() {
    return this.full.err;
  }
  get source() {
    return this.full.source;
  }
  get sink() {
    return this.full.sink;
  }
  get umask(): number {
    return this.full.umask;
  }
  get openSource() {
    return this.full.openSource;
  }
  get openSink() {
    return this.full.openSink;
  }
  get fs() {
    return this.full.fs;
  }
  get invoke() {
    return this.full.invoke;
  }
  get environment() {
    return this.full.environment;
  }
  get clock() {
    return this.full.clock;
  }
  get host() {
    return this.full.host;
  }
  get kernel() {
    return this.full.kernel;
  }
  get remediation() {
    return this.full.remediation;
  }
}

export function viewOf<N extends Need, F extends Flags>(
  context: FullContext,
  parsed: Parsed<Flags>,
): Context<N> & Parsed<F> {
  const view: FullContext & Umask & Parsed<Flags> = new View(context, parsed);
  return view as FullContext & Umask & Parsed<Flags> & Context<N> & Parsed<F>;
}
