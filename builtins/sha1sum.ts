/** sha1sum: print or check SHA-1 sums. */
import { digestCommand } from './kit/digest/command.js';

export const sha1sum = digestCommand('sha1sum', 'sha1', 'SHA1', 40);
