/** The page that says, section by section, which rows there are and in which shells they run. */
import { readdirSync, readFileSync } from 'node:fs';
import { parseCases } from './casefile.js';
import { shellsOf } from './cases.js';
import { SHELL_NAMES } from './oracles.js';
import { SECTIONS } from './standard.js';

const folder = new URL('../cases/', import.meta.url);

interface Count {
  rows: number;
  /** Rows that rmsh does not pass yet. */
  failing: number;
  readonly shells: Map<string, number>;
  readonly files: Set<string>;
}

export function coverage(): string {
  const counts = new Map<string, Count>();
  const all: Count = { rows: 0, failing: 0, shells: new Map(), files: new Set() };
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.cases')) continue;
    for (const [title, row] of Object.entries(parseCases(readFileSync(new URL(file, folder), 'utf8'), file))) {
      if (row.about === undefined) throw new Error(`${file}: '${title}' stands below no heading (==== SECTION)`);
      const count: Count = counts.get(row.about) ?? { rows: 0, failing: 0, shells: new Map(), files: new Set() };
      counts.set(row.about, count);
      for (const one of [count, all]) {
        one.rows += 1;
        if (row.failing !== undefined) one.failing += 1;
        for (const name of shellsOf(row)) one.shells.set(name, (one.shells.get(name) ?? 0) + 1);
        one.files.add(file);
      }
    }
  }
  const line = (name: string, title: string, count: Count | undefined): string => {
    const shells = SHELL_NAMES.map((shell) => count?.shells.get(shell) ?? '');
    const files =
      count === undefined || count === all ? '' : [...count.files].map((file) => `[${file}](${file})`).join(' ');
    const passing = count === undefined ? 'none' : `${count.rows - count.failing} of ${count.rows}`;
    return `| ${[name, title, passing, ...shells, files].join(' | ')} |`;
  };
  return [
    '# What the rows of this folder cover',
    '',
    'Written by `npm run docs` from the rows themselves; a test fails when it is not current. *Passing* counts the rows that rmsh passes; the',
    'columns of the shells, on how many of them that shell was asked and agrees. Sections are those of POSIX.1-2024, Shell and Utilities.',
    '',
    `| section | | passing | ${SHELL_NAMES.join(' | ')} | rows in |`,
    `|${'---|'.repeat(SHELL_NAMES.length + 4)}`,
    ...[...SECTIONS].map(([name, title]) => line(name, title.replaceAll('|', '\\|'), counts.get(name))),
    line('all', '', all),
    '',
  ].join('\n');
}
