/** What the kernel says of a descriptor besides what it refers to. */

import * as fs from 'node:fs';

/** What proc(5) tells of a descriptor of this process: its offset, and open(2)'s flags. Undefined without procfs. */
export function descriptorInfo(
  proc: string,
  fd: number | string,
): { readonly position: number; readonly flags: number } | undefined {
  let text: string;
  try {
    text = fs.readFileSync(`${proc}/fdinfo/${fd}`, 'latin1');
  } catch {
    return undefined;
  }
  return {
    position: Number(/^pos:\s*(\d+)/m.exec(text)?.[1] ?? 0),
    flags: Number.parseInt(/^flags:\s*([0-7]+)/m.exec(text)?.[1] ?? '0', 8),
  };
}
