/** The generated parts of the README: tables made from the definitions. */
import { builtins } from '../../builtins/index.js';
import { LONG_OPTIONS } from '../../src/cli/options.js';
import { LIMITS } from '../../src/limits.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const options: readonly (readonly [string, { readonly value?: string; readonly help: string }])[] =
  Object.entries(LONG_OPTIONS);

function number(value: number): string {
  return value >= 1024 * 1024 && value % (1024 * 1024) === 0
    ? `${value / (1024 * 1024)} Mi`
    : value.toLocaleString('en-US');
}

/** By the name of the marker: `<!-- name -->` ... `<!-- end -->`. */
export function generatedParts(): Readonly<Record<string, string>> {
  return {
    options: table(
      ['option', 'does'],
      options.map(([name, { value, help }]) => [`\`--${name}${value === undefined ? '' : ` ${value}`}\``, help]),
    ),
    commands: table(
      ['command', 'does'],
      [...builtins]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, aliases, summary }) => [[name, ...aliases].map((one) => `\`${one}\``).join(' '), summary]),
    ),
    limits: table(
      ['limit', 'default', 'of'],
      Object.entries(LIMITS).map(([name, { value, unit, why }]) => [`\`${name}\``, `${number(value)} ${unit}`, why]),
    ),
  };
}

/** `text` with the parts between its markers replaced. Throws when a marker has no part, or a part no marker. */
export function withGeneratedParts(text: string): string {
  const parts = new Map(Object.entries(generatedParts()));
  const result = text.replaceAll(/^<!-- (\w+) -->\n(?:[\s\S]*?\n)??<!-- end -->$/gm, (_whole, name: string) => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`nothing is generated for the marker '${name}'`);
    parts.delete(name);
    return `<!-- ${name} -->\n\n${part}\n\n<!-- end -->`;
  });
  if (parts.size > 0) throw new Error(`no marker for ${[...parts.keys()].join(', ')}`);
  return result;
}
