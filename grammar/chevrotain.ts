/** The Chevrotain lexer: one mode, every pattern of which asks the Tokenizer at work. */
import { type IToken, Lexer, type TokenType } from 'chevrotain';
import * as T from './tokens.js';

export function makeLexer(skipValidations: boolean): Lexer {
  const made = new Lexer([...T.ALL_TOKENS], {
    positionTracking: 'onlyOffset',
    recoveryEnabled: false,
    ensureOptimizations: true,
    skipValidations,
    // nobody reads these: where the tokens stop, the Tokenizer knows why
    errorMessageProvider: { buildUnexpectedCharactersMessage: () => '', buildUnableToPopLexerModeMessage: () => '' },
  });
  // Chevrotain adds the payload to a token that has no room for it, which takes twice the memory
  return Object.assign(made, { createTokenInstance });
}

function createTokenInstance(image: string, startOffset: number, tokenTypeIdx: number, tokenType: TokenType): IToken {
  return { image, startOffset, tokenTypeIdx, tokenType, payload: undefined };
}

let lexer: Lexer | undefined;

/** The tokens of a text, as the reader at work finds them. */
export function chevrotainTokens(text: string): IToken[] {
  lexer ??= makeLexer(true);
  return lexer.tokenize(text).tokens;
}
