/** The maintainer scripts of the installed Debian packages: what `dash -n` accepts, `rmsh -n` accepts. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rmsh } from '../support/cli.js';
import { missing, ORACLES_REQUIRED } from '../support/oracles.js';

const FOLDER = '/var/lib/dpkg/info';

const why = existsSync(FOLDER) ? missing('dash') : 'this is no Debian system';
const run = why === undefined || ORACLES_REQUIRED ? it : it.skip;

run(
  `every maintainer script that dash -n accepts${why === undefined ? '' : ` (${why})`}`,
  { timeout: 180_000 },
  async () => {
    if (why !== undefined) throw new Error(why);
    const found = readdirSync(FOLDER)
      .filter((name) => /\.(?:preinst|postinst|prerm|postrm)$/.test(name))
      .map((name) => join(FOLDER, name));
    // Many are made by the same tool and are the same, byte for byte: one of each will do.
    const different = new Map(found.map((path) => [readFileSync(path, 'latin1'), path]));
    const scripts = [...different.values()].filter(
      (path) => spawnSync('/bin/dash', ['-n', path], { stdio: 'ignore' }).status === 0,
    );
    // A Debian system that has Node and the oracles has far more than that.
    expect(scripts.length).toBeGreaterThan(30);

    const refused: string[] = [];
    const queue = [...scripts];
    const worker = async (): Promise<void> => {
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
        const { status, stdout, stderr } = await rmsh(['-n', path]);
        if (status !== 0 || stdout !== '' || stderr !== '') refused.push(`${path}: ${status}\n${stderr}`);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    console.log(`${scripts.length} different maintainer scripts of ${found.length}`);
    expect(refused).toEqual([]);
  },
);
