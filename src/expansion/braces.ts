/** Brace expansion (bash): a word with `{a,b}` or `{1..9}` stands for several words, before anything else is expanded. */
import type { BraceSequence, ParameterExpansion, Word, WordPart } from '../../grammar/ast.js';
import { limitReached } from '../limits.js';

/** Whether a word has braces to expand. */
export function hasBraces(word: Word): boolean {
  return word.parts.some(({ kind }) => kind === 'BraceList' || kind === 'BraceSequence');
}

/** What is a field as it stands. */
const PLAIN = /^[\w.,:%/-]+$/;

/** The words that `word` stands for, in order: as many as the product of its braces. */
export function expandBraces(word: Word, maxFields: number): Word[] {
  return combinations(word.parts, maxFields).map((parts) => {
    const [only] = parts;
    const literal = parts.length === 1 && only?.kind === 'Literal' && PLAIN.test(only.text) ? only.text : undefined;
    return { ...word, parts: literal === undefined ? joined(parts) : parts, literal };
  });
}

function combinations(parts: readonly WordPart[], maxFields: number): WordPart[][] {
  let words: WordPart[][] = [[]];
  for (const part of parts) {
    const choices = choicesOf(part, maxFields);
    if (words.length * choices.length > maxFields) throw limitReached('maxFields', maxFields);
    words = words.flatMap((word) => choices.map((choice) => append(word, choice)));
  }
  return words;
}

/** Text that comes to stand beside text is one part with it: a word of thirty braces is not to be thirty parts a million times. */
function append(word: readonly WordPart[], choice: readonly WordPart[]): WordPart[] {
  const last = word.at(-1);
  const first = choice[0];
  if (last?.kind !== 'Literal' || first?.kind !== 'Literal') return [...word, ...choice];
  const text = { ...last, end: first.end, text: last.text + first.text };
  return word.length === 1 && choice.length === 1 ? [text] : [...word.slice(0, -1), text, ...choice.slice(1)];
}

function choicesOf(part: WordPart, maxFields: number): readonly (readonly WordPart[])[] {
  if (part.kind === 'BraceList') return part.items.flatMap((item) => combinations(item, maxFields));
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
