/** Regular expressions as Emacs writes them: find's own, and tac's. */

/** Emacs' syntax in a basic expression's: `+` and `?` are operators, and there are no intervals. */
export function fromEmacs(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] as string;
    if (unit === '[') {
      const end = bracketEnd(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (unit === '+' || unit === '?') out += `\\${unit}`;
    else if (unit === '\\' && i + 1 < text.length) {
      const next = text[++i] as string;
      out += '+?{}'.includes(next) ? next : `\\${next}`;
    } else out += unit;
  }
  return out;
}

/** The index after a bracket expression that begins at `start`. */
function bracketEnd(text: string, start: number): number {
  let i = start + 1;
  if (text[i] === '^') i++;
  if (text[i] === ']') i++;
  while (i < text.length && text[i] !== ']') {
    const kind = text[i + 1];
    if (text[i] === '[' && (kind === ':' || kind === '.' || kind === '=')) {
      const end = text.indexOf(`${kind}]`, i + 2);
      i = end < 0 ? text.length : end + 2;
    } else i++;
  }
  return Math.min(text.length, i + 1);
}
