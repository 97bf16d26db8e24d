/** The `s` command on one pattern space. */
import type { Regex } from '../../src/text/regex/index.js';
import { inOnePiece, worked } from '../../src/text/work.js';
import type { Substitution } from './commands.js';
import { expandReplacement } from './replacement.js';

/** UTF-16 units: what is longer is put away in one piece. */
const PIECE = 1 << 16;

/** The new pattern space, or undefined when nothing was replaced. `check` is told how long it has become. */
export function substitute(
  regex: Regex,
  { parts, global, number }: Substitution,
  text: string,
  check: (length: number) => void,
): string | undefined {
  const spanOnly = parts.every((part) => typeof part !== 'number' || part === 0);
  let out = '';
  /** The beginning, where it has become long, and its length. */
  const pieces: string[] = [];
  let before = 0;
  let copied = 0;
  let count = 0;
  let replaced = false;
  /** Where the last match ended: an empty match there is none. */
  let last = -1;
  for (let at = 0; at <= text.length; ) {
    const spans = regex.exec(text, at, spanOnly);
    if (spans === null) break;
    const [from = 0, to = 0] = spans;
    if (from === to && from === last) {
      at = nextCharacter(text, from);
      last = -1;
      continue;
    }
    if (++count >= number) {
      out += text.slice(copied, from) + expandReplacement(parts, text, spans);
      check(before + out.length);
      if (out.length > PIECE) {
        worked(4 * PIECE);
        pieces.push(inOnePiece(out));
        before += out.length;
        out = '';
      }
      copied = to;
      replaced = true;
      if (!global) break;
    }
    last = to;
    at = from === to ? nextCharacter(text, to) : to;
  }
  return replaced ? pieces.join('') + out + text.slice(copied) : undefined;
}

/** The start of the character after the one at `at`: never inside one (GNU sed 4.9 steps by bytes here, and breaks characters). */
function nextCharacter(text: string, at: number): number {
  let next = at + 1;
  if (text.charCodeAt(at) >= 0xc0) while (next < text.length && (text.charCodeAt(next) & 0xc0) === 0x80) next++;
  return next;
}
