/** `--audit FILE` and `rmsh audit verify`, as people start them. */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM, rmsh, watchMemory } from '../support/cli.js';
import { withTree } from '../support/tree.js';

interface Line {
  readonly seq: number;
  readonly event: string;
  readonly action?: string;
  readonly path?: string;
  readonly argv?: readonly string[];
  readonly script?: string;
  readonly run: string;
}

const records = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const granted = (root: string): string[] => ['--mode', 'remediation', '--allow-path', `${join(root, 'logs')}:rw`];

describe('--audit', () => {
  it('keeps a record that goes on from run to run, and can be checked', () =>
    withTree({ 'logs/a': 'x', 'logs/b': '', 's.sh': 'rm "$1"\n' }, async (root) => {
      const file = join(root, 'rec');
      const options = { cwd: root };
      const audit = [...granted(root), '--audit', 'rec'];
      expect(await rmsh([...audit, '-c', 'rm logs/a'], options)).toMatchObject({ status: 0, stdout: '', stderr: '' });
      expect(await rmsh([...audit, 's.sh', 'logs/b'], options)).toMatchObject({ status: 0, stdout: '', stderr: '' });
      expect(await rmsh([...audit, '-s'], { ...options, stdin: 'rm logs/b\n' })).toMatchObject({ status: 1 });
      const all = records(file);
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
      expect(new Set(all.map(({ run }) => run)).size).toBe(3);
      const starts = all.filter(({ event }) => event === 'run-start');
      expect(starts.map(({ argv }) => argv)).toEqual([['rmsh'], ['s.sh', 'logs/b'], ['rmsh']]);
      const sum = execFileSync('sha256sum', [join(root, 's.sh')], { encoding: 'utf8' }).split(' ')[0];
      expect(starts.map(({ script }) => script)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), sum, undefined]);
      const verified = await rmsh(['audit', 'verify', 'rec'], options);
      expect(verified).toMatchObject({ status: 0, stderr: '' });
      expect(verified.stdout).toMatch(
        new RegExp(`^rec: whole: ${all.length} records of 3 runs, the last hash [0-9a-f]{64}\n$`),
      );
      // The same head in the result, to be kept elsewhere.
      const { stdout } = await rmsh([...audit, '--json', '-c', ':'], options);
      expect((await rmsh(['audit', 'verify', 'rec'], options)).stdout).toContain(JSON.parse(stdout).auditHead);
    }));

  it('has what a run that was killed was about to do', () =>
    withTree({}, async (root) => {
      const names = Array.from({ length: 100 }, (_, i) => `logs/f${i}`);
      execFileSync('mkdir', [join(root, 'logs')]);
      for (const after of [5, 20, 50]) {
        for (const name of names) writeFileSync(join(root, name), '');
        const file = join(root, `rec${after}`);
        const script = 'for f in logs/*; do rm "$f"; done; sleep 100';
        const child = spawn(process.execPath, [PROGRAM, ...granted(root), '--audit', file, '-c', script], {
          cwd: root,
        });
        const ended = new Promise((resolve) => child.on('exit', resolve));
        const removed = (): number => names.filter((name) => !existsSync(join(root, name))).length;
        while (removed() < after) await new Promise((turn) => setImmediate(turn));
        child.kill('SIGKILL');
        await ended;
        const intents = records(file).flatMap((one) => (one.event === 'intent' ? [one.path] : []));
        const gone = names.map((name) => join(root, name)).filter((name) => !existsSync(name));
        expect(gone.length).toBeGreaterThanOrEqual(after);
        for (const name of gone) expect(intents).toContain(name);
        expect(intents.length - gone.length).toBeLessThanOrEqual(1);
        const verified = await rmsh(['audit', 'verify', file]);
        expect(verified).toMatchObject({ status: 1, stdout: expect.stringContaining('its run has no end') });
        // The next run goes on behind it.
        await rmsh([...granted(root), '--audit', file, '-c', ':']);
        expect(await rmsh(['audit', 'verify', file])).toMatchObject({
          status: 0,
          stdout: expect.stringMatching(/line \d+: its run has no end\n.*: whole: /),
        });
      }
    }));

  it('that cannot be kept there is a mistake, and nothing is run', () =>
    withTree(
      { 'logs/a': '', one: '', link: { symlink: 'one' }, fifo: { fifo: true }, bad: 'no record\n' },
      async (root) => {
        linkSync(join(root, 'one'), join(root, 'two'));
        for (const [file, message] of [
          ['logs/rec', 'which scripts may change'],
          ['./logs/../logs/rec', 'which scripts may change'],
          ['link', 'symlinks are not supported'],
          ['fifo', 'not a regular file'],
          ['two', 'more than one link'],
          ['.', 'Is a directory'],
          ['no/rec', 'No such file or directory'],
          ['bad', 'no whole record'],
          ['/dev/null', 'not a regular file'],
        ] as const) {
          const result = await rmsh([...granted(root), '--audit', file, '-c', 'rm logs/a'], { cwd: root });
          expect([file, result.status, result.stdout]).toEqual([file, 2, '']);
          expect(result.stderr).toMatch(new RegExp(`^rmsh: --audit: ${file}: .*${message}`));
        }
        expect(existsSync(join(root, 'logs/a'))).toBe(true);
        expect(existsSync(join(root, 'logs/rec'))).toBe(false);
        expect(await rmsh(['--audit', '', '-c', ':'])).toMatchObject({ status: 2 });
      },
    ));

  it('that is full, closed, or changed by somebody else ends the run; or it is said aloud', () =>
    withTree({ 'logs/a': '', 'p.json': '{"version": 1, "audit": {"onFailure": "continue"}}' }, async (root) => {
      const full = { cwd: root, stdio: ['ignore', 'pipe', 'pipe', openSync('/dev/full', 'w')] as const };
      const args = [...granted(root), '--audit', '/dev/fd/3', '-c', 'rm logs/a; echo on'];
      const ended = await rmsh(args, { ...full, stdio: [...full.stdio] });
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toBe('rmsh: audit: cannot write to /dev/fd/3: No space left on device\n');
      expect(existsSync(join(root, 'logs/a'))).toBe(true);
      const policy = ['--policy', 'p.json', ...args];
      const went = await rmsh(policy, { ...full, stdio: [...full.stdio] });
      expect(went).toMatchObject({ status: 0, stdout: 'on\n' });
      expect(went.stderr).toMatch(
        /^rmsh: warning: audit: .*No space left on device: the run went on without a record\n$/,
      );

      // A reader that has left.
      writeFileSync(join(root, 'logs/a'), '');
      const closed = [
        '-c',
        '{ sleep 1; "$@" 3>&1 >&2; echo "status $?" >&2; } | exec 0<&-',
        'sh',
        process.execPath,
        PROGRAM,
      ];
      const piped = spawn('bash', [...closed, ...args], { cwd: root });
      let said = '';
      piped.stderr.on('data', (chunk) => {
        said += chunk;
      });
      await new Promise((resolve) => piped.on('close', resolve));
      expect(said).toBe('rmsh: audit: cannot write to /dev/fd/3: Broken pipe\nstatus 1\n');
      expect(existsSync(join(root, 'logs/a'))).toBe(true);

      const file = join(root, 'rec');
      const meddled = await rmsh([...granted(root), '--audit', file, '-c', 'read x; rm logs/a'], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'pipe'],
        onStart: async (child) => {
          while (!existsSync(file) || !readFileSync(file, 'utf8').includes('"read"')) {
            await new Promise((turn) => setTimeout(turn, 5));
          }
          appendFileSync(file, 'mine\n');
          child.stdin?.end('x\n');
        },
      });
      expect(meddled).toMatchObject({ status: 1 });
      expect(meddled.stderr).toContain('somebody else has changed it');
      expect(existsSync(join(root, 'logs/a'))).toBe(true);
    }));

  it('is one run at a time, and follows a file that is renamed', () =>
    withTree({ 'logs/a': '' }, async (root) => {
      const file = join(root, 'rec');
      const args = [...granted(root), '--audit', file, '-c'];
      const first = await rmsh([...args, 'read x; rm logs/a'], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'pipe'],
        onStart: async (child) => {
          while (!existsSync(file) || !readFileSync(file, 'utf8').includes('"read"')) {
            await new Promise((turn) => setTimeout(turn, 5));
          }
          const second = await rmsh([...args, 'echo no'], { cwd: root });
          expect(second).toMatchObject({ status: 2, stdout: '' });
          expect(second.stderr).toContain(`process ${child.pid} writes to it`);
          renameSync(file, join(root, 'rec.1'));
          child.stdin?.end('x\n');
        },
      });
      expect(first).toMatchObject({ status: 0, stderr: '' });
      expect(await rmsh(['audit', 'verify', join(root, 'rec.1')])).toMatchObject({ status: 0 });
      expect(existsSync(file)).toBe(false);
    }));

  it.each<[what: string, meddle: (file: string, root: string) => void, says: string]>([
    ['removed', (file) => unlinkSync(file), 'it was removed'],
    ['linked', (file, root) => linkSync(file, join(root, 'logs/mine')), 'it was given another name'],
    ['cut', (file) => truncateSync(file, 10), 'somebody else has changed it'],
    ['emptied', (file) => truncateSync(file), 'somebody else has changed it'],
  ])('that is %s while the run goes on ends it before anything is lost', (_, meddle, says) =>
    withTree({ 'logs/a': '' }, async (root) => {
      const file = join(root, 'rec');
      const result = await rmsh([...granted(root), '--audit', file, '-c', 'read x; rm logs/a; echo on'], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'pipe'],
        onStart: async (child) => {
          while (!existsSync(file) || !readFileSync(file, 'utf8').includes('"read"')) {
            await new Promise((turn) => setTimeout(turn, 5));
          }
          meddle(file, root);
          child.stdin?.end('x\n');
        },
      });
      expect(result).toMatchObject({ status: 1, stdout: '' });
      expect(result.stderr).toContain(says);
      expect(existsSync(join(root, 'logs/a'))).toBe(true);
    }),
  );

  it('is no file that a script reaches while it is kept', () =>
    withTree({ 'logs/a': '' }, async (root) => {
      const file = join(root, 'rec');
      const script = [
        'rm rec',
        ': > rec',
        'echo x >> rec',
        'mv rec logs/rec',
        'mv logs/a rec',
        'ln rec logs/rec',
        'ln -sf ../rec logs/link; : > logs/link; truncate -s 0 logs/link',
        'cp logs/a rec',
        'chmod 777 rec',
        'sed -i d rec',
        'touch -d 2000-01-01 rec',
        'cat rec',
      ].join('\n');
      const result = await rmsh([...granted(root), '--audit', file, '-c', script], { cwd: root });
      expect(result.stdout).toBe('');
      const verified = await rmsh(['audit', 'verify', file]);
      expect(verified).toMatchObject({ status: 0 });
      expect(records(file).at(-1)).toMatchObject({ event: 'run-end' });
    }));

  it('is no path that a script finds by its descriptor', () =>
    withTree({ 'logs/a': '' }, async (root) => {
      const file = join(root, 'rec');
      const script =
        'for n in 3 4 5 9 10 17 18 19 20 21 22 23 24; do echo mine >&$n; echo mine > /dev/fd/$n; done 2>/dev/null';
      await rmsh([...granted(root), '--audit', file, '-c', script], { cwd: root });
      expect(await rmsh(['audit', 'verify', file])).toMatchObject({ status: 0 });
    }));

  it('of 100,000 commands takes no more memory than of few', { timeout: 120_000 }, () =>
    withTree({}, async (root) => {
      const file = join(root, 'rec');
      let peak: () => number | undefined = () => undefined;
      const script = 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); : ; done';
      const result = await rmsh(['--audit', file, '-c', script], {
        within: 100_000,
        onStart: (child) => {
          peak = watchMemory(child);
        },
      });
      expect(result).toMatchObject({ status: 0, stderr: '' });
      expect(peak() ?? 0).toBeLessThan(160);
      const verified = await rmsh(['audit', 'verify', file], { within: 100_000 });
      expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining('whole: 100003 records') });
    }),
  );
});

