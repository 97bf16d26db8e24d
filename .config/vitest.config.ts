import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { quickChevrotain } from './chevrotain.mjs';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The cache of transformed files stays out of the checkout's top level.
  cacheDir: 'node_modules/.vite',
  // Chevrotain as the bundles have it, and all of it; `test/grammar/built.test.ts` compares with the part that they have.
  plugins: [{ ...quickChevrotain, enforce: 'pre' }],
  test: {
    server: { deps: { inline: [/chevrotain/] } },
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // Processes, not threads: tests change umask, send signals and count descriptors, which a process has one of.
    pool: 'forks',
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A random order within a file would hide which test a leak comes from; a seed in the report does not help a newcomer.
    sequence: { shuffle: false },
    reporters: ['default'],
  },
});
