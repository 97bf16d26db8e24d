/** Scripts made of others, by small changes: what a slip, or somebody who tries, would make of them. */
import type { Arbitrary } from 'fast-check';
import fc from './fast-check.js';

type Edit = (script: string, at: number, other: string, piece: string) => string;

/** Where a shell would cut, roughly: words, blanks, operators. */
const tokensOf = (script: string): string[] => script.split(/(\s+|[|&;<>(){}"'`$])/).filter((token) => token !== '');

const atToken =
  (change: (token: string, piece: string, tokens: readonly string[]) => string): Edit =>
  (script, at, _other, piece) => {
    const tokens = tokensOf(script);
    if (tokens.length === 0) return piece;
    const index = at % tokens.length;
    return tokens.map((token, i) => (i === index ? change(token, piece, tokens) : token)).join('');
  };

const EDITS: readonly Edit[] = [
  atToken(() => ''),
  atToken((token) => token + token),
  atToken((_token, piece) => piece),
  atToken((token, piece) => `${token}${piece}`),
  atToken((token, _piece, tokens) => tokens[token.length % tokens.length] ?? token),
  // A line goes, or comes twice.
  (script, at) => {
    const all = script.split('\n');
    all.splice(at % all.length, 1);
    return all.join('\n');
  },
  (script, at) => {
    const all = script.split('\n');
    const index = at % all.length;
    return [...all.slice(0, index + 1), ...all.slice(index)].join('\n');
  },
  // A line of another script.
  (script, at, other) => {
    const all = script.split('\n');
    const theirs = other.split('\n');
    all.splice(at % all.length, 0, theirs[at % theirs.length] ?? '');
    return all.join('\n');
  },
  // The script breaks off.
  (script, at) => script.slice(0, at % (script.length + 1)),
];

const PIECES = [
  ...[
    '"',
    "'",
    '`',
    '$',
    '$(',
    ')',
    '{',
    '}',
    ';',
    '&',
    '|',
    '||',
    '&&',
    '\n',
    '\\',
    '#',
    '>',
    '>>',
    '<',
    '<<E',
    '<<<',
    ' ',
  ],
  ...[
    '*',
    '?',
    '[',
    '~',
    '!',
    '..',
    '/',
    '../out/f',
    '/etc/passwd',
    '-rf',
    '--',
    '$x',
    '"$@"',
    '$((',
    '))',
    '((',
    '[[',
    ']]',
  ],
  ...[
    'if',
    'then',
    'fi',
    'do',
    'done',
    'case',
    'esac',
    'in',
    'eval',
    'rm',
    'exec',
    'set -e',
    '\udcff',
    '\0',
    'é',
    '${x%',
    '}',
  ],
];

/** Scripts of `scripts`, each changed in one to four places. */
export function mutated(scripts: Arbitrary<string>): Arbitrary<string> {
  const edit = fc.tuple(fc.constantFrom(...EDITS), fc.nat(), scripts, fc.constantFrom(...PIECES));
  return fc
    .tuple(scripts, fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([script, edits]) =>
      edits.reduce((text, [change, at, other, piece]) => change(text, at, other, piece), script),
    );
}

/** As `mutated`, of given scripts. */
export const mutationsOf = (corpus: readonly string[]): Arbitrary<string> => mutated(fc.constantFrom(...corpus));
