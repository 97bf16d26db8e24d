/** A script against a policy, without running it: on the roots as they are on this host now. */
import { resolve } from 'node:path';
import { removalBudget } from '../files/files.js';
import type { Grants } from '../policy/policy.js';
import { canonicalName, kindOfName, nameOfPath } from '../runner/inside.js';
import { sandboxStore } from '../sandbox/store.js';
import { type CheckResult, checkScript } from './check.js';

export type { CheckedCommand, CheckResult } from './check.js';

/** `cwd`: the directory the script would start in. */
export function check(script: string, grants: Grants, cwd: string): CheckResult {
  const store = sandboxStore({
    mode: 'read-only',
    roots: grants.allowedPaths.map(({ path, access }) => ({ path, writable: access === 'rw' })),
    budget: removalBudget(0),
  });
  try {
    const inside = { kind: kindOfName, canonical: canonicalName, ofPath: nameOfPath };
    return checkScript(script, grants, store, inside, resolve(cwd));
  } finally {
    store.close();
  }
}

/** For people: a line for each command that is not allowed, and how many there are of each. */
export function checkReport(name: string, { commands, problem }: CheckResult): string {
  const lines: string[] = [];
  const count = { refused: 0, allowed: 0, unknown: 0 };
  for (const { line, command, verdict, reason, instead } of commands) {
    count[verdict] += 1;
    if (verdict === 'allowed') continue;
    lines.push(`${name}: line ${line}: ${verdict}: ${command}`, `    ${reason ?? ''}`);
    if (instead !== undefined) lines.push(`    instead: ${instead}`);
  }
  if (problem !== undefined) lines.push(`${name}: line ${problem.line}: ${problem.message}`);
  lines.push(`${count.refused} refused, ${count.allowed} allowed, ${count.unknown} unknown`, '');
  return lines.join('\n');
}

/** 0: nothing is refused; 1: something is; 2: it is no script. */
export function checkStatus({ commands, problem }: CheckResult): number {
  if (problem !== undefined) return 2;
  return commands.some(({ verdict }) => verdict === 'refused') ? 1 : 0;
}
