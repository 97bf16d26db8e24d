/** Where pieces end. A cut takes the chunks of the input in turn, and is told when there are no more. */
import { limitReached } from '../../src/limits.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import type { BaseContext, Output, OutputFile } from '../kit/context.js';
import { afterDelimiters } from '../kit/line-end.js';
import { repeat } from '../kit/repeat.js';
import type { Pieces, Sequence } from './pieces.js';

export interface Cut {
  /** True: nothing more is wanted. */
  take(chunk: Uint8Array): Awaitable<boolean>;
  end(): Awaitable<unknown>;
}

/** Pieces of `size` bytes; where there are to be `count` of them, the last has the rest. */
export function byBytes(out: Sequence, size: number, count = Number.POSITIVE_INFINITY): Cut {
  let left = 0;
  let made = 0;
  return {
    take(chunk) {
      let at = 0;
      return repeat<boolean>(() => {
        if (out.failed) return true;
        if (at >= chunk.length) return false;
        if (left === 0) {
          out.cut();
          made++;
          left = made === count ? Number.POSITIVE_INFINITY : size;
        }
        const end = Math.min(chunk.length, at + left);
        left -= end - at;
        const part = chunk.subarray(at, end);
        at = end;
        return andThen(out.write(part), () => undefined);
      });
    },
    end: () => fillUp(out, made, count),
  };
}

/** Pieces of nothing, until there are as many as were asked for. */
function fillUp(out: Sequence, made: number, count: number): Awaitable<unknown> {
  if (!Number.isFinite(count)) return undefined;
  let there = made;
  return repeat<true>(() => {
    if (there++ >= count || out.failed) return true;
    out.cut();
    return andThen(out.write(NOTHING), () => undefined);
  });
}

const NOTHING = new Uint8Array();

/** Pieces of `count` lines. */
export function byLines(out: Sequence, count: number, eol: number): Cut {
  let left = 0;
  return {
    take(chunk) {
      let at = 0;
      return repeat<boolean>(() => {
        if (out.failed) return true;
        if (at >= chunk.length) return false;
        if (left === 0) {
          out.cut();
          left = count;
        }
        const { index, seen } = afterDelimiters(chunk, at, chunk.length, eol, left);
        const end = index < 0 ? chunk.length : index;
        left -= seen;
        const part = chunk.subarray(at, end);
        at = end;
        return andThen(out.write(part), () => undefined);
      });
    },
    end: () => undefined,
  };
}

/** Pieces of as many whole lines as `size` bytes hold; a longer line is broken. */
export function byLineBytes(context: BaseContext, out: Sequence, size: number, eol: number): Cut {
  /** The line that is begun in this piece, and may be too long for it. */
  let held: Uint8Array[] = [];
  let heldSize = 0;
  /** Bytes of this piece, those that are held with them. */
  let filled = 0;
  let hasLine = false;
  const flush = (): Awaitable<unknown> => {
    const bytes = Buffer.concat(held);
    held = [];
    heldSize = 0;
    return bytes.length === 0 ? undefined : out.write(bytes);
  };
  const take = (chunk: Uint8Array): Awaitable<boolean> => {
    let at = 0;
    return repeat<boolean>(() => {
      if (out.failed) return true;
      if (at >= chunk.length) return false;
      const part = chunk.subarray(at, at + size - filled);
      at += part.length;
      filled += part.length;
      const cut = part.lastIndexOf(eol) + 1;
      hasLine ||= cut > 0;
      const goes = hasLine ? cut : part.length;
      if (goes < part.length) {
        const limit = context.limits.maxVariableBytes;
        heldSize += part.length - goes;
        if (heldSize > limit) throw limitReached('maxVariableBytes', limit);
      }
      const before = goes > 0 ? flush() : undefined;
      return andThen(before, () =>
        andThen(goes > 0 ? out.write(part.subarray(0, goes)) : undefined, () => {
          if (goes < part.length) held.push(Uint8Array.from(part.subarray(goes)));
          return filled < size ? undefined : next();
        }),
      );
    });
  };
  /** The piece is full: what is held begins the next. */
  const next = (): Awaitable<undefined> => {
    const bytes = Buffer.concat(held);
    held = [];
    heldSize = 0;
    filled = 0;
    hasLine = false;
    out.cut();
    return bytes.length === 0 ? undefined : andThen(take(bytes), () => undefined);
  };
  return { take, end: flush };
}

