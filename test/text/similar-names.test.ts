/** One slip away, and no more. */
import { describe, expect, it } from 'vitest';
import { similarNames } from '../../src/text/similar-names.js';

describe('similarNames', () => {
  const names = ['cat', 'rm', 'rmdir', 'grep', 'egrep', 'tail', 'tar', 'head', 'ls', 'ln', 'df', 'du', 'ss', 'ps'];
  it.each<[string, string[]]>([
    ['rmm', ['rm']],
    ['gerp', ['grep']],
    ['grep', ['egrep']],
    ['tial', ['tail']],
    ['hed', ['head']],
    ['ca', ['cat']],
    ['cta', ['cat']],
    ['lss', ['ls', 'ss']],
    ['rmdri', ['rmdir']],
    ['xyzzy', []],
    ['', []],
    ['l', []],
    // three are enough
    ['ds', ['ls', 'df', 'du']],
  ])('of %j finds %j', (name, found) => {
    expect(similarNames(name, names)).toEqual(found);
  });
});
