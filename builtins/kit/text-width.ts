/** How many columns of a terminal a text takes. */
import { isAscii } from '../../src/text/bytes.js';
import { columnsOf } from './width.js';

/** What cannot be printed takes none. */
export function widthOfText(text: string): number {
  let width = 0;
  if (isAscii(text)) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x20 && unit !== 0x7f) width++;
    }
    return width;
  }
  for (const character of text) width += columnsOf(character);
  return width;
}
