/** The command line: `rmsh [options] FILE [ARG...]`, `-c`, `-s`. Everything it opens, it opens with the caller's authority. */
import { resolve } from 'node:path';
import type { Outcome } from '../../builtins/kit/outcome.js';
import type { Effect } from '../audit.js';
import { isFsError, ShellError } from '../errors.js';
import { byteCapture } from '../io/capture.js';
import { createDescription } from '../io/descriptors.js';
import { hostStreams } from '../io/host.js';
import { NO_FACTS } from '../io/output.js';
import type { Description } from '../io/streams.js';
import { type Grants, grantsOf, type Policy, PolicyError, parsePolicy } from '../policy/policy.js';
import { isSettable, OPTIONS } from '../runner/options.js';
import { runText } from '../runner/run.js';
import { runStream } from '../runner/script-stream.js';
import { SourceText } from '../runner/source.js';
import { Run, type RunEnd, type RunSetup } from '../runner/start.js';
import type { ShellState } from '../runner/state.js';
import { hostFacts } from '../sandbox/host-facts.js';
import { checkHostDirectory, readHostFile, whyNotTrusted } from '../sandbox/host-files.js';
import { closeLostTerminals, createHostPort } from '../sandbox/host-port.js';
import { type SandboxStore, sandboxStore } from '../sandbox/store.js';
import type { Awaitable } from '../steps.js';
import { decode } from '../text/bytes.js';
import { VERSION } from '../version.js';
import type { AuditRecordFile } from './audit.js';
import { commandLineHelp, mergePolicies, type Only, parseCommandLine, type RunRequest } from './options.js';

const USAGE_ERROR = 2;

/** The process's own descriptors. Node's `process.stdout` and `process.stderr` change the caller's; they are never touched. */
const streams = hostStreams(createHostPort());

