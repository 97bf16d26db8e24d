import {
  Alternation,
  type ILookaheadStrategy,
  type IProduction,
  type IToken,
  NonTerminal,
  Option,
  type OptionalProductionType,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
} from 'chevrotain';

/** The parser, as Chevrotain hands it to a lookahead function. */
interface Looking {
  LA(distance: number): IToken;
}

/** Which tokens a production can begin with. */
interface First {
  readonly tokens: ReadonlySet<number>;
  readonly nullable: boolean;
}

/** Everything that holds a sequence of productions. */
type Sequence = IProduction & { readonly definition: readonly IProduction[]; readonly idx?: number };

/**
 * The decisions of an LL(1) grammar from sets that are computed once for each rule. Chevrotain's own strategy, for any
 * number of tokens, walks the rules anew for every decision, which took longer than reading a script of 50 KB. The test
 * that builds the parser with validations compares both.
 */
export class OneTokenLookahead implements ILookaheadStrategy {
  readonly #rules = new Map<Rule, First>();

  validate(): [] {
    return [];
  }

  buildLookaheadForAlternation(options: { prodOccurrence: number; rule: Rule }): () => number | undefined {
    const alternation = find(options.rule, Alternation, options.prodOccurrence);
    const choices: (number | undefined)[] = [];
    (alternation?.definition ?? []).forEach((alternative, index) => {
      for (const token of this.#first([alternative]).tokens) choices[token] ??= index;
    });
    return function (this: Looking) {
      return choices[this.LA(1).tokenTypeIdx];
    } as () => number | undefined;
  }

  buildLookaheadForOptional(options: {
    prodOccurrence: number;
    prodType: OptionalProductionType;
    rule: Rule;
  }): () => boolean {
    const production = find(options.rule, OPTIONAL[options.prodType], options.prodOccurrence);
    const { tokens } = this.#first(production?.definition ?? []);
    const begins: boolean[] = [];
    for (const token of tokens) begins[token] = true;
    return function (this: Looking) {
      return begins[this.LA(1).tokenTypeIdx] === true;
    } as () => boolean;
  }

  #first(sequence: readonly IProduction[]): First {
    const tokens = new Set<number>();
    for (const production of sequence) {
      const first = this.#firstOf(production);
      for (const token of first.tokens) tokens.add(token);
      if (!first.nullable) return { tokens, nullable: false };
    }
    return { tokens, nullable: true };
  }

  #firstOf(production: IProduction): First {
    if (production instanceof Terminal) {
      return { tokens: new Set([production.terminalType.tokenTypeIdx ?? -1]), nullable: false };
    }
    if (production instanceof NonTerminal) return this.#firstOfRule(production.referencedRule);
    if (production instanceof Alternation) {
      const alternatives = production.definition.map((alternative) => this.#firstOf(alternative));
      return {
        tokens: new Set(alternatives.flatMap((first) => [...first.tokens])),
        nullable: alternatives.some((first) => first.nullable),
      };
    }
    const first = this.#first((production as Sequence).definition);
    const optional =
      production instanceof Option || production instanceof Repetition || production instanceof RepetitionWithSeparator;
    return optional ? { tokens: first.tokens, nullable: true } : first;
  }

  #firstOfRule(rule: Rule): First {
    let first = this.#rules.get(rule);
    if (first === undefined) {
      first = this.#first(rule.definition);
      this.#rules.set(rule, first);
    }
    return first;
  }
}

type SequenceClass = abstract new (...parameters: never[]) => Sequence;

const OPTIONAL: Readonly<Record<OptionalProductionType, SequenceClass>> = {
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
};

/** The production of a class and a number inside a rule; other rules are not entered. */
function find(within: Sequence, type: SequenceClass, index: number): Sequence | undefined {
  for (const production of within.definition) {
    if (production instanceof Terminal || production instanceof NonTerminal) continue;
    const sequence = production as Sequence;
    if (production instanceof type && (sequence.idx ?? 0) === index) return sequence;
    const inside = find(sequence, type, index);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
