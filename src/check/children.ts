/** Commands that run what stands among their operands: `xargs rm -v`, `env X=1 rm f`, `timeout 5 rm f`, `find . -exec rm {} \;`. */
import type { Argv } from './facts.js';

export interface Child {
  /** What is run: undefined for a word that is made when it runs. */
  readonly argv: Argv;
  /** `only`: nothing else is touched; `once`: whenever the command itself runs; `maybe`: where there is something to run it for. */
  readonly runs: 'only' | 'once' | 'maybe';
}

/** Letters of `xargs` that take no value; with any other option, or another value, nothing is said. */
const XARGS_SWITCHES = '0rtx';
const XARGS_VALUES: { readonly [letter: string]: RegExp } = {
  n: /^[1-9]\d{0,3}$/,
  L: /^[1-9]\d{0,3}$/,
  P: /^\d{1,2}$/,
  d: /^(?:[^\\]|\\[0nt])$/,
  I: /^[\x21-\x7e]+$/,
};

/** What `argv` runs; undefined where it runs nothing, or where that is not known. */
export function childOf(argv: Argv): Child | undefined {
  switch (argv[0]) {
    case 'xargs':
      return ofXargs(argv);
    case 'env':
      return ofEnv(argv);
    case 'timeout':
      return ofTimeout(argv);
    case 'find':
      return ofFind(argv);
    default:
      return undefined;
  }
}

function ofXargs(argv: Argv): Child | undefined {
  let at = 1;
  let placeholder: string | undefined;
  let maybe = false;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) return undefined;
    if (word === '--' || !word.startsWith('-') || word === '-') break;
    const letters = [...word.slice(1)];
    const valued = letters.findIndex((letter) => letter in XARGS_VALUES);
    const switches = valued < 0 ? letters : letters.slice(0, valued);
    if (switches.some((letter) => !XARGS_SWITCHES.includes(letter))) return undefined;
    if (switches.includes('r')) maybe = true;
    if (valued < 0) continue;
    const attached = word.slice(valued + 2);
    const value = attached === '' ? argv[++at] : attached;
    const letter = letters[valued] ?? '';
    if (value === undefined || XARGS_VALUES[letter]?.test(value) !== true) return undefined;
    if (letter === 'I') {
      placeholder = value;
      // For each line of its input.
      maybe = true;
    }
  }
  const words = argv.slice(argv[at] === '--' ? at + 1 : at);
  if (words.length === 0) return undefined;
  const made = placeholder === undefined ? [...words, undefined] : words.map((word) => filled(word, placeholder));
  return { argv: made, runs: maybe ? 'maybe' : 'once' };
}

/** Only assignments before the command: with options it may run something else. */
function ofEnv(argv: Argv): Child | undefined {
  let at = 1;
  while (argv[at]?.includes('=') === true && !(argv[at] ?? '').startsWith('-')) at += 1;
  const name = argv[at];
  return name === undefined || name.startsWith('-') ? undefined : { argv: argv.slice(at), runs: 'only' };
}

function ofTimeout(argv: Argv): Child | undefined {
  if (argv.length < 3 || !/^\d+[smhd]?$/.test(argv[1] ?? '')) return undefined;
  return { argv: argv.slice(2), runs: 'once' };
}

/** The first that it runs for a file it finds. */
function ofFind(argv: Argv): Child | undefined {
  const at = argv.findIndex((word) => word === '-exec' || word === '-execdir');
  if (at < 0) return undefined;
  const rest = argv.slice(at + 1);
  const end = rest.findIndex((word, i) => word === ';' || (word === '+' && rest[i - 1] === '{}'));
  if (end <= 0) return undefined;
  return { argv: rest.slice(0, end).map((word) => filled(word, '{}')), runs: 'maybe' };
}

const filled = (word: string | undefined, placeholder: string): string | undefined =>
  word?.includes(placeholder) === true ? undefined : word;
