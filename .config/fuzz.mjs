/** `npm run fuzz`: `rmsh fuzz`; with --faults `test/property/faults.mjs`, with --race-faults `race-faults.mjs` beside it; with --commands `test/fuzz/commands-main.ts`, with what it tests, bundled as the program is, and run. */
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

if (words.includes('--commands')) await commands();
else if (words.includes('--race-faults'))
  start(fileURLToPath(new URL('../test/property/race-faults.mjs', import.meta.url)));
else if (words.includes('--faults')) start(fileURLToPath(new URL('../test/property/faults.mjs', import.meta.url)));
else start(fileURLToPath(new URL('../dist/rmsh.js', import.meta.url)), 'fuzz');
