/**
 * The decisions of the parser: at each alternation, option and repetition of a rule, which token leads where. They follow from the
 * grammar alone, so they are kept as a table (`decision-table.ts`) and the parser starts with them: to find them anew
 * (`lookahead.ts`) took as long as a seventh of a start of Node.
 */
import type { IToken, OptionalProductionType, TokenType } from 'chevrotain';

export interface Decision {
  readonly rule: string;
  readonly kind: 'Alternation' | OptionalProductionType;
  /** The number in `OR1`, `MANY2`; 0 where there is none. */
  readonly occurrence: number;
  /** For each alternative the tokens it can begin with; an optional production has one alternative. */
  readonly alternatives: readonly (readonly TokenType[])[];
}

/** The parser, as Chevrotain hands it to a lookahead function. */
interface Looking {
  LA(distance: number): IToken;
}

/** Answers the index of the alternative that the next token begins. */
export function chooses(decision: Decision): () => number | undefined {
  const choices: (number | undefined)[] = [];
  decision.alternatives.forEach((tokens, index) => {
    for (const token of tokens) choices[indexOf(token)] ??= index;
  });
  return function (this: Looking) {
    return choices[indexOf(this.LA(1))];
  } as () => number | undefined;
}

/** Answers whether the next token begins the optional production. */
export function begins(decision: Decision): () => boolean {
  const beginners: boolean[] = [];
  for (const token of decision.alternatives[0] ?? []) beginners[indexOf(token)] = true;
  return function (this: Looking) {
    return beginners[indexOf(this.LA(1))] === true;
  } as () => boolean;
}

function indexOf(token: TokenType | IToken): number {
  return token.tokenTypeIdx ?? -1;
}

/** One decision a line: `rule kind occurrence: Token Token | Token`. */
export function printDecisions(decisions: readonly Decision[]): string {
  return decisions
    .map(({ rule, kind, occurrence, alternatives }) => {
      const tokens = alternatives.map((list) => list.map((token) => token.name).join(' '));
      return `${rule} ${kind} ${occurrence}: ${tokens.join(' | ')}`;
    })
    .join('\n');
}

/** The reverse of `printDecisions`. A token that is not among `types` is a mistake of the table. */
export function parseDecisions(table: string, types: readonly TokenType[]): Decision[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  return table.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    const [rule = '', kind, occurrence] = line.slice(0, colon).split(' ');
    const alternatives = line
      .slice(colon + 2)
      .split(' | ')
      .map((names) => names.split(' ').map((name) => named(byName, name)));
    return { rule, kind: kind as Decision['kind'], occurrence: Number(occurrence), alternatives };
  });
}

function named(byName: ReadonlyMap<string, TokenType>, name: string): TokenType {
  const type = byName.get(name);
  if (type === undefined)
    throw new Error(`decision-table.ts: no token is named '${name}' ('npm run docs' writes it anew)`);
  return type;
}
