/** Lines of join in fields, and how pairs of them are printed. */

export interface Line {
  /** A byte string. */
  readonly text: string;
  readonly fields: readonly string[];
  /** What it is joined by. */
  readonly key: string;
}

/** Undefined: fields are between blanks. */
export type Separator = string | undefined;

export function splitFields(text: string, separator: Separator): string[] {
  if (separator !== undefined) return separator === '\n' ? [text] : text.split(separator);
  const fields: string[] = [];
  let at = 0;
  const skipBlanks = (): void => {
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  };
  skipBlanks();
  while (at < text.length) {
    const start = at;
    while (at < text.length && !isBlank(text.charCodeAt(at))) at++;
    fields.push(text.slice(start, at));
    if (at >= text.length) break;
    skipBlanks();
    // After blanks at the end of a line there is one more field: nothing.
    if (at >= text.length) fields.push('');
  }
  return fields;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 9 || unit === 10;
}

/** A field of file 1 or 2, counted from 0; file 0 is the join field. */
export interface OutputField {
  readonly file: 0 | 1 | 2;
  readonly field: number;
}

export interface Shape {
  readonly joinFields: readonly [number, number];
  readonly separator: string;
  /** `-e`: what stands for a field that is not there. */
  readonly empty: string;
  /** Undefined: the join field, then all others. */
  readonly list: readonly OutputField[] | undefined;
  /** `-o auto`: how many fields each file's lines have, as the first of them has. */
  readonly counts: readonly [number, number] | undefined;
}

export function printPair(a: Line | undefined, b: Line | undefined, shape: Shape): string {
  const key = a?.key ?? b?.key ?? '';
  const shown = (text: string | undefined): string => (text === undefined || text === '' ? shape.empty : text);
  if (shape.list !== undefined) {
    return shape.list
      .map(({ file, field }) => shown(file === 0 ? keyField(a, b, shape) : (file === 1 ? a : b)?.fields[field]))
      .join(shape.separator);
  }
  const parts = [shown(a === undefined && b === undefined ? key : keyField(a, b, shape))];
  for (const [i, line] of [a, b].entries()) {
    const count = shape.counts?.[i] ?? line?.fields.length ?? 0;
    for (let k = 0; k < count; k++) if (k !== shape.joinFields[i]) parts.push(shown(line?.fields[k]));
  }
  return parts.join(shape.separator);
}

function keyField(a: Line | undefined, b: Line | undefined, { joinFields }: Shape): string | undefined {
  return a === undefined ? b?.fields[joinFields[1]] : a.fields[joinFields[0]];
}
