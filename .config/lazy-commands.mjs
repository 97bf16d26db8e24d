/**
 * For the command line's bundle: most commands become files of their own, read when they are first called.
 *
 * The source lists them all in `builtins/index.ts` by plain imports, for the library, the tests and the reader. Here that one
 * module is replaced: a command that few scripts need is a stand-in with its name, aliases and summary, which requires the
 * command's file when it is invoked or asked for its definition.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Commands that nearly every script calls: their code is in the core. */
const EAGER = new Set(['true', 'false', 'test', 'echo', 'printf', 'rm', 'cat']);

/**
 * `inputs` are entries for the bundler, one for each lazy command; `plugin` replaces `builtins/index.ts`.
 */
export async function lazyCommands(root, common) {
  const table = join(root, 'builtins/index.ts');
  const { imports, order } = await readTable(root, common, table);
  const lazy = imports.filter(({ names }) => !names.some((name) => EAGER.has(name.command.name)));
  const fileOf = (source) => `rmsh-${source.slice(2, -3).replaceAll('/', '-')}`;

  const code = [];
  for (const { source, names } of imports) {
    const list = names.map(({ exported }) => exported).join(', ');
    if (lazy.some((one) => one.source === source)) {
      for (const { exported, command } of names) {
        const { name, aliases, summary, needs } = command;
        code.push(
          `const ${exported} = standIn(${JSON.stringify({ name, aliases, summary, needs })}, () => require('./${fileOf(source)}.js').${exported});`,
        );
      }
    } else code.push(`import { ${list} } from '${source}';`);
  }
  code.push(
    `function standIn(facts, load) {
      return { ...facts, get definition() { return load().definition; }, invoke: (context, argv) => load().invoke(context, argv) };
    }`,
    `export const builtins = [${order.join(', ')}];`,
  );

  return {
    inputs: Object.fromEntries(
      lazy.map(({ source }) => [fileOf(source), join('builtins', source.replace(/\.js$/, '.ts'))]),
    ),
    plugin: {
      name: 'lazy-commands',
      resolveId: (source) =>
        lazy.some((one) => source === `./${fileOf(one.source)}.js`) ? { id: source, external: true } : null,
      load: (id) => (id === table ? { code: code.join('\n'), moduleType: 'js' } : null),
    },
  };
}

/** Runs the table once, to learn the commands' names and which module each comes from. */
async function readTable(root, common, table) {
  const folder = mkdtempSync(join(root, 'node_modules/.rmsh-build-'));
  try {
    const build = await rolldown({ ...common, input: { table }, plugins: [exposeImports(table)] });
    await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
    await build.close();
    return await import(pathToFileURL(join(folder, 'table.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds to the table's module: what it imports from where, and in which order it lists them. */
function exposeImports(table) {
  return {
    name: 'expose-imports',
    transform(source, id) {
      if (id !== table) return null;
      const found = [...source.matchAll(/^import \{([^}]+)\} from '(\.\/[^']+)';$/gm)].map(([, names, from]) => ({
        from,
        names: names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      }));
      const imports = found.map(
        ({ from, names }) =>
          `{ source: '${from}', names: [${names.map((name) => `{ exported: '${name}', command: ${name} }`).join(', ')}] }`,
      );
      const names = found.flatMap((one) => one.names);
      const order = `const all = { ${names.join(', ')} };
        export const order = builtins.map((command) => {
          const name = Object.keys(all).find((key) => all[key] === command);
          if (name === undefined) throw new Error(\`builtins/index.ts: \${command.name} is listed but not imported by name\`);
          return name;
        });`;
      return { code: `${source}\nexport const imports = [${imports.join(', ')}];\n${order}` };
    },
  };
}
