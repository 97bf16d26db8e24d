/** `--help`, made from a definition. */
import type { AnyDefinition, Flag } from './define.js';

const HELP_COLUMN = 30;
/** Columns of a terminal. */
const WIDTH = 80;
/** A line of notes that is longer is prose, and the next one goes on with it. */
const PROSE = 100;

export function helpText(definition: AnyDefinition): string {
  const usage = definition.usage.split('\n');
  const lines = usage.flatMap((line, i) => folded(`${i === 0 ? 'Usage:' : '  or: '} ${line}`, 9));
  const { summary } = definition;
  lines.push(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  const options = optionLines(definition);
  if (options.length > 0) lines.push('', ...options);
  if (definition.notes !== undefined) lines.push('', ...foldedNotes(definition.notes));
  const statuses = Object.entries(definition.statuses);
  if (statuses.length > 0)
    lines.push('', 'Exit status:', ...statuses.flatMap(([status, text]) => folded(` ${status}  ${text}`, 4)));
  return `${lines.join('\n')}\n`;
}

function optionLines(definition: AnyDefinition): string[] {
  const lines = Object.values(definition.flags).map((flag) => optionLine(spelling(flag), flag.help));
  if (!definition.helpless && !('help' in definition.flags)) lines.push(optionLine('    --help', 'print this help'));
  return lines;
}

function optionLine(left: string, help: string): string {
  const start = `  ${left}`;
  const [first = '', ...others] = folded(`${' '.repeat(HELP_COLUMN)}${help}`, HELP_COLUMN);
  const lines =
    start.length + 2 <= HELP_COLUMN
      ? [`${start.padEnd(HELP_COLUMN)}${first.trimStart()}`, ...others]
      : [start, first, ...others];
  return lines.join('\n');
}

/** The line, broken at blanks where it is wider than a terminal; what follows is indented by so much. */
function folded(line: string, indent: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const at = rest.lastIndexOf(' ', WIDTH);
    // A word that is too long for any line stays whole, and so does a line of nothing else.
    if (rest.slice(0, at + 1).trim() === '') break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `${' '.repeat(indent)}${rest.slice(at + 1).trimStart()}`;
  }
  return [...lines, rest];
}

/** Lines that begin with a blank are a table, line by line; others go on with what was left of the line before. */
function foldedNotes(notes: string): string[] {
  const lines: string[] = [];
  let open = false;
  for (const line of notes.split('\n')) {
    const indent = line.length - line.trimStart().length;
    const text: string = open && indent === 0 && line !== '' ? `${lines.pop()} ${line}` : line;
    open = indent === 0 && line.length > PROSE;
    lines.push(...folded(text, indent));
  }
  return lines;
}

/** `-n, --lines=N`, with the long names of those without a letter in one column. */
function spelling(flag: Flag): string {
  const long = longNames(flag);
  const letters = [...(flag.short ?? '')].map((letter) => `-${letter}`).join(', ');
  if (long.length === 0) return `${letters}${argumentOf(flag, ' ', '')}`;
  const names = long.map((name) => `--${name}`).join(', ');
  return `${letters === '' ? '    ' : `${letters}, `}${names}${argumentOf(flag, '=', '=')}`;
}

function argumentOf(flag: Flag, before: string, beforeOptional: string): string {
  if (flag.value === undefined) return '';
  return flag.optional === true ? `[${beforeOptional}${flag.value}]` : `${before}${flag.value}`;
}

/** The long names of a flag, always as a list. */
export function longNames(flag: Flag): readonly string[] {
  if (flag.long === undefined) return [];
  return typeof flag.long === 'string' ? [flag.long] : flag.long;
}
