/** `unset` (POSIX 2.15). */
import { isName, letterOptions } from './options.js';
import { fail, refuseOption } from './output.js';
import type { ShellBuiltin } from './shell.js';

const usage = 'unset [-f|-v|-n] NAME...';

export const unset: ShellBuiltin = {
  names: ['unset'],
  special: true,
  summary: 'take away variables or functions',
  usage,
  run(shell, argv) {
    const { given, operands, invalid } = letterOptions(argv, 'fnv');
    if (invalid !== undefined) return refuseOption(shell, argv, invalid, usage);
    const letters = given.map(({ letter }) => letter);
    const kind = letters.find((letter) => letter !== 'n');
    const reference = letters.includes('n');
    if (letters.includes('f') && letters.includes('v')) {
      return fail(shell, argv, 'cannot simultaneously unset a function and a variable');
    }
    let status = 0;
    for (const name of operands) {
      if (kind === 'f') {
        if (!shell.unsetFunction(name)) status = 1;
      } else if (reference) {
        if (!shell.unsetReference(name)) status = 1;
      } else if (isElement(name)) {
        const open = name.indexOf('[');
        if (!shell.unsetElement(name.slice(0, open), name.slice(open + 1, -1))) status = 1;
      } else if (!isName(name)) status = fail(shell, argv, `\`${name}': not a valid identifier`);
      else if (kind === undefined && shell.variable(name)?.value === undefined && shell.hasFunction(name)) {
        if (!shell.unsetFunction(name)) status = 1;
      } else if (!shell.unsetVariable(name)) status = 1;
    }
    return status;
  },
};

/** `a[key]` */
function isElement(text: string): boolean {
  const open = text.indexOf('[');
  return open > 0 && text.endsWith(']') && isName(text.slice(0, open));
}
