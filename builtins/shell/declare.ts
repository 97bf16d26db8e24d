/** `declare`, `typeset`, `local` (bash), `export`, `readonly` (POSIX 2.15): variables, their attributes and values. */

import { type Awaitable, andThen, each } from '../../src/steps.js';
import { quoteVisible } from '../../src/text/quote.js';
import { completion, type Outcome } from '../kit/outcome.js';
import { isName } from './options.js';
import { fail, invalidOption, print, refuseOption } from './output.js';
import type { AttributeChanges, ExpandedAssignment, Shell, ShellBuiltin } from './shell.js';

type Attributes = { -readonly [Key in keyof AttributeChanges]: AttributeChanges[Key] } & {
  /** `-t`, of functions alone. */
  traced?: boolean;
};

interface Request {
  readonly changes: Attributes;
  /** Letters that are no attribute: `p f F g n`. */
  readonly others: ReadonlySet<string>;
  readonly assignments: readonly (ExpandedAssignment | { readonly invalid: string })[];
  readonly invalid: string | undefined;
}

/** Reads options (`-ix`, `+x`) and the arguments, which are assignments where they look like one. */
function readRequest(
  argv: readonly string[],
  letters: string,
  declared: ReadonlyMap<number, ExpandedAssignment> | undefined,
): Request {
  const changes: Attributes = {};
  const others = new Set<string>();
  let i = 1;
  for (; i < argv.length && declared?.has(i) !== true; i++) {
    const word = argv[i] as string;
    if (word === '--') {
      i += 1;
      break;
    }
    if (word.length < 2 || (word[0] !== '-' && word[0] !== '+')) break;
    for (const letter of word.slice(1)) {
      if (!letters.includes(letter)) return { changes, others, assignments: [], invalid: `${word[0]}${letter}` };
      // Of `export` it is no attribute, but takes one away.
      const other = letter === 'n' && argv[0] === 'export';
      if (other || !change(changes, letter, word[0] === '-')) others.add(letter);
    }
  }
  const assignments: (ExpandedAssignment | { readonly invalid: string })[] = [];
  for (; i < argv.length; i++) assignments.push(declared?.get(i) ?? assignmentOf(argv[i] as string));
  return { changes, others, assignments, invalid: undefined };
}

/** Letters of bash that rmsh has not: `-t` of a variable does nothing, `-I` inherits attributes, `-c` is no part of its manual. */
function refuseLetter(shell: Shell, argv: readonly string[], option: string, usage: string): number {
  if (!'cIt'.includes(option[1] as string)) return invalidOption(shell, argv, option, usage);
  return fail(shell, argv, `${option}: not supported by rmsh`);
}

/** False for a letter that is no attribute. */
function change(changes: Attributes, letter: string, on: boolean): boolean {
  switch (letter) {
    case 'a':
      changes.array = 'indexed';
      return true;
    case 'A':
      changes.array = 'associative';
      return true;
    case 'i':
      changes.integer = on;
      return true;
    case 'l':
      changes.folding = on ? 'lower' : 'none';
      return true;
    case 'u':
      changes.folding = on ? 'upper' : 'none';
      return true;
    case 'r':
      changes.readonly = on;
      return true;
    case 'x':
      changes.exported = on;
      return true;
    case 'n':
      changes.reference = on;
      return true;
    case 't':
      changes.traced = on;
      return true;
    default:
      return false;
  }
}

/** `name`, `name=value`, `name+=value` or `name[key]=value` as an expanded word (`declare "$x"`). */
function assignmentOf(word: string): ExpandedAssignment | { readonly invalid: string } {
  const equals = word.indexOf('=');
  const append = equals > 0 && word[equals - 1] === '+';
  const target = equals < 0 ? word : word.slice(0, append ? equals - 1 : equals);
  const open = target.indexOf('[');
  const subscript = open > 0 && target.endsWith(']') ? target.slice(open + 1, -1) : undefined;
  const name = subscript === undefined ? target : target.slice(0, open);
  if (!isName(name) || (subscript === '' && equals < 0)) return { invalid: word };
  return { name, subscript, append, value: equals < 0 ? undefined : word.slice(equals + 1) };
}

function declareAll(shell: Shell, argv: readonly string[], request: Request, local: boolean): Awaitable<number> {
  if (!request.assignments.some(looksLikeList)) return declareEach(shell, argv, request, local);
  return andThen(withLists(shell, request, local), ({ assignments, failed }) => {
    const status = declareEach(shell, argv, { ...request, assignments }, local);
    return failed ? 1 : status;
  });
}

function looksLikeList(
  assignment: Request['assignments'][number],
): assignment is ExpandedAssignment & { readonly value: string } {
  if ('invalid' in assignment || typeof assignment.value !== 'string' || assignment.subscript !== undefined)
    return false;
  return assignment.value.startsWith('(') && assignment.value.endsWith(')');
}

