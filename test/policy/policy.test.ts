import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { parseDuration } from '../../src/policy/duration.js';
import {
  allowsCommand,
  grantsOf,
  type Policy,
  PolicyError,
  parseAllowedPath,
  parsePolicy,
} from '../../src/policy/policy.js';

function problemsOf(make: () => unknown): string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof PolicyError) return error.problems.map(({ key, message }) => `${key}: ${message}`);
    throw error;
  }
  return [];
}

describe('what is not the policy itself grants nothing', () => {
  const inherited = {
    mode: 'remediation',
    allowedPaths: ['/etc:rw'],
    allowHost: true,
    external: ['docker'],
    access: 'rw',
  };

  it('a prototype', () => {
    expect(grantsOf(Object.create(inherited))).toEqual(grantsOf({}));
    const prototype = Object.prototype as Record<string, unknown>;
    for (const [key, value] of Object.entries(inherited)) prototype[key] = value;
    try {
      const grants = grantsOf({});
      expect([grants.mode, grants.allowHost, grants.allowedPaths.length, grants.external.size]).toEqual([
        'read-only',
        false,
        0,
        0,
      ]);
      expect(() => grantsOf({ allowedPaths: [{ path: '/x' } as never] })).toThrow(PolicyError);
    } finally {
      for (const key of Object.keys(inherited)) delete prototype[key];
    }
  });

  it('a getter that says something else the second time, and a list that grows later', async () => {
    let asked = 0;
    const shifty = {
      get mode() {
        return asked++ === 0 ? 'read-only' : 'remediation';
      },
    } as Policy;
    expect((await createShell(shifty).run('rm x')).stderr).toBe('rm: remediation mode required\n');
    const allowedPaths: string[] = [];
    const shell = createShell({ allowedPaths });
    allowedPaths.push('/etc');
    expect((await shell.run('cat /etc/passwd')).stderr).toBe('cat: /etc/passwd: Permission denied\n');
  });
});

describe('a policy that says nothing', () => {
  it('grants nothing', () => {
    expect(grantsOf({})).toEqual({
      mode: 'read-only',
      allowedPaths: [],
      allowedCommands: undefined,
      allowHost: false,
      external: new Map(),
      env: new Map(),
      timeoutMs: undefined,
      limits: DEFAULT_LIMITS,
      audit: { onFailure: 'end' },
    });
  });
});

describe('the address of the schema', () => {
  it('may stand in a document, for an editor, and grants nothing', () => {
    expect(parsePolicy('{"$schema": "./policy.schema.json", "version": 1}')).toEqual({ version: 1 });
    expect(problemsOf(() => parsePolicy('{"$schema": 1, "version": 1}'))).toEqual([
      '$schema: must be the address of the schema, not 1',
    ]);
  });
});

describe('roots', () => {
  it('are read-only unless the suffix says otherwise', () => {
    expect(parseAllowedPath('/a')).toEqual({ path: '/a', access: 'ro' });
    expect(parseAllowedPath('/a:ro')).toEqual({ path: '/a', access: 'ro' });
    expect(parseAllowedPath('/a:rw')).toEqual({ path: '/a', access: 'rw' });
    expect(parseAllowedPath('/a:rw:ro')).toEqual({ path: '/a:rw', access: 'ro' });
    expect(parseAllowedPath('/a:x')).toEqual({ path: '/a:x', access: 'ro' });
  });

  it('are made absolute, each once', () => {
    expect(grantsOf({ allowedPaths: ['b:rw', '/c/../d/', { path: '/a/b', access: 'rw' }] }, '/a').allowedPaths).toEqual(
      [
        { path: '/a/b', access: 'rw' },
        { path: '/d', access: 'ro' },
      ],
    );
  });

  it('are not both ro and rw', () => {
    expect(problemsOf(() => grantsOf({ allowedPaths: ['/a', '/a/:rw'] }))).toEqual([
      "allowedPaths[1]: '/a/' is both ro and rw",
    ]);
  });
});

describe('commands', () => {
  it('are all but those of the host by default', () => {
    const grants = grantsOf({});
    expect([allowsCommand(grants, 'rm'), allowsCommand(grants, 'ps')]).toEqual([true, false]);
    expect(allowsCommand(grantsOf({ allowHost: true }), 'ps')).toBe(true);
  });

  it('are only those that are named, and the harmless ones, when some are', () => {
    const grants = grantsOf({ allowedCommands: ['ls', 'ps'] });
    expect(['ls', 'ps', 'echo', '[', 'rm', 'free'].filter((name) => allowsCommand(grants, name))).toEqual([
      'ls',
      'ps',
      'echo',
      '[',
    ]);
    expect(allowsCommand(grantsOf({ allowedCommands: [] }), 'ls')).toBe(false);
  });
});

