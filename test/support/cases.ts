/**
 * Rows: a promise, a script and what it prints. Each row is run by rmsh, in a fresh directory that is its only root, in
 * remediation mode; and by real shells, which have to agree, so that an expectation cannot bless our own mistake. Where we
 * mean to differ, or shells do among each other, the row says why.
 */
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import type { Policy } from '../../src/policy/policy.js';
import { CASE_ENVIRONMENT, missing, ORACLES_REQUIRED, runOracle, type ShellName } from './oracles.js';
import { describeTree, type FilesSpec, removeTree, temporaryTree } from './tree.js';

export interface Case {
  readonly script: string;
  /** The section of the standard that it shows, a key of SECTIONS. */
  readonly about?: string;
  /** Exactly this; nothing when it is left out. */
  readonly stdout?: string | Uint8Array;
  /**
   * Exactly this, from the real shells too; nothing when it is left out. Real shells word their own errors each in their own
   * way: with `ownWords`, or when this is a pattern, they only have to say something.
   */
  readonly stderr?: string | RegExp;
  readonly ownWords?: boolean;
  /** 0 when it is left out. */
  readonly status?: number;
  readonly files?: FilesSpec;
  readonly stdin?: string | Uint8Array;
  readonly args?: readonly string[];
  /** What differs from remediation mode with the row's directory as its one rw root. */
  readonly policy?: Policy;
  /** The shells that have to agree; bash and dash when it is left out, none for a row that `differs`. */
  readonly shells?: readonly ShellName[];
  /** Why rmsh, or a shell that is not asked, differs: needed where not both bash and dash are asked. */
  readonly differs?: string;
  /** Why the row is known to fail in rmsh today. It is an error when it passes. */
  readonly failing?: string;
}

const USUAL: readonly ShellName[] = ['bash', 'dash'];

/** Shells of a row; throws when it leaves one out without saying why. */
export function shellsOf(row: Case): readonly ShellName[] {
  const shells = row.shells ?? (row.differs === undefined ? USUAL : []);
  if (row.differs === undefined && !USUAL.every((name) => shells.includes(name))) {
    throw new Error('a row that is not asked of bash and dash has to say why, in `differs`');
  }
  return shells;
}

/** What a run showed, in a form whose difference is read at one glance. */
interface Shown {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text as it is; other bytes as their hexadecimal form, so that nothing is lost in comparing. */
function textOf(bytes: string | Uint8Array): string {
  if (typeof bytes === 'string') return bytes;
  try {
    return utf8.decode(bytes);
  } catch {
    return `(hex) ${Buffer.from(bytes).toString('hex')}`;
  }
}

function compare(shown: Shown, row: Case, own: boolean): void {
  const wanted = row.stderr ?? '';
  let stderr = wanted;
  if (typeof wanted !== 'string') {
    if (own) expect(shown.stderr, 'stderr').toMatch(wanted);
    stderr = shown.stderr;
  }
  if (!own && (typeof wanted !== 'string' || row.ownWords === true)) {
    expect(shown.stderr, 'stderr').not.toBe('');
    stderr = shown.stderr;
  }
  expect(shown).toEqual({ stdout: textOf(row.stdout ?? ''), stderr, status: row.status ?? 0 });
}

async function runOurs(row: Case): Promise<void> {
  const directory = temporaryTree(row.files);
  try {
    const shell = createShell({
      mode: 'remediation',
      allowedPaths: [{ path: directory, access: 'rw' }],
      env: CASE_ENVIRONMENT,
      ...row.policy,
    });
    const readOnly = row.policy?.mode === 'read-only';
    const before = readOnly ? describeTree(directory) : [];
    const result = await shell.run(row.script, {
      name: 'script',
      cwd: directory,
      timeoutMs: 15_000,
      ...(row.stdin === undefined ? {} : { stdin: row.stdin }),
      ...(row.args === undefined ? {} : { args: row.args }),
    });
    const status = result.status === 'exited' ? result.exitCode : `${result.status} (${result.message ?? ''})`;
    compare({ stdout: textOf(result.stdoutBytes), stderr: textOf(result.stderrBytes), status }, row, true);
    if (readOnly) expect(describeTree(directory)).toEqual(before);
  } finally {
    removeTree(directory);
  }
}

async function askOracle(name: ShellName, row: Case): Promise<void> {
  const directory = temporaryTree(row.files);
  try {
    const { stdout, stderr, status } = await runOracle(name, row.script, {
      cwd: directory,
      ...(row.stdin === undefined ? {} : { stdin: row.stdin }),
      ...(row.args === undefined ? {} : { args: row.args }),
    });
    compare({ stdout: textOf(stdout), stderr, status }, row, false);
  } finally {
    removeTree(directory);
  }
}

/** Declares the tests of a table of rows. */
export function cases(title: string, rows: Readonly<Record<string, Case>>): void {
  describe(title, () => {
    for (const [promise, row] of Object.entries(rows)) {
      if (row.failing === undefined) it(promise, () => runOurs(row));
      else it.fails(`${promise} (known to fail: ${row.failing})`, () => runOurs(row));
      for (const name of shellsOf(row)) {
        const why = missing(name);
        if (why === undefined) it(`${promise} [${name}]`, () => askOracle(name, row));
        else if (ORACLES_REQUIRED) {
          it(`${promise} [${name}]`, () => {
            throw new Error(why);
          });
        } else it.skip(`${promise} [${name}]: ${why}`, () => undefined);
      }
    }
  });
}
