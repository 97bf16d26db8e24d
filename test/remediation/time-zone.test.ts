/** The host's own `$TZ`, which no script has to see. */
import { expect, it } from 'vitest';
import { makeTree } from '../support/builtin-tree.js';
import { remediate } from '../support/cli.js';

it.each([
  ['UTC0', 'UTC', '00', '+0000'],
  ['CET-1CEST,M3.5.0,M10.5.0/3', 'CET', '01', '+0100'],
  ['Asia/Tokyo', 'JST', '09', '+0900'],
])('TZ=%s of the host: a rule is understood like a name', async (TZ, name, hour, offset) => {
  const script = `date -d @0 '+%F %T %Z'; touch -d @0 f; stat -c %y f
ls -l --time-style=full-iso f | cut -d ' ' -f 6-8; du --time f | cut -f 2`;
  const { stdout, stderr } = await remediate(makeTree({}), script, { env: { TZ } });
  const time = `1970-01-01 ${hour}:00`;
  const full = `${time}:00.000000000 ${offset}`;
  expect({ stdout, stderr }).toEqual({
    stdout: `${time}:00 ${name}\n${full}\n${full}\n${time}\n`,
    stderr: '',
  });
});
