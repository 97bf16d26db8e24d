/** `npm run docs`: writes what is generated, by the tests that check that it is current. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (...words) => {
  const { status } = spawnSync('npx', ['--no-install', ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, RMSH_WRITE_DOCS: '1' },
  });
  if (status !== 0) process.exit(status ?? 1);
};
run('vitest', 'run', '--config', '.config/vitest.config.ts', 'test/docs.test.ts');
run('biome', 'format', '--write', 'src/policy/policy.schema.json');
