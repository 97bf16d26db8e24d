/** What the build writes beside the program, by its name in `dist/`. */
import { bashCompletion, fishCompletion, zshCompletion } from './completions.js';
import { manPage } from './man-page.js';

export const GENERATED: Readonly<Record<string, () => string>> = {
  'rmsh.1': manPage,
  'completions/rmsh.bash': bashCompletion,
  'completions/_rmsh': zshCompletion,
  'completions/rmsh.fish': fishCompletion,
};
