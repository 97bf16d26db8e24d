/** The words of find: options, starting points, expression. */
import { andThen } from '../../src/steps.js';
import type { Follow } from '../kit/walk/entry.js';
import { actions } from './actions.js';
import { Arguments, type Primary } from './arguments.js';
import type { Expression, Test } from './expression.js';
import { globals } from './globals.js';
import { BadExpression, type FindContext, reportFailure, type Search, shown } from './search.js';
import { operatorOf, structure, type Token, withPrint } from './structure.js';
import { factTests } from './tests-of-facts.js';
import { nameTests } from './tests-of-names.js';
import { ownerTests } from './tests-of-owners.js';
import { timeTests } from './tests-of-times.js';

const DAY = 86_400n * 1_000_000_000n;

export interface Plan {
  readonly search: Search;
  readonly starts: readonly string[];
  readonly expression: Expression;
}

const tests: ReadonlyMap<string, Primary> = new Map([
  ...Object.entries(globals),
  ...Object.entries(nameTests),
  ...Object.entries(timeTests),
  ...Object.entries(factTests),
  ...Object.entries(ownerTests),
]);

/** A test of a file that cannot be looked at is reported, and false. */
function guarded(test: Test, search: Search): Test {
  return (entry) => {
    try {
      return test(entry);
    } catch (error) {
      reportFailure(search, entry.path, error);
      return false;
    }
  };
}

/** Throws BadExpression. */
export function parse(context: FindContext, words: readonly string[]): Plan {
  const { follow, next } = leadingOptions(words);
  let from = next;
  while (from < words.length && !startsExpression(words[from] as string)) from++;
  const search = newSearch(context, follow);
  const tokens = readTokens(search, words, from);
  if (search.deletes && search.prunes && !search.depthAsked) {
    throw new BadExpression(
      'The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  ' +
        'If you want to carry on anyway, just explicitly use the -depth option.',
    );
  }
  const starts = next === from ? ['.'] : words.slice(next, from);
  return { search, starts, expression: whole(search, tokens) };
}

/** With `-print` where nothing else is done. */
function whole(search: Search, tokens: readonly Token[]): Expression {
  const { maxNesting } = search.context.limits;
  if (search.acts) return structure(tokens, maxNesting);
  const print: Expression = {
    kind: 'test',
    test: (entry) => andThen(search.context.out.write(`${shown(search, entry.path)}\n`), () => true),
  };
  return tokens.length === 0 ? print : structure(withPrint(tokens, print), maxNesting);
}

function leadingOptions(words: readonly string[]): { readonly follow: Follow; readonly next: number } {
  let follow: Follow = 'never';
  let next = 0;
  for (; next < words.length; next++) {
    const word = words[next];
    if (word === '-H') follow = 'starts';
    else if (word === '-L') follow = 'always';
    else if (word === '-P') follow = 'never';
    else {
      if (word === '--') next++;
      break;
    }
  }
  return { follow, next };
}

/** Whether a word in front is not a starting point any more. */
function startsExpression(word: string): boolean {
  return word === '(' || word === '!' || (word.length > 1 && word.startsWith('-'));
}

function readTokens(search: Search, words: readonly string[], from: number): readonly Token[] {
  const tokens: Token[] = [];
  const args = new Arguments(words, from);
  let previous = '';
  for (let word = args.next(); word !== undefined; word = args.next()) {
    const operator = operatorOf(word);
    if (operator !== undefined) {
      tokens.push(operator);
      previous = word;
      continue;
    }
    if (!word.startsWith('-') || word === '-') throw misplaced(search, word, previous);
    args.name = word;
    tokens.push({ kind: 'test', text: word, expression: { kind: 'test', test: readPrimary(word, args, search) } });
    previous = word;
  }
  return tokens;
}

function readPrimary(word: string, args: Arguments, search: Search): Test {
  const name = word.slice(1);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action(args, search);
  // -newerXY: which times is in the name.
  const test = tests.get(name) ?? (word.startsWith('-newer') ? tests.get('newerXY') : undefined);
  if (test === undefined) throw new BadExpression(`unknown predicate \`${word}'`);
  return guarded(test(args, search), search);
}

function misplaced(search: Search, word: string, previous: string): BadExpression {
  let message = `paths must precede expression: \`${word}'`;
  if (previous !== '' && search.context.fs.tryLstat(word) !== undefined) {
    message += `\nfind: possible unquoted pattern after predicate \`${previous}'?`;
  }
  return new BadExpression(message);
}

function newSearch(context: FindContext, follow: Follow): Search {
  const now = context.clock.now();
  return {
    context,
    follow,
    now,
    dayStart: now - DAY,
    fromMidnight: false,
    minDepth: 0,
    maxDepth: Number.POSITIVE_INFINITY,
    contentsFirst: false,
    depthAsked: false,
    oneFileSystem: false,
    regexType: 'findutils-default',
    deletes: false,
    prunes: false,
    acts: false,
    status: 0,
    pruned: false,
    stopped: false,
    files: new Map(),
    pending: [],
  };
}