class Failure {
  readonly message: string;
  readonly status: number;
  constructor(message: string, status: number) {
    this.message = message;
    this.status = status;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const request = parseCommandLine(argv, { environment: process.env, isOption: isSettable });
  switch (request.kind) {
    case 'help':
      return print(commandLineHelp());
    case 'version':
      return print(versionText());
    case 'error':
      complain(request.message + (request.hint ? "\nTry 'rmsh --help' for more information." : ''));
      return USAGE_ERROR;
    case 'audit':
      return (await import('./audit.js')).auditCommand(request.args, { print, complain });
    case 'topic':
      return runRequest(topicRequest(request.args));
    case 'fuzz':
      return fuzz(request.args);
    case 'run':
      return runRequest(request);
  }
}

async function fuzz(args: readonly string[]): Promise<number> {
  const { startFuzz } = await import('./fuzz.js');
  const now = async (text: string): Promise<void> => {
    print(text);
    await streams.flush();
  };
  return startFuzz(args, { print: now, complain });
}

function print(text: string): number {
  write(1, text);
  return 0;
}

function complain(message: string): void {
  write(2, `rmsh: ${message}\n`);
}

/** A stream that is closed, or whose reader has left, takes nothing, and nobody is left to be told. */
function write(descriptor: number, text: string): void {
  try {
    const waiting = streams.description(descriptor)?.sink?.writeText(text);
    waiting?.catch(() => {});
  } catch {
    // As above.
  }
}

function versionText(): string {
  const store = sandboxStore({
    mode: 'read-only',
    roots: [],
    budget: { limit: 0, used: 0, reserve: () => false, release: () => {} },
  });
  try {
    return `rmsh ${VERSION}\nnode ${process.version}\nsandbox ${store.level}\n`;
  } finally {
    store.close();
  }
}

/** `rmsh help NAME` is the shell's own `help NAME`, under a policy that grants nothing. */
function topicRequest(args: readonly string[]): RunRequest {
  return {
    kind: 'run',
    source: { kind: 'text', text: 'help "$@"' },
    name: 'rmsh',
    args,
    settings: [],
    policy: {},
    policyFile: undefined,
    cwd: undefined,
    rcFile: undefined,
    json: false,
    only: undefined,
    requireLevel: undefined,
    audit: undefined,
  };
}

async function runRequest(request: RunRequest): Promise<number> {
  try {
    return await runGranted(request);
  } catch (error) {
    if (error instanceof Failure) {
      complain(error.message);
      return error.status;
    }
    if (error instanceof PolicyError) {
      for (const { key, message } of error.problems) complain(`policy: ${key === '' ? message : `${key}: ${message}`}`);
      return USAGE_ERROR;
    }
    throw error;
  }
}

async function runGranted(request: RunRequest): Promise<number> {
  const policy = policyOf(request);
  const grants = grantsOf(policy);
  checkPolicyFile(request.policyFile, grants);
  const { source } = request;
  if (isInteractive(request)) return prompt(request, grants);
  const script = source.kind === 'file' ? readScriptFile(source.path) : undefined;
  if (request.only !== undefined) return withoutRunning(request.only, request, grants, script);
  const zero = request.name ?? 'rmsh';
  const effects: Effect[] = [];
  const captures = request.json
    ? { out: byteCapture(grants.limits.maxCapturedBytes), err: byteCapture(grants.limits.maxCapturedBytes) }
    : undefined;
  // Someone looks on: they are told why, where messages say only what.
  const watched = streams.description(2)?.facts.terminal === true;
  let outsideRefused = false;
  let store: SandboxStore | undefined;
  const text = source.kind === 'text' ? source.text : script;
  const audit = request.audit === undefined ? undefined : await recordOf(request.audit, grants, text);
  const run = new Run({
    grants,
    makeStore: (options) => {
      store = sandboxStore(options);
      return store;
    },
    ...ofThisProcess(),
    descriptors: [
      streams.description(0),
      captures === undefined ? streams.description(1) : createDescription(undefined, captures.out, NO_FACTS),
      captures === undefined ? streams.description(2) : createDescription(undefined, captures.err, NO_FACTS),
    ],
    terminal: terminalOf(),
    cwd: startDirectory(request.cwd),
    zero,
    args: request.args,
    onEffect:
      !request.json && !watched
        ? undefined
        : (effect) => {
            if (request.json) effects.push(effect);
            if (effect.rule === 'outside-roots' || effect.rule === 'read-only-root') outsideRefused = true;
          },
    audit: audit?.next(),
    onWarning: (warning) => complain(`warning: ${warning}`),
    limitsMet: () => (captures?.out.truncated || captures?.err.truncated ? ['maxCapturedBytes'] : []),
    signal: undefined,
    timeoutMs: undefined,
    flush: () => streams.flush(),
    onStop: () => streams.interrupt(),
  });
  if (request.requireLevel === 'kernel-anchored' && store?.level !== 'kernel-anchored') {
    throw new Failure(`the sandbox is ${store?.level}, and --require-level asks for kernel-anchored`, 1);
  }
  await run.findPrograms();
  for (const warning of run.warnings) complain(`warning: ${warning}`);
  for (const { option, on } of request.settings) {
    run.shell.options = withSetting(run.shell.options, option, on);
  }
  const signals = listenForSignals(run);
  const end = await run.execute((shell) => start(shell, request, script));
  stopped = end.kind !== 'exited';
  signals.stop();
  if (captures === undefined && outsideRefused && watched) {
    complain('note: what lies outside the granted paths is refused (--allow-path DIR grants one, DIR:rw to change it)');
  }
  if (captures !== undefined) {
    const level = store?.level;
    print(`${JSON.stringify(resultOf(end, captures, effects, level, run.warnings, audit?.keeper.head))}\n`);
  } else if (end.message !== undefined && signals.taken === undefined) complain(end.message);
  if (signals.taken !== undefined && end.kind === 'aborted') {
    await flushBriefly();
    streams.abort();
    process.kill(process.pid, signals.taken);
    // The signal ends the process as it would any other: nothing after it is of use to anyone.
    await new Promise((wait) => setTimeout(wait, 1000));
  }
  return end.status;
}

/** What every run of this program is made of. */
function ofThisProcess(): Pick<RunSetup, 'findPrograms' | 'hostHas' | 'host' | 'pid' | 'parentPid' | 'topics'> {
  return {
    topics: () => import('./topics.js'),
    findPrograms: async (search) => (await import('../sandbox/programs.js')).hostPrograms(search),
    hostHas: async (name, directories) => (await import('../sandbox/find-program.js')).hostHas(name, directories),
    host: hostFacts(),
    pid: process.pid,
    parentPid: process.ppid,
  };
}

/** `--check`, `--print-ast`, `--format`: nothing runs. */
async function withoutRunning(
  only: Only,
  request: RunRequest,
  grants: Grants,
  script: string | undefined,
): Promise<number> {
  const { source } = request;
  if (only === 'check' && source.kind === 'stdin') {
    throw new Failure('--check: name a script, or give one with -c', USAGE_ERROR);
  }
  const text = source.kind === 'text' ? source.text : (script ?? (await wholeInput(grants.limits.maxScriptBytes)));
  const name = request.name ?? 'rmsh';
  if (only !== 'check') {
    const { printTree, printTidied } = await import('./script-text.js');
    const asked = { name, grants, settings: request.settings, print, tell: (said: string) => write(2, said) };
    return (only === 'format' ? printTidied : printTree)(text, asked);
  }
  const { check, checkReport, checkStatus } = await import('../check/index.js');
  const result = check(text, grants, request.cwd ?? process.cwd());
  print(request.json ? `${JSON.stringify(result)}\n` : checkReport(name, result));
  return checkStatus(result);
}

/** Standard input to its end, as far as a script may be long. */
async function wholeInput(most: number): Promise<string> {
  const source = streams.description(0)?.source;
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (source !== undefined && (await source.fill())) {
    pieces.push(source.buffer.slice(source.start, source.end));
    length += source.end - source.start;
    source.start = source.end;
    if (length > most) throw new Failure(`standard input: longer than a script may be (maxScriptBytes: ${most})`, 1);
  }
  return decode(Buffer.concat(pieces));
}

function withSetting(options: number, option: string, on: boolean): number {
  if (!isSettable(option) && option !== 'interactive') return options;
  const { bit } = OPTIONS[option];
  return on ? options | bit : options & ~bit;
}

/** POSIX sh: with -i, or when standard input and error are a terminal and nothing says where else the commands are. */
function isInteractive({ source, settings, json, only }: RunRequest): boolean {
  if (source.kind !== 'stdin' || json || only !== undefined) return false;
  const asked = settings.findLast(({ option }) => option === 'interactive');
  if (asked !== undefined) return asked.on;
  return [0, 2].every((number) => streams.description(number)?.facts.terminal === true);
}

async function prompt(request: RunRequest, grants: Grants): Promise<number> {
  const { startRepl } = await import('./repl/start.js');
  return startRepl({
    grants,
    cwd: request.cwd,
    args: request.args,
    settings: request.settings.reduce((options, { option, on }) => withSetting(options, option, on), 0),
    rcFile: request.rcFile,
    environment: process.env,
    common: ofThisProcess(),
    nextAudit: request.audit === undefined ? undefined : (await recordOf(request.audit, grants, undefined)).next,
  });
}

/** The record that `--audit` asks for. What it needs is loaded only then. */
async function recordOf(path: string, grants: Grants, script: string | undefined): Promise<AuditRecordFile> {
  const { openAudit } = await import('./audit.js');
  try {
    return openAudit(path, grants, script);
  } catch (error) {
    if (!isFsError(error) && !(error instanceof Error && error.name === 'ChainError')) throw error;
    throw new Failure(`--audit: ${path}: ${error.message}`, USAGE_ERROR);
  }
}

/** Runs the script in its first shell. */
function start(shell: ShellState, { source }: RunRequest, script: string | undefined): Awaitable<Outcome> {
  if (source.kind === 'text') return runText(shell, new SourceText(shell.zero, source.text));
  if (script !== undefined) return runText(shell, new SourceText(shell.zero, script));
  const stdin = shell.descriptors.stdin;
  if (stdin?.source === undefined) return 0;
  return runStream(shell, stdin.source);
}

function policyOf(request: RunRequest): Policy {
  if (request.policyFile === undefined) return request.policy;
  let text: string;
  try {
    text = decode(readHostFile(request.policyFile));
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new Failure(`--policy: ${request.policyFile}: ${error.message}`, USAGE_ERROR);
  }
  return mergePolicies(parsePolicyFile(request.policyFile, text), request.policy);
}

/** Whoever can write the policy has what they like: a script of the next run, at the latest. */
function checkPolicyFile(path: string | undefined, grants: Grants): void {
  if (path === undefined) return;
  const why = whyNotTrusted(
    path,
    grants.allowedPaths.flatMap((root) => (root.access === 'rw' ? [root.path] : [])),
  );
  if (why !== undefined) throw new Failure(`--policy: ${path}: ${why}`, USAGE_ERROR);
}

/** Problems of a policy file are told with its name; the keys alone would not say which of the grants is meant. */
function parsePolicyFile(path: string, text: string): Policy {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const lines = error.problems.map(
      ({ key, message }) => `--policy: ${path}: ${key === '' ? message : `${key}: ${message}`}`,
    );
    throw new Failure(lines.join('\nrmsh: '), USAGE_ERROR);
  }
}

