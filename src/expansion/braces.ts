/** Brace expansion (bash): a word with `{a,b}` or `{1..9}` stands for several words, before anything else is expanded. */
import type { BraceSequence, ParameterExpansion, Word, WordPart } from '../../grammar/ast.js';
import { limitReached } from '../limits.js';
import { worked } from '../text/work.js';

/** Whether a word has braces to expand. */
export function hasBraces(word: Word): boolean {
  return word.parts.some(({ kind }) => kind === 'BraceList' || kind === 'BraceSequence');
}

/** Steps of work that one word of braces costs. */
const WORD_WORK = 16;

/** What is a field as it stands. */
const PLAIN = /^[\w.,:%/-]+$/;

/** The words that a word with braces stands for: as many as the product of its braces. */
export interface BraceWords {
  readonly count: number;
  /** The one at `index`; made when it is asked for, as there may be millions. */
  at(index: number): Word;
}

/** Counts its work: to be called in `watched`. */
export function expandBraces(word: Word, maxFields: number): BraceWords {
  const { kind, start, end } = word;
  const all = combinations(word.parts, maxFields);
  return {
    count: all.count,
    at: (index) => {
      const parts = all.at(index);
      const [only] = parts;
      const literal = parts.length === 1 && only?.kind === 'Literal' && PLAIN.test(only.text) ? only.text : undefined;
      return { kind, start, end, parts: literal === undefined ? joined(parts) : parts, literal };
    },
  };
}

interface Combinations {
  readonly count: number;
  at(index: number): readonly WordPart[];
}

/** Each choice of each part with each of the others; those of the last part change first. */
function combinations(parts: readonly WordPart[], maxFields: number): Combinations {
  const choices = parts.map((part) => choicesOf(part, maxFields));
  let count = 1;
  for (const { length } of choices) {
    count *= length;
    if (count > maxFields) throw limitReached('maxFields', maxFields);
  }
  const at = (index: number): readonly WordPart[] => {
    const result: WordPart[] = [];
    let block = count;
    let rest = index;
    for (const list of choices) {
      block /= list.length;
      const which = Math.floor(rest / block);
      rest -= which * block;
      // `index` is below the product of the lengths, so there is one
      for (const part of list[which]!) append(result, part);
    }
    return result;
  };
  return { count, at };
}

/** Text that comes to stand beside text is one part with it. */
function append(parts: WordPart[], part: WordPart): void {
  const last = parts.at(-1);
  if (last?.kind !== 'Literal' || part.kind !== 'Literal') parts.push(part);
  else parts[parts.length - 1] = { kind: 'Literal', start: last.start, end: part.end, text: last.text + part.text };
}

function choicesOf(part: WordPart, maxFields: number): readonly (readonly WordPart[])[] {
  if (part.kind === 'BraceList') {
    return part.items.flatMap((item) => {
      const { count, at } = combinations(item, maxFields);
      return Array.from({ length: count }, (_, index) => {
        worked(WORD_WORK);
        return at(index);
      });
    });
  }
  if (part.kind === 'BraceSequence') return sequence(part, maxFields);
  return [[part]];
}

function sequence(part: BraceSequence, maxFields: number): WordPart[][] {
  const { from, to, step, letters, width, start, end } = part;
  const count = Math.floor((to - from) / step) + 1;
  if (count > maxFields) throw limitReached('maxFields', maxFields);
  const items: WordPart[][] = [];
  for (let i = 0; i < count; i++) {
    const value = from + i * step;
    const text = letters ? String.fromCodePoint(value) : padded(value, width);
    items.push([{ kind: 'Literal', start, end, text }]);
    worked(WORD_WORK);
  }
  return items;
}

/** `width` counts the sign, as in `{-05..5}`. */
function padded(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}

/**
 * In bash braces are text before anything else is: the letters that come to stand behind a `$x` make another name of it, and
 * `$x{a,b}` is `$xa $xb`.
 */
function joined(parts: readonly WordPart[]): readonly WordPart[] {
  const result: WordPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    const letters = part.kind === 'Literal' ? (/^\w+/.exec(part.text)?.[0] ?? '') : '';
    if (part.kind === 'Literal' && letters !== '' && last?.kind === 'ParameterExpansion' && growing(last)) {
      result[result.length - 1] = { ...last, name: last.name + letters };
      if (letters.length < part.text.length) result.push({ ...part, text: part.text.slice(letters.length) });
    } else result.push(part);
  }
  return result;
}

/** `$x`, and not `${x}` or `$1`. */
function growing({ braced, name }: ParameterExpansion): boolean {
  return !braced && /^[A-Za-z_]/.test(name);
}
