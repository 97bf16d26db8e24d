/** What is probably missing where a token does not fit. Only looked for when one does not. */
import type { IToken, TokenType } from 'chevrotain';
import * as T from './tokens.js';

interface Open {
  readonly opener: string;
  readonly closer: string;
  readonly token: IToken;
  /** What has to come before the body, while it has not. */
  missing: 'then' | 'do' | undefined;
}

const OPENERS: ReadonlyMap<TokenType, { readonly closer: string; readonly before: 'then' | 'do' | undefined }> =
  new Map([
    [T.If, { closer: 'fi', before: 'then' }],
    [T.WhileWord, { closer: 'done', before: 'do' }],
    [T.Until, { closer: 'done', before: 'do' }],
    [T.ForWord, { closer: 'done', before: 'do' }],
    [T.SelectWord, { closer: 'done', before: 'do' }],
    [T.CaseWord, { closer: 'esac', before: undefined }],
    [T.OpenBrace, { closer: '}', before: undefined }],
  ]);

const CLOSERS: ReadonlySet<TokenType> = new Set([T.Fi, T.Done, T.Esac, T.CloseBrace]);

/** What to say of `unexpected`; undefined when nothing is clear. `lineOf` tells a token's line. */
export function suggestion(
  tokens: readonly IToken[],
  unexpected: IToken,
  lineOf: (token: IToken) => number,
): string | undefined {
  const open: Open[] = [];
  for (const token of tokens) {
    if (token === unexpected) break;
    const opens = OPENERS.get(token.tokenType);
    const top = open.at(-1);
    if (opens !== undefined) {
      open.push({ opener: token.image, closer: opens.closer, token, missing: opens.before });
    } else if (CLOSERS.has(token.tokenType)) open.pop();
    else if (
      top !== undefined &&
      (token.tokenType === T.Then || token.tokenType === T.Do || token.tokenType === T.Else)
    ) {
      top.missing = undefined;
    } else if (top !== undefined && token.tokenType === T.Elif) top.missing = 'then';
  }
  const top = open.at(-1);
  if (top === undefined) return undefined;
  const where = `the '${top.opener}' on line ${lineOf(top.token)}`;
  const type = unexpected.tokenType;
  const isWord = type === T.WordToken || type === T.AssignmentToken;
  const ends = CLOSERS.has(type) || type === T.Else || type === T.Elif || type === T.Then || type === T.Do;
  if (top.missing !== undefined && (ends || (isWord && top.closer === 'done'))) {
    return `'${top.missing}' is missing after ${where}`;
  }
  return CLOSERS.has(type) ? `'${top.closer}' is missing for ${where}` : undefined;
}