describe('audit verify', () => {
  it('says where a record is broken, and of every file', () =>
    withTree({}, async (root) => {
      const file = join(root, 'rec');
      await rmsh(['--audit', file, '-c', ': one; : two']);
      const text = readFileSync(file, 'utf8');
      writeFileSync(join(root, 'edited'), text.replace('"two"', '"three"'));
      writeFileSync(join(root, 'cut'), text.slice(0, -9));
      const result = await rmsh(['audit', 'verify', 'rec', 'edited', 'cut'], { cwd: root });
      expect(result.status).toBe(1);
      expect(result.stdout.split('\n')).toEqual([
        expect.stringContaining('rec: whole: 4 records of 1 run, the last hash '),
        'edited: line 3 was changed: its hash is not its own',
        'cut: line 4 is cut short: the last write, or the file, was not whole',
        '',
      ]);
    }));

  it('explains itself when asked', async () => {
    for (const words of [['--help'], ['verify', '--help']]) {
      expect(await rmsh(['audit', ...words])).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Usage: rmsh audit verify FILE\.\.\.\n/),
        stderr: '',
      });
    }
  });

  it('has status 2 where it cannot look, and for what it does not know', async () => {
    expect(await rmsh(['audit', 'verify', '/no/such', '/'])).toMatchObject({
      status: 2,
      stderr: 'rmsh: audit: /no/such: No such file or directory\nrmsh: audit: /: Is a directory\n',
    });
    for (const words of [[], ['verify'], ['sign', 'x']]) {
      expect(await rmsh(['audit', ...words])).toMatchObject({
        status: 2,
        stderr: 'rmsh: usage: rmsh audit verify FILE...\n',
      });
    }
  });
});
