import { describe, expect, it } from 'vitest';
import { formatProblem, LineIndex, lineOf, type ParseResult, parse, print, ScriptParser } from '../../grammar/index.js';

/** What `next` says, until it is no command. */
function results(text: string): ParseResult[] {
  const script = new ScriptParser(text);
  const found: ParseResult[] = [];
  for (;;) {
    const result = script.next();
    found.push(result);
    if (result.kind !== 'command') return found;
  }
}

describe('a script', () => {
  it('is read one complete command at a time', () => {
    const text = 'a\n\nb <<E; c\nx\nE\nif d\nthen e\nfi # f\ng';
    const found = results(text).map((r) => (r.kind === 'command' ? text.slice(r.command.start, r.end) : r.kind));
    expect(found).toEqual(['a\n', 'b <<E; c\nx\nE\n', 'if d\nthen e\nfi # f\n', 'g', 'end']);
  });

  it('runs up to the line with the error', () => {
    for (const bad of ['fi', "echo 'x", '[[ a b ]]', 'a $(', 'a ${', 'a `', '((', 'a; ;', 'a <<E | ;']) {
      const found = results(`${'echo ok\n'.repeat(89)}${bad}\n`);
      expect(found.map((r) => r.kind).slice(0, 89)).toEqual(Array.from({ length: 89 }, () => 'command'));
      expect(found).toHaveLength(90);
      expect(['error', 'incomplete']).toContain(found[89]?.kind);
    }
  });

  it('runs nothing of the line with the error', () => {
    expect(results("a; b; echo 'x").map((r) => r.kind)).toEqual(['incomplete']);
    expect(results('a; b; fi\nc').map((r) => r.kind)).toEqual(['error']);
  });

  it('stays at its end and at its error', () => {
    for (const text of ['', 'fi', "'"]) {
      const script = new ScriptParser(text);
      expect(script.next()).toEqual(script.next());
    }
  });

  it('does not look at what follows the command', () => {
    const script = new ScriptParser(`exit 0\n${'\x00\xff(((('.repeat(10)}`);
    const first = script.next();
    expect(first.kind === 'command' && print(first.command)).toBe('exit 0\n');
  });
});

describe('incomplete input', () => {
  it.each([
    "echo 'a",
    'echo "a',
    "echo $'a",
    'echo `a',
    'echo $(a',
    'echo $(a "',
    'echo "$(a',
    'echo ${x',
    'echo ${',
    'echo ${x-',
    'echo "${x-a',
    'echo $((1',
    'echo $((1)',
    'echo "$((1',
    'if',
    'if a',
    'if a; then',
    'if a; then b',
    'if a; then b; else',
    'while a; do b',
    'for',
    'for i',
    'for i in a b',
    'for i in a; do',
    'case',
    'case a',
    'case a in',
    'case a in b',
    'case a in b)',
    'case a in b) c;;',
    '{ a',
    '{ a\n',
    '(a',
    '(a;',
    'f()',
    'f(',
    'f() {',
    'a &&',
    'a ||\n',
    'a |\n\n',
    '!',
    'if a; then $(',
    '{ cat <<E\nx',
  ])('%j', (text) => {
    expect(results(text).at(-1)?.kind).toBe('incomplete');
    expect(parse(text).incomplete).toBe(true);
  });

  it.each([
    'a | ;',
    'fi',
    ')',
    'a >',
    'a <\n',
    'echo $(fi',
    'echo ${x!}',
    '{ }',
    'if a; fi',
    'echo `if`',
    '[[ a b ]]',
    '[[ ]]',
    'a;;',
  ])('not %j', (text) => {
    const last = results(`${text}`).at(-1);
    expect(last?.kind).toBe(text === 'a >' ? 'incomplete' : 'error');
  });

  it('is told where a script would run', () => {
    const flags = (text: string): unknown => {
      const [first] = results(text);
      return first?.kind === 'command' && [first.hereDocumentUnterminated, first.endsInBackslash];
    };
    expect(flags('a\n')).toEqual([false, false]);
    expect(flags('a <<E\nx\n')).toEqual([true, false]);
    expect(flags('a <<E\nx\nE')).toEqual([false, false]);
    expect(flags('a <<E')).toEqual([true, false]);
    expect(flags('$(a <<E\nx\n)')).toBe(false);
    expect(flags('a \\\n')).toEqual([false, true]);
    expect(flags('a\\')).toEqual([false, true]);
    expect(flags('a\\\n')).toEqual([false, true]);
    expect(flags("a '\\\n'")).toEqual([false, false]);
    expect(parse('a <<E\nx').incomplete).toBe(true);
    expect(parse('a \\\n').incomplete).toBe(true);
  });
});

