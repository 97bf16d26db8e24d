/** The shells that run the workloads: a name, and the command line that runs a script file in the bench's folder. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const program = fileURLToPath(new URL('../../dist/rmsh.js', import.meta.url));

/** Removals have limits, which a row that removes 10,000 files is granted. */
const GRANTS = ['--mode', 'remediation', '--limit', 'maxRemovalsPerRun=1000000'];

export const SUBJECTS = {
  rmsh: (script, folder) => [process.execPath, program, ...GRANTS, '--allow-path', `${folder}:rw`, script],
  dash: (script) => ['/bin/dash', script],
  bash: (script) => ['/bin/bash', script],
  busybox: (script) => ['/bin/busybox', 'ash', script],
  ksh93: (script) => ['/usr/bin/ksh93', script],
  mksh: (script) => ['/usr/bin/mksh', script],
  /** What a process of Node costs before it does anything. */
  'node -e 0': () => [process.execPath, '-e', '0'],
  /** What rmsh costs before it does anything. */
  'rmsh :': () => [process.execPath, program, '-c', ':'],
};

export const isThere = (name) => existsSync(SUBJECTS[name]('', '')[0]);

const PEER = 'just-bash@3.4.2';

/** The known shell in TypeScript, put into `folder`: it is nothing that rmsh needs. */
export function addPeer(folder) {
  const where = join(folder, 'peer');
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', where, PEER];
  const { status } = spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install ${PEER}`);
  const entry = join(where, 'node_modules/just-bash/dist/bin/just-bash.js');
  // It sees the folder as a file system of its own, below a path of its own.
  SUBJECTS['just-bash'] = (script, at) => [process.execPath, entry, '--root', at, '--allow-write', script];
}
