/** Names in columns, as many as the line has room for. */

export interface Cell {
  readonly text: string;
  readonly width: number;
}

const MIN_COLUMN = 3;

/** Sorted down the columns, or `across` the lines. `tab`: columns between tab stops; 0: blanks only. */
export function inColumns(cells: readonly Cell[], lineWidth: number, across: boolean, tab: number): string {
  if (cells.length === 0) return '';
  const widths = bestWidths(cells, lineWidth, across);
  const columns = widths.length;
  const rows = Math.ceil(cells.length / columns);
  let out = '';
  for (let row = 0; row < rows; row++) {
    let at = 0;
    let start = 0;
    for (let column = 0; column < columns; column++) {
      const cell = cells[across ? row * columns + column : column * rows + row];
      if (cell === undefined) break;
      out += (tab > 0 ? indent(at, start, tab) : ' '.repeat(Math.max(0, start - at))) + cell.text;
      at = start + cell.width;
      start += widths[column] as number;
    }
    out += '\n';
  }
  return out;
}

/** The widths of as many columns as fit. */
function bestWidths(cells: readonly Cell[], lineWidth: number, across: boolean): readonly number[] {
  const most = Math.max(1, Math.min(Math.floor(lineWidth / MIN_COLUMN), cells.length));
  for (let columns = most; columns > 1; columns--) {
    const widths = widthsOf(cells, columns, across, lineWidth);
    if (widths !== undefined) return widths;
  }
  return [0];
}

function widthsOf(
  cells: readonly Cell[],
  columns: number,
  across: boolean,
  lineWidth: number,
): readonly number[] | undefined {
  const rows = Math.ceil(cells.length / columns);
  const widths: number[] = Array.from({ length: columns }, () => MIN_COLUMN);
  let line = columns * MIN_COLUMN;
  for (let i = 0; i < cells.length; i++) {
    const column = across ? i % columns : Math.floor(i / rows);
    const width = (cells[i] as Cell).width + (column === columns - 1 ? 0 : 2);
    const before = widths[column] as number;
    if (width > before) {
      line += width - before;
      widths[column] = width;
      if (line >= lineWidth) return undefined;
    }
  }
  return line < lineWidth ? widths : undefined;
}

/** From column `from` to column `to`, by tabs where they help. */
function indent(from: number, to: number, tab: number): string {
  let out = '';
  let at = from;
  while (at < to) {
    if (Math.floor(to / tab) > Math.floor((at + 1) / tab)) {
      out += '\t';
      at += tab - (at % tab);
    } else {
      out += ' ';
      at++;
    }
  }
  return out;
}

/** One after the other with commas between them, in lines that are shorter than `lineWidth`. */
export function withCommas(cells: readonly Cell[], lineWidth: number): string {
  if (cells.length === 0) return '';
  let out = '';
  let at = 0;
  for (const [i, { text, width }] of cells.entries()) {
    if (i > 0) {
      const fits = at + width + 2 < lineWidth;
      out += fits ? ', ' : ',\n';
      at = fits ? at + 2 : 0;
    }
    out += text;
    at += width;
  }
  return `${out}\n`;
}
