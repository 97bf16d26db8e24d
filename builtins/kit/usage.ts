/** `--help`, made from a definition. */
import type { AnyDefinition, Flag } from './define.js';

const HELP_COLUMN = 30;

export function helpText(definition: AnyDefinition): string {
  const usage = definition.usage.split('\n');
  const lines = usage.map((line, i) => `${i === 0 ? 'Usage:' : '  or: '} ${line}`);
  const { summary } = definition;
  lines.push(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  const options = optionLines(definition);
  if (options.length > 0) lines.push('', ...options);
  if (definition.notes !== undefined) lines.push('', definition.notes);
  const statuses = Object.entries(definition.statuses);
  if (statuses.length > 0) lines.push('', 'Exit status:', ...statuses.map(([status, text]) => ` ${status}  ${text}`));
  return `${lines.join('\n')}\n`;
}

function optionLines(definition: AnyDefinition): string[] {
  const lines = Object.values(definition.flags).map((flag) => optionLine(spelling(flag), flag.help));
  if (!definition.helpless && !('help' in definition.flags)) lines.push(optionLine('    --help', 'print this help'));
  return lines;
}

function optionLine(left: string, help: string): string {
  const start = `  ${left}`;
  return start.length + 2 <= HELP_COLUMN
    ? `${start.padEnd(HELP_COLUMN)}${help}`
    : `${start}\n${' '.repeat(HELP_COLUMN)}${help}`;
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
