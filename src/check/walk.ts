/** Every command of a script, wherever it stands: in lists, bodies, substitutions, here-documents, and in texts that are run later. */
import type { CompoundCommand, FunctionDefinition, SimpleCommand } from '../../grammar/ast.js';
import { lineOf, parse } from '../../grammar/index.js';

/** A text that is being looked at, and how its commands are run. */
export interface Place {
  readonly text: string;
  /** The line of the script that its first line is. */
  readonly firstLine: number;
  /** In a loop, a function or a trap: it may run more than once. */
  readonly repeated: boolean;
  /** Which complete command of the script it belongs to: what stands in a later one has not run yet. */
  readonly order: number;
  /** In a function or a trap, which run when everything else of the script may have. */
  readonly late: boolean;
}

export interface Found {
  readonly node: SimpleCommand | CompoundCommand | FunctionDefinition;
  readonly place: Place;
  readonly line: number;
}

const REPEATS = new Set(['For', 'While', 'ArithmeticFor', 'Select', 'FunctionDefinition']);
const COMMANDS = new Set([
  ...REPEATS,
  'SimpleCommand',
  'BraceGroup',
  'Subshell',
  'If',
  'Case',
  'ArithmeticCommand',
  'Conditional',
]);

const isCommand = (node: { kind?: unknown }): node is Found['node'] =>
  typeof node.kind === 'string' && COMMANDS.has(node.kind);

/** Calls `visit` for each command below `node`, outer ones first. The depth is that of the syntax, which the parser bounds. */
function walk(node: unknown, place: Place, visit: (found: Found) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, place, visit);
    return;
  }
  let inner = place;
  const { kind, text, start } = node as { kind?: unknown; text?: unknown; start?: unknown };
  if (isCommand(node as { kind?: unknown })) {
    const found = node as Found['node'];
    visit({ node: found, place, line: lineOf(place.text, found.start) + place.firstLine - 1 });
    if (REPEATS.has(found.kind)) {
      inner = { ...place, repeated: true, late: place.late || found.kind === 'FunctionDefinition' };
    }
  } else if (kind === 'CommandSubstitution' && typeof text === 'string' && typeof start === 'number') {
    // Offsets in a backquoted body count in the body's own text.
    inner = { ...place, text, firstLine: lineOf(place.text, start) + place.firstLine - 1 };
  }
  for (const value of Object.values(node)) walk(value, inner, visit);
}

export interface SyntaxProblem {
  readonly line: number;
  readonly message: string;
}

/** Whether something below `node` goes on while what stands behind it runs. */
function goesOn(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some(goesOn);
  const { kind, background } = node as { kind?: unknown; background?: unknown };
  return background === true || kind === 'ProcessSubstitution' || Object.values(node).some(goesOn);
}

/** What a text holds. */
export interface Commands {
  readonly problem: SyntaxProblem | undefined;
  /** It has asynchronous lists or process substitutions. */
  readonly asynchronous: boolean;
}

/** Calls `visit` for the commands of `place.text` up to the first syntax error. Those of the script itself (`top`) are counted. */
export function commandsOf(place: Place, top: boolean, visit: (found: Found) => void): Commands {
  const { commands, problem } = parse(place.text);
  for (const [order, command] of commands.entries()) walk(command, top ? { ...place, order } : place, visit);
  return { problem: problem && told(problem, place), asynchronous: goesOn(commands) };
}

function told(problem: { readonly offset: number; readonly message: string }, place: Place): SyntaxProblem {
  return { line: lineOf(place.text, problem.offset) + place.firstLine - 1, message: problem.message };
}
