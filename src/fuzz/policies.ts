/** Policies below the base of a scenario, and environments. */
import type { Arbitrary } from 'fast-check';
import type { Policy } from '../policy/policy.js';
import fc from './fast-check.js';
import { BASE } from './scenario.js';

const ROOTS = ['rw:rw', 'ro:ro', 'rw/ro:ro', 'rw/d:ro', 'rw/d:rw', 'ro:rw'];
const COMMANDS = ['cat', 'rm', 'ls', 'command', 'sh', 'mkdir', 'grep', 'cd', 'tee', 'eval', 'find', 'xargs', 'sort'];

/** Any policy that keeps out of `out`. */
export const policies: Arbitrary<Policy> = fc
  .record({
    mode: fc.constantFrom<'read-only' | 'remediation'>('remediation', 'remediation', 'read-only'),
    roots: fc.oneof(
      { weight: 3, arbitrary: fc.constant<string[]>(['rw:rw', 'ro:ro']) },
      { weight: 2, arbitrary: fc.subarray(ROOTS) },
    ),
    commands: fc.option(fc.subarray(COMMANDS), { nil: undefined, freq: 6 }),
    removals: fc.constantFrom(0, 1, 2, 3, 5, 100),
    operands: fc.constantFrom(10, 10, 1, 3),
  })
  .map(({ mode, roots, commands, removals, operands }) => {
    // A directory is granted once: twice, the less of both holds, and the policy would only be longer.
    const once = roots.filter(
      (root, i) => roots.findIndex((other) => other.split(':')[0] === root.split(':')[0]) === i,
    );
    return {
      mode,
      allowedPaths: once.map((root) => `${BASE}/${root}`),
      limits: { maxRemovalsPerRun: removals, maxRemoveOperands: operands },
      ...(commands === undefined ? {} : { allowedCommands: commands }),
    };
  });

/** Where everything below `rw` may be changed, up to some removals. */
export const openPolicies: Arbitrary<Policy> = fc.integer({ min: 0, max: 8 }).map((removals) => ({
  mode: 'remediation',
  allowedPaths: [`${BASE}/rw:rw`, `${BASE}/ro:ro`],
  limits: { maxRemovalsPerRun: removals },
}));

/** Variables that have meant trouble to shells. */
export const environments: Arbitrary<Record<string, string>> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'IFS',
        'PATH',
        'HOME',
        'ENV',
        'BASH_ENV',
        'LC_ALL',
        'CDPATH',
        'PS4',
        'TZ',
        'POSIXLY_CORRECT',
        'x',
      ),
      fc.constantFrom(
        '',
        '/',
        `${BASE}/out`,
        `${BASE}/rw`,
        '/bin',
        'C',
        '$(rm f)',
        '() { :; }; rm f',
        '-',
        'a b',
        '..',
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs));
