/**
 * fast-check as the user has it: an optional peer, found beside rmsh or from the working directory, and never part of a bundle. All
 * of the fuzzer takes it from here.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type FastCheck from 'fast-check';

async function load(): Promise<typeof FastCheck> {
  try {
    return (await import('fast-check')).default;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const fromHere = createRequire(join(process.cwd(), 'package.json'));
    return (await import(pathToFileURL(fromHere.resolve('fast-check')).href)).default;
  }
}

const fc = await load();
export default fc;
