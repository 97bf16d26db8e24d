/** The parts of the line editor that need no terminal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBuffer } from '../../src/cli/line-editor/buffer.js';
import { choicesBelow, commonStart } from '../../src/cli/line-editor/choices.js';
import { History } from '../../src/cli/line-editor/history.js';
import { bindingOf } from '../../src/cli/line-editor/keys.js';
import { draw } from '../../src/cli/line-editor/screen.js';
import { complete, type Knowledge } from '../../src/cli/repl/completion.js';
import { highlight } from '../../src/cli/repl/highlight.js';
import { piecesOf } from '../../src/cli/repl/pieces.js';

/** The text with the cursor in it. */
const shown = (buffer: LineBuffer): string =>
  `${buffer.text.slice(0, buffer.cursor)}|${buffer.text.slice(buffer.cursor)}`;

/** `text` with a `|` where the cursor is, after some methods of the buffer. */
function after(text: string, ...methods: (keyof LineBuffer)[]): string {
  const buffer = new LineBuffer();
  buffer.replace(text.replace('|', ''), text.indexOf('|'));
  for (const method of methods) (buffer[method] as () => unknown).call(buffer);
  return shown(buffer);
}

describe('the buffer', () => {
  it.each<[string, (keyof LineBuffer)[], string]>([
    ['abc|', ['left', 'left'], 'a|bc'],
    ['|e\u0301x', ['right'], 'e\u0301|x'],
    ['a👍|', ['left'], 'a|👍'],
    ['a👍|', ['deleteLeft'], 'a|'],
    ['one two-three|', ['wordLeft'], 'one two-|three'],
    ['one| two', ['wordRight'], 'one two|'],
    ['one two-three|', ['killWordLeft'], 'one |'],
    ['one two-three|', ['killPartLeft'], 'one two-|'],
    ['a b|c d', ['killToEnd'], 'a b|'],
    ['a b|c d', ['killToStart'], '|c d'],
    ['a b c|', ['killWordLeft', 'killWordLeft', 'yank'], 'a b c|'],
    ['ab|', ['transpose'], 'ba|'],
    ['a|b', ['transpose'], 'ba|'],
    ['|ab', ['transpose'], '|ab'],
    ['one\ntw|o', ['up'], 'on|e\ntwo'],
    ['one\n|\nthree', ['down'], 'one\n\n|three'],
    ['a\nlonger|', ['up'], 'a|\nlonger'],
    ['one\ntwo|', ['home', 'killToEnd', 'undo'], 'one\n|two'],
    ['a\n|b', ['deleteLeft'], 'a|b'],
  ])('%j after %j is %j', (text, methods, expected) => {
    expect(after(text, ...methods)).toBe(expected);
  });

  it('undoes typing a word at a time, and yanks what was killed before', () => {
    const buffer = new LineBuffer();
    for (const character of 'ab cd') buffer.insert(character);
    buffer.undo();
    expect(shown(buffer)).toBe('ab|');
    buffer.undo();
    expect(shown(buffer)).toBe('|');
    expect(buffer.undo()).toBe(false);
    buffer.replace('x y');
    buffer.killWordLeft();
    buffer.left();
    buffer.killToStart();
    buffer.toEnd();
    buffer.killToStart();
    buffer.yank();
    buffer.yankPop();
    expect(buffer.text).toBe('x');
    buffer.yankPop();
    expect(buffer.text).toBe('y');
  });

  it('keeps its cursor between characters, whatever is done', () => {
    const names = [
      'left',
      'right',
      'wordLeft',
      'wordRight',
      'up',
      'down',
      'home',
      'end',
      'deleteLeft',
      'deleteRight',
      'transpose',
      'killToEnd',
      'killToStart',
      'killWordLeft',
      'killPartRight',
      'yank',
      'yankPop',
      'undo',
    ] as const;
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...names), fc.constantFrom(' a', '👍', 'é', '\n'))), (steps) => {
        const buffer = new LineBuffer();
        for (const step of steps) {
          if (names.includes(step as never)) (buffer[step as keyof LineBuffer] as () => unknown).call(buffer);
          else buffer.insert(step);
          expect(buffer.cursor).toBeGreaterThanOrEqual(0);
          expect(buffer.cursor).toBeLessThanOrEqual(buffer.text.length);
          expect(buffer.text.isWellFormed()).toBe(true);
          expect(buffer.text.slice(0, buffer.cursor).isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('the history', () => {
  const file = (text: string) => {
    const kept = { text };
    return {
      kept,
      read: () => kept.text,
      append: (line: string) => void (kept.text += line),
      rewrite: (all: string) => void (kept.text = all),
    };
  };

  it('keeps entries with their lines, without blanks and repetitions, and no more than asked for', () => {
    const one = file('"a"\nnot json\n"b\\nc"\n');
    const history = new History(one, 10);
    for (const entry of ['x', 'x', ' secret', '', 'y\nz']) history.add(entry, 3);
    expect(history.entries).toEqual(['b\nc', 'x', 'y\nz']);
    expect(one.kept.text).toBe('"a"\nnot json\n"b\\nc"\n"x"\n"y\\nz"\n');
    expect(new History(one, 2).entries).toEqual(['x', 'y\nz']);
    expect(one.kept.text).toBe('"x"\n"y\\nz"\n');
  });

  it('goes back and forth among what begins as the line does', () => {
    const history = new History(undefined, 10);
    for (const entry of ['ls a', 'cat b', 'ls c']) history.add(entry, 10);
    expect([history.previous('ls'), history.previous('ls c'), history.previous('ls a')]).toEqual([
      'ls c',
      'ls a',
      undefined,
    ]);
    expect([history.next('ls a'), history.next('ls c'), history.next('ls')]).toEqual(['ls c', 'ls', undefined]);
    expect(history.suggestion('ca')).toBe('cat b');
    expect(history.search('a', 2)).toEqual({ entry: 'cat b', at: 1 });
  });
});

describe('the keys', () => {
  it.each([
    [{ name: 'c', ctrl: true }, 'interrupt'],
    [{ name: 'return' }, 'accept'],
    [{ name: 'return', meta: true }, 'newline'],
    [{ sequence: '\u001b<', meta: true }, 'first'],
    [{ name: 'x' }, undefined],
  ])('%j', (key, action) => expect(bindingOf(key)).toBe(action));
});

describe('the drawing', () => {
  const view = { prompt: '$ ', continuation: '> ', suggestion: '', below: [], cursor: 0 };
  const span = (text: string) => [{ text, style: '' }];

  it('puts the cursor where it belongs: in the line, in the next, behind a full row, in a wide character', () => {
    const at = (text: string, cursor: number, columns = 10) =>
      draw({ ...view, spans: span(text), cursor }, 0, columns, 24, false);
    expect(at('abc', 1)).toMatchObject({ output: '\r\u001b[J$ abc\r\u001b[3C', row: 0 });
    expect(at('a\nb', 3)).toMatchObject({ output: '\r\u001b[J$ a\r\n> b\r\u001b[3C', row: 1 });
    expect(at('abcdefgh', 8)).toMatchObject({ output: '\r\u001b[J$ abcdefgh\r\n\r', row: 1 });
    expect(at('abcdefg日', 8).output).toBe('\r\u001b[J$ abcdefg\r\n日\r\u001b[2C');
  });

  it('shows control characters, and leaves out at the top what is too much', () => {
    expect(draw({ ...view, spans: span('a\u001bb'), cursor: 3 }, 0, 80, 24, false).output).toBe(
      '\r\u001b[J$ a^[b\r\u001b[6C',
    );
    const long = draw({ ...view, spans: span('x\n'.repeat(50)), cursor: 100 }, 7, 80, 5, false);
    expect(long.output.split('\r\n').length).toBe(5);
    expect(long.row).toBe(4);
    expect(long.output.startsWith('\u001b[7A\r\u001b[J')).toBe(true);
  });
});

describe('the pieces of a line', () => {
  const kinds = (text: string): string =>
    piecesOf(text)
      .pieces.map(({ kind, start, end }) => `${kind}:${text.slice(start, end)}`)
      .join(' ');

  it.each([
    ['echo "a $x" >f', 'command:echo string:"a  expansion:$x string:" operator:> target:f'],
    ['if a; then b; fi', 'keyword:if command:a operator:; keyword:then command:b operator:; keyword:fi'],
    [
      'for i in 1; do x=$i y; done',
      'keyword:for argument:i keyword:in argument:1 operator:; keyword:do assignment:x= expansion:$i command:y operator:; keyword:done',
    ],
    [
      'case a in b|c) d;; esac',
      'keyword:case argument:a keyword:in argument:b operator:| argument:c operator:) command:d operator:;; keyword:esac',
    ],
    ['a $(b c) | d # e', 'command:a expansion:$( command:b argument:c expansion:) operator:| command:d comment:# e'],
    ["echo 'open", "command:echo string:'open"],
  ])('%s', (text, expected) => expect(kinds(text)).toBe(expected));

  it('cover any text once', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab $(){}\'"`\\;|&<>#\n=in'), maxLength: 60 }), (text) => {
        expect(
          highlight(text, () => 'known')
            .map((span) => span.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('completion', () => {
  const known: Knowledge = {
    commands: () => [
      ['echo', 'print words'],
      ['edit', undefined],
      ['cat', 'print files'],
    ],
    topics: () => [['limits', 'the limits'] as const],
    variables: () => ['HOME', 'HOST'],
    options: (name) =>
      name === 'cat'
        ? [
            ['-n', 'number lines'],
            ['--number', 'number lines'],
            ['--width=', 'of lines'],
          ]
        : [],
    directory: (path) =>
      path === '.' || path === '/h' || path === './d/'
        ? [
            { name: 'file', directory: false },
            { name: 'a b', directory: false },
            { name: 'dir', directory: true },
            { name: '.hidden', directory: false },
            { name: "it's", directory: false },
          ]
        : [],
    home: () => '/h',
  };
  const of = (text: string): string[] => {
    const { start, end, choices } = complete(text, text.length, known);
    return choices.map((choice) => `${text.slice(0, start)}${choice.text}${choice.suffix}${text.slice(end)}`);
  };

  it.each([
    ['e', ['echo ', 'edit ', 'elif ', 'else ', 'esac ']],
    ['x=1 c', ['x=1 case ', 'x=1 cat ']],
    ['cat fi', ['cat file ']],
    ['cat <fi', ['cat <file ']],
    ['cat a', ["cat 'a b' "]],
    ["cat 'a", ["cat 'a b' "]],
    ['cat a\\ ', ["cat 'a b' "]],
    ['cat i', ["cat 'it'\\''s' "]],
    ['cat .h', ['cat .hidden ']],
    ['cd ', ['cd dir/']],
    ['cat --nu', ['cat --number ']],
    ['cat --w', ['cat --width=']],
    ['echo $HO', ['echo $HOME', 'echo $HOST']],
    ['echo "${HOM', ['echo "${HOME}']],
    ['a | c', ['a | case ', 'a | cat ']],
    ['type ca', ['type cat ']],
    ["echo '$HO", []],
    ['cat f*', []],
  ])('%s', (text, expected) => expect(of(text)).toEqual(expected));

  it('shows what all choices begin with, and lists them in the width there is', () => {
    const choices = ['alpha', 'alps', 'al'].map((text) => ({ text, suffix: ' ', label: text }));
    expect(commonStart(choices)).toBe('al');
    expect(choicesBelow(choices, 16, 10)).toEqual(['alpha  al', 'alps']);
    expect(
      choicesBelow(
        choices.map((choice) => ({ ...choice, description: 'd' })),
        80,
        2,
      ),
    ).toEqual(['alpha  d', '... and 2 lines more']);
  });
});
