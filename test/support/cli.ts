/** The program as people start it: `node dist/rmsh.js`, a process of its own. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const PROGRAM = join(root, 'dist/rmsh.js');

let checked = false;

/** An old build would pass tests that the sources in front of the reader do not. */
export function checkBuild(): void {
  if (checked) return;
  const built = statSync(PROGRAM, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) throw new Error("dist/rmsh.js is missing: 'npm run build' makes it");
  for (const folder of ['src', 'grammar', 'builtins']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && statSync(path).mtimeMs > built) {
        throw new Error(`dist/rmsh.js is older than ${path.slice(root.length)}: 'npm run build' makes it new`);
      }
    }
  }
  checked = true;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Given whole; left out, standard input is empty. */
  readonly stdin?: string | Uint8Array;
  /** Instead: what the process gets as its descriptors. */
  readonly stdio?: StdioOptions;
  /** Called once it runs. */
  readonly onStart?: (child: ChildProcess) => void;
  /** When it has not ended by then the test fails. */
  readonly within?: number;
}

export interface CliResult {
  /** Exit status; the name of the signal when one ended it. */
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Starts rmsh and waits for its end. */
export function rmsh(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  checkBuild();
  const within = options.within ?? 15_000;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? {},
      stdio: options.stdio ?? [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`rmsh ${args.join(' ')} has not ended after ${within} ms`));
    }, within);
    child.on('error', reject);
    // `exit`, not `close`: a reader that never reads must not keep the test.
    const ended = options.stdio === undefined ? 'close' : 'exit';
    child.on(ended, (code: number | null, signal: NodeJS.Signals | null) => {
      clearTimeout(late);
      resolve({
        status: code ?? signal ?? 'none',
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        milliseconds: performance.now() - began,
      });
    });
    if (options.stdin !== undefined) {
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(options.stdin);
    }
    options.onStart?.(child);
  });
}

/** Runs a script with `tree` as the only root, to change; in `tree`. */
export function remediate(tree: string, script: string, options: CliOptions = {}): Promise<CliResult> {
  return rmsh(['--mode', 'remediation', '--allow-path', `${tree}:rw`, '-c', script], { cwd: tree, ...options });
}

/** The most memory a process has had at once, in MiB; sampled until it ends. Linux only: undefined elsewhere. */
export function watchMemory(child: ChildProcess): () => number | undefined {
  let peak: number | undefined;
  const sample = (): void => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const kib = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]);
      if (kib > 0) peak = Math.max(peak ?? 0, kib / 1024);
    } catch {
      clearInterval(timer);
    }
  };
  const timer = setInterval(sample, 10);
  child.on('exit', () => clearInterval(timer));
  return () => peak;
}
