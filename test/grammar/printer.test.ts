import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompleteCommand } from '../../grammar/index.js';
import { parse, print } from '../../grammar/index.js';
import { commandsOf, withoutOffsets } from './support.js';
import { AT, trees } from './trees.js';

const MAINTAINER_SCRIPTS = '/var/lib/dpkg/info';

function maintainerScripts(): string[] {
  try {
    return readdirSync(MAINTAINER_SCRIPTS)
      .filter((name) => /\.(preinst|postinst|prerm|postrm)$/.test(name))
      .map((name) => readFileSync(`${MAINTAINER_SCRIPTS}/${name}`, 'utf8'))
      .filter((text) => /^#! ?\/bin\/(ba|da)?sh\b/.test(text));
  } catch {
    if (process.env['RMSH_REQUIRE_ORACLES']) throw new Error(`${MAINTAINER_SCRIPTS} cannot be read`);
    console.warn(`skipped: ${MAINTAINER_SCRIPTS} cannot be read`);
    return [];
  }
}

describe("a distribution's maintainer scripts", () => {
  const scripts = maintainerScripts();

  it.skipIf(scripts.length === 0)('are accepted, and survive printing', () => {
    for (const text of scripts) {
      const { commands, problem } = parse(text);
      expect(problem).toBeUndefined();
      expect(withoutOffsets(commandsOf(commands.map(print).join('')))).toEqual(withoutOffsets(commands));
    }
  });
});

describe('a printed command', () => {
  it.each([
    ['a  b   >f', 'a b >f\n'],
    ['a; b &\n', 'a; b &\n'],
    ['>f if', '>f if\n'],
    ['x=1 >f a', 'x=1 a >f\n'],
    ['if a; then b; else c; fi', 'if a; then\n  b\nelse\n  c\nfi\n'],
    ['while a; b; do c; done >f', 'while\n  a\n  b\ndo\n  c\ndone >f\n'],
    ['for i do a; done', 'for i; do\n  a\ndone\n'],
    ['case a in b|c) d;; e) ;& esac', 'case a in\n(b | c)\n  d\n;;\n(e)\n;&\nesac\n'],
    ['f() (a)', 'f() (\n  a\n)\n'],
    ['a $( (b) )', 'a $( (\n  b\n))\n'],
    ['a "$(b; c)"', 'a "$(b\nc)"\n'],
    ['a `b \\`c\\``', 'a `b \\`c\\``\n'],
    ['a <<E && b\nx\nE\n', 'a <<E && b\nx\nE\n'],
    ['a << -E\nx\n-E\n', 'a << -E\nx\n-E\n'],
    ['a $(b <<E\nx\nE\n)', 'a $(b <<E\nx\nE\n)\n'],
    ['if a <<E; then b; fi\nx\nE\n', 'if a <<E\nx\nE\nthen\n  b\nfi\n'],
    // Documents that the end of the text ended, and an expression of nothing but a line that goes on.
    ["<<''\n ", "<<''\n "],
    ['<<E\n \n ', '<<E\n \n '],
    ['<<E', '<<E\nE\n'],
    ['<<E\nx\n', '<<E\nx\nE\n'],
    ['a <<\\# <<F\nb', 'a <<\\# <<F\nb'],
    ['a <<F <<E\nx\nF\nb', 'a <<F <<E\nx\nF\nb'],
    ['while ]; do ""; done <<E\n$', 'while ]; do\n  ""\ndone <<E\n$'],
    ['((\\\n))', '(())\n'],
    ['((1+\\\n2))', '((1+2))\n'],
    ["a $'\\'\\\\\\n'", "a $'\\'\\\\\n'\n"],
  ])('%j is %j', (text, expected) => {
    const commands = commandsOf(text);
    expect(commands.map(print).join('')).toBe(expected);
    expect(withoutOffsets(commandsOf(expected))).toEqual(withoutOffsets(commands));
  });

  it('may be a part', () => {
    const [command] = commandsOf('x="$1" a$b >f\n');
    const statement = command?.list.items[0]?.statement;
    if (command === undefined || statement?.kind !== 'SimpleCommand') throw new Error('not simple');
    expect(print(command.list)).toBe('x="$1" a$b >f\n');
    expect(print(statement)).toBe('x="$1" a$b >f\n');
    expect(statement.words.map(print)).toEqual(['a$b']);
    expect(statement.words[0]?.parts.map(print)).toEqual(['a', '$b']);
    expect(statement.assignments.map(print)).toEqual(['x="$1"']);
    expect(statement.redirections.map(print)).toEqual(['>f']);
  });
});

describe('a generated tree', () => {
  it('is what is read from its text', () => {
    fc.assert(
      fc.property(trees.list, (list) => {
        const command: CompleteCommand = { kind: 'CompleteCommand', ...AT, list };
        const text = print(command);
        const { commands, problem } = parse(text);
        expect(problem, text).toBeUndefined();
        expect(withoutOffsets(commands), text).toEqual(withoutOffsets([command]));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a text that is accepted', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      'b=1',
      ' ',
      ' ',
      ' ',
      '\n',
      ';',
      '&',
      '|',
      '&&',
      '||',
      '!',
      '(',
      ')',
      '{',
      '}',
      '"',
      "'",
      '$x',
      '${x-',
      '$(',
      '`',
    ],
    ...[
      '\\',
      '\\\n',
      '<<E\n',
      'E\n',
      '\nE\n',
      '>f',
      '2>&1',
      '#',
      '~',
      '$((1+',
      '))',
      'if ',
      'then ',
      'fi ',
      'while ',
      'do ',
      'done ',
    ],
    ...['case x in ', 'a) ', ';; ', 'esac ', 'for i in ', 'f() ', '*', ':', '%'],
  );

  it('means the same after printing', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const { commands, incomplete } = parse(parts.join(''));
        // what the end of the text ended, a document or a backslash, has no text that can be followed by more
        if (incomplete) return;
        const text = commands.map(print).join('');
        const again = parse(text);
        expect(again.problem, text).toBeUndefined();
        expect(print({ ...AT, kind: 'List', items: again.commands.flatMap((c) => c.list.items) })).toBe(
          print({ ...AT, kind: 'List', items: commands.flatMap((c) => c.list.items) }),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
