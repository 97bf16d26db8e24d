import { describe, expect, it } from 'vitest';
import {
  commandLineHelp,
  mergePolicies,
  parseCommandLine,
  type Request,
  type RunRequest,
  SET_LETTERS,
} from '../../src/cli/options.js';

function parse(...argv: string[]): Request {
  return parseCommandLine(argv, {
    environment: { HOME: '/home/me' },
    isOption: (name) => [...Object.values(SET_LETTERS), 'pipefail'].includes(name),
  });
}

function run(...argv: string[]): RunRequest {
  const request = parse(...argv);
  if (request.kind !== 'run') throw new Error(`not a run: ${JSON.stringify(request)}`);
  return request;
}

describe('where the commands come from', () => {
  it('is a file, and what follows are its arguments, options or not', () => {
    expect(run('-e', 'x.sh', '-v', '--mode', 'b')).toMatchObject({
      source: { kind: 'file', path: 'x.sh' },
      name: 'x.sh',
      args: ['-v', '--mode', 'b'],
      settings: [{ option: 'errexit', on: true }],
    });
  });

  it('is the first operand after -c, wherever in a cluster the c stands', () => {
    expect(run('-c', 'echo')).toMatchObject({ source: { kind: 'text', text: 'echo' }, name: undefined, args: [] });
    expect(run('-ce', 'echo', 'me', 'a', 'b')).toMatchObject({
      source: { kind: 'text', text: 'echo' },
      name: 'me',
      args: ['a', 'b'],
      settings: [{ option: 'errexit', on: true }],
    });
  });

  it('is standard input with -s, or with nothing', () => {
    expect(run('-s', 'a', 'b')).toMatchObject({ source: { kind: 'stdin' }, args: ['a', 'b'] });
    expect(run()).toMatchObject({ source: { kind: 'stdin' }, args: [], policy: {} });
  });

  it('is what follows -- or a lone -, whatever it looks like', () => {
    expect(run('--', '-x')).toMatchObject({ source: { kind: 'file', path: '-x' }, settings: [] });
    expect(run('--', '+x')).toMatchObject({ source: { kind: 'file', path: '+x' }, settings: [] });
    expect(run('-', 'x')).toMatchObject({ source: { kind: 'file', path: 'x' } });
    expect(run('-c', '--', '-x')).toMatchObject({ source: { kind: 'text', text: '-x' } });
  });
});

describe('options of sh', () => {
  it('are clustered, switched off with +, and kept in order', () => {
    expect(run('-eu', '+xe', '-o', 'pipefail', '+o', 'pipefail', '-C', 'f').settings).toEqual([
      { option: 'errexit', on: true },
      { option: 'nounset', on: true },
      { option: 'xtrace', on: false },
      { option: 'errexit', on: false },
      { option: 'pipefail', on: true },
      { option: 'pipefail', on: false },
      { option: 'noclobber', on: true },
    ]);
  });

  it('take the name after a cluster that ends in o', () => {
    expect(run('-euo', 'pipefail', 'f').settings.at(-1)).toEqual({ option: 'pipefail', on: true });
    expect(run('-euo', 'pipefail', 'f').source).toEqual({ kind: 'file', path: 'f' });
    expect(run('+eo', 'pipefail', 'f').settings.at(-1)).toEqual({ option: 'pipefail', on: false });
  });
});

describe('grants', () => {
  it('add up to a policy', () => {
    const request = run(
      ...['--mode=remediation', '--allow-path', 'logs:rw', '--allow-path=/etc', '--allow-command', 'rm'],
      ...['--allow-host', '--allow-external=docker', '--env', 'A=b=c', '--env', 'HOME', '--env', 'UNSET'],
      ...['--timeout', '1.5m', '--limit', 'maxRemovalsPerRun=20', '--policy', 'p.json', '--cwd=/', '--json'],
      ...['--require-level', 'kernel-anchored', '-c', ':'],
    );
    expect(request).toMatchObject({ policyFile: 'p.json', cwd: '/', json: true, requireLevel: 'kernel-anchored' });
    expect(request.policy).toEqual({
      mode: 'remediation',
      allowedPaths: ['logs:rw', '/etc'],
      allowedCommands: ['rm'],
      allowHost: true,
      external: ['docker'],
      env: { A: 'b=c', HOME: '/home/me' },
      timeoutMs: 90_000,
      limits: { maxRemovalsPerRun: 20 },
    });
  });

  it.each([
    ['200', 200],
    ['2e6', 2_000_000],
    ['16Mi', 16 * 1024 * 1024],
    ['1Ki', 1024],
    ['1Gi', 1024 ** 3],
  ])('have limits as they are written in help: %s', (text, value) => {
    expect(run('--limit', `maxScriptBytes=${text}`, '-c', ':').policy.limits).toEqual({ maxScriptBytes: value });
  });

  it('are nothing when nothing is named', () => {
    expect(run('-c', ':').policy).toEqual({});
  });

  it('come on top of those of a file', () => {
    expect(
      mergePolicies(
        { mode: 'read-only', allowedPaths: ['a'], env: { A: '1', B: '1' }, limits: { maxJobs: 1 }, timeoutMs: 5 },
        {
          mode: 'remediation',
          allowedPaths: ['b:rw'],
          allowedCommands: ['ls'],
          env: { B: '2' },
          limits: { maxFields: 2 },
        },
      ),
    ).toEqual({
      mode: 'remediation',
      allowedPaths: ['a', 'b:rw'],
      allowedCommands: ['ls'],
      env: { A: '1', B: '2' },
      limits: { maxJobs: 1, maxFields: 2 },
      timeoutMs: 5,
    });
  });
});

