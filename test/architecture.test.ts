/** The house stands as it is drawn: no room imports what it may not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { importsOf, violations } from './support/imports.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = ['src', 'grammar', 'builtins'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

describe('the house', () => {
  it('has no import that its table does not allow', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap((file) => violations(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('has only the rooms that are drawn at its top, and what npm pack leaves there', () => {
    const allowed =
      /^(?:\..*|rmsh-[\d.]+\.tgz|package(?:-lock)?\.json|tsconfig\.json|README\.md|LICENSE|src|grammar|builtins|test|examples|node_modules|dist)$/;
    expect(readdirSync(root).filter((name) => !allowed.test(name))).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it('finds every way to ask for a module', () => {
    const text = [
      "import { a } from './a.js';",
      "import type { b } from './b.js';",
      'import {',
      '  c,',
      "} from './c.js';",
      "export * from './d.js';",
      "import './e.js';",
      "const f = await import('./f.js');",
      "const g = require('./g.js');",
      "const h = process.getBuiltinModule('node:fs');",
    ].join('\n');
    expect(
      importsOf(text).map(({ line, specifier, typeOnly }) => `${line} ${specifier}${typeOnly ? ' type' : ''}`),
    ).toEqual(['1 ./a.js', '2 ./b.js type', '3 ./c.js', '6 ./d.js', '7 ./e.js', '8 ./f.js', '9 ./g.js', '10 node:fs']);
  });

  it.each([
    ['src/text/a.ts', "import { x } from '../files/files.js';", 'may not import src/files/files.ts'],
    ['src/runner/a.ts', "import { readFileSync } from 'node:fs';", 'only src/sandbox/ may import node:fs'],
    ['src/runner/a.ts', "await import('node:child_process');", 'only src/sandbox/ may import node:child_process'],
    ['builtins/timeout.ts', "import { spawn } from 'child_process';", 'only src/sandbox/ may import child_process'],
    ['src/runner/a.ts', "import { readFile } from 'fs/promises';", 'only src/sandbox/ may import fs/promises'],
    [
      'builtins/kit/a.ts',
      "import { x } from '../../src/files/files.js';",
      'may import only types of src/files/files.ts',
    ],
    ['builtins/cat.ts', "import { x } from './find/engine.js';", 'may not import builtins/find/engine.ts'],
    ['builtins/cat.ts', "import { x } from '../src/runner/runner.js';", 'may not import src/runner/runner.ts'],
    ['grammar/a.ts', "import { x } from '../src/limits.js';", 'may not import src/limits.ts'],
    ['src/io/a.ts', "import chevrotain from 'chevrotain';", 'may not import the package chevrotain'],
  ])('refuses in %s: %s', (file, line, problem) => {
    expect(violations(file, line)).toEqual([`${file}:1: ${problem}`]);
  });

  it.each([
    ['builtins/kit/a.ts', "import type { x } from '../../src/files/files.js';"],
    ['builtins/find.ts', "import { x } from './find/engine.js';"],
    ['builtins/find/engine.ts', "import { x } from '../kit/define.js';"],
    ['src/sandbox/a.ts', "import { openSync } from 'node:fs';"],
    ['src/sandbox/a.ts', "import { spawn } from 'node:child_process';"],
    ['src/runner/a.ts', "import { x } from '../../grammar/index.js';"],
  ])('allows in %s: %s', (file, line) => {
    expect(violations(file, line)).toEqual([]);
  });
});
