import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Assignment,
  Command,
  CompleteCommand,
  CompoundCommand,
  List,
  Pipeline,
  Redirection,
  Statement,
  Word,
  WordPart,
} from '../../grammar/index.js';
import { isReservedWord, parse, print } from '../../grammar/index.js';
import { commandsOf, withoutOffsets } from './support.js';

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

// ---------------------------------------------------------------------------------------------------- generated trees

/** All choices together count how deep a tree is; at the limit the first one is taken. */
const DEEP = { depthIdentifier: 'tree', maxDepth: 5, depthSize: 'small' } as const;

const AT = { start: 0, end: 0 };
const name = fc.constantFrom('x', 'y_1', 'Z');
// neither `%` nor `#`: after `${x%` they would make the operator longer
const plain = fc.stringMatching(/^[a-z0-9.,/+@^_-]{1,6}$/);

function literalOf(parts: readonly WordPart[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind === 'DoubleQuoted') {
      const inner = literalOf(part.parts);
      if (inner === undefined) return undefined;
      text += inner;
    } else if (part.kind === 'Literal' || part.kind === 'Escaped' || part.kind === 'SingleQuoted') {
      text += part.text;
    } else {
      return undefined;
    }
  }
  return text;
}

const word = (parts: readonly WordPart[], known = true): Word => ({
  kind: 'Word',
  ...AT,
  parts,
  literal: known ? literalOf(parts) : undefined,
});

const literal = (text: string): WordPart => ({ kind: 'Literal', ...AT, text });

/** Neighbouring literals would be read as one, and `$x` would swallow what follows it. */
function separated(parts: readonly WordPart[]): WordPart[] {
  const result: WordPart[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    if (part.kind === 'Literal' && before?.kind === 'Literal') continue;
    const glued = before?.kind === 'ParameterExpansion' && !before.braced && part.kind === 'Literal';
    if (!glued) result.push(part);
  }
  return result;
}

