/** Names that can be assigned to: `name`, and (bash) `name[subscript]`. */
import { isName } from './options.js';
import type { Shell } from './shell.js';

/** `name[subscript]` in its parts; undefined for anything else. */
export function elementName(text: string): { readonly name: string; readonly subscript: string } | undefined {
  const open = text.indexOf('[');
  if (open <= 0 || !text.endsWith(']') || text.length === open + 2) return undefined;
  const name = text.slice(0, open);
  return isName(name) ? { name, subscript: text.slice(open + 1, -1) } : undefined;
}

export function isAssignable(text: string): boolean {
  return isName(text) || elementName(text) !== undefined;
}

/** Assigns to a name that `isAssignable`. False, and a message, when that cannot be. */
export function assignTo(shell: Shell, target: string, value: string): boolean {
  const element = elementName(target);
  return element === undefined
    ? shell.setVariable(target, value)
    : shell.setElement(element.name, element.subscript, value);
}
