/** What `declare`, `local`, `export` and `readonly` do to one variable. */
import type { AttributeChanges, ExpandedAssignment } from '../../builtins/shell/shell.js';
import { ExpansionError, ExpressionError } from '../expansion/host.js';
import { assignExpanded } from './assignments.js';
import type { ShellState } from './state.js';

/** Attributes first (`declare -i x=1+1` is 2), then the value, then `-r`, which would forbid it. */
export function declareVariable(
  shell: ShellState,
  assignment: ExpandedAssignment,
  changes: AttributeChanges,
  command: string,
): void {
  if (changes.reference === true) {
    declareReference(shell, assignment, changes, command);
    return;
  }
  const { name } = assignment;
  if (changes.reference === false) shell.variables.ownRaw(name).reference = false;
  const variable = shell.variables.own(name);
  const changesValue = assignment.value !== undefined || changes.readonly === false || changes.array !== undefined;
  if (variable.readonly && changesValue) throw refused(command, name, 'readonly variable');
  if (changes.array !== undefined) {
    const associative = changes.array === 'associative';
    if (variable.array !== undefined && associative === Array.isArray(variable.array)) {
      const from = associative ? 'indexed to associative' : 'associative to indexed';
      throw refused(command, name, `cannot convert ${from} array`);
    }
    if (!variable.isSet) variable.bare = true;
    shell.variables.makeArray(variable, associative);
  }
  if (changes.integer !== undefined) variable.integer = changes.integer;
  if (changes.folding !== undefined) variable.folding = changes.folding === 'none' ? undefined : changes.folding;
  try {
    assignExpanded(shell, assignment);
  } catch (error) {
    throw error instanceof ExpressionError ? new ExpressionError(named(command, error.message)) : error;
  }
  const assigned = shell.variables.own(name);
  if (changes.exported !== undefined) assigned.exported = changes.exported;
  if (changes.readonly === true) assigned.readonly = true;
}

/** `declare -n name=target`. A reference to an element is not supported: what it stands for would be no name. */
function declareReference(
  shell: ShellState,
  { name, subscript, append, value }: ExpandedAssignment,
  changes: AttributeChanges,
  command: string,
): void {
  if (subscript !== undefined || (value !== undefined && typeof value !== 'string') || changes.array !== undefined)
    throw refused(command, name, 'reference variable cannot be an array');
  const before = shell.variables.raw(name);
  if (before?.readonly === true) throw refused(command, name, 'readonly variable');
  const target = append ? `${before?.text ?? ''}${value ?? ''}` : (value ?? before?.value);
  if (target !== undefined && !/^[A-Za-z_]\w*$/.test(target)) {
    const element = /^[A-Za-z_]\w*\[.+\]$/.test(target);
    const why = element
      ? 'a reference to an element is not supported by rmsh'
      : 'invalid variable name for name reference';
    throw refused(command, `\`${target}'`, why);
  }
  if (target === name) throw refused(command, name, 'nameref variable self references not allowed');
  const variable = shell.variables.ownRaw(name);
  variable.reference = false;
  if (target !== undefined) shell.variables.setText(variable, target);
  variable.reference = true;
  if (changes.exported !== undefined) variable.exported = changes.exported;
  if (changes.readonly === true) variable.readonly = true;
}

/** bash names `declare` and `local` in what they refuse, and not the special built-ins. */
function refused(command: string, name: string, why: string): ExpansionError {
  return new ExpansionError(named(command, `${name}: ${why}`));
}

function named(command: string, message: string): string {
  return command === 'export' || command === 'readonly' ? message : `${command}: ${message}`;
}
