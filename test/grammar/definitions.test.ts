import { describe, expect, it } from 'vitest';
import { makeLexer } from '../../grammar/chevrotain.js';
import { Tokenizer } from '../../grammar/lexer.js';
import { CommandParser } from '../../grammar/parser.js';
import { isName, isReservedWord } from '../../grammar/tokens.js';
import { type ReaderOptions, WordReader } from '../../grammar/words.js';

const OPTIONS: ReaderOptions = {
  maxNesting: 10,
  maxParts: 1000,
  spent: { parts: 0 },
  substituting: new Set(),
  modes: { posix: false, braces: true, extendedPatterns: false, aliases: undefined },
  readCommands: () => {
    throw new Error('no substitutions here');
  },
};

const TEXTS: readonly string[] = [
  '',
  '\n\n',
  'a b >f 2>&1 <<E; x=1\nE\n',
  '! a | b && c || d &\n e;',
  '{ a; } >f | (b\n)',
  'if a; then b; elif c\nthen d; else e; fi',
  'for i; do a; done; for i in a b\ndo c; done; for i do d; done',
  'while a; do b; done; until a; do b; done',
  'case a in (b|c) d;; e) ;& f) g\nesac',
  'f()\n{ a; }',
  'function f { a; }; function g () (b)',
  'time ! a | b; time; time -p && c',
  '[[ a == b && ( c ) ]] >f; ((1 + 2)) <g',
  'for ((a; b; c)); do d; done; for ((;;)) { e; }',
  'select i in a b; do c; done',
  'a=(b [c]=d) e+=f declare g=(h) i',
  'a <<<b &>c |& d',
  'if',
  'a;;',
  '; a',
  'fi',
  'for i in; in',
  'case a in b',
  'f() g',
  '{ }',
  'a >',
];

describe('the definitions of tokens and rules', () => {
  it('pass the validations that are left out at start-up', () => {
    const lexer = makeLexer(false);
    expect(lexer.lexerDefinitionErrors).toEqual([]);
    // builds with Chevrotain's own lookahead, which throws on an ambiguity
    expect(() => new CommandParser({ skipValidations: false })).not.toThrow();
  });

  it('lead to the same trees with the table of decisions as with that of Chevrotain', () => {
    const ours = new CommandParser();
    const theirs = new CommandParser({ skipValidations: false });
    for (const text of TEXTS) {
      const tokenizer = new Tokenizer(new WordReader(text, OPTIONS), 0, false);
      const tokens = tokenizer.tokens(true);
      expect(ours.parse([...tokens], 0), text).toEqual(theirs.parse([...tokens], 0));
    }
  });

  it('know names and reserved words', () => {
    expect(['a', '_', 'A1_b'].every(isName)).toBe(true);
    expect(['', '1', 'a-b', 'é', 'a b', '$'].some(isName)).toBe(false);
    expect(['if', 'in', '{', '!', 'esac', '[[', 'function'].every((word) => isReservedWord(word))).toBe(true);
    expect(['IF', 'a', '', '('].some((word) => isReservedWord(word))).toBe(false);
    expect(['if', '[[', 'function'].map((word) => isReservedWord(word, { posix: true }))).toEqual([true, false, false]);
  });
});