describe('a policy document', () => {
  it('is read whole', () => {
    const policy: Policy = {
      version: 1,
      mode: 'remediation',
      allowedPaths: [{ path: '/var/log', access: 'rw' }, '/etc:ro'],
      allowedCommands: ['rm'],
      allowHost: true,
      external: ['docker'],
      env: { LANG: 'C' },
      timeoutMs: 1500,
      limits: { maxRemovalsPerRun: 20, maxJobs: 0 },
    };
    expect(parsePolicy(JSON.stringify(policy))).toEqual(policy);
    expect(grantsOf(policy).limits).toEqual({ ...DEFAULT_LIMITS, maxRemovalsPerRun: 20, maxJobs: 0 });
  });

  it.each([
    ['{', ': not JSON: '],
    ['{\n  "version": 1,\n  "mode": "remediation",\n}', '(line 4 column 1)'],
    ['[]', ': must be an object, not a list'],
    ['{}', 'version: missing; this rmsh reads 1'],
    ['{"version": 2}', 'version: must be 1, not 2'],
    ['{"version": 1, "paths": []}', 'paths: unknown key'],
    ['{"version": 1, "a b": []}', '"a b": unknown key'],
    ['{"version": 1, "allowedPath": []}', 'allowedPath: unknown key (allowedPaths?)'],
    ['{"version": 1, "limits": { "maxJob": 1 }}', 'limits.maxJob: unknown limit (maxJobs?)'],
    ['{"version": 1, "mode": "rw"}', 'mode: must be "read-only" or "remediation", not "rw"'],
    ['{"version": 1, "mode": null}', 'mode: must be "read-only" or "remediation", not null'],
    ['{"version": 1, "allowedPaths": "/a"}', 'allowedPaths: must be a list, not "/a"'],
    ['{"version": 1, "allowedPaths": ["/a", ""]}', 'allowedPaths[1]: must not be empty'],
    ['{"version": 1, "allowedPaths": [{"path": "/a"}]}', 'allowedPaths[0].access: must be "ro" or "rw", not nothing'],
    ['{"version": 1, "allowedPaths": [{"path": "/a", "access": "ro", "x": 1}]}', 'allowedPaths[0].x: unknown key'],
    ['{"version": 1, "allowedCommands": ["rm", "/bin/rm"]}', 'allowedCommands[1]: must be the name of a command'],
    ['{"version": 1, "allowHost": "yes"}', 'allowHost: must be true or false, not "yes"'],
    [
      '{"version": 1, "external": [1]}',
      'external[0]: must be NAME or /PATH of a program, either with :ro or without, not 1',
    ],
    [
      '{"version": 1, "external": ["docker:rw"]}',
      'external[0]: must be NAME or /PATH of a program, either with :ro or without, not "docker:rw"',
    ],
    [
      '{"version": 1, "external": ["bin/docker"]}',
      'external[0]: must be NAME or /PATH of a program, either with :ro or without, not "bin/docker"',
    ],
    ['{"version": 1, "env": {"A": 1}}', 'env.A: must be text, not 1'],
    ['{"version": 1, "env": {"A-B": "1"}}', 'env["A-B"]: not a name of a variable'],
    ['{"version": 1, "env": {"A": "\\u0000"}}', 'env.A: must not hold a NUL character'],
    ['{"version": 1, "timeoutMs": 0}', 'timeoutMs: must be a number of milliseconds, more than 0'],
    ['{"version": 1, "timeoutMs": 1e12}', 'timeoutMs: must be a number of milliseconds, more than 0'],
    ['{"version": 1, "limits": {"maxRemovals": 1}}', 'limits.maxRemovals: unknown limit'],
    ['{"version": 1, "limits": {"maxJobs": -1}}', 'limits.maxJobs: must be a whole number, 0 or more, not -1'],
    ['{"version": 1, "limits": {"maxJobs": 1.5}}', 'limits.maxJobs: must be a whole number, 0 or more, not 1.5'],
    ['{"version": 1, "mode": "read-only", "mode": "remediation"}', 'mode: given twice'],
    ['{"version": 1, "limits": {"maxJobs": 1, "maxJ\\u006fbs": 2}}', 'limits.maxJobs: given twice'],
    [
      '{"version": 1, "allowedPaths": ["a", {"path": "b", "access": "ro", "access": "rw"}]}',
      'allowedPaths[1].access: given',
    ],
    ['{"version": 1, "env": {"A": "\\"A\\": {", "B" : "x", "A"\n: "y"}}', 'env.A: given twice'],
  ])('is refused: %s', (text, problem) => {
    expect(problemsOf(() => parsePolicy(text))).toEqual([expect.stringContaining(problem)]);
  });

  it('may have the same key in different objects, and in texts', () => {
    const text =
      '{"version":1,"allowedPaths":[{"path":"a","access":"ro"},{"path":"b","access":"ro"}],"env":{"mode":"mode\\":"}}';
    expect(parsePolicy(text)).toEqual(JSON.parse(text));
  });

  it('is refused with everything that is wrong with it', () => {
    expect(problemsOf(() => parsePolicy('{"mode": 1, "x": 1, "limits": {"y": 1}}'))).toEqual([
      'version: missing; this rmsh reads 1',
      'mode: must be "read-only" or "remediation", not 1',
      'x: unknown key',
      'limits.y: unknown limit',
    ]);
  });

  it('is a policy or a PolicyError, whatever it holds', () => {
    const keys = fc.constantFrom('version', 'mode', 'allowedPaths', 'env', 'limits', 'timeoutMs', 'x', '__proto__');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.dictionary(keys, fc.jsonValue()).map((value) => JSON.stringify(value)),
        ),
        (text) => {
          problemsOf(() => grantsOf(parsePolicy(text)));
        },
      ),
    );
  });
});

describe('a time', () => {
  it.each([
    ['30s', 30_000],
    ['5', 5000],
    ['1.5m', 90_000],
    ['.5s', 500],
    ['500ms', 500],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0.0001ms', 1],
    ['0', undefined],
    ['', undefined],
    ['s', undefined],
    ['-1s', undefined],
    ['1 s', undefined],
    ['1e3', undefined],
    ['25d', undefined],
  ])('%j is %j ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
