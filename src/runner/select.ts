/** `select name in words` (bash): a numbered menu on the error stream, and a line of standard input to choose from it. */

import type { Outcome } from '../../builtins/kit/outcome.js';
import type { Select } from '../../grammar/ast.js';
import { expandWords } from '../expansion/words.js';
import { readLine } from '../io/line-reader.js';
import { atLoop } from './compound.js';
import { runList } from './lists.js';
import type { ShellState } from './state.js';
import { traceCompound } from './trace.js';
import { debugTrap } from './tracing-traps.js';

const NEWLINE = new Uint8Array([0x0a]);

/** Ends with the input, and status 1, or as the list ends it. */
export async function runSelect(shell: ShellState, node: Select): Promise<Outcome> {
  let items: readonly string[] = shell.positional();
  if (node.words !== undefined) {
    const fields: string[] = [];
    await expandWords(shell, node.words, fields);
    items = fields;
  }
  if (items.length === 0) return 0;
  const traced = await debugTrap(shell, node);
  if (typeof traced === 'object') return traced;
  if (shell.tracing) traceCompound(shell, node);
  shell.loopDepth += 1;
  try {
    return await turns(shell, node, items);
  } finally {
    shell.loopDepth -= 1;
  }
}

async function turns(shell: ShellState, node: Select, items: readonly string[]): Promise<Outcome> {
  let showMenu = true;
  for (;;) {
    if (showMenu) shell.writeError(menu(items));
    shell.writeError(shell.parameter('PS3') ?? '#? ');
    const source = shell.descriptors.stdin?.source;
    const line = source === undefined ? undefined : await readLine(source, 0x0a, shell.limits.maxStringBytes);
    if (line === undefined) {
      // As bash does: the line that the prompt began is ended, on the output, and no choice is a failure.
      await shell.descriptors.stdout?.sink?.write(NEWLINE);
      return 1;
    }
    const reply = line.content.trim();
    shell.assign('REPLY', line.content);
    showMenu = reply === '';
    if (showMenu) continue;
    const choice = /^[0-9]+$/.test(reply) ? items[Number(reply) - 1] : undefined;
    shell.assign(node.name, choice ?? '');
    const ended = await runList(shell, node.body);
    if (typeof ended === 'number') continue;
    const left = atLoop(ended);
    if (left !== undefined) return left;
  }
}

function menu(items: readonly string[]): string {
  const width = String(items.length).length;
  return items.map((item, i) => `${String(i + 1).padStart(width)}) ${item}\n`).join('');
}
