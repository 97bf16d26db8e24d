/** Arbitrary syntax trees, as they would be read from a text. */
import fc from 'fast-check';
import type {
  ArithmeticText,
  ArrayElement,
  Assignment,
  Command,
  CompoundCommand,
  ConditionalExpression,
  List,
  ParameterExpansion,
  ParameterOperation,
  Pipeline,
  Redirection,
  Statement,
  Word,
  WordPart,
} from '../../grammar/index.js';
import { isReservedWord } from '../../grammar/index.js';

/** All choices together count how deep a tree is; at the limit the first one is taken. */
const DEEP = { depthIdentifier: 'tree', maxDepth: 4, depthSize: 'small' } as const;

export const AT = { start: 0, end: 0 };
const name = fc.constantFrom('x', 'y_1', 'Z');
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

function plainParameter(variable: string): WordPart {
  const node = { kind: 'ParameterExpansion' as const, ...AT, name: variable, braced: false };
  return { ...node, subscript: undefined, indirect: false, operation: undefined };
}

function subscriptOf(text: string | undefined): Word | undefined {
  if (text === undefined) return undefined;
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  return word([quoted === undefined ? literal(text) : { kind: 'DoubleQuoted', ...AT, parts: [literal(quoted)] }]);
}

/** Words before which an assignment that is an argument stands. */
function declaredAt(assignments: readonly Assignment[]): { index: number; assignment: Assignment }[] {
  return assignments.map((assignment, index) => ({ index: index + 1, assignment }));
}

