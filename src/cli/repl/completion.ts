/** Completion of commands, variables, options and file names. */
import { quote } from '../../text/quote.js';
import type { Choice } from '../line-editor/choices.js';
import type { Completion } from '../line-editor/editor.js';
import { piecesOf } from './pieces.js';

/** What there is to choose from. */
export interface Knowledge {
  /** Functions, aliases, built-ins and commands that may be run, each with half a line on it where there is one. */
  commands(): Iterable<readonly [name: string, description: string | undefined]>;
  variables(): Iterable<string>;
  /** What `help` explains besides commands. */
  topics(): Iterable<readonly [name: string, description: string]>;
  /** The options of a command, as they are written, with their help; empty where it has none, or is not known. */
  options(command: string): readonly (readonly [option: string, help: string])[];
  /** The names in a directory; empty where it may not be read. */
  directory(path: string): readonly { readonly name: string; readonly directory: boolean }[];
  home(): string | undefined;
}

const KEYWORDS = [
  'case',
  'do',
  'done',
  'elif',
  'else',
  'esac',
  'fi',
  'for',
  'function',
  'if',
  'in',
  'select',
  'then',
  'time',
  'until',
  'while',
];
/** Their operands are directories. */
const DIRECTORY_COMMANDS = new Set(['cd', 'pushd', 'rmdir']);
/** Their operands are commands. */
const COMMAND_COMMANDS = new Set(['help', 'type', 'command', 'xargs', 'exec', 'builtin', 'hash']);

export function complete(text: string, cursor: number, known: Knowledge): Completion {
  const head = text.slice(0, cursor);
  const { words, next } = piecesOf(head);
  const last = words.filter((word) => word.end === head.length).at(-1);
  const start = last?.start ?? head.length;
  const raw = head.slice(start);
  const kind = last?.kind ?? next.kind;
  const command = last?.command ?? next.command;

  const variable = /\$(\{?)(\w*)$/.exec(raw);
  if (variable !== null && !isEscaped(raw, variable.index)) {
    const [, brace = '', name = ''] = variable;
    return {
      start: head.length - name.length,
      end: cursor,
      choices: names(known.variables(), name).map((one) => ({
        text: one,
        suffix: brace === '' ? '' : '}',
        label: one,
      })),
    };
  }
  if (kind === 'assignment') {
    const equals = raw.indexOf('=') + 1;
    return files(raw.slice(equals), start + equals, cursor, known, false);
  }
  if ((kind === 'command' || kind === 'keyword') && !/[/'"\\~]/.test(raw))
    return { start, end: cursor, choices: commands(raw, known, 'keywords') };
  if (kind === 'argument') {
    if (raw.startsWith('-')) {
      const choices = options(raw, command, known);
      if (choices.length > 0) return { start, end: cursor, choices };
    }
    if (COMMAND_COMMANDS.has(command) && !raw.includes('/')) {
      const choices = commands(raw, known, command === 'help' ? 'topics' : undefined);
      if (choices.length > 0) return { start, end: cursor, choices };
    }
  }
  return files(raw, start, cursor, known, DIRECTORY_COMMANDS.has(command) && kind === 'argument');
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  if (backslashes % 2 === 1) return true;
  // Single quotes hide it.
  return (text.slice(0, at).match(/'/g)?.length ?? 0) % 2 === 1 && !text.slice(0, at).includes('"');
}

function names(all: Iterable<string>, prefix: string): string[] {
  return [...new Set(all)].filter((name) => name.startsWith(prefix)).sort();
}

function commands(prefix: string, known: Knowledge, also: 'keywords' | 'topics' | undefined): Choice[] {
  const described = new Map(known.commands());
  if (also === 'topics')
    for (const [name, summary] of known.topics()) if (!described.has(name)) described.set(name, summary);
  if (also === 'keywords') for (const word of KEYWORDS) if (!described.has(word)) described.set(word, undefined);
  return names(described.keys(), prefix).map((name) => {
    const description = described.get(name);
    return { text: quote(name), suffix: ' ', label: name, ...(description === undefined ? {} : { description }) };
  });
}

function options(prefix: string, command: string, known: Knowledge): Choice[] {
  return known
    .options(command)
    .filter(([option]) => option.startsWith(prefix))
    .map(([option, help]) => ({
      text: option,
      suffix: option.endsWith('=') ? '' : ' ',
      label: option,
      description: help,
    }));
}

/** File names that go on from what is written, quoted as it is quoted, or as it must be. */
function files(raw: string, start: number, end: number, known: Knowledge, directoriesOnly: boolean): Completion {
  const written = unquoted(raw);
  if (written === undefined) return { start, end, choices: [] };
  const slash = written.lastIndexOf('/') + 1;
  const folder = written.slice(0, slash);
  const prefix = written.slice(slash);
  const tilde = /^~(?=\/)/.test(folder) && raw.startsWith('~') ? known.home() : undefined;
  const looked = tilde === undefined ? folder : tilde + folder.slice(1);
  const choices = known
    .directory(looked === '' ? '.' : looked)
    .filter(({ name, directory }) => {
      if (directoriesOnly && !directory) return false;
      return name.startsWith(prefix) && (prefix !== '' || !name.startsWith('.'));
    })
    .map(({ name, directory }): Choice => {
      const path = tilde === undefined ? folder + name : folder.slice(2) + name;
      // An option to every command, as it stands.
      const whole = path.startsWith('-') && tilde === undefined ? `./${path}` : path;
      const text = `${tilde === undefined ? '' : '~/'}${quote(whole)}`;
      return {
        text: directory ? `${text}/` : text,
        suffix: directory ? '' : ' ',
        label: shown(directory ? `${name}/` : name),
      };
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  return { start, end, choices };
}

/** As ls shows a name on a terminal. */
function shown(name: string): string {
  return name.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '?');
}

/** What a word stands for; undefined where only running it would tell. Quotes may be open. */
function unquoted(raw: string): string | undefined {
  let out = '';
  let quoted = '';
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i] as string;
    if (quoted === "'") {
      if (c === "'") quoted = '';
      else out += c;
    } else if (c === '\\') {
      i++;
      out += quoted === '"' && !/["\\$`]/.test(raw[i] ?? '') ? `\\${raw[i] ?? ''}` : (raw[i] ?? '');
    } else if (c === '$' || c === '`' || (quoted === '' && /[*?[]/.test(c))) return undefined;
    else if (c === quoted) quoted = '';
    else if (quoted === '' && (c === "'" || c === '"')) quoted = c;
    else out += c;
  }
  return out;
}
