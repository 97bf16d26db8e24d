/** What rm and the writing commands refuse, on real files. */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { describeTree, type FilesSpec, makeTree, withTree } from '../support/tree.js';

/** A root, and beside it a place where nothing may be touched. */
async function inside(files: FilesSpec, body: (root: string, outside: string) => Promise<void>): Promise<void> {
  await withTree({}, async (base) => {
    const root = join(base, 'root');
    const outside = join(base, 'outside');
    mkdirSync(root);
    mkdirSync(join(outside, 'dir'), { recursive: true });
    writeFileSync(join(outside, 'x'), 'outside\n');
    writeFileSync(join(outside, 'dir/y'), 'outside too\n');
    makeTree(root, files);
    await body(root, outside);
  });
}

async function run(root: string, script: string) {
  const shell = createShell({ mode: 'remediation', allowedPaths: [{ path: root, access: 'rw' }] });
  return shell.run(script, { cwd: root, name: 'script', timeoutMs: 15_000 });
}

const ELEVEN: FilesSpec = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`a${i + 1}`, '']));

describe('nothing is removed', () => {
  const rows: Record<string, { script: string; files: FilesSpec; stderr: string | RegExp }> = {
    'by rm with eleven operands': {
      files: ELEVEN,
      script: 'rm a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11',
      stderr:
        /^rm: refusing to remove 11 files: exceeds the 10-file limit per invocation\n.*xargs -n 10.*-exec rm \{\} \\;/s,
    },
    'by rm with a pattern that matches eleven': {
      files: ELEVEN,
      script: 'rm a*',
      stderr: /^rm: refusing to remove 11 files/,
    },
    'by rm -rf': {
      files: { 'x/y': '' },
      script: 'rm -rf x',
      stderr: /^rm: invalid option -- 'r'\n.*find DIR -type f/s,
    },
    'by rm -f': { files: { x: '' }, script: 'rm -f x', stderr: /^rm: invalid option -- 'f'\n/ },
    'by rm x -rf': { files: { x: '' }, script: 'rm x -rf', stderr: /^rm: invalid option -- 'r'\n/ },
    'by rm --verbose=1': {
      files: { x: '' },
      script: 'rm --verbose=1 x',
      stderr: /^rm: option '--verbose' doesn't allow an argument\n/,
    },
    'by rm --recursive': {
      files: { x: '' },
      script: 'rm --recursive x',
      stderr: /^rm: unrecognized option '--recursive'\n/,
    },
    'by rm of a directory': {
      files: { d: { dir: true } },
      script: 'rm d',
      stderr: "rm: cannot remove 'd': Is a directory\n",
    },
    'by rm of . and ..': {
      files: {},
      script: 'rm . ..',
      stderr: /^rm: (?:cannot remove|refusing to remove) '\.'.*\nrm: .*'\.\.'/,
    },
    'by rm without operands': { files: {}, script: 'rm', stderr: /^rm: missing operand\n/ },
    'by rm ../outside/x': {
      files: {},
      script: 'rm ../outside/x',
      stderr: "rm: cannot remove '../outside/x': Permission denied\n",
    },
    'by rm of an outside file that is not there either': {
      files: {},
      script: 'rm ../outside/none',
      stderr: "rm: cannot remove '../outside/none': Permission denied\n",
    },
    'by xargs that hands over eleven': {
      files: ELEVEN,
      script: 'ls | xargs rm',
      stderr: /^rm: refusing to remove 11 files/,
    },
    'by find -exec + that hands over eleven': {
      files: ELEVEN,
      script: "find . -name 'a*' -exec rm {} +",
      stderr: /^rm: refusing to remove 11 files/,
    },
    'by /bin/rm -rf': { files: { x: '' }, script: '/bin/rm -rf x', stderr: /invalid option -- 'r'/ },
  };
  for (const [way, { script, files, stderr }] of Object.entries(rows)) {
    it(way, () =>
      inside(files, async (root, outside) => {
        const before = [describeTree(root), describeTree(outside)];
        const result = await run(root, script);
        expect(result.stdout).toBe('');
        if (typeof stderr === 'string') expect(result.stderr).toBe(stderr);
        else expect(result.stderr).toMatch(stderr);
        expect(result.exitCode).toBe(script.includes('xargs') ? 123 : 1);
        expect(result.removals).toEqual({ made: 0, left: 100 });
        expect([describeTree(root), describeTree(outside)]).toEqual(before);
      }),
    );
  }

  it('by rm /etc/passwd', async () => {
    const passwd = readFileSync('/etc/passwd');
    try {
      await inside({}, async (root) => {
        const result = await run(root, 'rm /etc/passwd');
        expect(result.stderr).toBe("rm: cannot remove '/etc/passwd': Permission denied\n");
        expect(result.exitCode).toBe(1);
      });
      expect(readFileSync('/etc/passwd').equals(passwd)).toBe(true);
    } finally {
      // As root, a failure of this test must not be one of the machine.
      if (!existsSync('/etc/passwd')) writeFileSync('/etc/passwd', passwd);
    }
  });
});