/**
 * `declare -a x='(a b)'`, or of a variable that is an array: the text is read as the list that it looks like (bash). Without those that are
 * no list, `failed` says.
 */
function withLists(
  shell: Shell,
  { assignments, changes, others }: Request,
  local: boolean,
): Awaitable<{ readonly assignments: Request['assignments']; readonly failed: boolean }> {
  const isArray = (name: string): boolean =>
    changes.array !== undefined ||
    (!(local && !others.has('g') && !shell.localNames.includes(name)) && /[aA]/.test(shell.attributes(name)));
  const all: Request['assignments'][number][] = [];
  let failed = false;
  const waiting = each(assignments, (assignment) => {
    if (!looksLikeList(assignment) || changes.reference === true || !isArray(assignment.name)) {
      all.push(assignment);
      return undefined;
    }
    return andThen(shell.arrayElements(assignment.value), (elements) => {
      if (elements === undefined) failed = true;
      else all.push({ ...assignment, value: elements });
      return undefined;
    });
  });
  return andThen(waiting, () => ({ assignments: all, failed }));
}

function declareEach(
  shell: Shell,
  argv: readonly string[],
  { assignments, changes, others }: Request,
  local: boolean,
): number {
  let status = 0;
  for (const assignment of assignments) {
    if ('invalid' in assignment) {
      status = fail(shell, argv, `\`${assignment.invalid}': not a valid identifier`);
      continue;
    }
    const global = others.has('g');
    if (local && !global && shell.variable(assignment.name)?.readonly !== true) shell.makeLocal(assignment.name);
    const command = argv[0] as string;
    const done = global
      ? shell.declareGlobal(assignment, changes, command)
      : shell.declare(assignment, changes, command);
    if (!done) status = 1;
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- declare, typeset

const declareUsage = 'declare [-aAfFgilnprtux] [NAME[=VALUE]]...';

export const declare: ShellBuiltin = {
  names: ['declare', 'typeset'],
  special: false,
  summary: 'give variables attributes and values',
  usage: declareUsage,
  run(shell, argv, declared): Awaitable<Outcome> {
    const request = readRequest(argv, 'aAfFgilnprtux', declared);
    const { invalid, others, assignments } = request;
    if (invalid !== undefined) return refuseLetter(shell, argv, invalid, declareUsage);
    if (others.has('f') || others.has('F')) {
      const { exported, readonly, traced } = request.changes;
      const marks = exported !== undefined || readonly !== undefined || traced !== undefined;
      if (marks && assignments.length > 0) return markFunctions(shell, argv, request, '');
      return showFunctions(shell, argv, request, others.has('F'));
    }
    const { traced } = request.changes;
    if (traced !== undefined) return refuseLetter(shell, argv, traced ? '-t' : '+t', declareUsage);
    if (others.has('p') || assignments.length === 0) return show(shell, argv, request);
    return declareAll(shell, argv, request, shell.inFunction);
  },
};

function names(assignments: Request['assignments']): string[] {
  return assignments.map((assignment) => ('invalid' in assignment ? assignment.invalid : assignment.name));
}

/** Those that are named, or all with the marks asked for; with -F their names alone. */
function showFunctions(
  shell: Shell,
  argv: readonly string[],
  { assignments, changes, others }: Request,
  onlyNames: boolean,
): Awaitable<Outcome> {
  const all = assignments.length === 0;
  const wanted = all ? shell.functionNames() : names(assignments);
  let text = '';
  let status = 0;
  for (const name of wanted) {
    const body = shell.functionText(name);
    if (body === undefined) {
      status = others.has('p') ? fail(shell, argv, `${name}: not found`) : 1;
      continue;
    }
    const letters = shell.functionAttributes(name);
    if (changes.exported === true && !letters.includes('x')) continue;
    if (changes.readonly === true && !letters.includes('r')) continue;
    if (changes.traced === true && !letters.includes('t')) continue;
    const head = `declare -f${letters} ${name}\n`;
    if (onlyNames) text += all ? head : `${name}\n`;
    else text += `${body}\n${letters === '' ? '' : head}`;
  }
  return print(shell, text, status);
}

/** `declare -fx NAME`, `export -f NAME`, `readonly -f NAME`. `missing`: what to say of a function that is not there; `` for nothing. */
function markFunctions(
  shell: Shell,
  argv: readonly string[],
  { assignments, changes }: Request,
  missing: string,
): number {
  let status = 0;
  for (const name of names(assignments)) {
    if (!shell.hasFunction(name)) {
      status = missing === '' ? 1 : fail(shell, argv, `${name}: ${missing}`);
      continue;
    }
    const { exported, readonly, traced } = changes;
    if (exported !== undefined && !shell.markFunction(name, 'exported', exported)) status = 1;
    if (readonly !== undefined && !shell.markFunction(name, 'readonly', readonly)) status = 1;
    if (traced !== undefined && !shell.markFunction(name, 'traced', traced)) status = 1;
  }
  return status;
}

/** `declare -p [NAME]...`: text that makes the variables again. */
function show(shell: Shell, argv: readonly string[], { assignments, changes }: Request): Awaitable<Outcome> {
  let text = '';
  let status = 0;
  if (assignments.length === 0) {
    const letters = Object.entries(LETTERS)
      .filter(([key]) => key in changes)
      .map(([, letter]) => (letter === 'a' && changes.array === 'associative' ? 'A' : letter));
    for (const { name } of shell.variables().sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const attributes = shell.attributes(name);
      if (letters.every((letter) => attributes.includes(letter))) text += `${shell.declaration(name) ?? ''}\n`;
    }
  }
  for (const name of names(assignments)) {
    const line = shell.declaration(name);
    if (line === undefined) status = fail(shell, argv, `${name}: not found`);
    else text += `${line}\n`;
  }
  return print(shell, text, status);
}

const LETTERS: Readonly<Record<string, string>> = {
  array: 'a',
  integer: 'i',
  reference: 'n',
  readonly: 'r',
  exported: 'x',
};

// ---------------------------------------------------------------------------------------------------------- local

const localUsage = 'local [-aAilnprux] [NAME[=VALUE]]...';

export const local: ShellBuiltin = {
  names: ['local'],
  special: false,
  summary: 'give a function variables of its own',
  usage: localUsage,
  run(shell, argv, declared): Awaitable<Outcome> {
    const request = readRequest(argv, 'aAgilnprux', declared);
    if (request.invalid !== undefined) return refuseLetter(shell, argv, request.invalid, localUsage);
    if (!shell.inFunction) return fail(shell, argv, 'can only be used in a function');
    if (request.others.has('p') || request.assignments.length === 0) return showLocals(shell, argv, request);
    const own = request.assignments.filter((one) => !('invalid' in one && one.invalid === '-'));
    if (own.length < request.assignments.length) shell.makeOptionsLocal();
    let status = 0;
    for (const assignment of own) {
      if (!('invalid' in assignment) && shell.variable(assignment.name)?.readonly === true) {
        status = fail(shell, argv, `${assignment.name}: readonly variable`);
      }
    }
    return andThen(declareAll(shell, argv, { ...request, assignments: own }, true), (late) => late || status);
  },
};

/** Those of the running function alone. */
function showLocals(shell: Shell, argv: readonly string[], { assignments }: Request): Awaitable<Outcome> {
  const own = [...shell.localNames].sort();
  let text = '';
  let status = 0;
  for (const name of assignments.length === 0 ? own : names(assignments)) {
    const line = own.includes(name) ? shell.declaration(name) : undefined;
    if (line !== undefined) text += `${line}\n`;
    else if (assignments.length > 0) status = fail(shell, argv, `${name}: not found`);
  }
  return text === '' ? status : print(shell, text, status);
}

// ------------------------------------------------------------------------------------------------ export, readonly

function marking(kind: 'exported' | 'readonly', name: string, letters: string): ShellBuiltin {
  const usage = `${name} [NAME[=VALUE]]... or ${name} -p`;
  return {
    names: [name],
    special: true,
    summary: kind === 'exported' ? 'give variables to commands' : 'keep variables as they are',
    usage,
    run(shell, argv, declared): Awaitable<Outcome> {
      const request = readRequest(argv, letters, declared);
      const { others, changes, assignments, invalid } = request;
      if (invalid !== undefined) return refuseOption(shell, argv, invalid, usage);
      changes[kind] = !others.has('n');
      if (others.has('f')) {
        return assignments.length === 0
          ? showFunctions(shell, argv, request, false)
          : markFunctions(shell, argv, request, 'not a function');
      }
      if (assignments.length === 0) return print(shell, listing(shell, kind, name));
      const done = declareAll(shell, argv, { ...request, assignments: assignments.map(wholeVariable) }, false);
      return andThen<number, Outcome>(done, (status) => (status === 0 ? 0 : completion('builtin error', status)));
    },
  };
}

/** An element alone is neither exported nor readonly. */
function wholeVariable(assignment: Request['assignments'][number]): Request['assignments'][number] {
  if ('invalid' in assignment || assignment.subscript === undefined) return assignment;
  return { invalid: `${assignment.name}[${assignment.subscript}]` };
}

/** As `export -p` prints it: text that the shell reads back (POSIX); an array needs `declare`. */
function listing(shell: Shell, kind: 'exported' | 'readonly', command: string): string {
  return shell
    .variables()
    .filter((variable) => variable[kind])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => {
      if (/[aA]/.test(shell.attributes(name))) return `${shell.declaration(name)}\n`;
      return `${command} ${name}${value === undefined ? '' : `=${quoteVisible(value)}`}\n`;
    })
    .join('');
}

export const exportBuiltin = marking('exported', 'export', 'fnp');
export const readonly = marking('readonly', 'readonly', 'aAfp');
