import {
  Alternation,
  type ILookaheadStrategy,
  type IProduction,
  NonTerminal,
  Option,
  type OptionalProductionType,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
  type TokenType,
} from 'chevrotain';
import { begins, chooses, type Decision } from './decisions.js';

/** Which tokens a production can begin with. */
interface First {
  readonly tokens: ReadonlySet<TokenType>;
  readonly nullable: boolean;
}

/** Everything that holds a sequence of productions. */
type Sequence = IProduction & { readonly definition: readonly IProduction[]; readonly idx?: number };

/**
 * The decisions of an LL(1) grammar from sets that are computed once for each rule. Chevrotain's own strategy, for any
 * number of tokens, walks the rules anew for every decision, which took longer than reading a script of 50 KB. The test
 * that builds the parser with validations compares both. What it finds is the decision table of `decision-table.ts`, so that nothing
 * of this is done at start-up.
 */
export class OneTokenLookahead implements ILookaheadStrategy {
  readonly #rules = new Map<Rule, First>();
  /** All that were asked for so far. */
  readonly decisions: Decision[] = [];

  validate(): [] {
    return [];
  }

  buildLookaheadForAlternation(options: { prodOccurrence: number; rule: Rule }): () => number | undefined {
    const alternation = find(options.rule, Alternation, options.prodOccurrence);
    const decision: Decision = {
      rule: options.rule.name,
      kind: 'Alternation',
      occurrence: options.prodOccurrence,
      alternatives: (alternation?.definition ?? []).map((alternative) => [...this.#first([alternative]).tokens]),
    };
    this.decisions.push(decision);
    return chooses(decision);
  }

  buildLookaheadForOptional(options: {
    prodOccurrence: number;
    prodType: OptionalProductionType;
    rule: Rule;
  }): () => boolean {
    const production = find(options.rule, OPTIONAL[options.prodType], options.prodOccurrence);
    const decision: Decision = {
      rule: options.rule.name,
      kind: options.prodType,
      occurrence: options.prodOccurrence,
      alternatives: [[...this.#first(production?.definition ?? []).tokens]],
    };
    this.decisions.push(decision);
    return begins(decision);
  }

  #first(sequence: readonly IProduction[]): First {
    const tokens = new Set<TokenType>();
    for (const production of sequence) {
      const first = this.#firstOf(production);
      for (const token of first.tokens) tokens.add(token);
      if (!first.nullable) return { tokens, nullable: false };
    }
    return { tokens, nullable: true };
  }

  #firstOf(production: IProduction): First {
    if (production instanceof Terminal) {
      return { tokens: new Set([production.terminalType]), nullable: false };
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
