/** `env -S STRING`: the words of STRING stand in its place, before any option is read. */

/** Why a string cannot be split, in GNU's words. */
export class SplitProblem {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const BLANK = /[ \t\n\v\f\r]/;

/** Quotes, escapes and `${NAME}` as GNU's env has them; nothing is split or expanded twice. */
export function splitString(text: string, variables: ReadonlyMap<string, string>): string[] | SplitProblem {
  const words: string[] = [];
  /** What comes next begins a word. */
  let apart = true;
  const add = (part: string): void => {
    if (apart) words.push(part);
    else words.push(`${words.pop() ?? ''}${part}`);
    apart = false;
  };
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string;
    if ((one === "'" || one === '"') && (quote === '' || quote === one)) {
      quote = quote === '' ? one : '';
      add('');
    } else if (BLANK.test(one) && quote === '') apart = true;
    else if (one === '#' && apart && quote === '') return words;
    else if (one === '\\' && !(quote === "'" && !/^['\\]/.test(text.slice(at + 1, at + 2)))) {
      const next = text[++at];
      if (next === undefined) return new SplitProblem('invalid backslash at end of string in -S');
      if (next === 'c') {
        if (quote === '"') return new SplitProblem("'\\c' must not appear in double-quoted -S string");
        return words;
      }
      if (next === '_') {
        if (quote === '') apart = true;
        else add(' ');
        continue;
      }
      const meant = /["#$'\\]/.test(next) ? next : ESCAPES[next];
      if (meant === undefined) return new SplitProblem(`invalid sequence '\\${next}' in -S`);
      add(meant);
    } else if (one === '$' && quote !== "'") {
      const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(text.slice(at, at + 4096));
      if (name === null) {
        return new SplitProblem(`only \${VARNAME} expansion is supported, error at: ${text.slice(at)}`);
      }
      const value = variables.get(name[1] ?? '');
      if (value !== undefined) add(value);
      at += name[0].length - 1;
    } else add(one);
  }
  return quote === '' ? words : new SplitProblem('no terminating quote in -S string');
}

/** So often one `-S` may bring another. */
const MOST = 100;

/** The words of env with each `-S STRING` among its options replaced by what STRING holds. */
export function withSplitStrings(
  argv: readonly string[],
  variables: ReadonlyMap<string, string>,
): readonly string[] | SplitProblem {
  let words = argv;
  let at = 1;
  for (let splits = 0; splits < MOST; ) {
    const word = words[at];
    if (word === undefined || word === '-' || word === '--' || !word.startsWith('-')) return words;
    const given = splitOption(word);
    if (given === undefined) {
      // -u and -C take the next word where nothing is joined to them.
      at += /^-[i0]*[uC]$|^--(?:u|un|uns|unse|unset|chd?|chdi?r?|c)$/.test(word) ? 2 : 1;
      continue;
    }
    const string = given.joined ?? words[at + 1];
    if (string === undefined) return words;
    const parts = splitString(string, variables);
    if (parts instanceof SplitProblem) return parts;
    const before = given.before === '' ? [] : [`-${given.before}`];
    const rest = words.slice(at + (given.joined === undefined ? 2 : 1));
    words = [...words.slice(0, at), ...before, ...parts, ...rest];
    at += before.length;
    splits++;
  }
  return words;
}

/** Undefined: no `-S`. `before`: letters that stand before it in the word; `joined`: its string, where it is in the same word. */
function splitOption(word: string): { readonly before: string; readonly joined: string | undefined } | undefined {
  const long =
    /^--(s|sp|spl|spli|split|split-|split-s|split-st|split-str|split-stri|split-strin|split-string)(?:=(.*))?$/s;
  const named = long.exec(word);
  if (named !== null) return { before: '', joined: named[2] };
  const short = /^-([i0]*)S(.*)$/s.exec(word);
  if (short === null) return undefined;
  return { before: short[1] ?? '', joined: short[2] === '' ? undefined : short[2] };
}
