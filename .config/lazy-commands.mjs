/**
 * For the command line's bundle: most commands become files of their own, read when they are first called.
 *
 * The source lists them all in `builtins/index.ts` and `builtins/shell/index.ts` by plain imports, for the library, the tests and the
 * reader. Here the imports of commands that few scripts need become stand-ins, with a command's name and summary, that
 * require its file when it is called or asked for more.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** By table, the modules that nearly every script needs: their code is in the core. */
const EAGER = {
  'builtins/index.ts': ['cat', 'rm'],
  'builtins/shell/index.ts': ['control', 'declare', 'directory', 'echo', 'evaluation', 'parameters', 'test', 'unset'],
};

/** An import of one or more names from a module beside the table. */
const IMPORT = /^import \{([^}]+)\} from '\.\/([^']+)\.js';$/gm;

/** `inputs` are entries for the bundler, one for each lazy module; `plugin` changes the tables. */
export async function lazyCommands(root, common) {
  const inputs = {};
  const tables = new Map();
  for (const [table, eager] of Object.entries(EAGER)) {
    const folder = table.slice(0, -'index.ts'.length);
    const facts = await readFacts(root, common, join(root, table));
    const fileOf = (module) => `rmsh-${`${folder}${module}`.slice('builtins/'.length).replaceAll('/', '-')}`;
    const source = readFileSync(join(root, table), 'utf8').replace(IMPORT, (line, list, module) => {
      const names = list.split(',').map((name) => name.trim());
      // What is no command (a list of them, a function that makes one, a type) stays.
      if (eager.includes(module) || !names.every((name) => facts[name] !== undefined)) return line;
      inputs[fileOf(module)] = `${folder}${module}.ts`;
      return names
        .map((name) => `const ${name} = standIn(${facts[name]}, () => require('./${fileOf(module)}.js').${name});`)
        .join('\n');
    });
    tables.set(join(root, table), `${source}\n${STAND_IN}`);
  }
  const lazy = new Set(Object.keys(inputs).map((name) => `./${name}.js`));

  return {
    inputs,
    plugin: {
      name: 'lazy-commands',
      resolveId: (source) => (lazy.has(source) ? { id: source, external: true } : null),
      load: (id) => (tables.has(id) ? { code: tables.get(id), moduleType: 'ts' } : null),
    },
  };
}

const STAND_IN = `
function standIn(facts: any, load: () => any): any {
  return {
    ...facts,
    get definition() { return load().definition; },
    invoke: (...words: any) => load().invoke(...words),
    run: (...words: any) => load().run(...words),
  };
}
`;

/** Runs a table once: for each command that it imports what a stand-in knows, as source text. */
async function readFacts(root, common, table) {
  const folder = mkdtempSync(join(root, 'node_modules/.rmsh-build-'));
  try {
    const build = await rolldown({ ...common, input: { table }, plugins: [exposeImports(table)] });
    await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
    await build.close();
    const { imported } = await import(pathToFileURL(join(folder, 'table.mjs')).href);
    return Object.fromEntries(
      Object.entries(imported)
        .filter(([, value]) => typeof value.invoke === 'function' || typeof value.run === 'function')
        .map(([name, value]) => [name, JSON.stringify(plainParts(value))]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is data; the definition, which help and errors read, comes with the code. */
function plainParts(command) {
  return Object.fromEntries(
    Object.entries(command).filter(([key, value]) => key !== 'definition' && typeof value !== 'function'),
  );
}

function exposeImports(table) {
  return {
    name: 'expose-imports',
    transform(source, id) {
      if (id !== table) return null;
      const names = [...source.matchAll(IMPORT)].flatMap(([, list]) => list.split(','));
      return { code: `${source}\nexport const imported = { ${names.join(', ')} };` };
    },
  };
}
