/** `select name in words` (bash): a numbered menu on the error stream, and a line of standard input to choose from it. */

import type { Outcome } from '../../builtins/kit/outcome.js';
import type { Select } from '../../grammar/ast.js';
import { expandWords } from '../expansion/words.js';
import { readLine } from '../io/line-reader.js';
import { atLoop } from './compound.js';
import { runList } from './lists.js';
import type { ShellState } from './state.js';

/** Ends with the input; the status of the last list run. */
export async function runSelect(shell: ShellState, node: Select): Promise<Outcome> {
  let items: readonly string[] = shell.positional();
  if (node.words !== undefined) {
    const fields: string[] = [];
    await expandWords(shell, node.words, fields);
    items = fields;
  }
  if (items.length === 0) return 0;
  shell.loopDepth += 1;
  try {
    return await turns(shell, node, items);
  } finally {
    shell.loopDepth -= 1;
  }
}

async function turns(shell: ShellState, node: Select, items: readonly string[]): Promise<Outcome> {
  let last = 0;
  let showMenu = true;
  for (;;) {
    if (showMenu) shell.writeError(menu(items));
    shell.writeError(shell.parameter('PS3') ?? '#? ');
    const source = shell.descriptors.stdin?.source;
    const line = source === undefined ? undefined : await readLine(source, 0x0a, shell.limits.maxStringBytes);
    if (line === undefined) {
      shell.writeError('\n');
      return last;
    }
    const reply = line.content.trim();
    shell.assign('REPLY', line.content);
    showMenu = reply === '';
    if (showMenu) continue;
    const choice = /^[0-9]+$/.test(reply) ? items[Number(reply) - 1] : undefined;
    shell.assign(node.name, choice ?? '');
    const ended = await runList(shell, node.body);
    if (typeof ended === 'number') last = ended;
    else {
      const left = atLoop(ended);
      if (left !== undefined) return left;
    }
  }
}

function menu(items: readonly string[]): string {
  const width = String(items.length).length;
  return items.map((item, i) => `${String(i + 1).padStart(width)}) ${item}\n`).join('');
}
