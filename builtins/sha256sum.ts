/** sha256sum: print or check SHA-256 sums. */
import { digestCommand } from './kit/digest/command.js';

export const sha256sum = digestCommand('sha256sum', 'sha256', 'SHA256', 64);
