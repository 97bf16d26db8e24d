/** How generated scripts are put together: rules by name, each a choice of texts that may use other rules. */
import type { Arbitrary } from 'fast-check';
import fc from './fast-check.js';

export type Text = Arbitrary<string>;

/** A weight, and what it is the weight of. */
export type Choice = readonly [number, Text];

/** The first choice of a rule is the one that is taken where a script would grow too deep. */
export type Rules = Readonly<Record<string, readonly Choice[]>>;

/** Rules that use each other, and those of another set, by name. */
export type Grammar = (use: (rule: string) => Text) => Rules;

export const from = (...texts: string[]): Text => fc.constantFrom(...texts);

/** `format('a% b%', x, y)`: each `%` is the next part. */
export function format(template: string, ...parts: Text[]): Text {
  const fixed = template.split('%');
  if (fixed.length !== parts.length + 1) throw new Error(`${parts.length} parts for '${template}'`);
  return fc.tuple(...parts).map((texts) => fixed.map((text, i) => text + (texts[i] ?? '')).join(''));
}

export const listOf = (item: Text, separator: string, minLength: number, maxLength: number): Text =>
  fc.array(item, { minLength, maxLength }).map((items) => items.join(separator));

/**
 * How deep each kind of rule may go before only first choices are left: words count apart from the commands they stand in,
 * or a word in a loop in a function could be nothing but a letter.
 */
const DEPTHS = { word: 6, command: 14 } as const;
const COMMANDS = new Set(['command', 'simple', 'compound', 'pipeline', 'andOr', 'line']);

function choiceOf(name: string, choices: readonly Choice[]): Text {
  const [only, ...more] = choices;
  if (only !== undefined && more.length === 0) return only[1];
  const kind = COMMANDS.has(name) ? 'command' : 'word';
  return fc.oneof(
    { maxDepth: DEPTHS[kind], depthIdentifier: kind },
    ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  );
}

/** The rule `start` of grammars laid over each other: a rule of a later one adds its choices to the rule of that name. */
export function language(start: string, ...grammars: Grammar[]): Text {
  const tree = fc.letrec<Record<string, string>>((tie) => {
    const rules = new Map<string, Choice[]>();
    for (const grammar of grammars) {
      for (const [name, choices] of Object.entries(grammar((rule) => tie(rule)))) {
        rules.set(name, [...(rules.get(name) ?? []), ...choices]);
      }
    }
    return Object.fromEntries([...rules].map(([name, choices]) => [name, choiceOf(name, choices)]));
  });
  const rule = tree[start];
  if (rule === undefined) throw new Error(`no rule '${start}'`);
  return rule;
}
