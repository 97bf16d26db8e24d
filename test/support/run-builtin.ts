/** Runs one command on a real directory, through the sandbox, without a shell around it. */
import { readFileSync } from 'node:fs';
import type { CommandClock, Ended, FullContext, HostFacts, Output, OutputFile } from '../../builtins/kit/context.js';
import type { Builtin } from '../../builtins/kit/define.js';
import { FsError, isBrokenPipe, isFsError } from '../../src/errors.js';
import {
  type FileStore,
  type Files,
  type RemovalBudget,
  removalBudget,
  type StoreOptions,
} from '../../src/files/files.js';
import type { KernelFacts } from '../../src/files/host.js';
import type { ByteSource } from '../../src/io/streams.js';
import { DEFAULT_LIMITS, type Limits } from '../../src/limits.js';
import { hostFacts } from '../../src/sandbox/host-facts.js';
import { sandboxStore } from '../../src/sandbox/store.js';
import { andThen, type Waiting } from '../../src/steps.js';
import { encode } from '../../src/text/bytes.js';

export interface RunOptions {
  /** Undefined: no bytes. `'closed'`: descriptor 0 is closed. `'broken'`: reading it fails. A list: one chunk each. */
  readonly stdin?: string | Uint8Array | readonly (string | Uint8Array)[] | 'closed' | 'broken';
  readonly cwd: string;
  /** The name it is called by, where that is another of its names. */
  readonly as?: string;
  readonly environment?: { readonly [name: string]: string };
  /** Default true. */
  readonly remediation?: boolean;
  readonly budget?: RemovalBudget;
  readonly limits?: Partial<Limits>;
  readonly umask?: number;
  /** What `invoke` can run, by name. */
  readonly builtins?: readonly Builtin[];
  /** Nanoseconds since 1970 at which the clock stands; default: it runs. */
  readonly now?: bigint;
  readonly timeZone?: string;
  readonly host?: Partial<HostFacts>;
  /** In place of what this host's kernel tells. */
  readonly kernel?: Partial<KernelFacts>;
  readonly terminal?: boolean;
  /** Default: `cwd`, writable. */
  readonly roots?: StoreOptions['roots'];
  /** In place of the kernel's files: a store in memory, say. */
  readonly store?: FileStore;
  /** Every read from a source, every write and every removal waits a turn, to take the other half of each branch. */
  readonly slow?: boolean;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
  readonly stdoutBytes: Buffer;
  /** What was left unread of stdin. */
  readonly left: string;
  /** How often the command called `tick`. */
  readonly ticks: number;
}

