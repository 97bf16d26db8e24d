/** The library as tests use it. */
import type { Effect } from '../../src/files/files.js';
import type { Policy } from '../../src/policy/policy.js';

export interface RunOptions {
  readonly args?: readonly string[];
  readonly name?: string;
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly onStdout?: (chunk: Uint8Array) => void;
  readonly onStderr?: (chunk: Uint8Array) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunResult {
  readonly exitCode: number;
  readonly status: 'exited' | 'aborted' | 'timeout' | 'limit';
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  readonly truncated: boolean;
  readonly removals: { readonly made: number; readonly left: number };
  readonly effects: readonly Effect[];
  readonly message?: string;
}

export interface Shell {
  run(script: string, options?: RunOptions): Promise<RunResult>;
}

interface Library {
  createShell(policy: Policy): Shell;
}

// A name in a variable: the types above stand in for the library until it is there.
const entry = '../../src/index.js';
let library: Promise<Library> | undefined;

export async function createShell(policy: Policy): Promise<Shell> {
  library ??= import(entry) as Promise<Library>;
  return (await library).createShell(policy);
}
