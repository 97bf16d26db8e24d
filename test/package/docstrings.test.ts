/** Whoever imports the package is told what each export is, and each member of what it exports: in the declarations that are shipped. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkBuild } from '../support/cli.js';
import { exportsOf, undocumented } from '../support/declarations.js';
import { withTree } from '../support/tree.js';

checkBuild();
const types = fileURLToPath(new URL('../../dist/types/', import.meta.url));

describe('what is public', () => {
  it.each([
    ['rmsh', 'src/index', 'createShell', 30],
    ['rmsh/grammar', 'grammar/index', 'parse', 60],
    ['rmsh/memory', 'src/memory', 'memoryFs', 5],
    ['rmsh/fuzz', 'src/fuzz/index', 'tryProperty', 30],
  ])('of %s has docstrings', (_, entry, one, least) => {
    const all = exportsOf(`${types}${entry}.d.ts`);
    expect([...all.keys()]).toContain(one);
    expect(all.size).toBeGreaterThanOrEqual(least);
    expect([...all].flatMap(([name, declared]) => undocumented(name, declared))).toEqual([]);
  });
});

describe('the reader of declarations', () => {
  it('finds what has no docstring, wherever it is declared', () =>
    withTree(
      {
        'index.d.ts': [
          "export { type A, b as c } from './other.js';",
          "export * from './more.js';",
          '/** Told. */',
          'export declare function d(): void;',
          'export declare const e: number;',
          '',
        ].join('\n'),
        'other.d.ts': [
          'export interface A {',
          '    /** Told. */',
          '    readonly told: string;',
          '    readonly untold: {',
          '        readonly inner: string;',
          '    };',
          '    method(): void;',
          '}',
          '/** Told. */',
          'export declare const b = 1;',
          '',
        ].join('\n'),
        'more.d.ts': ['/** Told. */', 'export type F = {', '    readonly g: string;', '};', ''].join('\n'),
      },
      (directory) => {
        const all = exportsOf(join(directory, 'index.d.ts'));
        expect([...all.keys()].sort()).toEqual(['A', 'F', 'c', 'd', 'e']);
        expect([...all].flatMap(([name, declared]) => undocumented(name, declared)).sort()).toEqual([
          'A',
          'A.method',
          'A.untold',
          'F.g',
          'e',
        ]);
      },
    ));
});
