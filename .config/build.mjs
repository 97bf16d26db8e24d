/**
 * Builds `dist/`. Run by `npm ci` through `prepare`, so it needs what `npm ci` installs and nothing else.
 *
 * - `rmsh.js`, `rmsh-*.js`: the command line, CommonJS, because Node starts that a third faster than modules. Most commands
 *   are files of their own, read at their first call, and the rest has been compiled already (`program.mjs`): each MB of code
 *   that is parsed at start and never called costs a third of the start-up of node itself.
 * - `index.mjs`, `grammar.mjs`, `memory.mjs`, `fuzz.mjs`: the library, with what they share in files beside them, so that both have the same classes.
 * - `types/`: their declarations.
 * - `rmsh.1`, `completions/`: the man page, and completions for bash, zsh and fish.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { quickChevrotain, smallChevrotain } from './chevrotain.mjs';
import { lazyCommands } from './lazy-commands.mjs';
import { writeProgram } from './program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const started = performance.now();

/** Everything is bundled, dependencies too: unbundled, the parser generator alone takes 400 ms to load. */
const common = {
  cwd: root,
  platform: 'node',
  external: [/^node:/],
  transform: { target: 'node20' },
  // A warning is a mistake here: an import that did not resolve would be found missing on a user's machine.
  onLog(level, log, report) {
    // What the program loads late the library has anyway, for its commands: one source is right for both.
    if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
    if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
    report(level, log);
  },
};

const written = new Set(['package.json', 'policy.schema.json', 'types']);

async function bundle(options, output) {
  const build = await rolldown({ ...common, ...options });
  try {
    const result = await build.write({ dir: dist, ...output });
    for (const file of result.output) written.add(file.fileName);
    return result.output;
  } finally {
    await build.close();
  }
}

/**
 * Modules of Node that are not in its start-up snapshot and that most runs never need: `crypto` alone, loaded at the top of the
 * bundle, costs a tenth of a small run. Their functions become stand-ins that load the module when one is called.
 */
const LAZY_MODULES = ['node:crypto', 'node:os'];

const lazyModules = {
  name: 'lazy-modules',
  resolveId: (source) => (LAZY_MODULES.includes(source) ? { id: `\0lazy:${source}` } : null),
  async load(id) {
    if (!id.startsWith('\0lazy:')) return null;
    const name = id.slice('\0lazy:'.length);
    const functions = Object.entries(await import(name)).filter(
      ([key, value]) => key !== 'default' && typeof value === 'function',
    );
    const lines = functions.map(
      ([key]) => `export const ${key} = (...words) => process.getBuiltinModule('${name}').${key}(...words);`,
    );
    return { code: lines.join('\n'), moduleType: 'js' };
  },
};

// The package is ESM; what is built for the command line is not.
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');

const { inputs, plugin } = await lazyCommands(root, common);
const program = {
  plugins: [plugin, lazyModules, quickChevrotain, smallChevrotain],
  external: (id) => id.startsWith('node:') && !LAZY_MODULES.includes(id),
  transform: { ...common.transform, inject: { performance: [join(root, '.config/clock.mjs'), 'performance'] } },
};
const main = join(root, 'src/cli/main.ts');

// All that is loaded at start is one file, the core, also where lazy commands share parts of it. A first build tells which
// modules that are.
const rehearsal = await rolldown({ ...common, ...program, input: main });
const { output } = await rehearsal.generate({ format: 'cjs' });
await rehearsal.close();
const core = new Set(output.filter((chunk) => chunk.isEntry).flatMap((chunk) => Object.keys(chunk.modules)));
core.delete(main);

const files = await bundle(
  { ...program, input: { 'rmsh-main': main, ...inputs } },
  {
    format: 'cjs',
    // Set by who looks at a profile: functions then have the names they have in the source.
    minify: process.env.RMSH_PLAIN === undefined,
    entryFileNames: '[name].js',
    // The hash ties the core to its compiled form: V8 looks at the length of the text alone.
    chunkFileNames: 'rmsh-[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'core', test: (id) => core.has(id) }] },
  },
);
const { fileName } = files.find((file) => file.name === 'core');
for (const name of writeProgram(dist, fileName)) written.add(name);
await bundle(
  {
    input: {
      index: 'src/index.ts',
      grammar: 'grammar/index.ts',
      memory: 'src/memory.ts',
      fuzz: 'src/fuzz/index.ts',
      'fuzz-main': 'src/fuzz/main.ts',
    },
    external: [/^node:/, 'fast-check'],
    plugins: [quickChevrotain, smallChevrotain],
  },
  { format: 'esm', minify: false, entryFileNames: '[name].mjs', chunkFileNames: 'library-[name]-[hash].mjs' },
);

// The man page and the completions come from the definitions of the command line, which are TypeScript: bundled, and run here.
const workshop = mkdtempSync(join(root, 'node_modules/.rmsh-build-'));
try {
  const build = await rolldown({ ...common, input: { documents: 'src/cli/documents/generated.ts' } });
  await build.write({ dir: workshop, format: 'esm', entryFileNames: '[name].mjs' });
  await build.close();
  const { GENERATED } = await import(pathToFileURL(join(workshop, 'documents.mjs')).href);
  for (const [name, write] of Object.entries(GENERATED)) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    writeFileSync(join(dist, name), write());
    written.add(name.split('/')[0]);
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

// Files of an earlier build go last, so that a shell that is running from here is never without its files for long.
for (const name of readdirSync(dist)) if (!written.has(name)) rmSync(join(dist, name), { recursive: true });

copyFileSync(join(root, 'src/policy/policy.schema.json'), join(dist, 'policy.schema.json'));

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const types = spawnSync(process.execPath, [tsc, '--project', join(root, '.config/tsconfig.types.json')], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
mkdirSync(join(dist, 'types'), { recursive: true });
writeFileSync(join(dist, 'types/package.json'), '{ "type": "module" }\n');
if (types.status !== 0) {
  console.error('build: the bundles are there; their declarations are not complete');
  process.exit(1);
}
console.log(`dist/ built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