/** Outside of every root the directory is only text to the script; that it is there the caller is told all the same. */
function startDirectory(given: string | undefined): string {
  if (given === undefined) return process.cwd();
  try {
    checkHostDirectory(given);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new Failure(`--cwd: ${given}: ${error.message}`, USAGE_ERROR);
  }
  return resolve(given);
}

/** 127: it is not there; 126: it is no script. As sh has it. */
function readScriptFile(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readHostFile(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw new Failure(`${path}: ${error.message}`, error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 127 : 126);
  }
  const newline = bytes.indexOf(10);
  const firstLine = bytes.subarray(0, newline < 0 ? Math.min(bytes.length, 1024) : newline);
  if (firstLine.includes(0)) throw new Failure(`${path}: cannot execute binary file`, 126);
  return decode(bytes);
}

/** The terminal that `/dev/tty` is: the first of the standard descriptors that is one. */
function terminalOf(): Description | undefined {
  for (const number of [0, 1, 2]) {
    const description = streams.description(number);
    if (description?.facts.terminal === true) return description;
    void description?.release();
  }
  return undefined;
}

interface Signals {
  /** The signal that ended the run, if one did: it is raised again once everything is put away. */
  taken: NodeJS.Signals | undefined;
  stop(): void;
}

/** A trapped signal is the script's; any other stops the run. */
function listenForSignals(run: Run): Signals {
  const listeners = new Map<NodeJS.Signals, () => void>();
  const signals: Signals = {
    taken: undefined,
    stop: () => {
      for (const [name, listener] of listeners) process.removeListener(name, listener);
    },
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    const listener = () => {
      const condition = name.slice(3);
      if (run.shell.traps.has(condition)) run.shell.signals.deliver(condition, false);
      else {
        signals.taken ??= name;
        run.stop(new ShellError('aborted', 'interrupted'));
      }
    };
    listeners.set(name, listener);
    process.on(name, listener);
  }
  return signals;
}