describe('what is no run', () => {
  it('is help, for a topic or in general, and the version', () => {
    expect(parse('--help', 'x')).toEqual({ kind: 'help' });
    expect(parse('--version')).toEqual({ kind: 'version' });
    expect(parse('help', 'rm')).toEqual({ kind: 'topic', args: ['rm'] });
    expect(parse('audit', 'verify', 'f')).toEqual({ kind: 'audit', args: ['verify', 'f'] });
  });

  it('is fuzz', () => {
    expect(parse('fuzz', '--list')).toEqual({ kind: 'fuzz', args: ['--list'] });
    expect(parse('./fuzz')).toMatchObject({ kind: 'run', source: { kind: 'file', path: './fuzz' } });
  });

  it.each(['plan', 'apply', 'undo', 'runs', 'purge', 'explain'])('is %s, for now', (name) => {
    expect(parse(name, 'x')).toMatchObject({ kind: 'error', message: expect.stringContaining('not available yet') });
    expect(parse(`./${name}`)).toMatchObject({ kind: 'run' });
    expect(parse('-s', name)).toMatchObject({ kind: 'run' });
    expect(parse('-c', name)).toMatchObject({ kind: 'run' });
  });

  it.each([
    [['-z'], "invalid option -- 'z'"],
    [['+z'], "invalid option -- '+z'"],
    [['--nope'], "unrecognized option '--nope'"],
    [['--allow', 'x'], "option '--allow' is ambiguous"],
    [['--json=1'], "option '--json' doesn't allow an argument"],
    [['--mode'], "option '--mode' requires an argument"],
    [['--mode', 'write'], "--mode: 'write' is neither 'read-only' nor 'remediation'"],
    [['--allow-path', ':rw'], '--allow-path: no directory is named'],
    [['--allow-path='], '--allow-path: no directory is named'],
    [['--allow-command', '/bin/rm'], "--allow-command: '/bin/rm' is not the name of a command"],
    [['--env', '1=2'], "--env: '1' is not a name of a variable"],
    [['--timeout', '0'], "--timeout: '0' is no time"],
    [['--timeout', '30d'], "--timeout: '30d' is no time"],
    [['--timeout', '-1s'], "--timeout: '-1s' is no time"],
    [['--limit', 'maxJobs'], "--limit: 'maxJobs' is not NAME=N"],
    [['--polcy', 'p.json'], "unrecognized option '--polcy' (--policy?)"],
    [['--unlike'], "unrecognized option '--unlike'"],
    [['--limit', 'maxJobs=16Mb'], "--limit: 'maxJobs=16Mb' is not NAME=N"],
    [['--limit', 'maxJobs=9999999Gi'], 'is not NAME=N'],
    [['--limit', 'maxJobs='], 'is not NAME=N'],
    [['--limit', 'maxJobs=1.5'], "--limit: 'maxJobs=1.5' is not NAME=N"],
    [['--limit', 'maxJobs=99999999999999999999'], 'is not NAME=N'],
    [['--limit', 'maxFun=1'], "--limit: 'maxFun' is not one of maxCommands"],
    [['--require-level', 'any'], "--require-level: 'any' is neither"],
    [['-c'], "option requires an argument -- 'c'"],
    [['-c', '-s', ':'], '-c and -s exclude each other'],
    [['--check', '--format', '-c', ':'], '--check and --format exclude each other'],
    [['--print-ast', '--audit', 'f', '-c', ':'], '--print-ast runs nothing'],
    [['--check', '--audit', 'f', '-c', ':'], '--check runs nothing'],
    [['--check', 'clean.sh', 'logs'], "--check runs nothing that 'logs' could be an argument of"],
    [['--format', '-c', ':', 'name', 'one'], "--format runs nothing that 'one' could be"],
    [['--print-ast', '-s', 'one'], "--print-ast runs nothing that 'one' could be"],
    [['-o'], "option requires an argument -- 'o'"],
    [['-o', 'nope'], "'nope' is no option of the shell"],
    [['+o', 'nope'], "'nope' is no option of the shell"],
    [[''], 'the name of the script is empty'],
  ])('is the mistake %j', (argv, message) => {
    expect(parse(...argv)).toMatchObject({ kind: 'error', message: expect.stringContaining(message) });
  });
});

describe('--help', () => {
  it('fits a screen', () => {
    const lines = commandLineHelp().split('\n');
    expect(lines.at(-1)).toBe('');
    expect(lines.length - 1).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
