/** Prompt expansion: what `PS4` and `${x@P}` say (POSIX 2.5.3: parameter expansion; bash: also backslash escapes). */
import { strftime } from '../../builtins/kit/strftime.js';
import type { Word } from '../../grammar/ast.js';
import { parseDoubleQuotedText } from '../../grammar/index.js';
import { joinParts } from '../expansion/words.js';
import { limitReached } from '../limits.js';
import { type Awaitable, andThen, rescue } from '../steps.js';
import { decode, encode } from '../text/bytes.js';
import { VERSION } from '../version.js';
import type { ShellState } from './state.js';

export function expandPrompt(shell: ShellState, text: string): Awaitable<string> {
  const word = promptWord(shell, text);
  if (typeof word === 'string') return word;
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

let known: { readonly text: string; readonly word: Word } | undefined;

/** The prompt with its backslash escapes decoded: what it is where nothing of it is to be expanded, else what is. */
export function promptWord(shell: ShellState, text: string): Word | string {
  const escaped = text.includes('\\') ? decodeEscapes(shell, text) : text;
  if (!/[$`\\]/.test(escaped)) return escaped;
  if (known?.text === escaped) return known.word;
  const word = parseDoubleQuotedText(escaped, { maxNesting: shell.limits.maxNesting });
  // A prompt that is no text for the shell is shown as it stands.
  if (!('parts' in word)) return escaped;
  known = { text: escaped, word };
  return word;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  a: '\x07',
  e: '\x1b',
  // Around what takes no room on the terminal: the editor sees that itself.
  '[': '',
  ']': '',
  '\\': '\\',
};

/** bash's times, for strftime. */
const TIMES: Readonly<Record<string, string>> = {
  d: '%a %b %d',
  t: '%H:%M:%S',
  T: '%I:%M:%S',
  '@': '%I:%M %p',
  A: '%H:%M',
};

const ESCAPE = /\\(?:[0-7]{3}|[0-7]{1,2}$|D\{[^}]*\}?|[\s\S])/g;

/** What stands for itself after this is quoted: a directory may be called `$(rm x)`. */
function decodeEscapes(shell: ShellState, text: string): string {
  let bytes = false;
  const decoded = text.replace(ESCAPE, (whole, at: number) => {
    const code = whole.slice(1);
    // Fewer than three digits are a number only at the end, as in bash.
    if (/^[0-7]+$/.test(code) && (code.length === 3 || at + whole.length === text.length)) {
      const byte = Number.parseInt(code, 8) & 0xff;
      if (byte >= 0x80) bytes = true;
      // A byte that may be part of a character: as `decode` has those that are not.
      return byte === 0 ? '' : String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
    }
    const simple = SIMPLE[code];
    if (simple !== undefined) return simple;
    const time = code.startsWith('D{') ? code.replace(/^D\{|\}$/g, '') || '%X' : TIMES[code];
    if (time !== undefined) return quoted(timeText(shell, time));
    // `\$` is quoted by its own backslash, as `\`` and `\"` are.
    if (code === '$') return shell.scope.host.uid === 0 ? '#' : whole;
    const known = facts(shell, code);
    return known === undefined ? whole : quoted(known);
  });
  return bytes ? decode(encode(decoded)) : decoded;
}

function quoted(text: string): string {
  return text.replace(/[$`"\\]/g, '\\$&');
}

function timeText(shell: ShellState, format: string): string {
  const moment = { seconds: Math.floor(Date.now() / 1000), nanoseconds: undefined };
  return strftime(format, moment, shell.variables.get('TZ')?.value ?? shell.scope.timeZone) ?? '';
}

function facts(shell: ShellState, code: string): string | undefined {
  const { host } = shell.scope;
  switch (code) {
    case 'w':
      return shortened(withTilde(shell, shell.logicalCwd), shell.variables.get('PROMPT_DIRTRIM')?.value);
    case 'W':
      return withTilde(shell, shell.logicalCwd).replace(/^.*\/(?=.)/s, '');
    case 'h':
      return host.hostName().split('.', 1)[0] as string;
    case 'H':
      return host.hostName();
    case 'u':
      return host.userName(host.uid) ?? String(host.uid);
    case 's':
      return 'rmsh';
    case 'v':
      return VERSION.split('.').slice(0, 2).join('.');
    case 'V':
      return VERSION;
    case 'j':
      return String(shell.jobs.filter(({ status }) => status === undefined).length);
    case '!':
      return String(shell.historyNumber);
    case '#':
      return String(shell.commandNumber);
    default:
      return undefined;
  }
}

/** `PROMPT_DIRTRIM=2`: of the path only its last two names, where that leaves out more than the dots take. */
function shortened(path: string, count: string | undefined): string {
  if (count === undefined || !/^[1-9]\d{0,3}$/.test(count)) return path;
  const home = path.startsWith('~') ? '~/' : '';
  const names = path.slice(home === '' ? 1 : 2).split('/');
  const left = names.slice(0, -Number(count)).join('/');
  return left.length + (home === '' ? 1 : 0) > 3 ? `${home}.../${names.slice(-Number(count)).join('/')}` : path;
}

function withTilde(shell: ShellState, path: string): string {
  const home = shell.home('');
  if (home === undefined || home === '' || home === '/') return path;
  return path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
