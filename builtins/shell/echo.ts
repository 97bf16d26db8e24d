/** `echo`, as bash's: -n, -e, -E. */
import { expandEscapes } from '../kit/escapes.js';
import { print } from './output.js';
import type { ShellBuiltin } from './shell.js';

export const echo: ShellBuiltin = {
  names: ['echo'],
  special: false,
  summary: 'print words',
  usage: 'echo [-neE] [WORD]...',
  run(shell, argv) {
    let newline = true;
    // Under both xpg_echo and posix not even -n is an option (XSI).
    const plain = shell.shopt('xpg_echo');
    let escapes = plain;
    const reads = !(plain && shell.option('posix'));
    let first = 1;
    for (; reads && first < argv.length; first++) {
      const word = argv[first] as string;
      if (!isOptions(word)) break;
      for (const letter of word.slice(1)) {
        if (letter === 'n') newline = false;
        else escapes = letter === 'e';
      }
    }
    const text = argv.length === first + 1 ? (argv[first] as string) : argv.slice(first).join(' ');
    if (!escapes) return print(shell, newline ? `${text}\n` : text);
    const expanded = expandEscapes(text, 'echo');
    return print(shell, newline && !expanded.stop ? `${expanded.text}\n` : expanded.text);
  },
};

/** A word of only `n`, `e` and `E` after its dash; any other is printed. */
function isOptions(word: string): boolean {
  if (word.length < 2 || word[0] !== '-') return false;
  for (let i = 1; i < word.length; i++) if (word[i] !== 'n' && word[i] !== 'e' && word[i] !== 'E') return false;
  return true;
}
