/** Prompt expansion: what `PS4` and `${x@P}` say (POSIX 2.5.3: parameter expansion; bash: also backslash escapes). */
import { parseDoubleQuotedText } from '../../grammar/index.js';
import { joinParts } from '../expansion/words.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen, rescue } from '../steps.js';
import type { ShellState } from './state.js';

export function expandPrompt(shell: ShellState, text: string): Awaitable<string> {
  const escaped = text.includes('\\') ? decodeEscapes(shell, text) : text;
  if (!escaped.includes('$') && !escaped.includes('`')) return escaped;
  const word = parseDoubleQuotedText(escaped, { maxNesting: shell.limits.maxNesting });
  // A prompt that is no text for the shell is shown as it stands.
  if (!('parts' in word)) return escaped;
  const { maxNesting } = shell.limits;
  // `x='${x@P}'` is a prompt within itself.
  if (shell.promptDepth >= maxNesting) throw limitReached('maxNesting', maxNesting);
  shell.promptDepth++;
  const expanded = rescue(
    () => joinParts(shell, word.parts, true),
    (error) => {
      shell.promptDepth--;
      throw error;
    },
  );
  return andThen(expanded, (result) => {
    shell.promptDepth--;
    return result;
  });
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  a: '\x07',
  e: '\x1b',
  '\\': '\\',
  '[': '',
  ']': '',
};

function decodeEscapes(shell: ShellState, text: string): string {
  return text.replace(/\\([0-7]{3}|.)/gs, (whole: string, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code, 8));
    const simple = SIMPLE[code];
    if (simple !== undefined) return simple;
    switch (code) {
      case 'w':
        return withTilde(shell, shell.logicalCwd);
      case 'W':
        return withTilde(shell, shell.logicalCwd).replace(/^.*\/(?=.)/s, '');
      case 'h':
        return shell.scope.host.hostName().split('.', 1)[0] as string;
      case 'H':
        return shell.scope.host.hostName();
      case 'u':
        return shell.scope.host.userName(shell.scope.host.uid) ?? String(shell.scope.host.uid);
      case '$':
        // Quoted: it must not start an expansion.
        return shell.scope.host.uid === 0 ? '#' : '\\$';
      case 's':
        return 'rmsh';
      default:
        return whole;
    }
  });
}

function withTilde(shell: ShellState, path: string): string {
  const home = shell.home('');
  if (home === undefined || home === '' || home === '/') return path;
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
