/**
 * The field of the hostile scripts: a root that may be changed, a root that may be read, and between them a place where nothing
 * may be seen or touched. Links, FIFOs and archives that lead there are already in the root, as an attacker would leave them.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createShell, type Policy, type RunResult } from '../../src/index.js';
import { describeTree, withTree } from '../support/tree.js';

/** What is in the file outside: where a script's output holds it, something was read. */
const SECRET = 'XYZZY';

/** A script, the status it ends with, and what it must say on standard error. */
export type HostileRow = readonly [script: string, status: number, says: string | RegExp];

export interface Field {
  readonly base: string;
  readonly root: string;
  readonly ro: string;
  readonly outside: string;
}

export function withField<T>(body: (field: Field) => Promise<T>): Promise<T> {
  return withTree({}, (base) => {
    const field = { base, root: join(base, 'root'), ro: join(base, 'ro'), outside: join(base, 'outside') };
    layOut(field);
    return body(field);
  });
}

function layOut({ root, ro, outside }: Field): void {
  for (const directory of [join(root, 'd'), join(ro, 'd'), join(outside, 'dir'), join(outside, 'empty')]) {
    mkdirSync(directory, { recursive: true });
  }
  writeFileSync(join(outside, 'secret'), `${SECRET}\n`);
  writeFileSync(join(outside, 'dir/deep'), `${SECRET} too\n`);
  writeFileSync(join(outside, 'script'), `#!/bin/sh\necho ${SECRET}\n`, { mode: 0o755 });
  writeFileSync(join(ro, 'kept'), 'kept\n');
  writeFileSync(join(ro, 'd/kept'), 'kept too\n');
  writeFileSync(join(root, 'file'), 'inside\n');
  writeFileSync(join(root, 'd/f'), 'inside too\n');
  writeFileSync(join(root, 'evil.tar'), Buffer.concat([...EVIL_MEMBERS.map(tarMember), Buffer.alloc(1024)]));
  linkSync(join(outside, 'secret'), join(root, 'hard'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const links: Record<string, string> = {
    out: '../outside',
    abs: outside,
    leaf: '../outside/secret',
    inner: 'd',
    loop: 'loop',
    proc: '/proc',
    self: '/proc/self',
    slash: '/proc/self/root',
    cwd: '/proc/self/cwd',
    fds: '/proc/self/fd',
    fd: '/dev/fd',
    c41: '../outside/secret',
    ...Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`c${i}`, `c${i + 1}`])),
    'd/up': '../out',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
}

interface Member {
  readonly name: string;
  readonly link?: string;
}

/** Names that lead out, and a link that is used as a directory by the next member. */
const EVIL_MEMBERS: readonly Member[] = [
  { name: '../outside/evil' },
  { name: '/tmp/../../../../nowhere/evil' },
  { name: 'hole', link: '../outside' },
  { name: 'hole/evil' },
  { name: 'out/evil' },
];

/** A member of a ustar archive (pax, "ustar Interchange Format"): a file of one byte block, or a symbolic link. */
function tarMember({ name, link }: Member): Buffer {
  const content = Buffer.alloc(link === undefined ? 512 : 0);
  const size = link === undefined ? content.write('evil\n') : 0;
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0' + '0000000\0'.repeat(2), 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0${' '.repeat(8)}`, 124);
  header.write(link === undefined ? '0' : '2', 156);
  header.write(link ?? '', 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content]);
}

export interface Setting {
  readonly policy?: Policy | ((field: Field) => Policy);
  /** The script may change its own root; what is outside and what is read-only stays as it is all the same. */
  readonly changesRoot?: boolean;
  readonly prepare?: (field: Field) => void;
}

/** `$OUT`, `$RO` and `$ROOT` are the directories, for scripts that name them whole. */
export async function attack(field: Field, script: string, policy: Policy = {}): Promise<RunResult> {
  const { root, ro, outside, base } = field;
  const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`, `${ro}:ro`], ...policy });
  const environment = { ROOT: root, RO: ro, OUT: outside, BASE: base };
  return shell.run(script, { cwd: root, name: 'script', timeoutMs: 15_000, environment });
}

/** Each row is a test: it ends as it should, says what it should, and has seen and touched nothing it was not granted. */
export function hostile(rows: readonly HostileRow[], setting: Setting = {}): void {
  it.each(rows)('%s', (script, status, says) =>
    withField(async (field) => {
      setting.prepare?.(field);
      const kept = setting.changesRoot === true ? [field.outside, field.ro] : [field.outside, field.ro, field.root];
      const before = kept.map(describeTree);
      const result = await attack(
        field,
        script,
        typeof setting.policy === 'function' ? setting.policy(field) : setting.policy,
      );
      // First of all: whatever the message, nothing may have changed.
      expect(kept.map(describeTree)).toEqual(before);
      expect(result.stdout + result.stderr).not.toContain(SECRET);
      // How files are held is nobody's business, unless the script itself named such a path.
      if (!script.includes('/proc/self/fd')) expect(result.stderr).not.toContain('/proc/self/fd');
      if (typeof says === 'string') expect(result.stderr).toContain(says);
      else expect(result.stderr).toMatch(says);
      expect({ status: result.status, exitCode: result.exitCode }).toEqual({ status: 'exited', exitCode: status });
    }),
  );
}
