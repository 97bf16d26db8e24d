/** Reads `*.cases` files: rows as plain text. The form is described in `test/cases/README.md`. */
import type { Policy } from '../../src/policy/policy.js';
import type { Case } from './cases.js';
import { SHELL_NAMES, type ShellName } from './oracles.js';
import { SECTIONS } from './standard.js';
import type { FileSpec } from './tree.js';

interface Section {
  readonly line: number;
  readonly keyword: string;
  /** What stands after the keyword: words, JSON texts and JSON objects. */
  readonly rest: string;
  readonly body: string[];
}

/** Titles and rows, in the order of the file. Throws with the line of what it does not understand. */
export function parseCases(text: string, file: string): Record<string, Case> {
  const rows: Record<string, Case> = {};
  let title = '';
  let sections: Section[] = [];
  let about: string | undefined;
  const fail = (line: number, message: string): never => {
    throw new Error(`${file}:${line}: ${message}`);
  };
  const finish = (): void => {
    if (title === '') return;
    const first = sections[0];
    if (first === undefined) return;
    if (Object.hasOwn(rows, title)) fail(first.line, `a second case named '${title}'`);
    rows[title] = { ...rowOf(sections, fail), ...(about === undefined ? {} : { about }) };
  };

  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (line.startsWith('==== ')) {
      finish();
      title = '';
      about = line.slice(5).trim();
      if (!SECTIONS.has(about)) fail(number, `no section '${about}' (test/support/standard.ts)`);
    } else if (line.startsWith('=== ')) {
      finish();
      title = line.slice(4).trim();
      sections = [{ line: number, keyword: 'script', rest: '', body: [] }];
    } else if (title === '') {
      if (line !== '' && !line.startsWith('#')) fail(number, 'expected a comment, or a title: === PROMISE');
    } else if (line.startsWith('--- ')) {
      const [, keyword = '', rest = ''] = /^--- (\S+)\s*(.*)$/.exec(line) ?? [];
      sections.push({ line: number, keyword, rest: rest.trim(), body: [] });
    } else {
      // A script or an output that has such a line itself.
      sections.at(-1)?.body.push(/^\\(====?|---) /.test(line) ? line.slice(1) : line);
    }
  }
  finish();
  return rows;
}

type Fail = (line: number, message: string) => never;

function rowOf(sections: readonly Section[], fail: Fail): Case {
  const row: {
    -readonly [Key in keyof Case]: Case[Key];
  } = { script: '' };
  const files: Record<string, FileSpec> = {};
  for (const section of sections) {
    const { line, keyword, rest } = section;
    const onlyWords = (): string => {
      if (blockOf(section) !== '') fail(line, `--- ${keyword} has no lines of its own`);
      return rest;
    };
    switch (keyword) {
      case 'script':
      case 'stdout':
      case 'stderr':
      case 'stdin': {
        const value = rest === '' ? blockOf(section) : parseJson(onlyWords(), line, fail);
        if (typeof value !== 'string') fail(line, 'expected a JSON text');
        else row[keyword] = value;
        break;
      }
      case 'file': {
        const [name, after] = takeName(rest, line, fail);
        files[name] = after === '' ? blockOf(section) : (parseJson(after, line, fail) as FileSpec);
        break;
      }
      case 'status':
        if (!/^\d+$/.test(onlyWords())) fail(line, 'expected a number');
        row.status = Number(rest);
        break;
      case 'shells': {
        const names = onlyWords().split(/\s+/);
        row.shells = names.filter((name): name is ShellName => SHELL_NAMES.some((known) => known === name));
        if (row.shells.length !== names.length) fail(line, `expected some of ${SHELL_NAMES.join(' ')}`);
        break;
      }
      case 'policy':
        // The shell checks every key of it.
        row.policy = parseJson(onlyWords(), line, fail) as Policy;
        break;
      case 'differs':
      case 'failing':
        if (onlyWords() === '') fail(line, 'expected a reason');
        row[keyword] = rest;
        break;
      case 'own-words':
        onlyWords();
        row.ownWords = true;
        break;
      default:
        fail(line, `unknown section '${keyword}'`);
    }
  }
  return Object.keys(files).length === 0 ? row : { ...row, files };
}

/** The lines of a section, each with its newline. One empty line before the next title is there for the reader. */
function blockOf({ body }: Section): string {
  const lines = body.at(-1) === '' ? body.slice(0, -1) : body;
  return lines.map((line) => `${line}\n`).join('');
}

function parseJson(text: string, line: number, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(line, `not JSON: ${text}`);
  }
}

/** A name, bare or as a JSON text, and what follows it. */
function takeName(text: string, line: number, fail: Fail): [name: string, after: string] {
  const [whole = '', name = ''] = /^("(?:[^"\\]|\\.)*"|\S+)\s*/.exec(text) ?? [];
  if (name === '') fail(line, 'expected the name of a file');
  const value = name.startsWith('"') ? parseJson(name, line, fail) : name;
  return [String(value), text.slice(whole.length)];
}
