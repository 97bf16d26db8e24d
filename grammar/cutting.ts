/** Parts cut where a character of their unquoted text separates: `for ((a; b; c))`, `${x:a:b}`. */
import type { WordPart } from './ast.js';
import { BACKSLASH, NEWLINE } from './characters.js';

export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly WordPart[];
}

/** The pieces between `start` and `end` of `text`; `cuts` is asked about each character of a Literal, in order. */
export function cutLiterals(
  text: string,
  parts: readonly WordPart[],
  start: number,
  end: number,
  cuts: (character: string) => boolean,
): Piece[] {
  const pieces: Piece[] = [];
  let current: WordPart[] = [];
  let pieceStart = start;
  for (const part of parts) {
    if (part.kind !== 'Literal') {
      current.push(part);
      continue;
    }
    // the literal's characters, and where they stand: line continuations are only in the text
    let from = 0;
    let at = part.start;
    let literalStart = at;
    for (let i = 0; i < part.text.length; i++, at++) {
      while (text.charCodeAt(at) === BACKSLASH && text.charCodeAt(at + 1) === NEWLINE) at += 2;
      if (!cuts(part.text.charAt(i))) continue;
      if (i > from) current.push({ kind: 'Literal', start: literalStart, end: at, text: part.text.slice(from, i) });
      pieces.push({ start: pieceStart, end: at, parts: current });
      current = [];
      from = i + 1;
      pieceStart = literalStart = at + 1;
    }
    if (from === 0) current.push(part);
    else if (from < part.text.length) {
      current.push({ kind: 'Literal', start: literalStart, end: part.end, text: part.text.slice(from) });
    }
  }
  pieces.push({ start: pieceStart, end, parts: current });
  return pieces;
}
