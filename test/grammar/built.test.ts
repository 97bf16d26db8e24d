/** The parser in `dist/`, which has only a part of Chevrotain and a table of its decisions, reads as one that has all of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../../grammar/index.js';
import { ScriptParser } from '../../grammar/index.js';
import { checkBuild } from '../support/cli.js';

checkBuild();

const built = (await import(new URL('../../dist/grammar.mjs', import.meta.url).href)) as {
  ScriptParser: typeof ScriptParser;
};

/** Everything the parser has to say of a text. */
function results(Parser: typeof ScriptParser, text: string): ParseResult[] {
  const parser = new Parser(text);
  const found: ParseResult[] = [];
  do found.push(parser.next());
  while (found.at(-1)?.kind === 'command');
  return found;
}

const folder = new URL('../cases/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.cases'));

describe('the parser that is built', () => {
  it.each(files)('reads %s, and each half of it, as the parser of the sources', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const lines = text.split('\n');
    // As they stand, the files are commands and mistakes of all kinds; the halves of lines leave quotes and commands open.
    for (let index = 0; index < lines.length; index += 3) {
      const line = lines[index] ?? '';
      const here = lines.slice(index, index + 3).join('\n');
      for (const piece of [here, line.slice(0, line.length / 2), line.slice(line.length / 2)]) {
        expect(results(built.ScriptParser, piece), piece).toEqual(results(ScriptParser, piece));
      }
    }
  });
});