/** `count` pieces of about `size` bytes that end where lines end; a line that is longer leaves the pieces it covers empty. */
export function byLineChunks(
  out: Sequence,
  { size, count, eol, elide }: { size: number; count: number; eol: number; elide: boolean },
): Cut {
  let made = 1;
  let written = 0;
  /** The offset of the last byte of the piece: the line it is in ends the piece. */
  let last = size - 1;
  /** A line has ended the piece: what comes next is in another one. */
  let ended = false;
  const empty = (): Awaitable<unknown> => {
    out.cut();
    return elide ? undefined : out.write(NOTHING);
  };
  /** Goes on to the piece that the next byte is in. */
  const advance = (): Awaitable<true> =>
    repeat<true>(() => {
      if (!ended && last >= written) return true;
      made++;
      last = made >= count ? Number.POSITIVE_INFINITY : last + size;
      ended = false;
      out.cut();
      return last < written ? andThen(empty(), () => undefined) : undefined;
    });
  return {
    take(chunk) {
      let at = 0;
      return repeat<boolean>(() => {
        if (out.failed) return true;
        if (at >= chunk.length) return false;
        return andThen(ended ? advance() : true, () => {
          const from = Math.min(chunk.length, Math.max(at, at + last - written));
          const found = Number.isFinite(last) ? chunk.indexOf(eol, from) : -1;
          const end = found < 0 ? chunk.length : found + 1;
          const part = chunk.subarray(at, end);
          written += part.length;
          at = end;
          ended = found >= 0;
          return andThen(out.write(part), () => undefined);
        });
      });
    },
    end: () => (elide ? undefined : fillUp(out, written === 0 ? 0 : made, count)),
  };
}

/** Lines dealt out in turn to `count` pieces that are all open. */
export function roundRobin(pieces: Pieces, count: number, eol: number, elide: boolean): Cut {
  const files: (OutputFile | undefined)[] = new Array(count).fill(undefined);
  let turn = 0;
  return {
    take(chunk) {
      const parts: Uint8Array[][] = files.map(() => []);
      for (let at = 0; at < chunk.length; ) {
        const found = chunk.indexOf(eol, at);
        const end = found < 0 ? chunk.length : found + 1;
        parts[turn]?.push(chunk.subarray(at, end));
        if (found >= 0) turn = (turn + 1) % count;
        at = end;
      }
      let i = 0;
      return repeat<boolean>(() => {
        const part = parts[i];
        if (part === undefined || pieces.failure !== undefined) return pieces.failure !== undefined;
        if (part.length === 0) {
          i++;
          return undefined;
        }
        // Names go by the order of the pieces, with none left out.
        for (let k = 0; k <= i; k++) files[k] ??= pieces.open();
        const written = files[i]?.write(Buffer.concat(part));
        i++;
        return andThen(written as Awaitable<void>, () => undefined);
      });
    },
    end() {
      if (elide) return;
      for (let i = 0; i < count && pieces.failure === undefined; i++) files[i] ??= pieces.open();
    },
  };
}

/** Bytes `from` to `to` of the input, to the standard output. */
export function oneChunk(out: Output, from: number, to: number): Cut {
  let at = 0;
  return {
    take(chunk) {
      const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
      at += chunk.length;
      return andThen(part.length === 0 ? undefined : out.write(part), () => at >= to);
    },
    end: () => undefined,
  };
}

/** The lines of one piece of `byLineChunks`, to the standard output. */
export function oneLineChunk(
  out: Output,
  { size, count, eol, which }: { size: number; count: number; eol: number; which: number },
): Cut {
  // The piece begins after the line that the last byte of the piece before is in, and ends with the line its own last byte is in.
  const before = which === 1 ? -1 : (which - 1) * size - 1;
  const last = which === count ? Number.POSITIVE_INFINITY : which * size - 1;
  let started = which === 1;
  let at = 0;
  return {
    take(chunk) {
      const base = at;
      at += chunk.length;
      let from = 0;
      if (!started) {
        if (before >= at) return false;
        const found = chunk.indexOf(eol, Math.max(0, before - base));
        if (found < 0) return false;
        started = true;
        from = found + 1;
        // The line before covers this piece.
        if (base + found >= last) return true;
      }
      const found = last >= at ? -1 : chunk.indexOf(eol, Math.max(from, last - base));
      const part = chunk.subarray(from, found < 0 ? chunk.length : found + 1);
      return andThen(part.length === 0 ? undefined : out.write(part), () => found >= 0);
    },
    end: () => undefined,
  };
}

/** Every `count`th line from `which` on, to the standard output. */
export function oneTurn(out: Output, { count, eol, which }: { count: number; eol: number; which: number }): Cut {
  let turn = 1;
  return {
    take(chunk) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < chunk.length; ) {
        const found = chunk.indexOf(eol, at);
        const end = found < 0 ? chunk.length : found + 1;
        if (turn === which) parts.push(chunk.subarray(at, end));
        if (found >= 0) turn = turn === count ? 1 : turn + 1;
        at = end;
      }
      return andThen(parts.length === 0 ? undefined : out.write(Buffer.concat(parts)), () => false);
    },
    end: () => undefined,
  };
}