function resultOf(
  end: RunEnd,
  captures: { readonly out: ReturnType<typeof byteCapture>; readonly err: ReturnType<typeof byteCapture> },
  effects: readonly Effect[],
  level: string | undefined,
  warnings: readonly string[],
  auditHead: string | undefined,
) {
  return {
    exitCode: end.status,
    status: end.kind,
    ...(end.message === undefined ? {} : { message: end.message }),
    stdout: decode(captures.out.bytes()),
    stderr: decode(captures.err.bytes()),
    truncated: captures.out.truncated || captures.err.truncated,
    removals: { made: end.budget.used, left: end.budget.limit - end.budget.used },
    effects,
    level,
    warnings,
    // Kept elsewhere it shows whether the end of the record was taken away.
    ...(auditHead === undefined ? {} : { auditHead }),
  };
}

/** An error nobody foresaw: said aloud, with where it came from, and never taken for a status of the script. */
const INTERNAL_ERROR = 70;

/** How long a reader that does not read may hold up the end, in milliseconds: a run that was stopped does not wait for it. */
const LAST_FLUSH = 20;

let stopped = false;

async function flushBriefly(): Promise<void> {
  await Promise.race([streams.flush(), new Promise((resolve) => setTimeout(resolve, LAST_FLUSH))]);
}

async function leave(status: number): Promise<never> {
  if (stopped) await flushBriefly();
  else await streams.flush();
  streams.settle();
  streams.abort();
  closeLostTerminals();
  process.exit(status);
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    complain(`internal error, please report it: ${error instanceof Error ? error.stack : String(error)}`);
    return INTERNAL_ERROR;
  })
  .then(leave);