export const trees = fc.letrec<{
  quoted: WordPart[];
  parts: WordPart[];
  word: Word;
  redirections: Redirection[];
  simple: Command;
  declaration: Command;
  compound: CompoundCommand;
  command: Command;
  pipeline: Pipeline | Command;
  statement: Statement;
  list: List;
}>((tie) => {
  const redirected = <T extends object>(node: T, redirections: readonly Redirection[]): T =>
    ({ ...node, redirections }) as T;
  const subscript = fc.oneof(
    fc.constantFrom('@' as const, '*' as const),
    fc.constantFrom('0', 'i + 1', 'a b').map((text) => word([literal(text)])),
    name.map((variable) => word([plainParameter(variable)])),
  );
  const expanded = (
    variable: string,
    operation: ParameterOperation | undefined,
    more: Partial<ParameterExpansion> = {},
  ): WordPart => {
    const node = { kind: 'ParameterExpansion' as const, ...AT, name: variable, braced: true };
    return { ...node, subscript: undefined, indirect: false, operation, ...more };
  };
  const arithmeticWord = fc.constantFrom('1', ' -1', '(a?b:c)', 'x+1').map((text) => word([literal(text)]));
  /** No slash, which would end it, and none of what would be an anchor. */
  const pattern = fc.constantFrom('a', '*.b', '[c]', 'd e').map((text): Word => {
    const known = !/[*?[]/.test(text);
    return word([literal(text)], known);
  });
  const bashParameter = fc.oneof(
    DEEP,
    fc.tuple(name, subscript, fc.boolean()).map(([variable, index, length]): WordPart => {
      return expanded(variable, length ? { kind: 'Length' } : undefined, { subscript: index });
    }),
    name.map((variable) => expanded(variable, undefined, { indirect: true })),
    fc.tuple(name, fc.boolean()).map(([variable, separate]) => expanded(variable, { kind: 'Names', separate })),
    fc.tuple(name, fc.constantFrom('@' as const, '*' as const)).map(([variable, all]) => {
      return expanded(variable, { kind: 'Keys' }, { subscript: all });
    }),
    fc.tuple(name, arithmeticWord, fc.option(arithmeticWord, { nil: undefined })).map(([variable, offset, length]) => {
      return expanded(variable, { kind: 'Substring', offset, length });
    }),
    fc
      .tuple(name, fc.constantFrom('all', 'start', 'end', undefined), pattern, fc.option(pattern, { nil: undefined }))
      .map(([variable, where, from, replacement]) => {
        const anchor = where === 'all' ? undefined : where;
        return expanded(variable, { kind: 'Replace', all: where === 'all', anchor, pattern: from, replacement });
      }),
    fc
      .tuple(
        name,
        fc.constantFrom('upper' as const, 'lower' as const, 'toggle' as const),
        fc.boolean(),
        fc.option(pattern, { nil: undefined }),
      )
      .map(([variable, to, all, of]) => expanded(variable, { kind: 'Case', to, all, pattern: of })),
    fc
      .tuple(name, fc.constantFrom('Q' as const, 'E' as const, 'a' as const, 'U' as const))
      .map(([variable, operator]) => {
        return expanded(variable, { kind: 'Transform', operator });
      }),
  );
  const parameter = fc.oneof(
    DEEP,
    fc.tuple(name, fc.boolean()).map(([variable, braced]): WordPart => {
      return {
        kind: 'ParameterExpansion',
        ...AT,
        name: variable,
        braced,
        subscript: undefined,
        indirect: false,
        operation: undefined,
      };
    }),
    name.map((variable): WordPart => {
      return {
        kind: 'ParameterExpansion',
        ...AT,
        name: variable,
        braced: true,
        subscript: undefined,
        indirect: false,
        operation: { kind: 'Length' },
      };
    }),
    fc.tuple(name, fc.constantFrom('start', 'end'), fc.boolean(), tie('parts')).map(
      ([variable, from, longest, parts]): WordPart => ({
        kind: 'ParameterExpansion',
        ...AT,
        name: variable,
        braced: true,
        subscript: undefined,
        indirect: false,
        operation: { kind: 'Strip', from, longest, pattern: word(parts) },
      }),
    ),
  );
  const substitution = tie('list').map((body): WordPart => {
    return { kind: 'CommandSubstitution', ...AT, backquoted: false, text: undefined, body };
  });
  const process = fc
    .tuple(fc.constantFrom('<' as const, '>' as const), tie('list'))
    .map(([direction, body]): WordPart => {
      return { kind: 'ProcessSubstitution', ...AT, direction, body };
    });
  const sequence = fc
    .tuple(fc.boolean(), fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 3 }))
    .map(([letters, first, last, size]): WordPart => {
      const from = letters ? first + 97 : first - 10;
      const to = letters ? last + 97 : last - 10;
      return { kind: 'BraceSequence', ...AT, letters, from, to, step: from > to ? -size : size, width: 0 };
    });
  const braceItem = fc.constantFrom<WordPart[]>([], [literal('a')], [literal('b'), plainParameter('x')]);
  const braces = fc.oneof(
    sequence,
    fc
      .array(
        fc.oneof(
          braceItem,
          sequence.map((part) => [part]),
        ),
        { minLength: 2, maxLength: 3 },
      )
      .map((items): WordPart => ({ kind: 'BraceList', ...AT, items })),
  );
  const braced = fc.tuple(plain, braces, tie('parts')).map(([before, part, after]): Word => {
    return word(separated([literal(before), part, ...after]));
  });
  const arithmeticText = fc.nat(99).map((value): ArithmeticText => {
    return { ...AT, parts: [literal(String(value))], expression: { kind: 'Number', value } };
  });
  const optionalText = fc.option(arithmeticText, { nil: undefined });
  const assignment = fc
    .tuple(
      name,
      fc.option(fc.constantFrom('0', 'i+1', '"k"'), { nil: undefined }),
      fc.boolean(),
      fc.oneof(DEEP, tie('word'), fc.array(fc.tuple(fc.boolean(), tie('word')), { maxLength: 2 })),
    )
    .map(([variable, index, append, value]): Assignment => {
      const node = { kind: 'Assignment' as const, ...AT, name: variable, subscript: subscriptOf(index), append };
      if (!Array.isArray(value)) return { ...node, value };
      const elements = value.map(([keyed, element]): ArrayElement => {
        return { subscript: keyed ? subscriptOf('k') : undefined, append: keyed && append, value: element };
      });
      return { ...node, subscript: undefined, value: { kind: 'ArrayLiteral', ...AT, elements } };
    });
  const condition: fc.Arbitrary<ConditionalExpression> = fc.oneof(
    fc.record({
      kind: fc.constant('UnaryTest' as const),
      operator: fc.constantFrom('-f', '-z', '-v'),
      operand: tie('word'),
    }),
    tie('quoted').map((parts): ConditionalExpression => {
      return { kind: 'UnaryTest', operator: undefined, operand: word([{ kind: 'DoubleQuoted', ...AT, parts }]) };
    }),
    fc.record({
      kind: fc.constant('BinaryTest' as const),
      operator: fc.constantFrom('==', '!=', '<', '-eq', '-nt'),
      left: name.map((variable) => word([plainParameter(variable)])),
      right: tie('word'),
    }),
    fc.constantFrom('^(a|b c)+$', '[a-z]{2}', '(x)').map((text): ConditionalExpression => {
      const left = word([plainParameter('x')]);
      return { kind: 'BinaryTest', operator: '=~', left, right: word([literal(text)], false) };
    }),
    fc.constantFrom('[a-c]*', '*.?').map((text): ConditionalExpression => {
      const left = word([plainParameter('x')]);
      return { kind: 'BinaryTest', operator: '==', left, right: word([literal(text)], false) };
    }),
  );
  const conditions: fc.Arbitrary<ConditionalExpression> = fc
    .tuple(condition, condition, fc.constantFrom('And', 'Or', 'Not', 'Group', 'plain'))
    .map(([left, right, kind]): ConditionalExpression => {
      if (kind === 'And' || kind === 'Or') return { kind, left, right };
      return kind === 'Not' || kind === 'Group' ? { kind, operand: left } : left;
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
        subscript: undefined,
        indirect: false,
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
          bashParameter,
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
          bashParameter,
          arithmetic,
          process,
          substitution,
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map(separated),
    word: tie('parts').map((parts) => word(parts)),
    redirections: fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(undefined, 3, { variable: 'x' }), tie('word'))
          .map(([descriptor, text]): Redirection => ({ kind: 'HereString', ...AT, descriptor, word: text })),
        fc.tuple(fc.constantFrom('&>' as const, '&>>' as const), tie('word')).map(([operator, target]): Redirection => {
          return { kind: 'FileRedirection', ...AT, descriptor: undefined, operator, target };
        }),
        fc
          .tuple(
            fc.oneof(fc.option(fc.nat(9), { nil: undefined }), fc.constant({ variable: 'fd' })),
            fc.constantFrom('<', '>', '>>', '>|', '<>', '<&', '>&'),
            tie('word'),
          )
          .map(
            ([descriptor, operator, target]): Redirection => ({
              kind: 'FileRedirection',
              ...AT,
              descriptor,
              // without a descriptor it is `&>`, but for numbers
              operator: operator === '>&' && descriptor === undefined ? '&>' : (operator as '<'),
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
        fc.array(assignment, { maxLength: 2 }),
        // a first word in quotes is no reserved word, name or assignment
        fc.option(
          fc.tuple(
            // `time -p` is more than `time`
            plain.filter((text) => !isReservedWord(text) && text !== '-p' && text !== '--'),
            fc.array(fc.oneof(tie('word'), tie('word'), tie('word'), braced), { maxLength: 3 }),
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
          assignments,
          words: words === undefined ? [] : [word([literal(words[0])]), ...words[1]],
          declared: [],
          redirections,
        }),
      ),
    declaration: fc
      .tuple(fc.constantFrom('export', 'local', 'declare'), fc.array(assignment, { maxLength: 2 }), tie('redirections'))
      .map(([command, assignments, redirections]): Command => {
        const words = [command, ...assignments.map(() => '-x')].map((text) => word([literal(text)]));
        const declared = declaredAt(assignments);
        return { kind: 'SimpleCommand', ...AT, assignments: [], words, declared, redirections };
      }),
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
          fc.tuple(optionalText, optionalText, optionalText, tie('list')).map(([first, test, next, body]) => {
            return { kind: 'ArithmeticFor' as const, ...AT, first, test, next, body, redirections: [] };
          }),
          arithmeticText.map((text) => ({ kind: 'ArithmeticCommand' as const, ...AT, text, redirections: [] })),
          conditions.map((expression) => ({ kind: 'Conditional' as const, ...AT, expression, redirections: [] })),
          fc
            .tuple(
              fc.constantFrom('For' as const, 'Select' as const),
              name,
              fc.option(fc.array(fc.oneof(tie('word'), braced), { maxLength: 2 }), { nil: undefined }),
              tie('list'),
            )
            .map(([kind, variable, words, body]) => ({
              kind,
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
                  fc.constantFrom(';;' as const, ';&' as const, ';;&' as const),
                ),
                { maxLength: 2 },
              ),
            )
            .map(([subject, items]) => ({
              kind: 'Case' as const,
              ...AT,
              word: subject,
              items: items.map(([patterns, body, terminator]) => ({
                ...AT,
                patterns,
                body: body ?? { kind: 'List' as const, ...AT, items: [] },
                terminator,
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
      tie('declaration'),
      tie('compound'),
      fc.tuple(fc.boolean(), name, tie('compound')).map(([keyword, defined, body]): Command => {
        return { kind: 'FunctionDefinition', ...AT, keyword, name: defined, body };
      }),
    ),
    pipeline: fc
      .tuple(
        fc.boolean(),
        fc.constantFrom('no' as const, 'no' as const, 'yes' as const, 'posix' as const),
        fc.array(tie('command'), { minLength: 1, maxLength: 2 }),
        fc.boolean(),
      )
      .map(([negated, timed, commands, both]): Pipeline | Command => {
        const [only] = commands;
        if (!negated && timed === 'no' && commands.length === 1 && only !== undefined) return only;
        return { kind: 'Pipeline', ...AT, negated, timed, commands, both: commands.slice(1).map(() => both) };
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