export async function runBuiltin(builtin: Builtin, words: readonly string[], options: RunOptions): Promise<RunResult> {
  const { cwd, slow = false, limits = {} } = options;
  const remediation = options.remediation ?? true;
  const budget = options.budget ?? removalBudget(limits.maxRemovalsPerRun ?? DEFAULT_LIMITS.maxRemovalsPerRun);
  const stdout = capture(slow, options.terminal);
  const stderr = capture(slow);
  const stdin =
    options.stdin === 'closed'
      ? undefined
      : options.stdin === 'broken'
        ? brokenSource(slow)
        : sourceOf(options.stdin, slow);
  const counter = { ticks: 0 };
  const store =
    options.store ??
    sandboxStore({
      mode: remediation ? 'remediation' : 'read-only',
      roots: options.roots ?? [{ path: cwd, writable: true }],
      budget,
      ...(slow ? { onIntent: turn } : {}),
    });
  const all = [builtin, ...(options.builtins ?? [])];

  function contextFor(
    name: string,
    input: ByteSource | undefined,
    environment: ReadonlyMap<string, string>,
    at: string,
  ): FullContext {
    const files = store.for({
      logicalCwd: at,
      physicalCwd: at,
      umask: options.umask ?? 0o022,
      command: name,
      source: 'test',
      line: 0,
    });
    const complain = (message: string) => {
      stderr.output.write(`${name}: ${message}\n`);
    };
    return {
      name,
      fs: files,
      look: () => {},
      remediation,
      umask: options.umask ?? 0o022,
      environment,
      limits: { ...DEFAULT_LIMITS, ...limits },
      tick() {
        counter.ticks++;
        return slow ? turn() : undefined;
      },
      complain,
      refused() {},
      failed(what, error) {
        if (!isFsError(error)) throw error;
        complain(`${what}: ${error.message}`);
        return 1;
      },
      stdin: input,
      stdinFacts: input === undefined ? undefined : { terminal: false, file: undefined },
      out: stdout.output,
      err: stderr.output,
      source: (descriptor) => (descriptor === 0 ? input : undefined),
      sink: (descriptor) => (descriptor === 1 ? stdout.output : descriptor === 2 ? stderr.output : undefined),
      openSource(path) {
        if (path === '/dev/stdin') {
          if (input === undefined) throw new FsError('ENOENT', path);
          return input;
        }
        if (path === '/dev/null') return sourceOf(undefined, slow);
        return fileSource(files, path, slow);
      },
      openSink(path, how) {
        if (path === '/dev/null') return { ...capture(slow).output, close: () => undefined };
        return fileSink(files.openWrite(path, how));
      },
      clock: clockOf(options),
      host: { ...HOST, ...options.host },
      kernel: () =>
        options.kernel === undefined
          ? facts.kernel()
          : andThen(facts.kernel(), (real) => ({ ...real, ...options.kernel })),
      invoke(argv, how = {}) {
        const wanted = argv[0] ?? '';
        const found = all.find((one) => one.name === wanted || one.aliases.includes(wanted));
        if (found === undefined) {
          stderr.output.write(`rmsh: ${wanted}: command not found\n`);
          return ended(127, 'not run');
        }
        const inner = contextFor(
          wanted,
          how.stdin === 'null' ? sourceOf(undefined, slow) : (how.stdin ?? input),
          how.environment ?? environment,
          how.cwd === undefined ? at : how.cwd.startsWith('/') ? how.cwd : `${at}/${how.cwd}`,
        );
        return andThen(found.invoke(inner, argv), (is) => ended(is, 'exited'));
      },
    };
  }

  const { as = builtin.name } = options;
  const context = contextFor(as, stdin, new Map(Object.entries(options.environment ?? {})), cwd);
  let status: number;
  try {
    status = await builtin.invoke(context, [as, ...words]);
  } catch (thrown) {
    if (!isBrokenPipe(thrown)) throw thrown;
    status = 141;
  } finally {
    if (options.store === undefined) store.close();
  }
  return {
    stdout: stdout.bytes().toString(),
    stderr: stderr.bytes().toString(),
    status,
    stdoutBytes: stdout.bytes(),
    left: stdin === undefined || options.stdin === 'broken' ? '' : await drain(stdin),
    ticks: counter.ticks,
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const ended = (status: number, way: Ended['way']): Ended => ({ status, way, asOwn: () => status });

function clockOf({ now, timeZone }: RunOptions): CommandClock {
  return {
    now: () => now ?? BigInt(Date.now()) * 1_000_000n,
    timeZone: timeZone ?? 'UTC0',
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    timer(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const done = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      return { done, cancel: () => clearTimeout(timer) };
    },
  };
}

interface Named {
  readonly name: string;
  readonly id: number;
}

function table(path: string): readonly Named[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , id = '']) => ({ name, id: Number(id) }))
    .filter(({ name }) => name !== '');
}

const users = table('/etc/passwd');
const groups = table('/etc/group');

const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
  .split('\n')
  .map((line) => line.split(' - ').map((part) => part.split(' ')))
  .filter(([, after]) => after !== undefined)
  .map(([before = [], after = []]) => ({
    source: after[1] ?? '',
    target: before[4] ?? '',
    type: after[0] ?? '',
    dev: deviceNumber(before[2] ?? ''),
  }));

