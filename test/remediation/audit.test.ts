/** The audit trail of a run: what is told, in which order, and what becomes of a run when nobody takes it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AuditRecord, createShell, type Policy, type RunOptions } from '../../src/index.js';
import { withTree } from '../support/tree.js';

type Listener = NonNullable<RunOptions['onEvent']>;

async function audited(
  root: string,
  script: string,
  { policy = {}, listen, ...options }: RunOptions & { policy?: Policy; listen?: Listener } = {},
) {
  const events: AuditRecord[] = [];
  const onEvent: Listener = (event) => {
    events.push(event);
    return listen?.(event);
  };
  const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`], ...policy });
  const result = await shell.run(script, { cwd: root, onEvent, ...options });
  return { events, result };
}

/** The commands of a run as `route kind words`. */
const commands = (events: readonly AuditRecord[]): string[] =>
  events.flatMap((one) => (one.event === 'command' ? [`${one.route} ${one.kind} ${one.argv.join(' ')}`] : []));

const kinds = (events: readonly AuditRecord[]): string[] => events.map(({ event }) => event);

/** The same turn of the event loop comes later. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a trail', () => {
  it('begins with what the run may do, and ends with what came of it', () =>
    withTree({ a: 'x' }, async (root) => {
      const { events, result } = await audited(root, 'rm a; rm b; exit 3', { name: 'me', args: ['1', '2 3'] });
      expect(events[0]).toMatchObject({
        event: 'run-start',
        seq: 1,
        level: 'kernel-anchored',
        mode: 'remediation',
        roots: [{ path: root, access: 'rw' }],
        limits: { maxRemovalsPerRun: 100 },
        argv: ['me', '1', '2 3'],
        cwd: root,
        pid: process.pid,
        // printf 'rm a; rm b; exit 3' | sha256sum
        script: '0f756e2e9727d98dc9acbb0443a2dda09898ebbea2d844afacb33997edca9221',
      });
      expect(events.at(-1)).toMatchObject({
        event: 'run-end',
        status: 3,
        kind: 'exited',
        removals: { made: 1, left: 99 },
        counts: { 'run-start': 1, command: 3, intent: 1, outcome: 2 },
      });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      expect(new Set(events.map(({ run }) => run)).size).toBe(1);
      for (const { time } of events) expect(new Date(time).toISOString()).toBe(time);
      expect(result.exitCode).toBe(3);
    }));

  it('has the same digest for the same policy, and another for another', async () => {
    const digest = async (policy: Policy): Promise<string> => {
      const { events } = await audited('/', ':', { policy });
      return events[0]?.event === 'run-start' ? events[0].policy : '';
    };
    const first = await digest({ env: { A: '1', B: '2' }, allowedCommands: ['cat', 'rm'] });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest({ allowedCommands: ['rm', 'cat'], env: { B: '2', A: '1' } })).toBe(first);
    for (const other of [
      { env: { A: '1', B: '3' }, allowedCommands: ['cat', 'rm'] },
      { env: { A: '1', B: '2' }, allowedCommands: ['cat'] },
      { env: { A: '1', B: '2' }, allowedCommands: ['cat', 'rm'], mode: 'read-only' as const },
      { env: { A: '1', B: '2' }, allowedCommands: ['cat', 'rm'], limits: { maxJobs: 1 } },
    ]) {
      expect(await digest(other)).not.toBe(first);
    }
  });

  it('has every command by the route it came, with its fields as they are after expansion', () =>
    withTree(
      { f: 'f\n', lib: 'echo in lib\n', prog: { content: '#!/bin/sh\necho in prog\n', mode: 0o755 } },
      async (root) => {
        const script = [
          'x="a  b"; echo $x "$x" *f',
          "f() { printf '%s' in; }; f one",
          "eval 'echo evaluated'",
          "trap 'echo trapped' EXIT",
          '. ./lib',
          "sh -c 'echo nested'",
          './prog',
          'echo f | xargs cat',
          'find f -exec cat {} \\;',
          'command echo direct',
          'env A=1 printf %s',
          '/bin/echo by path',
          'y=$(echo substituted)',
          'no-such-command',
          '(exec echo last)',
        ].join('\n');
        const { events } = await audited(root, script);
        expect(commands(events)).toEqual([
          'script builtin echo a b a  b f',
          'script function f one',
          'script builtin printf %s in',
          'script builtin eval echo evaluated',
          'eval builtin echo evaluated',
          'script builtin trap echo trapped EXIT',
          'script builtin . ./lib',
          '. builtin echo in lib',
          'script nested-shell sh -c echo nested',
          'sh builtin echo nested',
          'script path ./prog',
          'sh builtin echo in prog',
          'script builtin echo f',
          'script utility xargs cat',
          'xargs utility cat f',
          'script utility find f -exec cat {} ;',
          'find utility cat f',
          'script builtin command echo direct',
          'command builtin echo direct',
          'script utility env A=1 printf %s',
          'env builtin printf %s',
          'script path /bin/echo by path',
          'path builtin echo by path',
          'script builtin echo substituted',
          'script missing no-such-command',
          'script builtin exec echo last',
          'exec builtin echo last',
          'trap builtin echo trapped',
        ]);
        const inFunction = events.filter((one) => one.event === 'command' && one.function === 'f');
        expect(commands(inFunction)).toEqual(['script builtin printf %s in']);
        const lines = events.flatMap((one) => (one.event === 'command' ? [`${one.source}:${one.line}`] : []));
        expect(lines.slice(0, 3)).toEqual(['rmsh:1', 'rmsh:2', 'rmsh:2']);
        expect(lines).toContain('./lib:1');
        expect(lines).toContain('./prog:2');
      },
    ));

  it('keeps names that are no text, exactly', () =>
    withTree({}, async (root) => {
      const script = 'rm "$(printf \'a\\nb\')" "$(printf \'x\\377\\42y\')" "$(printf \'\\355\\240\\200\')"';
      const names = ['a\nb', 'x\udcff"y', '\udced\udca0\udc80'];
      for (const bytes of [Buffer.from('a\nb'), Buffer.from('x\xff"y', 'latin1'), Buffer.from([0xed, 0xa0, 0x80])]) {
        writeFileSync(Buffer.concat([Buffer.from(`${root}/`), bytes]), '');
      }
      const { events, result } = await audited(root, script);
      expect(result).toMatchObject({ exitCode: 0, removals: { made: 3 } });
      const removed = events.filter((one) => one.event === 'outcome' && one.action === 'remove');
      expect(removed.map((one) => 'path' in one && one.path)).toEqual(names.map((name) => `${root}/${name}`));
      expect(JSON.stringify(removed)).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(JSON.stringify(removed))).toEqual(removed);
      const command = events.find((one) => one.event === 'command' && one.argv[0] === 'rm');
      expect(command).toMatchObject({ argv: ['rm', ...names] });
    }));

  it('tells each removal before it is made, with what goes and what is left', () =>
    withTree({ a: 'abc', b: '' }, async (root) => {
      const seen: unknown[] = [];
      const listen: Listener = (event) => {
        if (event.event !== 'intent') return;
        seen.push([event.action, event.given, existsSync(event.path), event.file?.size, event.budget]);
      };
      const { events, result } = await audited(root, 'rm ./a; mv -f b c; : > b; mv b c', { listen });
      expect(result.exitCode).toBe(0);
      expect(seen).toEqual([
        ['remove', './a', true, 3, { before: 100, after: 99 }],
        ['rename', 'b', true, 0, undefined],
        ['create', 'b', false, undefined, undefined],
        ['rename', 'b', true, 0, { before: 99, after: 98 }],
      ]);
      expect(kinds(events).filter((kind) => kind === 'intent' || kind === 'outcome')).toEqual(
        Array(4).fill(['intent', 'outcome']).flat(),
      );
    }));

  it.each([
    ['mode', 'rm a', { mode: 'read-only' }],
    ['mode', 'echo > a', { mode: 'read-only' }],
    ['outside-roots', 'cat /etc/passwd', {}],
    ['outside-roots', 'cd /etc', {}],
    ['outside-roots', 'cd -P /etc', {}],
    ['outside-roots', 'pushd /etc', {}],
    ['outside-roots', 'env -C /etc pwd', {}],
    ['read-only-root', 'rm ro/x', {}],
    ['root', 'mv "$PWD" other', {}],
    ['symlink', 'echo > link', {}],
    ['link-count', 'echo > two', {}],
    ['special-file', 'cat /dev/sda', {}, 'outside-roots'],
    ['budget', 'rm a', { limits: { maxRemovalsPerRun: 0 } }],
    ['operands', 'rm a b c', { limits: { maxRemoveOperands: 2 } }],
    ['command', 'ls', { allowedCommands: ['cat'] }],
    ['command', 'echo a | xargs ls', { allowedCommands: ['xargs'] }],
  ] as const)('has the rule of each refusal: %s, of %s', (rule, script, policy, other?: string) =>
    withTree({ a: '', one: '', two: { hardlink: 'one' }, link: { symlink: 'a' }, 'ro/x': '' }, async (root) => {
      const { events, result } = await audited(root, script, {
        policy: { allowedPaths: [`${root}:rw`, `${join(root, 'ro')}:ro`], ...(policy as Policy) },
      });
      const refusals = events.filter(({ event }) => event === 'refusal');
      expect(refusals).toMatchObject([{ rule: other ?? rule, outcome: 'refused' }]);
      expect(result.effects.filter(({ outcome }) => outcome === 'refused')).toMatchObject([{ rule: other ?? rule }]);
      expect(existsSync(join(root, 'a'))).toBe(true);
    }),
  );

  it.each([
    ['maxCommands', 'while :; do :; done', 'limit'],
    ['maxCapturedBytes', 'seq 10000', 'exited'],
    ['maxDescriptors', 'exec 3</dev/null 4</dev/null 5</dev/null 6</dev/null', 'exited'],
  ] as const)('has the limit that was met: %s', async (limit, script, kind) => {
    const value = limit === 'maxDescriptors' ? 5 : 100;
    const { events, result } = await audited('/', script, { policy: { limits: { [limit]: value } } });
    expect(events.filter(({ event }) => event === 'limit')).toMatchObject([{ limit, value }]);
    expect(events.at(-1)).toMatchObject({ event: 'run-end', kind });
    expect(result.status).toBe(kind);
  });

  it('keeps the order over pipelines, jobs, substitutions and xargs', () =>
    withTree({}, async (root) => {
      for (let i = 0; i < 30; i++) writeFileSync(join(root, `f${i}`), '');
      const script = `
        { rm f0; sleep 0.01; rm f1; } & { rm f2; echo f3; } | xargs rm &
        x=$(rm f4; echo f5); rm $x
        ls f1? | while read f; do rm $f; done &
        find f2? -exec rm {} \\; | cat; wait`;
      for (const slow of [false, true]) {
        const listen: Listener = () => (slow ? turn() : undefined);
        const { events, result } = await audited(root, script, { listen });
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
        if (slow) continue;
        expect(result.removals.made).toBe(26);
        const left = events.flatMap((one) => (one.event === 'intent' && one.budget ? [one.budget.before] : []));
        expect(left).toEqual(left.map((_, i) => 100 - i));
      }
    }));

  it('is one for each run, and two shells have their own', () =>
    withTree({ a: '', b: '' }, async (root) => {
      const events: AuditRecord[][] = [[], [], []];
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const other = createShell({});
      await Promise.all([
        shell.run('sleep 0.01; rm a', { cwd: root, onEvent: (event) => void events[0]?.push(event) }),
        other.run('sleep 0.01; rm b', { cwd: root, onEvent: (event) => void events[1]?.push(event) }),
      ]);
      await shell.run('rm b', { cwd: root, onEvent: (event) => void events[2]?.push(event) });
      expect(new Set(events.flat().map(({ run }) => run)).size).toBe(3);
      const facts = events.map((all) => all.map((one) => one.event));
      expect(facts[0]).toEqual(['run-start', 'command', 'command', 'intent', 'outcome', 'run-end']);
      expect(facts[1]).toEqual(['run-start', 'command', 'command', 'refusal', 'run-end']);
      expect(facts[2]).toEqual(['run-start', 'command', 'intent', 'outcome', 'run-end']);
      expect(events[2]?.[0]?.seq).toBe(1);
    }));

  it('goes on from run to run of a session, also of what a job does later', () =>
    withTree({ a: '', b: '' }, async (root) => {
      const session = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] }).session({ cwd: root });
      const heard: string[][] = [];
      const run = async (script: string): Promise<void> => {
        const own: string[] = [];
        heard.push(own);
        await session.run(script, { onEvent: (one) => void own.push(one.event) });
      };
      await run('f() { rm "$1"; }; f a');
      await run('f b');
      await session.end();
      const calls = ['run-start', 'command', 'command', 'intent', 'outcome', 'run-end'];
      expect(heard).toEqual([calls, calls]);
    }));

  it('of 100,000 events is not kept in memory', async () => {
    let count = 0;
    const shell = createShell({});
    const before = process.memoryUsage().heapUsed;
    const result = await shell.run('i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done', {
      onEvent: () => {
        count += 1;
      },
    });
    expect(result.exitCode).toBe(0);
    expect(count).toBeGreaterThan(100_000);
    globalThis.gc?.();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
  }, 60_000);
});

describe('a listener that takes its time', () => {
  it('holds up the command, the removal and the rename that it is told of', () =>
    withTree({ a: '', b: '', c: '', log: 'text' }, async (root) => {
      const held: string[] = [];
      const listen: Listener = async (event) => {
        const log = (): string => (existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8') : '');
        const before = log();
        const path = 'path' in event ? event.path : undefined;
        await turn();
        await turn();
        if (event.event === 'command' && event.argv[0] === 'echo') {
          // The redirection too has waited.
          expect(log()).toBe(before);
        }
        if (event.event === 'intent' && event.budget !== undefined && path !== undefined) {
          expect(existsSync(path)).toBe(true);
          held.push(event.action);
        }
      };
      const script =
        'rm a\nmv b c\necho new > log\nrm c\ntouch x y; ln -f log x; ln -sf log y; cp -f --remove-destination log y\nfind . -name x -delete\nsed -i.bak s/n/m/ log; sed -i.bak s/m/n/ log; gzip log';
      const { result } = await audited(root, script, { listen });
      expect(result).toMatchObject({ stderr: '', exitCode: 0, status: 'exited' });
      expect(held).toEqual(['remove', 'rename', 'remove', 'remove', 'remove', 'remove', 'remove', 'rename', 'remove']);
      expect(result.removals.made).toBe(held.length);
    }));

  it('holds up whatever comes next, of everything else', () =>
    withTree({}, async (root) => {
      let open = 0;
      let most = 0;
      const listen: Listener = async () => {
        open += 1;
        most = Math.max(most, open);
        await turn();
        open -= 1;
      };
      mkdirSync(join(root, 'd'));
      for (let i = 0; i < 200; i++) writeFileSync(join(root, 'd', `f${i}`), 'x');
      const { result } = await audited(root, 'tar -cf t d; tar -xf t; chmod 600 d/*; touch d/*', { listen });
      expect(result).toMatchObject({ exitCode: 0 });
      // One member of an archive is made, dated and so on before the next step.
      expect(most).toBeLessThan(12);
    }));

  it('for ever is ended by the time, and nothing is done that it has not taken', () =>
    withTree({ a: '' }, async (root) => {
      for (const stuck of ['run-start', 'command', 'intent', 'outcome', 'run-end']) {
        writeFileSync(join(root, 'a'), '');
        const listen: Listener = ({ event }) => (event === stuck ? new Promise<void>(() => {}) : undefined);
        const began = performance.now();
        const { result } = await audited(root, 'rm a; echo on', { listen, policy: { timeoutMs: 200 } });
        expect(performance.now() - began).toBeLessThan(3000);
        expect([stuck, result.status, result.exitCode]).toEqual([stuck, 'timeout', 124]);
        expect([stuck, existsSync(join(root, 'a'))]).toEqual([stuck, stuck !== 'outcome' && stuck !== 'run-end']);
        expect(result.warnings).toEqual([]);
      }
    }));
});

describe('a listener that fails', () => {
  const fails = (at: string, how: 'throws' | 'rejects'): Listener => {
    return ({ event }) => {
      if (event !== at) return undefined;
      if (how === 'throws') throw new Error('no room');
      return Promise.reject(new Error('no room'));
    };
  };

  for (const how of ['throws', 'rejects'] as const) {
    it.each(['run-start', 'command', 'intent', 'outcome', 'run-end'])(`ends the run, when it ${how} at %s`, (at) =>
      withTree({ a: '', b: '' }, async (root) => {
        const script = "trap 'rm b' EXIT; rm a || echo on; echo on";
        const { result, events } = await audited(root, script, { listen: fails(at, how) });
        expect(result).toMatchObject({ status: 'audit', exitCode: 1, message: 'audit: no room' });
        expect(result.warnings).toEqual(['audit: no room']);
        // What was done when it failed stays done, and what was not is not.
        expect(existsSync(join(root, 'a'))).toBe(at !== 'outcome' && at !== 'run-end');
        expect(existsSync(join(root, 'b'))).toBe(at !== 'run-end');
        expect(result.removals.made).toBe(at === 'run-end' ? 2 : at === 'outcome' ? 1 : 0);
        expect(events.at(-1)?.event).toBe(at);
      }),
    );

    it.each(['run-start', 'command', 'intent', 'outcome', 'run-end'])(
      `lets the run go on where the policy says so, when it ${how} at %s`,
      (at) =>
        withTree({ a: '' }, async (root) => {
          const policy = { audit: { onFailure: 'continue' } } as const;
          const { result, events } = await audited(root, 'rm a; echo on', { listen: fails(at, how), policy });
          expect(result).toMatchObject({ status: 'exited', exitCode: 0, stdout: 'on\n' });
          expect(result.warnings).toEqual(['audit: no room: the run went on without a record']);
          expect(existsSync(join(root, 'a'))).toBe(false);
          expect(events.at(-1)?.event).toBe(at);
        }),
    );
  }

  it('in a job or a pipeline ends it all', () =>
    withTree({ a: '' }, async (root) => {
      for (const script of ['{ sleep 0.01; rm a; } & sleep 20', 'rm a | sleep 20', 'x=$(rm a); sleep 20']) {
        const began = performance.now();
        const { result } = await audited(root, script, { listen: fails('intent', 'rejects') });
        expect(result).toMatchObject({ status: 'audit', exitCode: 1 });
        expect(performance.now() - began).toBeLessThan(5000);
        expect(existsSync(join(root, 'a'))).toBe(true);
      }
    }));
});
