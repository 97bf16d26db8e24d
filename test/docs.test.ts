/** What is generated is current. `npm run docs` runs this file with RMSH_WRITE_DOCS set: then it writes instead. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printDecisions } from '../grammar/decisions.js';
import { OneTokenLookahead } from '../grammar/lookahead.js';
import { CommandParser } from '../grammar/parser.js';
import { policySchema } from '../src/policy/schema.js';
import { coverage } from './support/coverage.js';
import { withGeneratedParts } from './support/docs.js';

const writing = (process.env['RMSH_WRITE_DOCS'] ?? '') !== '';
const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

describe('generated files (npm run docs)', () => {
  it('has the schema of a policy, from the table that checks one', () => {
    const file = at('src/policy/policy.schema.json');
    const schema: unknown = JSON.parse(JSON.stringify(policySchema()));
    const current = (): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
    // Compared as data: how it is laid out is the formatter's business, and writing it unchanged would undo that.
    if (writing && JSON.stringify(current()) !== JSON.stringify(schema)) {
      writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
    }
    expect(current()).toEqual(schema);
  });

  it('has the decisions of the parser, from its rules', () => {
    const file = at('grammar/decision-table.ts');
    const lookaheadStrategy = new OneTokenLookahead();
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    new CommandParser({ skipValidations: true, lookaheadStrategy });
    const table = `/** Generated from the rules of \`parser.ts\` (npm run docs); read by \`decisions.ts\`. */
export const DECISION_TABLE = \`${printDecisions(lookaheadStrategy.decisions)}\`;
`;
    if (writing && table !== text) writeFileSync(file, table);
    expect(readFileSync(file, 'utf8')).toBe(table);
  });

  it('has the tables of the README, from the definitions', () => {
    const file = at('README.md');
    const text = readFileSync(file, 'utf8');
    if (writing && withGeneratedParts(text) !== text) writeFileSync(file, withGeneratedParts(text));
    expect(readFileSync(file, 'utf8')).toBe(withGeneratedParts(text));
  });

  it('has the page of what the rows cover, from the rows', () => {
    const file = at('test/cases/COVERAGE.md');
    if (writing) writeFileSync(file, coverage());
    expect(readFileSync(file, 'utf8')).toBe(coverage());
  });
});
