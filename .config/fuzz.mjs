/** `npm run fuzz`: `rmsh fuzz`; with --faults `test/property/faults.mjs`, with --race-faults `race-faults.mjs` beside it, with --rates `rates.mjs`; with --commands `test/fuzz/commands-main.ts`, with what it tests, bundled as the program is, and run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { quickChevrotain } from './chevrotain.mjs';

const words = process.argv.slice(2);
const start = (file, ...first) => {
  const { status } = spawnSync(process.execPath, [file, ...first, ...words], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
};

async function commands() {
  const folder = mkdtempSync(join(tmpdir(), 'rmsh-fuzz-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const build = await rolldown({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: 'test/fuzz/commands-main.ts',
    platform: 'node',
    external: [/^node:/],
    plugins: [quickChevrotain],
    transform: { target: 'node20' },
    onLog: () => undefined,
  });
  await build.write({ dir: folder, entryFileNames: 'fuzz.mjs' });
  await build.close();
  start(join(folder, 'fuzz.mjs'));
}

/** By its option: a script of `test/property`. */
const MEASURES = { '--faults': 'faults.mjs', '--race-faults': 'race-faults.mjs', '--rates': 'rates.mjs' };
const measure = Object.keys(MEASURES).find((option) => words.includes(option));

if (words.includes('--commands')) await commands();
else if (measure !== undefined) start(fileURLToPath(new URL(`../test/property/${MEASURES[measure]}`, import.meta.url)));
else start(fileURLToPath(new URL('../dist/rmsh.js', import.meta.url)), 'fuzz');
