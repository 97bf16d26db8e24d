/** How many columns of a terminal a character takes. */

/**
 * Characters of two columns (Unicode 15, as glibc's wcwidth has them): ranges, each as the distance from the end of the one before and
 * its length, in base 36.
 */
const WIDE =
  '3cw+2n 3i3+1 e+1 5b+3 4 3 ei+1 m+1 1f+b 18 k e 9+1 i+1 6+1 9 6 m 8+1 2 5 3 8 5+1 t 10 2 5+2 2 1q+2 p f nw+1 ' +
  '1g 5 mj+p 2+2g d+5x r+b 5+15 5+g 3+2d 5+2s 6+16 2+2l 2+2b d+1a 2+mlo 4+1i wq+s hw+8mb 6l9+a5 3+2x mv+9 n+y ' +
  '2+i 2+3 46+2n 3k+6 m4a+3 d+1 f+4qf 9+yd 17+8 6w8+3 2+6 2+1 2+82 1a+2 i+3 9+az c21 5n 5b 3+9 2u+2 e+17 5+8 ' +
  '8+1 f+5 4b+w d+8 2+1x 2+l d+16 5+4 d+g 4 4+1y 2 2+56 3+1q e+3 2+n j r+1 e 2f+2c 1d+1x 7 4+2 3+2 6+2 c+1 8+8 ' +
  '6c+b 5 7w+1a 2+9 2+54 35+4 4+4 4+6 a+s 4+a 6+5 b+9 7+7 9+6 zu+wyn x+37c 8+65 3+4g1 f+5rk 2e8+f1 15v+3t6';

let wide: readonly (readonly [first: number, last: number])[] | undefined;

function wideRanges(): readonly (readonly [number, number])[] {
  let at = 0;
  return WIDE.split(' ').map((range) => {
    const [distance = '', length = '0'] = range.split('+');
    const first = at + Number.parseInt(distance, 36);
    at = first + Number.parseInt(length, 36);
    return [first, at] as const;
  });
}

const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** 0, 1 or 2; a character that cannot be printed takes none. `character` is one code point. */
export function columnsOf(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return 1;
  if (code === 0xad) return 1;
  if (NO_WIDTH.test(character)) return 0;
  if (code < 0x1100) return 1;
  wide ??= wideRanges();
  let low = 0;
  let high = wide.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((wide[middle] as readonly [number, number])[1] < code) low = middle + 1;
    else high = middle;
  }
  const range = wide[low];
  return range !== undefined && range[0] <= code ? 2 : 1;
}
