/** What `declare`, `local`, `export` and `readonly` do to one variable. */
import type { AttributeChanges, ExpandedAssignment } from '../../builtins/shell/shell.js';
import { ExpansionError } from '../expansion/host.js';
import { assignExpanded } from './assignments.js';
import type { ShellState } from './state.js';

/** Attributes first (`declare -i x=1+1` is 2), then the value, then `-r`, which would forbid it. */
export function declareVariable(shell: ShellState, assignment: ExpandedAssignment, changes: AttributeChanges): void {
  const { name } = assignment;
  const variable = shell.variables.own(name);
  const changesValue = assignment.value !== undefined || changes.readonly === false || changes.array !== undefined;
  if (variable.readonly && changesValue) throw new ExpansionError(`${name}: readonly variable`);
  if (changes.array !== undefined) {
    const associative = changes.array === 'associative';
    if (variable.array !== undefined && associative === Array.isArray(variable.array)) {
      const from = associative ? 'indexed to associative' : 'associative to indexed';
      throw new ExpansionError(`${name}: cannot convert ${from} array`);
    }
    shell.variables.makeArray(variable, associative);
  }
  if (changes.integer !== undefined) variable.integer = changes.integer;
  if (changes.folding !== undefined) variable.folding = changes.folding === 'none' ? undefined : changes.folding;
  assignExpanded(shell, assignment);
  const assigned = shell.variables.own(name);
  if (changes.exported !== undefined) assigned.exported = changes.exported;
  if (changes.readonly === true) assigned.readonly = true;
}
