/** md5sum: print or check MD5 sums. */
import { digestCommand } from './kit/digest/command.js';

export const md5sum = digestCommand('md5sum', 'md5', 'MD5', 32);
