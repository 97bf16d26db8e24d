/** Compares two files and prints what differs. */
import { isFsError } from '../../src/errors.js';
import type { ByteSource } from '../../src/io/streams.js';
import { type Awaitable, andThen, isPromise, lastly } from '../../src/steps.js';
import { toByteString } from '../../src/text/bytes.js';
import { closeInput, openInput } from '../kit/input.js';
import { lineWriter } from '../kit/output.js';
import { repeat } from '../kit/repeat.js';
import { strftime } from '../kit/strftime.js';
import { changesOf } from './changes.js';
import { isBlankChange, normal, shownName, unified } from './format.js';
import { Input, sameBytes } from './input.js';
import { quoteWord } from './quote-word.js';
import { calledNames, type DiffContext, type DiffOptions, type Side, TROUBLE } from './sides.js';
import { type Pair, pairOf } from './text.js';

/** GNU looks for a NUL in the first buffer: what stat(2) calls a good size, and 4096 bytes of a pipe. */
const PIPE_BUFFER = 4096;

/** `inDirectory`: the names are printed above the differences. */
export function compareFiles(
  context: DiffContext,
  a: Side,
  b: Side,
  options: DiffOptions,
  inDirectory: boolean,
): Awaitable<number> {
  const { ignored } = options;
  const byBytes = options.brief && ignored.space === 'none' && !ignored.case && !ignored.blankLines;
  if (byBytes && differInSize(a, b)) return differ(context, calledNames(options, a, b), true);
  const opened: ByteSource[] = [];
  const work = (): Awaitable<number> => {
    const inputs: Input[] = [];
    for (const side of [a, b]) {
      try {
        const source = side.stat === 'missing' ? undefined : openInput(context, side.name);
        if (source !== undefined) opened.push(source);
        inputs.push(new Input(context, source));
      } catch (error) {
        context.failed(side.name, error);
      }
    }
    const [first, second] = inputs;
    if (first === undefined || second === undefined) return TROUBLE;
    const comparison = new Comparison(context, [a, b], [first, second], options, inDirectory);
    return byBytes ? comparison.bytes() : comparison.run();
  };
  const failed = (error: unknown): number => {
    if (!isFsError(error)) throw error;
    context.failed(error.path, error);
    return TROUBLE;
  };
  return lastly(
    () => {
      try {
        const status = work();
        return isPromise(status) ? status.catch(failed) : status;
      } catch (error) {
        return failed(error);
      }
    },
    () => {
      for (const source of opened) closeInput(context, source);
    },
  );
}

function differInSize({ stat: a }: Side, { stat: b }: Side): boolean {
  return typeof a === 'object' && typeof b === 'object' && a.size !== b.size && a.size > 0 && b.size > 0;
}

function differ(context: DiffContext, [a, b]: readonly [string, string], brief: boolean): Awaitable<number> {
  return andThen(context.out.write(`${brief ? 'Files' : 'Binary files'} ${a} and ${b} differ\n`), () => 1);
}

class Comparison {
  private readonly context: DiffContext;
  private readonly sides: readonly [Side, Side];
  private readonly inputs: readonly [Input, Input];
  private readonly options: DiffOptions;
  private readonly inDirectory: boolean;

  constructor(
    context: DiffContext,
    sides: readonly [Side, Side],
    inputs: readonly [Input, Input],
    options: DiffOptions,
    inDirectory: boolean,
  ) {
    this.context = context;
    this.sides = sides;
    this.inputs = inputs;
    this.options = options;
    this.inDirectory = inDirectory;
  }

  bytes(): Awaitable<number> {
    return andThen(sameBytes(...this.inputs), (same) =>
      same ? 0 : differ(this.context, this.called(), this.options.brief),
    );
  }

  run(): Awaitable<number> {
    const [a, b] = this.inputs;
    const most = this.context.limits.maxVariableBytes;
    const [lookA, lookB] = this.sides.map(({ stat }) => (typeof stat === 'object' ? stat.blksize : PIPE_BUFFER)) as [
      number,
      number,
    ];
    return andThen(a.hold(lookA, most), () =>
      andThen(b.hold(lookB, most), () => {
        const binary = a.bytes.subarray(0, lookA).includes(0) || b.bytes.subarray(0, lookB).includes(0);
        if (binary && !this.options.text) return this.bytes();
        return andThen(a.hold(most + 1, most), () =>
          andThen(b.hold(most + 1, most - a.bytes.length), () => this.lines()),
        );
      }),
    );
  }

  private lines(): Awaitable<number> {
    const { context, options } = this;
    const [a, b] = this.inputs;
    const pair = pairOf(a.bytes, b.bytes, options.context ?? 0);
    if (pair === undefined) return 0;
    return andThen(changesOf(context.tick, pair, options.ignored), (changes) => {
      const counts = changes.some((change) => !isBlankChange(pair, change, options.ignored));
      if (!counts) return 0;
      if (options.brief) return differ(context, this.called(), true);
      return andThen(this.print(this.text(pair, changes)), () => 1);
    });
  }

  private print(text: Iterator<string>): Awaitable<unknown> {
    const out = lineWriter(this.context.out);
    let lines = 0;
    return repeat<true>(() => {
      const next = text.next();
      if (next.done === true) return andThen(out.end(), () => true);
      const written = out.write(next.value);
      return andThen(written, () => (++lines % 256 === 0 ? andThen(this.context.tick(), () => undefined) : undefined));
    });
  }

  private *text(pair: Pair, changes: Parameters<typeof normal>[1]): Generator<string, void, undefined> {
    const { optionWords, context, ignored } = this.options;
    const [a, b] = this.sides.map(({ name }) => shownName(toByteString(name))) as [string, string];
    if (this.inDirectory) {
      const words = optionWords.map((word) => ` ${toByteString(quoteWord(word))}`).join('');
      yield `diff${words} ${a} ${b}\n`;
    }
    if (context === undefined) return yield* normal(pair, changes, ignored);
    const { labels } = this.options;
    const heads = [a, b].map((name, i) => {
      const label = labels[i];
      return label === undefined ? `${name}\t${this.timeOf(this.sides[i] as Side)}` : toByteString(label); // i is 0 or 1
    });
    yield `--- ${heads[0]}\n+++ ${heads[1]}\n`;
    yield* unified(pair, changes, context, ignored);
  }

  private called(): [string, string] {
    return calledNames(this.options, ...this.sides);
  }

  private timeOf({ stat }: Side): string {
    const { clock } = this.context;
    const time = stat === 'missing' ? 0n : stat === undefined ? clock.now() : stat.mtimeNs;
    const nanoseconds = ((time % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    const moment = { seconds: (time - nanoseconds) / 1_000_000_000n, nanoseconds: Number(nanoseconds) };
    return strftime('%Y-%m-%d %H:%M:%S.%N %z', moment, clock.timeZone) ?? `${moment.seconds}`;
  }
}
