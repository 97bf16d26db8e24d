/** `rmsh fuzz`: the fuzzer is the library's, so that commands of the user, who imports the library, are of one kind with it. */
import type * as FuzzMain from '../fuzz/main.js';

const USAGE_ERROR = 2;

export async function startFuzz(args: readonly string[], port: FuzzMain.FuzzPort): Promise<number> {
  let main: typeof FuzzMain;
  try {
    main = (await import(new URL('./fuzz-main.mjs', import.meta.url).href)) as typeof FuzzMain;
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const absent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    if (!absent || !String(message).includes('fast-check')) throw error;
    port.complain('fuzz: needs the package fast-check, beside rmsh or here: npm install --save-dev fast-check');
    return USAGE_ERROR;
  }
  return main.fuzzMain(args, port);
}