describe('messages', () => {
  it.each([
    ['a\nb\nc\nfi\n', "line 4: syntax error near unexpected token 'fi'\nfi\n^\n"],
    ['a; fi', "line 1: syntax error near unexpected token 'fi'\na; fi\n   ^\n"],
    ['\ta | | b', "line 1: syntax error near unexpected token '|'\n\ta | | b\n\t    ^\n"],
    ['if a; then\nb\n', "line 3: syntax error: unexpected end of file (expecting 'fi' for the 'if' on line 1)\n"],
    ['{ a', "line 1: syntax error: unexpected end of file (expecting '}' for the '{' on line 1)\n{ a\n   ^\n"],
    ['a\n(b', "line 2: syntax error: unexpected end of file (expecting ')' for the '(' on line 2)\n(b\n  ^\n"],
    ['for i in a; do', "line 1: syntax error: unexpected end of file (expecting 'done' for the 'for' on line 1)"],
    ['case a in', "line 1: syntax error: unexpected end of file (expecting 'esac' for the 'case' on line 1)"],
    ['a "b\n\n', "line 3: syntax error: unexpected end of file (expecting '\"' for the '\"' on line 1)\n"],
    ["a\n'b", "line 2: syntax error: unexpected end of file (expecting ''' for the ''' on line 2)\n'b\n  ^\n"],
    ['a $(b', "line 1: syntax error: unexpected end of file (expecting ')' for the '$(' on line 1)"],
    ['a ${b', "line 1: syntax error: unexpected end of file (expecting '}' for the '${' on line 1)"],
    ['a &&', 'line 1: syntax error: unexpected end of file\na &&\n    ^\n'],
    ['a >\nb', "line 1: syntax error near unexpected token 'newline'\na >\n   ^\n"],
    ['a $(b; fi)', "line 1: syntax error near unexpected token 'fi'\na $(b; fi)\n       ^\n"],
    ['a $(if)', "line 1: syntax error near unexpected token ')'\na $(if)\n      ^\n"],
    ['a `\nfi`', "line 1: syntax error near unexpected token 'fi'\na `\n  ^\n"],
    ['a\n[[ b c ]]', "line 2: syntax error near unexpected token 'c'\n[[ b c ]]\n     ^\n"],
    ['a ${x y}', 'line 1: ${x y}: bad substitution\na ${x y}\n  ^\n'],
  ])('%j', (text, expected) => {
    const { problem } = parse(text);
    if (problem === undefined) throw new Error('accepted');
    const message = formatProblem('script.sh', text, problem);
    expect(message.slice(0, `script.sh: ${expected}`.length)).toBe(`script.sh: ${expected}`);
  });

  it('show a part of a long line and no control characters', () => {
    const text = `echo \x1b[31m ${'x'.repeat(100_000)} | | b`;
    const { problem } = parse(text);
    if (problem === undefined) throw new Error('accepted');
    const message = formatProblem('s', text, problem);
    expect(message.length).toBeLessThan(500);
    expect(message.split('\n')[1]?.indexOf('| |')).toBe((message.split('\n')[2]?.indexOf('^') ?? 0) - 2);
    expect(formatProblem('s', '\x1b[2J; ;', { message: 'm', offset: 6, kind: 'syntax' })).not.toContain('\x1b');
  });

  it('count lines', () => {
    const text = 'a\nbc\n\nd';
    const index = new LineIndex(text);
    const lines = Array.from({ length: text.length + 1 }, (_, offset) => index.lineOf(offset));
    expect(lines).toEqual([1, 1, 2, 2, 2, 3, 4, 4]);
    expect(lines).toEqual(Array.from({ length: text.length + 1 }, (_, offset) => lineOf(text, offset)));
    expect([0, 1, 2, 4, 5, 7].map((offset) => index.columnOf(offset))).toEqual([1, 2, 1, 3, 1, 2]);
  });
});
