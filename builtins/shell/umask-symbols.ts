/** Symbolic modes of `umask` (POSIX XCU chmod, EXTENDED DESCRIPTION): `u=rwx,g-w`. A mask is what is taken away. */

const CLASSES: Readonly<Record<string, number>> = { u: 6, g: 3, o: 0 };
const BITS: Readonly<Record<string, number>> = { r: 4, w: 2, x: 1 };

/** `u=rwx,g=rx,o=rx` */
export function symbolicMask(mask: number): string {
  return ['u', 'g', 'o']
    .map((who) => {
      const allowed = (~mask >> (CLASSES[who] as number)) & 7;
      return `${who}=${['r', 'w', 'x'].filter((letter) => (allowed & (BITS[letter] as number)) !== 0).join('')}`;
    })
    .join(',');
}

function wrong(character: string, what: 'operator' | 'character'): string {
  return `\`${character}': invalid symbolic mode ${what}`;
}

/** The mask that `text` makes of `mask`, or what is wrong with it. */
export function parseSymbolicMask(text: string, mask: number): number | string {
  let allowed = ~mask & 0o777;
  for (const clause of text.split(',')) {
    let i = 0;
    while ('ugoa'.includes(clause[i] ?? '?')) i += 1;
    const who = clause.slice(0, i);
    const classes = who === '' || who.includes('a') ? ['u', 'g', 'o'] : [...who];
    if (i >= clause.length) return wrong('', 'operator');
    while (i < clause.length) {
      const operator = clause[i] as string;
      if (!'+-='.includes(operator)) return wrong(operator, 'operator');
      i += 1;
      let bits = 0;
      for (; i < clause.length && !'+-='.includes(clause[i] as string); i++) {
        const letter = clause[i] as string;
        const copied = CLASSES[letter];
        if (copied !== undefined) bits |= (allowed >> copied) & 7;
        else if (letter === 'X') bits |= 1;
        else if (letter === 's' || letter === 't') bits |= 0;
        else if (BITS[letter] !== undefined) bits |= BITS[letter] as number;
        else return wrong(letter, 'character');
      }
      for (const one of classes) {
        const shift = CLASSES[one] as number;
        if (operator === '+') allowed |= bits << shift;
        else if (operator === '-') allowed &= ~(bits << shift);
        else allowed = (allowed & ~(7 << shift)) | (bits << shift);
      }
    }
  }
  return ~allowed & 0o777;
}
