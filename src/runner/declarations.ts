/** The words of a command, of which some may be assignments (POSIX 2.9.1.1): `export x=$y` does not split `$y`. */
import type { Word } from '../../grammar/ast.js';
import { hasBraces } from '../expansion/braces.js';
import { expandString, expandWord, expandWords } from '../expansion/words.js';
import { type Awaitable, andThen, type Waiting } from '../steps.js';
import type { ShellState } from './state.js';

/** Declaration utilities. `command` is one when the name after it is. */
const DECLARERS: ReadonlySet<string> = new Set(['export', 'readonly', 'local']);

/** Expands the words of a simple command. */
export function expandCommand(shell: ShellState, words: readonly Word[], argv: string[]): Waiting {
  const first = words[0]?.literal;
  if (words.length === 1 || (first !== undefined && first !== 'command' && !DECLARERS.has(first))) {
    return expandWords(shell, words, argv);
  }
  return expandEach(shell, words, argv, 0);
}

/** One by one: what the first fields are decides how the later words are expanded. */
function expandEach(shell: ShellState, words: readonly Word[], argv: string[], from: number): Waiting {
  for (let i = from; i < words.length; i++) {
    const word = words[i] as Word;
    const waiting =
      // Braces make words of it first (bash): `export x={1,2}` sets x twice.
      isAssignment(word) && !hasBraces(word) && declares(argv)
        ? expandValue(shell, word, argv)
        : expandWord(shell, word, argv);
    if (waiting !== undefined) return waiting.then(() => expandEach(shell, words, argv, i + 1));
  }
  return undefined;
}

function expandValue(shell: ShellState, word: Word, argv: string[]): Waiting {
  const text: Awaitable<string> = expandString(shell, word);
  const pushed = andThen(text, (late) => {
    argv.push(late);
  });
  return pushed instanceof Promise ? pushed : undefined;
}

function declares(argv: readonly string[]): boolean {
  let i = 0;
  while (argv[i] === 'command') {
    i += 1;
    while (argv[i]?.startsWith('-') === true) i += 1;
  }
  const name = argv[i];
  return name !== undefined && DECLARERS.has(name);
}

/** A word that in front of a command name would be an assignment: `name=` is written without quotes. */
function isAssignment(word: Word): boolean {
  const part = word.parts[0];
  return part?.kind === 'Literal' && /^[A-Za-z_][A-Za-z0-9_]*=/.test(part.text);
}
