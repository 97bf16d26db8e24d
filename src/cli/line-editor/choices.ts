/** The choices of a completion: what they have in common, and how they are listed below the line. */
import { widthOfText } from '../../../builtins/kit/text-width.js';

export interface Choice {
  /** What stands in the line, quoted as it must be. */
  readonly text: string;
  /** Behind it, when it is the only one: a blank, or nothing where more may follow. */
  readonly suffix: string;
  /** What the list shows. */
  readonly label: string;
  /** Half a line on what it is. */
  readonly description?: string;
}

/** What all begin with. */
export function commonStart(choices: readonly Choice[]): string {
  let common = choices[0]?.text ?? '';
  for (const { text } of choices) {
    let length = 0;
    while (length < common.length && common[length] === text[length]) length++;
    common = common.slice(0, length);
  }
  // Half of a surrogate pair would be another character.
  return /[\ud800-\udbff]$/.test(common) ? common.slice(0, -1) : common;
}

/** At most `rows` lines: one for each choice where they are described, else in columns, down and then across, as `ls` lists. */
export function choicesBelow(choices: readonly Choice[], columns: number, rows: number): string[] {
  const labels = choices.map(({ label }) => label.replace(/[\x00-\x1f\x7f]/g, '?'));
  const widest = Math.max(...labels.map(widthOfText));
  if (choices.some(({ description }) => description !== undefined)) {
    const lines = choices.map(({ description = '' }, i) => {
      const label = labels[i] ?? '';
      return cut(`${label}${' '.repeat(widest - widthOfText(label) + 2)}${description}`.trimEnd(), columns - 1);
    });
    return cutRows(lines, rows);
  }
  const across = Math.max(1, Math.floor((columns - 1) / (widest + 2)));
  const down = Math.ceil(labels.length / across);
  const lines: string[] = [];
  for (let row = 0; row < down; row++) {
    let line = '';
    for (let at = row; at < labels.length; at += down) {
      const label = labels[at] ?? '';
      line += `${label}${' '.repeat(widest - widthOfText(label) + 2)}`;
    }
    lines.push(cut(line.trimEnd(), columns - 1));
  }
  return cutRows(lines, rows);
}

function cutRows(lines: readonly string[], rows: number): string[] {
  if (lines.length <= rows) return [...lines];
  return [...lines.slice(0, rows - 1), `... and ${lines.length - rows + 1} lines more`];
}

function cut(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += widthOfText(character);
    if (width > columns) return kept;
    kept += character;
  }
  return kept;
}
