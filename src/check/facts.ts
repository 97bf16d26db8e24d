/** What a script may do to the meaning of its own words: functions, aliases, text made at run time, directories, links. */
import type { Redirection, SimpleCommand, Word } from '../../grammar/ast.js';
import type { Found } from './walk.js';

/** A command's words as far as they are known: undefined is known only when it runs. */
export type Argv = readonly (string | undefined)[];

export interface Facts {
  /** Names that a function has somewhere in the script. */
  readonly functions: Set<string>;
  /** Why any name may mean something else; undefined when none can. */
  dynamic: string | undefined;
  /** `cd` and its like stand somewhere: relative paths are relative to something unknown. */
  changesDirectory: boolean;
  /** A command that can put a symbolic or hard link where a path leads through. */
  makesLinks: boolean;
  /** A descriptor is closed somewhere: a copy of it may fail before anything else is looked at. */
  closes: boolean;
  /** `set -C` may be in force: that a file is there comes before that it may not be written. */
  noclobber: boolean;
  /** Variables are set by names made at run time, or PATH is mentioned: a command may be found in a directory of the script's. */
  setsPath: boolean;
  /** Files that all `rm` of the script together may remove; Infinity when that cannot be told. */
  removals: number;
}

const DIRECTORY = new Set(['cd', 'pushd', 'popd']);
const SETS_OPTIONS = new Set(['set', 'sh', 'bash', 'dash', 'shopt']);
const LINKERS = new Set(['ln', 'cp', 'mv', 'tar']);
const CHARGED = new Set(['mv', 'ln', 'cp', 'tar', 'gzip', 'gunzip', 'find', 'xargs', 'sed', 'split', 'sort']);
const SETTERS = new Set(
  'read export declare typeset local readonly printf getopts mapfile readarray let unset'.split(' '),
);
/** Commands that run others where no function is asked for. */
const CHILDREN = new Set(['xargs', 'find', 'env', 'sh', 'bash', 'dash', 'timeout']);

export function noFacts(script: string): Facts {
  return {
    functions: new Set(),
    dynamic: undefined,
    changesDirectory: false,
    makesLinks: false,
    closes: false,
    noclobber: false,
    setsPath: script.includes('PATH'),
    removals: 0,
  };
}

export function argvOf(node: SimpleCommand): Argv {
  return node.words.map(literalOf);
}

function literalOf(word: Word): string | undefined {
  return word.literal;
}

export interface Unwrapped {
  /** What `command` and `exec` run: no function is asked for it. */
  readonly argv: Argv;
  /** Those in front of it. */
  readonly wrappers: readonly string[];
  /** False where it is known only when it runs. */
  readonly known: boolean;
}

export function unwrapped(argv: Argv): Unwrapped {
  const wrappers: string[] = [];
  let at = 0;
  for (; (argv[at] === 'command' || argv[at] === 'exec') && at + 1 < argv.length; at++) {
    const next = argv[at + 1];
    if (next === undefined || next === '-p') return { argv: argv.slice(at), wrappers, known: false };
    // `command -v NAME` only looks; options of `exec` are looked at no further.
    if (next.startsWith('-')) break;
    wrappers.push(argv[at] as string);
  }
  return { argv: argv.slice(at), wrappers, known: true };
}

/** Texts that a command runs in this shell or another: `eval`, `trap` (`late`), `sh -c`. Undefined: it runs one that is not known. */
export function textsOf(argv: Argv): readonly { readonly text: string; readonly late: boolean }[] | undefined {
  const [name, ...args] = argv;
  if (name === 'eval') {
    const words = args[0] === '--' ? args.slice(1) : args;
    return words.some((word) => word === undefined) ? undefined : [{ text: words.join(' '), late: false }];
  }
  if (name === 'trap') {
    const words = args[0] === '--' ? args.slice(1) : args;
    const action = words[0];
    if (words.length < 2 || action === '' || action === '-')
      return words.length > 0 && action === undefined ? undefined : [];
    return action === undefined ? undefined : [{ text: action, late: true }];
  }
  if ((name === 'sh' || name === 'bash' || name === 'dash') && args[0] === '-c' && args[1] !== undefined) {
    return [{ text: args[1], late: false }];
  }
  return [];
}

/** Adds what one command says. */
export function learn(facts: Facts, { node, place }: Found): void {
  const redirections: readonly Redirection[] = 'redirections' in node ? node.redirections : [];
  if (redirections.some((one) => one.kind === 'FileRedirection' && closes(one.operator, one.target)))
    facts.closes = true;
  if (node.kind === 'FunctionDefinition') facts.functions.add(node.name);
  if (node.kind !== 'SimpleCommand' || node.words.length === 0) return;
  const { argv, known } = unwrapped(argvOf(node));
  const name = argv[0];
  if (name === undefined || !known) {
    becomeDynamic(facts, 'a command whose name is known only when it runs');
    return;
  }
  if (name === '.' || name === 'source') becomeDynamic(facts, `'${name}' runs a file in this shell`);
  if (name === 'alias') becomeDynamic(facts, 'aliases are defined');
  // They run commands of the shell itself.
  if (name === 'builtin' || name === 'mapfile' || name === 'readarray')
    becomeDynamic(facts, `'${name}' may run any command`);
  if (textsOf(argv) === undefined) becomeDynamic(facts, `'${name}' runs a text that is made when it runs`);
  // `sh -C` too; what `set -o` names may come from anywhere.
  if (argv.some((word) => word === undefined || /^-[A-Za-z]*C|^noclobber$/.test(word)) && SETS_OPTIONS.has(name)) {
    facts.noclobber = true;
  }
  if (DIRECTORY.has(name)) facts.changesDirectory = true;
  if (LINKERS.has(name) || CHILDREN.has(name) || name.includes('/')) facts.makesLinks = true;
  if (SETTERS.has(name) && argv.some((word) => word === undefined)) facts.setsPath = true;
  if (CHARGED.has(name) || CHILDREN.has(name) || name.includes('/')) facts.removals = Number.POSITIVE_INFINITY;
  if (name !== 'rm') return;
  const counted = !place.repeated && argv.every((word) => word !== undefined);
  facts.removals += counted ? argv.length - 1 : Number.POSITIVE_INFINITY;
}

function closes(operator: string, target: Word): boolean {
  return (operator === '>&' || operator === '<&') && (target.literal?.endsWith('-') ?? true);
}

/** Whatever a text made at run time may say. */
function becomeDynamic(facts: Facts, why: string): void {
  facts.dynamic ??= why;
  facts.changesDirectory = true;
  facts.makesLinks = true;
  facts.closes = true;
  facts.noclobber = true;
  facts.setsPath = true;
  facts.removals = Number.POSITIVE_INFINITY;
}
