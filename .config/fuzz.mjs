/** `npm run fuzz`: `test/fuzz/main.ts`, or with --commands `commands-main.ts`, with what it tests, bundled as the program is, and run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { quickChevrotain } from './chevrotain.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rmsh-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const build = await rolldown({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  input: process.argv.includes('--commands') ? 'test/fuzz/commands-main.ts' : 'test/fuzz/main.ts',
  platform: 'node',
  external: [/^node:/],
  plugins: [quickChevrotain],
  transform: { target: 'node20' },
  onLog: () => undefined,
});
await build.write({ dir: folder, entryFileNames: 'fuzz.mjs' });
await build.close();
const { status } = spawnSync(process.execPath, [join(folder, 'fuzz.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
