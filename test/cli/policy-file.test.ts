/** Whoever can write a policy has what they like: a file that scripts, or everybody, may change is no policy. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rmsh } from '../support/cli.js';
import { withTree } from '../support/tree.js';

it('a policy file that a script may change, or anybody, is none', () =>
  withTree(
    { 'rw/p.json': '{"version":1}', 'p.json': '{"version":1}', 'open.json': { content: '{"version":1}', mode: 0o666 } },
    async (base) => {
      const run = (policy: string) =>
        rmsh(['--policy', policy, '--allow-path', join(base, 'rw:rw'), '-c', 'echo run'], { cwd: base });
      expect(await run('p.json')).toMatchObject({ status: 0, stdout: 'run\n' });
      const refused = await run('rw/p.json');
      expect(refused).toMatchObject({ status: 2, stdout: '' });
      expect(refused.stderr).toContain('rmsh: --policy: rw/p.json: it lies in ');
      expect(await run('open.json')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: 'rmsh: --policy: open.json: everybody may write to it\n',
      });
    },
  ));
