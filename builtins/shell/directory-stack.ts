/** `pushd`, `popd`, `dirs` (bash): the working directory and, below it, a stack of those to come back to. */
import { isFsError } from '../../src/errors.js';
import type { Awaitable } from '../../src/steps.js';
import type { Outcome } from '../kit/outcome.js';
import { findDirectory, go } from './directory.js';
import { wholeNumber } from './options.js';
import { fail, misused, print } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

const pushdUsage = 'pushd [-n] [+N | -N | DIR]';

export const pushd: ShellBuiltin = {
  names: ['pushd'],
  special: false,
  summary: 'put a directory on the stack and go there',
  usage: pushdUsage,
  run(shell, argv): Awaitable<Outcome> {
    const stay = argv[1] === '-n';
    let words = argv.slice(stay ? 2 : 1);
    const plain = words[0] === '--';
    if (plain) words = words.slice(1);
    const [word] = words;
    if (words.length > 1) return fail(shell, argv, 'too many arguments');
    if (word === undefined) return exchange(shell, argv, stay);
    if (!plain && word !== '-' && isSigned(word)) {
      const place = placeOf(shell, word);
      if (place === undefined) return misused(shell, argv, `${word}: invalid number`, pushdUsage);
      return rotate(shell, argv, word, place, stay);
    }
    if (stay) {
      shell.directoryStack = [word, ...shell.directoryStack];
      return print(shell, row(shell));
    }
    const target = word === '-' ? shell.parameter('OLDPWD') : word;
    if (target === undefined || target === '') return fail(shell, argv, 'OLDPWD not set');
    return travel(shell, argv, findDirectory(shell, target).path, [shell.logicalCwd, ...shell.directoryStack]);
  },
};

/** `pushd` alone: the top two change places. */
function exchange(shell: Shell, argv: readonly string[], stay: boolean): Awaitable<Outcome> {
  const [next, ...below] = shell.directoryStack;
  if (next === undefined) return fail(shell, argv, 'no other directory');
  return stay ? print(shell, row(shell)) : travel(shell, argv, next, [shell.logicalCwd, ...below]);
}

/** `pushd +N`: the stack turns until that directory is on top. */
function rotate(shell: Shell, argv: readonly string[], word: string, place: number, stay: boolean): Awaitable<Outcome> {
  const all = wholeStack(shell);
  if (place < 0 || place >= all.length) return outOfRange(shell, argv, word);
  const turned = [...all.slice(place), ...all.slice(0, place)];
  if (!stay) return travel(shell, argv, turned[0] as string, turned.slice(1));
  // As bash has it: the top, to which nobody goes, is lost.
  shell.directoryStack = turned.slice(1);
  return 0;
}

const popdUsage = 'popd [-n] [+N | -N]';

export const popd: ShellBuiltin = {
  names: ['popd'],
  special: false,
  summary: 'take a directory off the stack and go to the next',
  usage: popdUsage,
  run(shell, argv): Awaitable<Outcome> {
    const stay = argv[1] === '-n';
    let words = argv.slice(stay ? 2 : 1);
    if (words[0] === '--') words = words.slice(1);
    const word = words[0];
    let place: number | undefined = 0;
    if (word !== undefined) {
      if (!isSigned(word)) return misused(shell, argv, `${word}: invalid argument`, popdUsage);
      place = placeOf(shell, word);
      if (place === undefined) return misused(shell, argv, `${word}: invalid number`, popdUsage);
    }
    const stack = shell.directoryStack;
    if (stack.length === 0 || place < 0 || place > stack.length) return outOfRange(shell, argv, word);
    if (place === 0 && !stay) return travel(shell, argv, stack[0] as string, stack.slice(1));
    const gone = Math.max(place, 1) - 1;
    shell.directoryStack = stack.filter((_, i) => i !== gone);
    return print(shell, row(shell));
  },
};

const dirsUsage = 'dirs [-clpv] [+N] [-N]';

export const dirs: ShellBuiltin = {
  names: ['dirs'],
  special: false,
  summary: 'show the stack of directories',
  usage: dirsUsage,
  run(shell, argv): Awaitable<Outcome> {
    let long = false;
    let layout: 'row' | 'lines' | 'numbered' = 'row';
    let wanted: string | undefined;
    for (const word of argv.slice(1)) {
      if (word === '--') break;
      if (word === '-c') {
        shell.directoryStack = [];
        return 0;
      }
      if (word === '-l') long = true;
      else if (word === '-p') layout = 'lines';
      else if (word === '-v') layout = 'numbered';
      else if (!isSigned(word)) return misused(shell, argv, `${word}: invalid option`, dirsUsage);
      else if (placeOf(shell, word) === undefined) {
        return misused(shell, argv, `${word}: invalid number`, dirsUsage);
      } else wanted = word;
    }
    const all = wholeStack(shell).map((path) => (long ? path : short(shell, path)));
    const place = wanted === undefined ? undefined : placeOf(shell, wanted);
    if (place !== undefined && all[place] === undefined) return outOfRange(shell, argv, wanted?.slice(1));
    const lines = all.map((path, i) => (layout === 'numbered' ? `${String(i).padStart(2)}  ${path}` : path));
    if (place !== undefined) return print(shell, `${lines[place]}\n`);
    return print(shell, `${lines.join(layout === 'row' ? ' ' : '\n')}\n`);
  },
};

// ---------------------------------------------------------------------------------------------------------- shared

function wholeStack(shell: Shell): string[] {
  return [shell.logicalCwd, ...shell.directoryStack];
}

function isSigned(word: string): boolean {
  return word.startsWith('+') || word.startsWith('-');
}

/** `+N` counts from the top, `-N` from the bottom; perhaps beyond it. Undefined: no number. */
function placeOf(shell: Shell, word: string): number | undefined {
  const count = wholeNumber(word.slice(1));
  if (count === undefined) return undefined;
  return word.startsWith('+') ? count : shell.directoryStack.length - count;
}

function outOfRange(shell: Shell, argv: readonly string[], word: string | undefined): number {
  if (shell.directoryStack.length === 0 || word === undefined) return fail(shell, argv, 'directory stack empty');
  return fail(shell, argv, `${word}: directory stack index out of range`);
}

/** Goes to `path`; `below` is the stack once we are there. */
function travel(shell: Shell, argv: readonly string[], path: string, below: readonly string[]): Awaitable<Outcome> {
  try {
    go(shell, path, false);
  } catch (error) {
    if (!isFsError(error)) throw error;
    return fail(shell, argv, `${path}: ${error.message}`);
  }
  shell.directoryStack = below;
  return print(shell, row(shell));
}

function row(shell: Shell): string {
  return `${wholeStack(shell)
    .map((path) => short(shell, path))
    .join(' ')}\n`;
}

/** The home directory is `~`. */
function short(shell: Shell, path: string): string {
  const home = shell.parameter('HOME') ?? '';
  if (home.length < 2 || !path.startsWith(home)) return path;
  return path.length === home.length || path[home.length] === '/' ? `~${path.slice(home.length)}` : path;
}
