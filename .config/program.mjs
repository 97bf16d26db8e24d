/**
 * `dist/rmsh.js`, and the core in compiled form beside it.
 *
 * Compiling the core takes as long as a third of a start of node. V8 can keep what it has compiled: a `.cache` file is that,
 * made after a script that calls what scripts usually call. V8 checks it against its own version and flags; where
 * they differ, as when another Node runs what this one has built, the core is compiled as any other file. So `dist/compile.js`, which
 * makes it, is in the package, and runs where the package is installed. Nothing is written when rmsh runs: what it would start from then
 * would have to lie where a script, or somebody else, may write.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What is compiled when the cache is made: the functions this runs, and nothing else. Reading compiled code costs nearly what compiling it
 * does, so only what every script needs is in it: measured, all the rest of a usual script costs 4 ms of each start.
 */
const TYPICAL = `
for f in a b; do echo "$f"; done
`;

/** The program itself: small, so that nothing but the core's own work is left to do. */
const loader = (core, cache) => `#!/usr/bin/env node
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = __dirname + '/${core}';
let cachedData;
try {
  cachedData = readFileSync(__dirname + '/${cache}');
} catch {}
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
const core = new module.constructor(filename, module);
core.filename = filename;
core.loaded = true;
require.cache[filename] = core;
script.runInThisContext()(core.exports, require, core, filename, __dirname);
core.exports.rmshMain();
`;

/** The program once more: it does not look for an old cache, runs the typical script, and leaves what was compiled for it. */
const compilerOf = (program, cache) =>
  program
    .replace(/^#!.*\n/, '')
    .replace(/^try \{[\s\S]*?\} catch \{\}\n/m, '')
    .replace(
      'core.exports.rmshMain();',
      `process.argv.splice(2, Infinity, '-c', ${JSON.stringify(TYPICAL)}, 'typical', 'a');
process.on('exit', () => {
  const { renameSync, writeFileSync } = require('node:fs');
  const cache = __dirname + '/${cache}';
  writeFileSync(cache + '.new', script.createCachedData());
  renameSync(cache + '.new', cache);
});
$&`,
    );

/** Answers the names of the files it makes. */
export function writeProgram(dist, core) {
  const cache = core.replace(/\.js$/, '.cache');
  const coreFile = join(dist, core);
  // The bundler's own helpers are a file of their own, which others need too: finding and reading it would cost a millisecond.
  const inlined = readFileSync(coreFile, 'utf8').replace(
    /require\(["'`]\.\/(rmsh-rolldown-runtime[^"'`]*)["'`]\)/,
    (_, file) => `(() => { const exports = {}; ${readFileSync(join(dist, file), 'utf8')}\nreturn exports; })()`,
  );
  // The entry too becomes a function of the core: one file less to find, and what it calls is compiled ahead as well.
  const mainFile = join(dist, 'rmsh-main.js');
  const entry = readFileSync(mainFile, 'utf8').replaceAll(/require\(["'`]\.\/rmsh-core-[^"'`]*["'`]\)/g, 'exports');
  rmSync(mainFile);
  // Wrapped as Node wraps a CommonJS file, and in ASCII: then its bytes are its characters, and no decoding is needed.
  const whole = `${inlined}\nexports.rmshMain = () => {${entry}\n};\n`;
  const ascii = whole.replaceAll(
    /[^\x00-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(coreFile, `(function (exports, require, module, __filename, __dirname) {${ascii}})`);

  const text = loader(core, cache);
  const compiler = join(dist, 'compile.js');
  writeFileSync(compiler, compilerOf(text, cache));
  const run = spawnSync(process.execPath, [compiler], { encoding: 'utf8', env: {} });
  if (run.status !== 0 || run.stderr !== '' || !existsSync(join(dist, cache))) {
    // A trace shows its line of code, and here a line of code is a whole program.
    const said = run.stderr.split('\n').map((line) => line.slice(0, 200));
    throw new Error(`making ${cache}: status ${run.status}\n${said.join('\n')}`);
  }

  // Renamed into place, so that there is a whole program at every moment.
  writeFileSync(join(dist, 'rmsh.js.new'), text, { mode: 0o755 });
  renameSync(join(dist, 'rmsh.js.new'), join(dist, 'rmsh.js'));
  return ['rmsh.js', 'compile.js', cache];
}
