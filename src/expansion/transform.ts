/** `${x@Q}` and its like (bash, Parameter transformation). */
import type { ParameterOperation } from '../../grammar/ast.js';
import type { Awaitable } from '../steps.js';
import { dollarQuote, doubleQuoted, isPrintable, keyText, quoteAlways } from '../text/quote.js';
import type { ExpansionHost } from './host.js';
import { changeCase } from './letter-case.js';

type Operator = Extract<ParameterOperation, { kind: 'Transform' }>['operator'];

export function transform(host: ExpansionHost, name: string, value: string, operator: Operator): Awaitable<string> {
  switch (operator) {
    case 'Q':
    case 'K':
    case 'k':
      return isPrintable(value) ? quoteAlways(value) : dollarQuote(value);
    case 'U':
      return changeCase(value, { to: 'upper', all: true }, undefined, 0);
    case 'u':
      return changeCase(value, { to: 'upper', all: false }, undefined, 0);
    case 'L':
      return changeCase(value, { to: 'lower', all: true }, undefined, 0);
    case 'E':
      return host.unescape(value);
    case 'P':
      return host.prompt(value);
    case 'a':
      return host.attributes(name);
    case 'A': {
      if (host.declaration(name) === '') return '';
      const attributes = host.attributes(name);
      const assignment = `${name}=${isPrintable(value) ? quoteAlways(value) : dollarQuote(value)}`;
      return attributes === '' ? assignment : `declare -${attributes} ${assignment}`;
    }
  }
}

/** The same for each element; `K` and `k` give keys and values in turn, `A` the declaration of the whole. */
export function transformList(
  host: ExpansionHost,
  name: string,
  values: readonly string[],
  operator: Operator,
): readonly string[] {
  if (operator === 'A') return [host.declaration(name)];
  if (operator === 'a') return values.map(() => host.attributes(name));
  if (operator === 'K' || operator === 'k') {
    const keys = host.keys(name);
    if (operator === 'k') return values.flatMap((value, i) => [keys[i] ?? '', value]);
    // As `declare -p` writes both; behind each pair of an associative array is a blank, as there.
    const pairs = values.map((value, i) => `${keyText(keys[i] ?? '')} ${doubleQuoted(value)}`);
    return [host.isAssociative(name) ? pairs.map((pair) => `${pair} `).join('') : pairs.join(' ')];
  }
  return values.map((value) => {
    const text = transform(host, name, value, operator);
    // Only a prompt may wait, for a command substitution in it; bash runs none in a list either.
    return typeof text === 'string' ? text : value;
  });
}
