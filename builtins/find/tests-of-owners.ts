/** Tests of who owns a file. */
import { gnuQuoteValue } from '../../src/text/quote.js';
import { type Primaries, takeNumber } from './arguments.js';
import { BadExpression } from './search.js';

/** A name, or where no name is so the number. */
function idOf(word: string, lookUp: (name: string) => number | undefined): number | undefined {
  return lookUp(word) ?? (/^[0-9]+$/.test(word) && Number(word) < 2 ** 32 ? Number(word) : undefined);
}

export const ownerTests: Primaries = {
  user(args, search) {
    const word = args.take();
    if (word === '') throw new BadExpression('The argument to -user should not be empty');
    const id = idOf(word, search.context.host.userId);
    if (id === undefined) throw new BadExpression(`${gnuQuoteValue(word)} is not the name of a known user`);
    return (entry) => entry.stat().uid === id;
  },
  group(args, search) {
    const word = args.take();
    if (word === '') throw new BadExpression('argument to -group is empty, but should be a group name');
    const id = idOf(word, search.context.host.groupId);
    if (id === undefined) throw new BadExpression(`${gnuQuoteValue(word)} is not the name of an existing group`);
    return (entry) => entry.stat().gid === id;
  },
  uid(args) {
    const matches = takeNumber(args);
    return (entry) => matches(BigInt(entry.stat().uid));
  },
  gid(args) {
    const matches = takeNumber(args);
    return (entry) => matches(BigInt(entry.stat().gid));
  },
  nouser: (_args, search) => (entry) => search.context.host.userName(entry.stat().uid) === undefined,
  nogroup: (_args, search) => (entry) => search.context.host.groupName(entry.stat().gid) === undefined,
};
