/** id: who the user is, by numbers and names. */
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteValue } from '../src/text/quote.js';
import type { Context, HostFacts } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed } from './kit/define.js';

const FLAGS = {
  group: { short: 'g', long: 'group', help: 'only the group' },
  groups: { short: 'G', long: 'groups', help: 'only the groups, all of them' },
  name: { short: 'n', long: 'name', help: 'names and not numbers, with -u, -g or -G' },
  real: { short: 'r', long: 'real', help: 'the real and not the effective one, with -u, -g or -G' },
  user: { short: 'u', long: 'user', help: 'only the user' },
  zero: { short: 'z', long: 'zero', help: 'end with NUL, not with blank and newline' },
} as const satisfies Flags;

export const id = defineBuiltin({
  name: 'id',
  summary: 'print users and their groups',
  needs: ['host'],
  usage: 'id [OPTION]... [USER]...',
  notes: 'Without USER, the user who runs this.',
  flags: FLAGS,
  statuses: { 0: 'printed', 1: 'a user is not known, or has no name' },

  run(context): Awaitable<number> {
    const problem = conflict(context);
    if (problem !== undefined) {
      context.complain(problem);
      return 1;
    }
    const { host, operands } = context;
    let status = 0;
    let text = '';
    const add = (person: Person): void => {
      const shown = describe(context, person);
      text += shown.text;
      status = Math.max(status, shown.status);
    };
    if (operands.length === 0) add(self(host));
    for (const operand of operands) {
      const person = named(host, operand);
      if (person !== undefined) add(person);
      else {
        context.complain(`${gnuQuoteValue(operand)}: no such user`);
        status = 1;
      }
    }
    return andThen(context.out.write(text), () => status);
  },
});

type IdContext = Context<'host'> & Parsed<typeof FLAGS>;

interface Person {
  readonly uid: number;
  readonly gid: number;
  readonly realUid: number;
  readonly realGid: number;
  readonly groups: readonly number[];
}

function self(host: HostFacts): Person {
  const { uid, gid, realUid, realGid, groups } = host;
  return { uid, gid, realUid, realGid, groups };
}

/** A name, or the number of a user who has one. */
function named(host: HostFacts, text: string): Person | undefined {
  const number = /^\+?[0-9]+$/.test(text) ? host.userName(Number(text)) : undefined;
  const account = host.account(text) ?? (number === undefined ? undefined : host.account(number));
  if (account === undefined) return undefined;
  const { uid, gid, groups } = account;
  return { uid, gid, realUid: uid, realGid: gid, groups };
}

function conflict({ flags }: IdContext): string | undefined {
  const kinds = [flags.user, flags.group, flags.groups].filter((flag) => flag === true).length;
  if (kinds > 1) return 'cannot print "only" of more than one choice';
  if (kinds === 1) return undefined;
  if (flags.name === true || flags.real === true) return 'cannot print only names or real IDs in default format';
  return flags.zero === true ? 'option --zero not permitted in default format' : undefined;
}

function describe(context: IdContext, person: Person): { readonly text: string; readonly status: number } {
  const { flags, host, operands } = context;
  let status = 0;
  const one = (kind: 'user' | 'group', number: number): string => {
    if (flags.name !== true) return `${number}`;
    const name = kind === 'user' ? host.userName(number) : host.groupName(number);
    if (name !== undefined) return name;
    context.complain(`cannot find name for ${kind} ID ${number}`);
    status = 1;
    return `${number}`;
  };
  const zero = flags.zero === true;
  let text: string;
  let end = zero ? '\0' : '\n';
  if (flags.user === true) text = one('user', flags.real === true ? person.realUid : person.uid);
  else if (flags.group === true) text = one('group', flags.real === true ? person.realGid : person.gid);
  else if (flags.groups === true) {
    const groups = [...new Set([person.realGid, person.gid, ...person.groups])];
    text = groups.map((group) => one('group', group)).join(zero ? '\0' : ' ');
    if (zero && operands.length > 1) end = '\0\0';
  } else text = inFull(host, person);
  return { text: text + end, status };
}

function inFull(host: HostFacts, person: Person): string {
  const user = (number: number) => withName(number, host.userName(number));
  const group = (number: number) => withName(number, host.groupName(number));
  let text = `uid=${user(person.realUid)} gid=${group(person.realGid)}`;
  if (person.uid !== person.realUid) text += ` euid=${user(person.uid)}`;
  if (person.gid !== person.realGid) text += ` egid=${group(person.gid)}`;
  if (person.groups.length > 0) text += ` groups=${person.groups.map(group).join(',')}`;
  return text;
}

function withName(number: number, name: string | undefined): string {
  return name === undefined ? `${number}` : `${number}(${name})`;
}