describe('links', () => {
  it('out of the root are removed, and what they point to is not', () =>
    inside({}, async (root, outside) => {
      symlinkSync(join(outside, 'x'), join(root, 'file'));
      symlinkSync(join(outside, 'dir'), join(root, 'directory'));
      const before = describeTree(outside);
      const result = await run(root, 'rm -v file directory');
      expect(result).toMatchObject({ exitCode: 0, stderr: '', stdout: "removed 'file'\nremoved 'directory'\n" });
      expect(describeTree(outside)).toEqual(before);
      expect(describeTree(root)).toHaveLength(1);
    }));

  it('to a directory out of the root lead nowhere', () =>
    inside({}, async (root, outside) => {
      symlinkSync(join(outside, 'dir'), join(root, 'l'));
      const before = [describeTree(root), describeTree(outside)];
      const result = await run(root, 'rm l/y; cat l/y; echo z > l/y; echo z > l/new; ls l; ls l/; find l/');
      expect(result.stdout).toBe('');
      expect(result.stderr.split('\n').slice(0, 2)).toEqual([
        "rm: cannot remove 'l/y': Permission denied",
        'cat: l/y: Permission denied',
      ]);
      const lines = result.stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(7);
      for (const line of lines) {
        expect(line).toMatch(/: (?:Permission denied|symlinks are not supported as write targets)$/);
      }
      expect(result.stderr).not.toContain(outside);
      expect([describeTree(root), describeTree(outside)]).toEqual(before);
    }));

  it('are no way to write', () =>
    inside({ file: 'data\n', link: { symlink: 'file' } }, async (root) => {
      const before = describeTree(root);
      const result = await run(root, 'true > link; true >> link; truncate -s 0 link; echo x | tee link');
      expect(result.stderr.match(/symlinks are not supported as write targets/g)).toHaveLength(4);
      expect(describeTree(root)).toEqual(before);
    }));
});

describe('a hard link with its other name outside', () => {
  const linked = (body: (root: string, outside: string) => Promise<void>): Promise<void> =>
    inside({}, async (root, outside) => {
      linkSync(join(outside, 'x'), join(root, 'hard'));
      await body(root, outside);
    });

  it('is removed, and the other name keeps the data', () =>
    linked(async (root, outside) => {
      expect(await run(root, 'rm hard')).toMatchObject({ exitCode: 0, stderr: '', removals: { made: 1, left: 99 } });
      expect(existsSync(join(root, 'hard'))).toBe(false);
      expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('outside\n');
    }));

  it.each([
    'true > hard',
    'true >> hard',
    'true >| hard',
    'true <> hard 1>&0',
    'truncate -s 0 hard',
    'echo x | tee hard >/dev/null',
    'echo x | tee -a hard >/dev/null',
  ])('is not written to by %s', (script) =>
    linked(async (root, outside) => {
      const result = await run(root, script);
      expect(result.stderr).toMatch(/: refusing to write to a file with more than one link\n$/);
      if (!script.includes('|')) expect(result.exitCode).toBe(1);
      expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('outside\n');
    }),
  );
});

describe('read-only mode', () => {
  it('refuses rm before it reads its options, and says which of two things is missing', async () => {
    await inside({ f: '' }, async (root) => {
      const shell = createShell({ allowedPaths: [{ path: root, access: 'rw' }] });
      for (const script of ['rm f', 'rm --help', 'rm -rf f', 'rm']) {
        const result = await shell.run(script, { cwd: root });
        expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: 'rm: remediation mode required\n' });
      }
      const noRoot = createShell({ mode: 'remediation', allowedPaths: [{ path: root, access: 'ro' }] });
      expect(await noRoot.run('rm f', { cwd: root })).toMatchObject({
        exitCode: 1,
        stderr: "rm: cannot remove 'f': Permission denied\n",
      });
      expect(existsSync(join(root, 'f'))).toBe(true);
    });
  });
});
