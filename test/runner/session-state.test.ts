/** What a shell has is, in the next run of a session, either as it was or as in a new shell: nothing is forgotten by accident. */
import { expect, it } from 'vitest';
import { memoryFs } from '../../src/files/memory.js';
import { grantsOf } from '../../src/policy/policy.js';
import { Run } from '../../src/runner/start.js';
import { hostFacts } from '../../src/sandbox/host-facts.js';

/** Set by a script to stay. */
const KEPT = [
  'variables',
  'descriptors',
  'functions',
  'aliases',
  'options',
  'shopt',
  'logicalCwd',
  'physicalCwd',
  'directoryStack',
  'umask',
  'traps',
  'jobs',
  'waitedFor',
  'zero',
  'parameters',
  'status',
  'pipeStatus',
  'lastBackground',
  'random',
  'secondsFrom',
  'lastArgument',
  'source',
  'historyNumber',
  'commandNumber',
];
/** Of the run, or of what is being run: nothing is, between two runs. */
const FRESH = [
  'scope',
  'limits',
  'process',
  'signals',
  'inheritedTraps',
  'subshellPid',
  'outerJobs',
  'substitutionStatus',
  'promptDepth',
  'traceDepth',
  'offset',
  'errexitIgnored',
  'loopDepth',
  'functionDepth',
  'dotDepth',
  'subshellDepth',
  'locals',
  'calls',
  'lent',
  'redirectionsKept',
  'leaveGroup',
  'ending',
  'exitTrapRun',
  'inErrorTrap',
  'inDebugTrap',
  'inReturnTrap',
  'command',
  'trapCommand',
  'debugged',
  'trapStatus',
  'view',
];

it('each part of a shell is kept or made anew in the next run of a session', () => {
  const files = memoryFs();
  const { shell } = new Run({
    grants: grantsOf({}),
    makeStore: (options) => files.store(options),
    findPrograms: () => Promise.reject(new Error('nothing is granted')),
    hostHas: () => Promise.resolve(false),
    host: hostFacts(),
    pid: 1,
    parentPid: 0,
    descriptors: [],
    terminal: undefined,
    cwd: '/',
    zero: 'rmsh',
    args: [],
    onEffect: undefined,
    signal: undefined,
    timeoutMs: undefined,
    flush: () => undefined,
  });
  expect(Object.keys(shell).sort()).toEqual([...KEPT, ...FRESH].sort());
  const marks = Object.fromEntries(KEPT.map((name) => [name, { kept: name }]));
  Object.assign(shell, marks);
  const next = shell.continueIn(shell.scope, shell.process) as unknown as Record<string, unknown>;
  for (const name of KEPT) expect(next[name], name).toBe(marks[name]);
});
