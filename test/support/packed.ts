/** The package as somebody has it who installs it: packed, and installed by npm into a project of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const QUIET = ['--prefer-offline', '--no-audit', '--no-fund'];

/** Makes `folder` a project that has rmsh; answers the path of the archive that was packed. */
export function installPacked(folder: string): string {
  const npm = (...words: string[]): string =>
    execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  npm('pack', root, '--ignore-scripts', '--silent');
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  npm('install', ...QUIET, `./${archive}`);
  return join(folder, archive);
}

/** What npm says where the network is not there, or there is no registry. */
const OUT_OF_REACH =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

/**
 * Installs packages of others into the project in `folder`, or what its package.json names. False, and a word on it, where the registry
 * is out of reach; with `RMSH_REQUIRE_ORACLES` that is an error as any other.
 */
export function installOthers(folder: string, packages: readonly string[]): boolean {
  const { status, stderr } = spawnSync('npm', ['install', ...QUIET, ...packages], { cwd: folder, encoding: 'utf8' });
  if (status === 0) return true;
  if ((process.env['RMSH_REQUIRE_ORACLES'] ?? '') !== '' || !OUT_OF_REACH.test(stderr)) throw new Error(stderr);
  console.warn(`npm has no network: what needs ${packages.join(' ') || 'the packages of an example'} is not tried`);
  return false;
}
