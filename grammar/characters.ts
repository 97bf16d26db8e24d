/** What a character means to the scanners, looked up by its code. */

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const AMPERSAND = 38;
export const SINGLE_QUOTE = 39;
export const OPEN_PARENTHESIS = 40;
export const CLOSE_PARENTHESIS = 41;
export const COLON = 58;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const BACKQUOTE = 96;
export const OPEN_BRACE = 123;
export const PIPE = 124;
export const CLOSE_BRACKET = 93;
export const CLOSE_BRACE = 125;
export const TILDE = 126;

/** Classes of characters in unquoted text; 0 is a character that is just itself. */
export const ENDS_WORD = 1;
export const QUOTING = 2;
export const PATTERN = 3;
export const BRACE = 4;
export const TILDE_SEPARATOR = 5;
export const ENDS_OPERAND = 6;
export const OPENS_BRACKET = 7;

function table(classes: Readonly<Record<string, number>>): Uint8Array {
  const result = new Uint8Array(128);
  for (const [characters, value] of Object.entries(classes)) {
    for (const character of characters) result[character.charCodeAt(0)] = value;
  }
  return result;
}

const UNQUOTED_CLASSES = {
  ' \t\n;&|<>()': ENDS_WORD,
  '\\\'"$`': QUOTING,
  '*?[': PATTERN,
  '{}': BRACE,
  ':': TILDE_SEPARATOR,
};

/** Indexed by a code below 128. */
export const UNQUOTED = table(UNQUOTED_CLASSES);
/** In the pattern of `${x/p/r}`. */
export const UNQUOTED_TO_SLASH = table({ ...UNQUOTED_CLASSES, '/': ENDS_OPERAND });
/** In the brackets of `a[i]`. */
export const UNQUOTED_TO_BRACKET = table({ ...UNQUOTED_CLASSES, '[': OPENS_BRACKET, ']': ENDS_OPERAND });

/** Characters at which a scan of double-quoted text has to look. */
export const IN_QUOTES = table({ '"\\$`}': 1 });

export function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isNameCharacter(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}
