/** What looks at the whole host is what needs the grant, and nothing else. */
import { describe, expect, it } from 'vitest';
import { builtins } from '../../builtins/index.js';
import { HOST_COMMANDS } from '../../src/policy/policy.js';
import { rmsh } from '../support/cli.js';

describe('the host table', () => {
  it('has every command that needs the kernel, and no other', () => {
    const needing = builtins.filter(({ needs }) => needs.includes('kernel')).map(({ name }) => name);
    expect(needing.sort()).toEqual([...HOST_COMMANDS].sort());
  });

  it('is closed without the grant, and says what opens it', async () => {
    for (const name of HOST_COMMANDS) {
      const answer = await rmsh(['-c', `${name} --help`]);
      expect(answer).toMatchObject({ status: 126, stdout: '' });
      expect(answer.stderr).toContain(`${name}: not allowed by the policy (--allow-host grants it)`);
    }
  });

  it('is open with the grant', async () => {
    const { stdout } = await rmsh(['--allow-host', '-c', 'ps -p $$ -o pid=; free | wc -l; pgrep -c .']);
    const [pid, lines, count] = stdout.trim().split('\n');
    expect(Number(pid)).toBeGreaterThan(1);
    expect(Number(lines)).toBe(3);
    expect(Number(count)).toBeGreaterThan(0);
  });
});