const trees = fc.letrec<{
  quoted: WordPart[];
  parts: WordPart[];
  word: Word;
  redirections: Redirection[];
  simple: Command;
  compound: CompoundCommand;
  command: Command;
  pipeline: Pipeline | Command;
  statement: Statement;
  list: List;
}>((tie) => {
  const redirected = <T extends object>(node: T, redirections: readonly Redirection[]): T =>
    ({ ...node, redirections }) as T;
  const parameter = fc.oneof(
    DEEP,
    fc.tuple(name, fc.boolean()).map(([variable, braced]): WordPart => {
      return { kind: 'ParameterExpansion', ...AT, name: variable, braced, operation: undefined };
    }),
    name.map((variable): WordPart => {
      return { kind: 'ParameterExpansion', ...AT, name: variable, braced: true, operation: { kind: 'Length' } };
    }),
    fc.tuple(name, fc.constantFrom('start', 'end'), fc.boolean(), tie('parts')).map(
      ([variable, from, longest, parts]): WordPart => ({
        kind: 'ParameterExpansion',
        ...AT,
        name: variable,
        braced: true,
        operation: { kind: 'Strip', from, longest, pattern: word(parts) },
      }),
    ),
  );
  const substitution = tie('list').map((body): WordPart => {
    return { kind: 'CommandSubstitution', ...AT, backquoted: false, text: undefined, body };
  });
  const arithmetic = fc.nat(99).map(
    (value): WordPart => ({
      kind: 'ArithmeticExpansion',
      ...AT,
      parts: [literal(String(value))],
      expression: { kind: 'Number', value },
    }),
  );
  const operand = (kind: 'Default' | 'Alternative' | 'Assign', inQuotes: boolean) =>
    fc.tuple(name, fc.boolean(), inQuotes ? tie('quoted') : tie('parts')).map(
      ([variable, orEmpty, parts]): WordPart => ({
        kind: 'ParameterExpansion',
        ...AT,
        name: variable,
        braced: true,
        operation: { kind, orEmpty, word: word(parts, inQuotes) },
      }),
    );
  return {
    quoted: fc
      .array(
        fc.oneof(
          DEEP,
          fc.stringMatching(/^[a-z '*#;&|<>()\n-]{1,6}$/).map(literal),
          fc.constantFrom('$', '`', '"', '\\').map((text): WordPart => ({ kind: 'Escaped', ...AT, text })),
          parameter,
          operand('Default', true),
          arithmetic,
          substitution,
        ),
        { maxLength: 3 },
      )
      .map(separated),
    parts: fc
      .array(
        fc.oneof(
          DEEP,
          plain.map(literal),
          fc
            .constantFrom(' ', '$', 'a', '*', '}', "'", '"', '\\')
            .map((text): WordPart => ({ kind: 'Escaped', ...AT, text })),
          fc
            .tuple(fc.boolean(), fc.stringMatching(/^[a-z \n"$\\*]{0,5}$/))
            .map(([dollar, text]): WordPart => ({ kind: 'SingleQuoted', ...AT, dollar, text })),
          tie('quoted').map((parts): WordPart => ({ kind: 'DoubleQuoted', ...AT, parts })),
          parameter,
          operand('Default', false),
          operand('Alternative', false),
          operand('Assign', false),
          arithmetic,
          substitution,
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map(separated),
    word: tie('parts').map((parts) => word(parts)),
    redirections: fc.array(
      fc.oneof(
        fc
          .tuple(
            fc.option(fc.nat(9), { nil: undefined }),
            fc.constantFrom('<', '>', '>>', '>|', '<>', '<&', '>&'),
            tie('word'),
          )
          .map(
            ([descriptor, operator, target]): Redirection => ({
              kind: 'FileRedirection',
              ...AT,
              descriptor,
              operator: operator as '<',
              target,
            }),
          ),
        fc
          .tuple(fc.boolean(), fc.boolean(), fc.stringMatching(/^[a-z "'#;()\n]{0,12}$/))
          .map(([stripTabs, quoted, text]): Redirection => {
            const body = text === '' ? '' : `${text}\n`;
            return {
              kind: 'HereDocument',
              ...AT,
              descriptor: undefined,
              stripTabs,
              delimiter: quoted ? "'E F'" : 'EOF',
              quoted,
              body: word(body === '' ? [] : [literal(body)]),
            };
          }),
      ),
      { maxLength: 2 },
    ),
    simple: fc
      .tuple(
        fc.array(fc.tuple(name, tie('word')), { maxLength: 2 }),
        // a first word in quotes is no reserved word, name or assignment
        fc.option(
          fc.tuple(
            plain.filter((text) => !isReservedWord(text) && text !== 'time' && text !== 'select'),
            fc.array(tie('word'), { maxLength: 3 }),
          ),
          { nil: undefined },
        ),
        tie('redirections'),
      )
      .filter(
        ([assignments, words, redirections]) => assignments.length + redirections.length > 0 || words !== undefined,
      )
      .map(
        ([assignments, words, redirections]): Command => ({
          kind: 'SimpleCommand',
          ...AT,
          assignments: assignments.map(([variable, value]): Assignment => {
            return { kind: 'Assignment', ...AT, name: variable, value };
          }),
          words: words === undefined ? [] : [word([literal(words[0])]), ...words[1]],
          redirections,
        }),
      ),
    compound: fc
      .tuple(
        fc.oneof(
          DEEP,
          tie('list').map((body) => ({ kind: 'BraceGroup' as const, ...AT, body, redirections: [] })),
          tie('list').map((body) => ({ kind: 'Subshell' as const, ...AT, body, redirections: [] })),
          fc
            .tuple(
              fc.array(fc.tuple(tie('list'), tie('list')), { minLength: 1, maxLength: 2 }),
              fc.option(tie('list'), { nil: undefined }),
            )
            .map(([clauses, otherwise]) => ({
              kind: 'If' as const,
              ...AT,
              clauses: clauses.map(([condition, body]) => ({ condition, body })),
              otherwise,
              redirections: [],
            })),
          fc.tuple(fc.boolean(), tie('list'), tie('list')).map(([until, condition, body]) => {
            return { kind: 'While' as const, ...AT, until, condition, body, redirections: [] };
          }),
          fc
            .tuple(name, fc.option(fc.array(tie('word'), { maxLength: 2 }), { nil: undefined }), tie('list'))
            .map(([variable, words, body]) => ({
              kind: 'For' as const,
              ...AT,
              name: variable,
              words,
              body,
              redirections: [],
            })),
          fc
            .tuple(
              tie('word'),
              fc.array(
                fc.tuple(
                  fc.array(tie('word'), { minLength: 1, maxLength: 2 }),
                  fc.option(tie('list'), { nil: undefined }),
                  fc.boolean(),
                ),
                { maxLength: 2 },
              ),
            )
            .map(([subject, items]) => ({
              kind: 'Case' as const,
              ...AT,
              word: subject,
              items: items.map(([patterns, body, through]) => ({
                ...AT,
                patterns,
                body: body ?? { kind: 'List' as const, ...AT, items: [] },
                terminator: through ? (';&' as const) : (';;' as const),
              })),
              redirections: [],
            })),
        ),
        tie('redirections'),
      )
      .map(([node, redirections]) => redirected(node, redirections) as CompoundCommand),
    command: fc.oneof(
      DEEP,
      tie('simple'),
      tie('simple'),
      tie('compound'),
      fc.tuple(name, tie('compound')).map(([defined, body]): Command => {
        return { kind: 'FunctionDefinition', ...AT, name: defined, body };
      }),
    ),
    pipeline: fc
      .tuple(fc.boolean(), fc.array(tie('command'), { minLength: 1, maxLength: 2 }))
      .map(([negated, commands]): Pipeline | Command => {
        const [only] = commands;
        if (!negated && commands.length === 1 && only !== undefined) return only;
        return { kind: 'Pipeline', ...AT, negated, commands };
      }),
    statement: fc
      .tuple(tie('pipeline'), fc.array(fc.tuple(fc.constantFrom('&&', '||'), tie('pipeline')), { maxLength: 2 }))
      .map(([first, rest]): Statement => {
        if (rest.length === 0) return first;
        return { kind: 'AndOr', ...AT, first, rest: rest.map(([operator, statement]) => ({ operator, statement })) };
      }),
    list: fc.array(fc.tuple(tie('statement'), fc.boolean()), { minLength: 1, maxLength: 2 }).map((items): List => {
      return { kind: 'List', ...AT, items: items.map(([statement, background]) => ({ statement, background })) };
    }),
  };
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
      { numRuns: 150 },
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
