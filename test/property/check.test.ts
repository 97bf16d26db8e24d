/** Generated scripts run as `check` said they would: what it refuses is refused, what it allows is not. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, createShell, type Policy } from '../../src/index.js';
import { withTree } from '../support/tree.js';

const ROUNDS = Number(process.env['RMSH_PROPERTY_RUNS'] ?? 120);

const FILES = {
  'rw/f': 'x\n',
  'rw/g': 'x\n',
  'rw/d/h': 'x\n',
  'rw/link': { symlink: 'f' },
  'rw/away': { symlink: '../out' },
  'rw/hard': { hardlink: 'rw/f2' },
  'rw/f2': '',
  'rw/ro/k': 'x\n',
  'ro/f': 'x\n',
  'out/f': 'x\n',
} as const;

const path = fc.constantFrom(
  ...'f g d/h d new d/new link away/f away hard ../out/f ../ro/f d/../f d/../../out/f BASE/rw/f BASE/ro/f BASE/ro/new BASE/out/f ro/k'.split(
    ' ',
  ),
  ...['/etc/passwd', '/dev/null', '"$x"', 'f*', '"$PWD/f"', '-', '.', '..', 'missing/f', '/proc/self/environ'],
);
const command = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...'cat|head|wc -c|grep x|sort|tee|tee -a|mkdir|rm|rm -v|rm -rf|rm -f|touch|ls|ls -l|tac|head -n 1|sha1sum|/bin/cat|/usr/bin/rm|command cat|command rm|find|sed p|chmod 644|cd|. |stat|rmdir|truncate -s 0|\\rm|"cat"|$c'.split(
          '|',
        ),
      ),
      fc.array(path, { minLength: 1, maxLength: 2 }),
    )
    .map(([name, paths]) => `${name} ${paths.join(' ')}`),
  fc.constantFrom(
    'echo x',
    'printf x',
    ':',
    'true',
    'foo f',
    'sudo ls',
    'ps',
    'rm 1 2 3 4 5 6 7 8 9 10 11',
    'mv f new',
    'cp g new',
    'ln -s ../out o',
    'command -v ls',
    'seq 3',
    'pwd',
    'awk 1 f',
    'x=1',
    'export x=f',
    'ls | xargs cat',
    'test -e /etc/passwd',
    'read y',
    'type ls',
    'umask 022',
  ),
);
const redirection = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('>', '>>', '<', '2>', '>|', '<>', '&>'), path)
      .map(([op, to]) => ` ${op} ${to}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(' 2>&1', ' >/dev/null 2>&1', ' </dev/null > new', ' < missing > /etc/x') },
);
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const line = fc.tuple(command, redirection, fc.integer({ min: 0, max: 16 })).map(([base, to, way]) => {
  // A redirection of a special built-in that fails would end the shell, and the lines after it.
  const one = /^(?::|\.|x=|export)/.test(base) ? base : base + to;
  switch (way) {
    case 0:
      return `( ${one} )`;
    case 1:
      return `y=$(${one})`;
    case 2:
      return `${one} | cat`;
    case 3:
      return `for i in 1 2; do ${one}; done`;
    case 4:
      return `eval ${quoted(one)}`;
    case 5:
      return `sh -c ${quoted(one)}`;
    case 6:
      return `if ${one}; then :; fi`;
    case 7:
      return `fn() { ${one}; }; fn`;
    case 8:
      return `{ ${one}; } 2>&1 >/dev/null`;
    case 9:
      return `cat <<< "$(${one})"`;
    default:
      return one;
  }
});
const rare = fc.constantFrom(
  'eval "$nothing"',
  'alias cat=rm',
  'rm() { :; }',
  'cat() { command cat "$@"; }',
  'PATH=.',
  '$nothing',
);
const script = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.option(rare, { freq: 6 }))
  .map(([lines, odd]) => (odd === null ? lines : [odd, ...lines]));

const policies = fc.record({
  mode: fc.constantFrom<'read-only' | 'remediation'>('read-only', 'remediation'),
  roots: fc.subarray(['rw:rw', 'ro:ro', 'rw/ro:ro', 'rw/d:ro', 'out:rw'], { minLength: 0 }),
  allowedCommands: fc.option(fc.subarray('cat rm ls command sh mkdir grep cd tee eval'.split(' ')), {
    nil: undefined,
    freq: 4,
  }),
  removals: fc.constantFrom(1, 100),
});

const REFUSED =
  /not allowed by the policy|remediation mode required|Permission denied|not found|refusing to remove|invalid option/;
/** A redirection that fails by itself: the command is not reached. */
const NOT_REACHED =
  /^script: line \d+: .*: (?:No such file or directory|Is a directory|Not a directory|not a regular file)$/m;
const BY_POLICY =
  /not allowed by the policy|remediation mode required|Permission denied|not supported as write|more than one link|exhausted|refusing to/;

it('a script does what check says of it', { timeout: 180_000 }, async () => {
  const share = { refused: 0, allowed: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(script, policies, (lines, { mode, roots, allowedCommands, removals }) =>
      withTree(FILES, async (base) => {
        const policy: Policy = {
          mode,
          allowedPaths: roots.map((root) => join(base, root)),
          limits: { maxRemovalsPerRun: removals },
          ...(allowedCommands === undefined ? {} : { allowedCommands }),
        };
        // What a line says on standard error stands between two marks.
        const text = lines.map((one, i) => `echo @${i}@ >&2\n${one.replaceAll('BASE', base)}\n`).join('');
        const cwd = join(base, 'rw');
        const { commands, problem } = check(text, policy, { cwd });
        expect(problem).toBeUndefined();
        const result = await createShell(policy).run(text, { cwd, name: 'script', timeoutMs: 10_000 });
        const said = result.stderr.split(/@\d+@\n/).slice(1);
        for (const [i, output] of said.entries()) {
          const own = commands.filter((one) => one.line === 2 * i + 2);
          for (const { verdict } of own) share[verdict] += 1;
          const told = { line: lines[i], output, own };
          // What is silenced, or not called (a function), cannot be compared.
          const heard = !/2>|&>|^\w+\(\)/.test(lines[i] ?? '') && !NOT_REACHED.test(output);
          if (own.some(({ verdict }) => verdict === 'refused') && heard)
            expect(REFUSED.test(output), JSON.stringify(told)).toBe(true);
          if (own.every(({ verdict }) => verdict === 'allowed'))
            expect(BY_POLICY.test(output), JSON.stringify(told)).toBe(false);
        }
      }),
    ),
    { numRuns: ROUNDS },
  );
  const all = share.refused + share.allowed + share.unknown;
  const percent = (n: number): string => `${Math.round((100 * n) / all)} %`;
  console.log(
    `check: ${percent(share.refused)} refused, ${percent(share.allowed)} allowed, ${percent(share.unknown)} unknown of ${all} commands`,
  );
  // Who knows nothing is never wrong.
  expect(share.unknown / all).toBeLessThan(0.7);
});
