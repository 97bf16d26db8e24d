/** Options of built-ins (XBD 12.2): single letters, clustered, none with GNU's long names. */

export interface LetterOptions {
  /** Each option in order, with its argument where it takes one. */
  readonly given: readonly { readonly letter: string; readonly value: string }[];
  readonly operands: readonly string[];
  /** The first word that is no option of this built-in (`-z`). */
  readonly invalid: string | undefined;
  /** An option whose argument is missing (`-u`). */
  readonly missing: string | undefined;
}

const NONE_GIVEN: LetterOptions['given'] = [];

/** Reads the words after the name. `letters` as in getopt(3): `ab:` is -a and -b with an argument. */
export function letterOptions(argv: readonly string[], letters: string): LetterOptions {
  // Most calls have none.
  if (argv.length === 1 || argv[1]?.charCodeAt(0) !== 45) {
    return { given: NONE_GIVEN, operands: argv.slice(1), invalid: undefined, missing: undefined };
  }
  const given: { letter: string; value: string }[] = [];
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') {
      i += 1;
      break;
    }
    if (word.length < 2 || word[0] !== '-') break;
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] as string;
      const place = letter === ':' ? -1 : letters.indexOf(letter);
      if (place < 0) return { given, operands: argv.slice(i), invalid: `-${letter}`, missing: undefined };
      if (letters[place + 1] !== ':') {
        given.push({ letter, value: '' });
        continue;
      }
      let value: string | undefined = word.slice(at + 1);
      if (value === '') {
        i += 1;
        value = argv[i];
      }
      if (value === undefined) return { given, operands: [], invalid: undefined, missing: `-${letter}` };
      given.push({ letter, value });
      break;
    }
  }
  return { given, operands: argv.slice(i), invalid: undefined, missing: undefined };
}

/** What stands at a place of `argv`, for the command that begins at `from`: `command export x=1` gives `export` its assignment. */
export function placesFrom<T>(
  places: ReadonlyMap<number, T> | undefined,
  from: number,
): ReadonlyMap<number, T> | undefined {
  return places && new Map([...places].map(([place, value]) => [place - from, value]));
}

export function isName(text: string): boolean {
  if (text === '') return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) | 32;
    const letter = (code >= 97 && code <= 122) || text[i] === '_';
    const digit = text[i] !== undefined && (text[i] as string) >= '0' && (text[i] as string) <= '9';
    if (!letter && (i === 0 || !digit)) return false;
  }
  return true;
}

/** A whole number, 0 or more; undefined for anything else. */
export function wholeNumber(text: string): number | undefined {
  if (text === '') return undefined;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return undefined;
  }
  return Number(text);
}
