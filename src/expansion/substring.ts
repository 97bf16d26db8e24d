/** `${x:offset:length}` (bash, Shell Parameter Expansion), over code points or list elements. */
import { codePoints, sliceCodePoints } from '../text/bytes.js';
import { ExpansionError } from './host.js';

/** The part of `text`. A negative offset counts from the end; a negative length is a place from the end. */
export function substring(text: string, offset: number, length: number | undefined): string {
  const range = rangeOf(codePoints(text), offset, length, length === undefined ? '' : String(length));
  return range === undefined ? '' : sliceCodePoints(text, range.from, range.to);
}

/** `from` up to but not `to`; undefined when the offset is out of range. */
export function rangeOf(
  size: number,
  offset: number,
  length: number | undefined,
  shown: string,
): { readonly from: number; readonly to: number } | undefined {
  const from = offset < 0 ? size + offset : offset;
  if (from < 0 || from > size) return undefined;
  if (length === undefined) return { from, to: size };
  if (length >= 0) return { from, to: Math.min(size, from + length) };
  const to = size + length;
  if (to < from) throw new ExpansionError(`${shown}: substring expression < 0`);
  return { from, to };
}
