/** Lines of checksum files: how they are written, and read again by `-c`. */

export interface SumLine {
  /** Lower case hexadecimal. */
  readonly sum: string;
  /** A byte string. */
  readonly name: string;
}

/** Names with a newline, a return or a backslash are escaped, and the line says so. */
export function writeSum(
  sum: string,
  name: string,
  style: { binary: boolean; tag: string | undefined; end: string },
): string {
  const special = style.end === '\n' && /[\\\n\r]/.test(name);
  const shown = special ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : name;
  const mark = special ? '\\' : '';
  if (style.tag !== undefined) return `${mark}${style.tag} (${shown}) = ${sum}${style.end}`;
  return `${mark}${sum} ${style.binary ? '*' : ' '}${shown}${style.end}`;
}

/** Undefined when the line is none. `digits`: how long a sum is. */
export function readSum(line: string, tag: string, digits: number): SumLine | undefined {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t') at++;
  const escaped = line[at] === '\\';
  if (escaped) at++;
  const rest = line.slice(at);
  const read = rest.startsWith(`${tag} (`) ? readTagged(rest, tag) : readPlain(rest, digits);
  if (read === undefined || read.sum.length !== digits || !isHex(read.sum)) return undefined;
  const name = escaped ? unescapeName(read.name) : read.name;
  return name === undefined ? undefined : { sum: read.sum.toLowerCase(), name };
}

function readTagged(line: string, tag: string): SumLine | undefined {
  const close = line.lastIndexOf(') = ');
  return close < 0 ? undefined : { name: line.slice(tag.length + 2, close), sum: line.slice(close + 4) };
}

function readPlain(line: string, digits: number): SumLine | undefined {
  const between = line[digits];
  if (between !== ' ' && between !== '\t') return undefined;
  // A second blank or a star stands before the name; old BSD tools write only one blank.
  const kind = line[digits + 1];
  const name = line.slice(digits + (kind === ' ' || kind === '*' ? 2 : 1));
  return name === '' ? undefined : { sum: line.slice(0, digits), name };
}

function isHex(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const letter = unit | 0x20;
    if (!(unit >= 0x30 && unit <= 0x39) && !(letter >= 0x61 && letter <= 0x66)) return false;
  }
  return true;
}

function unescapeName(name: string): string | undefined {
  let out = '';
  for (let i = 0; i < name.length; i++) {
    const unit = name[i] as string;
    if (unit !== '\\') {
      out += unit;
      continue;
    }
    const next = name[++i];
    if (next === 'n') out += '\n';
    else if (next === 'r') out += '\r';
    else if (next === '\\') out += '\\';
    else return undefined;
  }
  return out;
}