/** As stat(2) has it, of `MAJOR:MINOR`. */
function deviceNumber(text: string): bigint {
  const [major = 0n, minor = 0n] = text.split(':').map(BigInt);
  return (minor & 0xffn) | ((major & 0xfffn) << 8n) | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n);
}

const facts = hostFacts();

/** The host as its own files tell. */
const HOST: HostFacts = {
  userName: (uid) => users.find(({ id }) => id === uid)?.name,
  groupName: (gid) => groups.find(({ id }) => id === gid)?.name,
  userId: (name) => users.find((user) => user.name === name)?.id,
  groupId: (name) => groups.find((group) => group.name === name)?.id,
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  groups: process.getgroups?.() ?? [],
  realUid: process.getuid?.() ?? 0,
  realGid: process.getgid?.() ?? 0,
  account: (name) => facts.account(name),
  hostName: () => 'host',
  system: () => facts.system(),
  processors: () => facts.processors(),
  load: () => facts.load(),
  mounts: () => mounts,
};

function capture(slow: boolean, terminal = false): { readonly output: Output; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const take = (data: string | Uint8Array): Waiting => {
    chunks.push(typeof data === 'string' ? encode(data) : Buffer.from(data));
    return slow ? turn() : undefined;
  };
  return {
    output: { facts: { terminal, file: undefined }, write: take, give: take, flush: () => undefined },
    bytes: () => Buffer.concat(chunks),
  };
}

export function sourceOf(input: RunOptions['stdin'], slow = false): ByteSource {
  const list: readonly (string | Uint8Array)[] =
    input === undefined ? [] : typeof input === 'string' || input instanceof Uint8Array ? [input] : input;
  let next = 0;
  const source: ByteSource = {
    buffer: new Uint8Array(),
    start: 0,
    end: 0,
    owned: true,
    fill() {
      return slow ? turn().then(fillNow) : fillNow();
    },
    close() {
      next = list.length;
    },
  };
  function fillNow(): boolean {
    while (next < list.length) {
      const chunk = list[next++] as string | Uint8Array;
      source.buffer = typeof chunk === 'string' ? encode(chunk) : chunk;
      source.start = 0;
      source.end = source.buffer.length;
      if (source.end > 0) return true;
    }
    return false;
  }
  return source;
}

function brokenSource(slow: boolean): ByteSource {
  const fail = (): never => {
    throw new FsError('EIO', '-');
  };
  return {
    buffer: new Uint8Array(),
    start: 0,
    end: 0,
    owned: true,
    fill: () => (slow ? turn().then(fail) : fail()),
    close: () => undefined,
  };
}

function fileSource(files: Files, path: string, slow: boolean): ByteSource {
  const file = files.open(path);
  const buffer = new Uint8Array(65536);
  const source: ByteSource = {
    buffer,
    start: 0,
    end: 0,
    owned: false,
    fill() {
      const fillNow = () => {
        source.start = 0;
        source.end = file.read(buffer, null);
        return source.end > 0;
      };
      return slow ? turn().then(fillNow) : fillNow();
    },
    close: () => file.close(),
  };
  return source;
}

function fileSink(file: ReturnType<Files['openWrite']>): OutputFile {
  const write = (data: string | Uint8Array) => {
    file.write(typeof data === 'string' ? encode(data) : data, null);
    return undefined;
  };
  return {
    facts: { terminal: false, file: undefined },
    write,
    give: write,
    flush: () => undefined,
    close() {
      file.close();
      return undefined;
    },
  };
}

async function drain(source: ByteSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  while (source.start < source.end || (await source.fill())) {
    chunks.push(Buffer.from(source.buffer.subarray(source.start, source.end)));
    source.start = source.end;
  }
  return Buffer.concat(chunks).toString();
}
