/** The languages that scripts are generated in, each with the shells that judge. */

import type { ShellName } from '../sandbox/oracle-shells.js';
import { BASH_GRAMMARS, BASH_PRELUDE } from './bash.js';
import fc from './fast-check.js';
import { POSIX_ALONE, POSIX_GRAMMARS, PRELUDE } from './posix.js';
import { language, type Text } from './texts.js';

export interface Language {
  readonly name: 'posix' | 'bash' | 'tools';
  /** What these agree on is what rmsh has to do. */
  readonly judges: readonly ShellName[];
  readonly prelude: string;
  /** Complete commands, one a line. */
  readonly script: Text;
}

const script = (line: Text): Text =>
  fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`);

export const LANGUAGES: readonly Language[] = [
  {
    name: 'posix',
    judges: ['dash', 'bash'],
    prelude: PRELUDE,
    script: script(language('line', ...POSIX_GRAMMARS, ...POSIX_ALONE)),
  },
  {
    name: 'bash',
    judges: ['bash'],
    prelude: PRELUDE + BASH_PRELUDE,
    script: script(language('line', ...POSIX_GRAMMARS, ...BASH_GRAMMARS)).filter(isJudged),
  },
];

/** What bash does alone, and nobody should learn from it. */
function isJudged(text: string): boolean {
  // In a here-document it splits `$*` and joins it by spaces, whatever IFS is.
  if (/<<-?\\?\w/.test(text) && text.includes('$*')) return false;
  // `a ? b = 1 : c = 2` is an error (the colon binds tighter), which it finds when it has assigned to b.
  return !/\?[^?]*:[^:?]*\w *(?:[-+*/%|&^]|<<|>>)?=(?!=)/.test(text);
}
