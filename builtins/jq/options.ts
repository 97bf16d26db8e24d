/** The words after `jq`: two of its options take two words, which getopt does not know. */

import { ReadProblem, readOne } from './read.js';
import type { Json } from './value.js';

export interface JqOptions {
  nullInput: boolean;
  raw: boolean;
  slurp: boolean;
  compact: boolean;
  rawOutput: boolean;
  joined: boolean;
  ascii: boolean;
  sort: boolean;
  exitStatus: boolean;
  indent: string;
  /** A file that has the program. */
  fromFile: boolean;
  program: string | undefined;
  readonly files: string[];
  readonly variables: Map<string, Json>;
  /** Variables whose values are in files, which are still to be read. */
  readonly variableFiles: { readonly name: string; readonly file: string; readonly raw: boolean }[];
  readonly positional: Json[];
}

type Switch =
  | 'nullInput'
  | 'raw'
  | 'slurp'
  | 'compact'
  | 'rawOutput'
  | 'joined'
  | 'ascii'
  | 'sort'
  | 'exitStatus'
  | 'fromFile';

/** Spelled with a letter or in full. */
export const SWITCHES: readonly (readonly [letter: string, long: string, field: Switch | undefined, help: string])[] = [
  ['n', 'null-input', 'nullInput', 'run once, on null; input and inputs read'],
  ['R', 'raw-input', 'raw', 'each line is a string'],
  ['s', 'slurp', 'slurp', 'all inputs in one array, all lines in one string'],
  ['c', 'compact-output', 'compact', 'each value on one line'],
  ['r', 'raw-output', 'rawOutput', 'strings without quotes'],
  ['j', 'join-output', 'joined', 'the same, without newlines'],
  ['a', 'ascii-output', 'ascii', 'escape what is not ASCII'],
  ['S', 'sort-keys', 'sort', 'objects by their keys'],
  ['e', 'exit-status', 'exitStatus', 'status 1 when the last output is false or null, 4 when there is none'],
  ['f', 'from-file', 'fromFile', 'the program is in the file that is named first'],
  ['M', 'monochrome-output', undefined, 'no colours (there never are any)'],
];

/** Answers what is wrong as a text. */
export function readOptions(words: readonly string[]): JqOptions | string {
  const options: JqOptions = {
    nullInput: false,
    raw: false,
    slurp: false,
    compact: false,
    rawOutput: false,
    joined: false,
    ascii: false,
    sort: false,
    exitStatus: false,
    fromFile: false,
    indent: '  ',
    program: undefined,
    files: [],
    variables: new Map(),
    variableFiles: [],
    positional: [],
  };
  let rest: 'files' | 'strings' | 'values' = 'files';
  let isOver = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    // A filter may begin with a minus sign.
    if (isOver || !/^-[-a-zA-Z]/.test(word)) {
      if (options.program === undefined) options.program = word;
      else if (rest === 'files') options.files.push(word);
      else if (rest === 'strings') options.positional.push(word);
      else {
        const value = readOne(word);
        if (value instanceof ReadProblem) return 'Invalid JSON text passed to --jsonargs';
        options.positional.push(value);
      }
      continue;
    }
    if (word === '--') isOver = true;
    else if (word === '--args') rest = 'strings';
    else if (word === '--jsonargs') rest = 'values';
    else if (word.startsWith('--')) {
      const problem = readLong(options, word.slice(2), words.slice(i + 1, i + 3));
      if (typeof problem === 'string') return problem;
      i += problem;
    } else {
      for (const letter of word.slice(1)) {
        const found = SWITCHES.find(([own]) => own === letter);
        if (found === undefined) return letter === 'C' ? 'colours are not supported' : `Unknown option ${word}`;
        set(options, found[2]);
      }
    }
  }
  return options;
}

function set(options: JqOptions, field: Switch | undefined): void {
  if (field === undefined) return;
  options[field] = true;
  if (field === 'joined') options.rawOutput = true;
}

/** How many more words it took, or what is wrong. */
function readLong(options: JqOptions, name: string, [first, second]: readonly string[]): number | string {
  const found = SWITCHES.find(([, long]) => long === name);
  if (found !== undefined) {
    set(options, found[2]);
    return 0;
  }
  switch (name) {
    case 'tab':
      options.indent = '\t';
      return 0;
    case 'unbuffered':
      return 'the output is not held back longer than a program reads: leave out --unbuffered';
    case 'indent': {
      if (first === undefined) return '--indent takes one parameter';
      const width = Number(first);
      if (!/^-?[0-9]+$/.test(first) || width < 0) return 'Cannot indent less than zero characters';
      if (width > 7) return 'Cannot indent more than 7 characters';
      if (width === 0) options.compact = true;
      options.indent = ' '.repeat(width);
      return 1;
    }
    case 'arg':
    case 'argjson':
    case 'slurpfile':
    case 'rawfile':
      break;
    default:
      return `Unknown option --${name}`;
  }
  if (first === undefined || second === undefined) {
    const two =
      name === 'arg'
        ? '--arg takes two parameters (e.g. --arg varname value)'
        : name === 'argjson'
          ? '--argjson takes two parameters (e.g. --argjson varname text)'
          : `--${name} takes two parameters (e.g. --${name} varname filename)`;
    return two;
  }
  if (options.variables.has(first) || options.variableFiles.some((one) => one.name === first)) return 2;
  if (name === 'arg') options.variables.set(first, second);
  else if (name === 'argjson') {
    const value = readOne(second);
    if (value instanceof ReadProblem) return 'invalid JSON text passed to --argjson';
    options.variables.set(first, value);
  } else options.variableFiles.push({ name: first, file: second, raw: name === 'rawfile' });
  return 2;
}
