/** From the two strings of tr to a table of what each byte becomes. */
import { BadSet, Cursor, caseClass, type Element, elementLength, membership, setLength, skipSame } from './sets.js';

export interface Pairing {
  readonly complement: boolean;
  /** `-t`: string 1 is cut to the length of string 2. */
  readonly truncate: boolean;
}

/** A table of 256 bytes, or why the strings do not go together. */
export function translation(
  from: readonly Element[],
  into: readonly Element[],
  { complement, truncate }: Pairing,
): Uint8Array | BadSet {
  if (into.some(({ kind }) => kind === 'equivalence')) {
    return new BadSet('[=c=] expressions may not appear in string2 when translating');
  }
  if (into.some((element) => element.kind === 'class' && caseClass(element) === undefined)) {
    return new BadSet(
      "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
    );
  }
  const outside = complement ? membership(from, true).reduce((sum, one) => sum + one, 0) : 0;
  let length = complement ? outside : setLength(from);
  const filled = fillRepeat(into, length);
  let other = setLength(filled);
  if (!complement && filled.some(({ kind }) => kind === 'class')) {
    const discounts = alignCases(from, filled);
    if (discounts instanceof BadSet) return discounts;
    length -= discounts.from;
    other -= discounts.into;
  }
  let target = filled;
  if (length > other && !truncate) {
    if (other === 0) return new BadSet('when not truncating set1, string2 must be non-empty');
    const extended = extend(filled, length - other);
    if (extended instanceof BadSet) return extended;
    target = extended;
    other = length;
  }
  if (complement && from.some(({ kind }) => kind === 'class') && !(length === other && isOneByte(target))) {
    return new BadSet(
      'when translating with complemented character classes,\nstring2 must map all characters in the domain to one',
    );
  }
  return complement ? complementTable(from, target) : table(from, target);
}

/** Gives `[c*]` the count that makes both strings as long. */
export function fillRepeat(elements: readonly Element[], length: number): readonly Element[] {
  const missing = Math.max(0, length - setLength(elements));
  return elements.map((element) =>
    element.kind === 'repeat' && element.count === 0 ? { ...element, count: missing } : element,
  );
}

/**
 * `[:upper:]` and `[:lower:]` of string 2 must have one of them opposite. They count as one byte each: answers by how much
 * that makes the strings shorter.
 */
function alignCases(from: readonly Element[], into: readonly Element[]): { from: number; into: number } | BadSet {
  const a = new Cursor(from);
  const b = new Cursor(into);
  const discounts = { from: 0, into: 0 };
  for (;;) {
    const left = a.fresh;
    const right = b.fresh;
    const wanted = caseClass(right);
    if (wanted !== undefined && caseClass(left) === undefined) {
      return new BadSet('misaligned [:upper:] and/or [:lower:] construct');
    }
    if (a.next() === undefined || b.next() === undefined) return discounts;
    skipSame(a, b);
    if (wanted === undefined || left === undefined || right === undefined) continue;
    a.skipElement();
    b.skipElement();
    discounts.from += elementLength(left) - 1;
    discounts.into += elementLength(right) - 1;
  }
}

/** The last byte of string 2 again and again. */
function extend(elements: readonly Element[], count: number): readonly Element[] | BadSet {
  const last = elements[elements.length - 1];
  if (last === undefined || last.kind === 'class') {
    return new BadSet(
      'when translating with string1 longer than string2,\nthe latter string must not end with a character class',
    );
  }
  return [...elements, { kind: 'repeat', byte: last.kind === 'range' ? last.last : last.byte, count }];
}

function isOneByte(elements: readonly Element[]): boolean {
  const members = membership(
    elements.filter((element) => elementLength(element) > 0),
    false,
  );
  return members.reduce((sum, one) => sum + one, 0) === 1;
}

function identity(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => byte);
}

function complementTable(from: readonly Element[], into: readonly Element[]): Uint8Array {
  const map = identity();
  const members = membership(from, false);
  const cursor = new Cursor(into);
  for (let byte = 0; byte < 256; byte++) {
    if (members[byte] === 1) continue;
    const target = cursor.next();
    if (target === undefined) break;
    map[byte] = target;
  }
  return map;
}

function table(from: readonly Element[], into: readonly Element[]): Uint8Array {
  const map = identity();
  const a = new Cursor(from);
  const b = new Cursor(into);
  for (;;) {
    const left = caseClass(a.fresh);
    const right = caseClass(b.fresh);
    const source = a.next();
    const target = b.next();
    if (left === 'lower' && right === 'upper') for (let c = 0x61; c <= 0x7a; c++) map[c] = c - 32;
    else if (left === 'upper' && right === 'lower') for (let c = 0x41; c <= 0x5a; c++) map[c] = c + 32;
    else if (source === undefined || target === undefined) return map;
    else map[source] = target;
    skipSame(a, b);
    if (right === undefined) continue;
    a.skipElement();
    b.skipElement();
  }
}
