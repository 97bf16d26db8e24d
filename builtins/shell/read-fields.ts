/** Splitting a line for `read`: like field splitting, but the last variable takes the rest of the line (POSIX XCU read). */

/** At most `count` values of `text`. Without `raw` a backslash quotes the character after it and vanishes. */
export function splitFields(text: string, ifs: string | undefined, count: number, raw: boolean): string[] {
  const separators = ifs ?? ' \t\n';
  if (!raw && text.includes('\\')) return splitQuoted([...text], separators, count);
  const white = (at: number): boolean => isWhite(text.charCodeAt(at)) && separators.includes(text[at] as string);
  const values: string[] = [];
  let at = 0;
  let end = text.length;
  while (at < end && white(at)) at += 1;
  while (end > at && white(end - 1)) end -= 1;
  if (separators === '') return [text];
  while (values.length < count - 1 && at < end) {
    let stop = at;
    while (stop < end && !separators.includes(text[stop] as string)) stop += 1;
    values.push(text.slice(at, stop));
    at = afterSeparator(stop, end, white);
  }
  if (at >= end) return values;
  values.push(lastValue(text.slice(at, end), separators));
  return values;
}

function isWhite(code: number): boolean {
  return code === 32 || code === 9 || code === 10;
}

/** White space around at most one other separator is one separator. */
function afterSeparator(at: number, end: number, white: (at: number) => boolean): number {
  let next = at;
  while (next < end && white(next)) next += 1;
  if (next < end && next === at) next += 1;
  else if (next < end && next > at) return next;
  while (next < end && white(next)) next += 1;
  return next;
}

/** The rest of the line, without one separator that ends it when nothing else of the kind is in it. */
function lastValue(rest: string, separators: string): string {
  let first = 0;
  while (first < rest.length && !separators.includes(rest[first] as string)) first += 1;
  return first === rest.length - 1 ? rest.slice(0, first) : rest;
}

/** The same over characters some of which are quoted. */
function splitQuoted(characters: readonly string[], separators: string, count: number): string[] {
  // Quoted characters separate nothing: each is put out of the way as a private-use mark, and put back after.
  const quoted: string[] = [];
  let plain = '';
  for (let i = 0; i < characters.length; i++) {
    if (characters[i] !== '\\') plain += characters[i];
    else {
      i += 1;
      if (i < characters.length) {
        plain += MARK;
        quoted.push(characters[i] as string);
      }
    }
  }
  let next = 0;
  const values = splitFields(plain, separators, count, true);
  return values.map((value) => value.replaceAll(MARK, () => quoted[next++] ?? ''));
}

/** A noncharacter: it cannot come from decoded bytes that are text, and as bytes it would be taken as quoted by nobody. */
const MARK = '\uffff';
