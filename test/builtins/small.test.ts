/** The commands of a few lines: true, false, yes, sleep, env, printenv. */
import { describe, expect, it } from 'vitest';
import { env } from '../../builtins/env.js';
import { falseCommand } from '../../builtins/false.js';
import type { FullContext } from '../../builtins/kit/context.js';
import { printenv } from '../../builtins/printenv.js';
import { sleep } from '../../builtins/sleep.js';
import { trueCommand } from '../../builtins/true.js';
import { yes } from '../../builtins/yes.js';
import { BROKEN_PIPE } from '../../src/errors.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, expectLikeGnu, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const cwd = makeTree({});

withGnu('true', COREUTILS, () => gnuRows(trueCommand, ['', 'x', '-x --bad']));
withGnu('false', COREUTILS, () => gnuRows(falseCommand, ['', 'x', '-x --bad']));
withGnu('sleep', COREUTILS, () =>
  gnuRows(sleep, ['', '0', '0 .0s 0m', 'x', '1 x y', '-1', '5M', '-x', '0.01', '1e-3', '--bad']),
);
withGnu('yes', COREUTILS, () => gnuRows(yes, ['-x', '--bad']));

describe('printenv and env', () => {
  const environment = { A: '1', B: 'two words', EMPTY: '', PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC0' };
  withGnu('printenv', COREUTILS, () => {
    gnuRows(printenv, ['A', 'B A', 'A NONE B', 'NONE', 'A=1', 'EMPTY', '-0 A B', '--null A', '-x', '--bad', 'A -x'], {
      environment,
    });
  });
  withGnu('env', COREUTILS, () => {
    gnuRows(
      env,
      [
        '-i',
        '-',
        '-i X=1 Y=2',
        '-i X=1 X=2',
        '- X=',
        '-i -u X Y=1',
        '-i -0 X=1 Y=2',
        '-u A=b',
        ['-u', ''],
        '-i =x',
        '-x',
        '--bad',
        '-u',
        '-0 printenv',
        '-C /',
        ['-C', '', 'printenv'],
      ],
      { environment },
    );
    it('prints the variables', () => expectLikeGnu(env, ['NEW=x'], { environment, unordered: true }));
  });
  const options = { cwd, environment, builtins: [printenv, trueCommand, falseCommand] };
  it('runs a command with other variables', async () => {
    expect(await runBuiltin(env, ['A=9', '-i', 'x'], options)).toMatchObject({ status: 127 });
    expect((await runBuiltin(env, ['A=9', 'C=3', 'printenv', 'A', 'B', 'C'], options)).stdout).toBe(
      '9\ntwo words\n3\n',
    );
    expect((await runBuiltin(env, ['-u', 'A', 'printenv', 'A', 'B'], options)).stdout).toBe('two words\n');
    expect((await runBuiltin(env, ['-i', 'A=1', 'printenv'], options)).stdout).toBe('A=1\n');
    expect((await runBuiltin(env, ['false'], options)).status).toBe(1);
    expect((await runBuiltin(env, ['gone'], options)).status).toBe(127);
  });
});

describe('yes', () => {
  for (const [words, line] of [
    [[], 'y\n'],
    [['a', 'b c'], 'a b c\n'],
    [['--', '-x'], '-x\n'],
    [['x'.repeat(100_000)], `${'x'.repeat(100_000)}\n`],
  ] as const) {
    it(`prints ${line.slice(0, 10).trim()} until its reader leaves`, async () => {
      let printed = '';
      const reader = {
        ...yes,
        invoke: (context: FullContext, argv: readonly string[]) => {
          const write = (data: string | Uint8Array): undefined => {
            printed += Buffer.from(data).toString();
            if (printed.length > 300_000) throw BROKEN_PIPE;
          };
          return yes.invoke(Object.create(context, { out: { value: { ...context.out, write } } }), argv);
        },
      };
      const result = await runBuiltin(reader, words, { cwd });
      expect(result.status).toBe(141);
      expect(printed).toBe(line.repeat(printed.length / line.length));
    });
  }
});

it('sleep adds its operands', async () => {
  const began = performance.now();
  expect((await runBuiltin(sleep, ['0.05', '.05s'], { cwd })).status).toBe(0);
  expect(performance.now() - began).toBeGreaterThan(95);
});
