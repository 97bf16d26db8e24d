/** The `l` command: a line made visible. */
import { LongText } from '../../src/text/work.js';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** Without the end of its last line. Folded so that no line is longer than `width`, with a backslash and the `delimiter` at each fold; 0 does not fold. */
export function visibleLine(text: string, width: number, delimiter: string): string {
  const out = new LongText();
  let column = 0;
  for (const byte of text) {
    const shown = ESCAPES.get(byte) ?? (byte >= ' ' && byte <= '~' ? byte : octal(byte));
    if (width > 0 && column + shown.length > width - 1) {
      out.add(`\\${delimiter}`);
      column = 0;
    }
    out.add(shown);
    column += shown.length;
  }
  return out.text('$');
}

function octal(byte: string): string {
  return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
