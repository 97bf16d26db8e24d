/** Words of a list, as options have them (gnulib's argmatch). */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { BadValue } from './define.js';

/** In each row the names of one choice; it goes by the first. */
export type Choices<Name extends string> = readonly (readonly [Name, ...string[]])[];

/**
 * The choice that `word` names, or begins a name of and of no other's. `option` is whose value it is, for the message; `status` that of the
 * refusal, where it is not the command's own for a usage error.
 */
export function choose<Name extends string>(
  word: string,
  rows: Choices<Name>,
  option: string,
  status?: number,
): Name | BadValue {
  const exact = rows.find((names) => names.some((name) => name === word));
  if (exact !== undefined) return exact[0];
  const [row, another] = rows.filter((names) => names.some((name) => name.startsWith(word)));
  if (row !== undefined && another === undefined) return row[0];
  const choices = rows.map((names) => `\n  - ${names.map((name) => gnuQuoteValue(name)).join(', ')}`);
  const problem = row === undefined ? 'invalid' : 'ambiguous';
  return new BadValue(
    `${problem} argument ${gnuQuoteValue(word)} for ${gnuQuoteValue(option)}\nValid arguments are:${choices.join('')}`,
    true,
    false,
    status,
  );
}
