/** sha512sum: print or check SHA-512 sums. */
import { digestCommand } from './kit/digest/command.js';

export const sha512sum = digestCommand('sha512sum', 'sha512', 'SHA512', 128);
