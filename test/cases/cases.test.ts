/** Runs every `*.cases` file of this folder, and checks that the reader of them can fail. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCases } from '../support/casefile.js';
import { cases, shellsOf } from '../support/cases.js';

const folder = new URL('.', import.meta.url);

for (const name of readdirSync(folder).sort()) {
  if (name.endsWith('.cases')) cases(name, parseCases(readFileSync(new URL(name, folder), 'utf8'), name));
}

describe('the reader of case files', () => {
  it('reads every section', () => {
    const text = [
      '# a comment',
      '',
      '==== 2.3',
      '',
      '=== a promise',
      'echo a',
      '\\--- b',
      '--- file "a b"',
      'one',
      '--- file l {"symlink": "a b"}',
      '--- stdin "x"',
      '--- shells bash',
      '--- differs because',
      '--- own-words',
      '--- status 3',
      '--- stderr "oops"',
      '--- stdout',
      'a',
      '',
      '',
      '==== XCU read',
      '=== another',
      ':',
    ].join('\n');
    expect(parseCases(text, 'x')).toEqual({
      'a promise': {
        script: 'echo a\n--- b\n',
        files: { 'a b': 'one\n', l: { symlink: 'a b' } },
        stdin: 'x',
        shells: ['bash'],
        differs: 'because',
        ownWords: true,
        status: 3,
        stderr: 'oops',
        stdout: 'a\n\n',
        about: '2.3',
      },
      another: { script: ':\n', about: 'XCU read' },
    });
  });

  it.each([
    ['echo', 'x:1: expected a comment, or a title: === PROMISE'],
    ['==== 9.9', "x:1: no section '9.9'"],
    ['=== a\n--- stdou', "x:2: unknown section 'stdou'"],
    ['=== a\n--- status none', 'x:2: expected a number'],
    ['=== a\n--- shells zsh', 'x:2: expected some of'],
    ['=== a\n--- stdout {', 'x:2: not JSON: {'],
    ['=== a\n:\n=== a\n:', "x:3: a second case named 'a'"],
  ])('refuses %j', (text, message) => {
    expect(() => parseCases(text, 'x')).toThrow(message);
  });

  it('does not let a row leave out a shell without a reason', () => {
    expect(() => shellsOf({ script: ':', shells: ['dash'] })).toThrow('has to say why');
    expect(shellsOf({ script: ':', differs: 'on purpose' })).toEqual([]);
    expect(shellsOf({ script: ':' })).toEqual(['bash', 'dash']);
  });
});
