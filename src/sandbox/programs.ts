/** Programs of the host: the only module, with its pipes, that starts processes. Loaded when a policy grants one. */
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { FsError } from '../errors.js';
import { failure } from '../files/errno.js';
import { OpenedFile } from '../files/open.js';
import type {
  Connection,
  InputPipe,
  OutputPipe,
  Program,
  ProgramEnd,
  Programs,
  RunningProgram,
  StartRequest,
} from '../io/programs.js';
import { OpenDescriptor } from './descriptor.js';
import { descriptorInfo } from './descriptor-info.js';
import { FoundProgram, findProgram, type Wanted, writableBy } from './find-program.js';
import { closeUnusedPipes, OsInputPipe, OsOutputPipe, OsPipe } from './os-pipe.js';

/** How long a program may take to end after it was told to, in milliseconds. */
const GRACE = 1000;
/** How often it is looked whether a group has ended whose leader has. */
const LOOK = 20;

export interface ProgramOptions {
  readonly wanted: readonly Wanted[];
  readonly directories: readonly string[];
  /** Physical paths where scripts may write: nothing that lies there is started. */
  readonly writable: readonly string[];
  /** A program that must not be started: the whole run is refused. */
  readonly refuse: (name: string, why: string) => void;
}

/** Finds the programs and takes hold of them. */
export function hostPrograms(options: ProgramOptions): Programs {
  const found = new Map<string, FoundProgram>();
  const warnings: string[] = [];
  for (const wanted of options.wanted) {
    const program = findProgram(wanted, options.directories);
    if (program === undefined) {
      const where = wanted.path ?? options.directories.join(':');
      warnings.push(`external '${wanted.name}': no executable file ${wanted.path === undefined ? 'in ' : ''}${where}`);
      continue;
    }
    const why = writableBy(program, options.writable);
    if (why === undefined) found.set(program.name, program);
    else {
      program.close();
      options.refuse(wanted.name, why);
    }
  }
  return new HostPrograms(found, warnings);
}

class HostPrograms implements Programs {
  readonly warnings: readonly string[];
  readonly #found: ReadonlyMap<string, FoundProgram>;
  readonly #groups = new Set<ProcessGroup>();
  #over = false;

  constructor(found: ReadonlyMap<string, FoundProgram>, warnings: readonly string[]) {
    this.#found = found;
    this.warnings = warnings;
    runs++;
  }

  get all(): readonly Program[] {
    return [...this.#found.values()];
  }

  find(name: string): Program | undefined {
    return this.#found.get(name);
  }

  findPath(path: string): Program | undefined {
    for (const program of this.#found.values()) if (program.path === path) return program;
    return undefined;
  }

  inputPipe(): InputPipe {
    return new OsInputPipe();
  }

  outputPipe(): OutputPipe {
    return new OsOutputPipe();
  }

  async start(program: Program, request: StartRequest): Promise<RunningProgram> {
    if (!(program instanceof FoundProgram) || this.#over) throw new FsError('EPERM', program.name);
    const { stdin, stdout, stderr } = request;
    try {
      const child = withUmask(request.umask, () => launch(program, request));
      if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
      const group = new ProcessGroup(child, child.pid);
      this.#groups.add(group);
      void group.over.then(() => this.#groups.delete(group));
      return group;
    } catch (error) {
      throw failure(error, program.path);
    } finally {
      for (const connection of [stdin, stdout, stderr]) {
        if (connection.kind === 'pipe' && connection.pipe instanceof OsPipe) connection.pipe.releaseProgramEnd();
      }
    }
  }

  async end(): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      for (const program of this.#found.values()) program.close();
      if (--runs === 0) closeUnusedPipes();
    }
    for (const group of this.#groups) group.terminate();
    await Promise.all([...this.#groups].map((group) => group.over));
  }
}

/** Runs that may still start something. */
let runs = 0;

function launch(program: FoundProgram, request: StartRequest): ChildProcess {
  const { argv, directory, stdin, stdout, stderr } = request;
  const nothing = fs.openSync('/dev/null', fs.constants.O_RDWR);
  try {
    const child = spawn(program.executable(), argv.slice(1), {
      argv0: argv[0] ?? program.name,
      cwd: directory,
      env: environmentOf(request.environment),
      stdio: [...[stdin, stdout, stderr].map((connection) => descriptorOf(connection, nothing)), ...strangers(nothing)],
      // A session of its own: no signal of the terminal's reaches it, and all of it can be ended.
      detached: true,
    });
    // Before it is asked for: what cannot be started says so in an event.
    child.once('error', () => {});
    return child;
  } finally {
    fs.closeSync(nothing);
  }
}

function descriptorOf(connection: Connection, nothing: number): number {
  switch (connection.kind) {
    case 'null':
      return nothing;
    case 'host':
      return connection.fd;
    case 'file': {
      const raw = OpenedFile.rawFileOf(connection.file);
      if (raw instanceof OpenDescriptor) return raw.number;
      break;
    }
    case 'pipe':
      if (connection.pipe instanceof OsPipe) return connection.pipe.programEnd;
  }
  throw new FsError('ENOTSUP', ''); // what is only in memory
}

const O_CLOEXEC = 0o2000000;

/** Descriptors above 2 that our own caller left open would go on to the program: it gets /dev/null in their places. */
function strangers(nothing: number): (number | 'ignore')[] {
  const list: (number | 'ignore')[] = [];
  let names: string[];
  try {
    names = fs.readdirSync('/proc/self/fd');
  } catch {
    return list; // Node closes those it knows itself, up to 16 in a row
  }
  for (const name of names) {
    const fd = Number(name);
    if (fd < 3) continue;
    const info = descriptorInfo('/proc/self', fd);
    if (info === undefined || (info.flags & O_CLOEXEC) !== 0) continue;
    while (list.length < fd - 3) list.push('ignore');
    list[fd - 3] = nothing;
  }
  return list;
}

/** All of its variables and nothing else. Node adds one of its own, unless it is there, if only as undefined. */
function environmentOf(variables: ReadonlyMap<string, string>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = Object.create(null);
  environment['NODE_V8_COVERAGE'] = undefined;
  for (const [name, value] of variables) environment[name] = value;
  return environment;
}

/** The umask is the whole process's: it is ours only while the program is made, and only ever takes more. */
function withUmask<T>(umask: number, act: () => T): T {
  const own = process.umask();
  const wanted = own | umask;
  if (wanted === own) return act();
  process.umask(wanted);
  try {
    return act();
  } finally {
    process.umask(own);
  }
}

/** Whether a process is of a group and no zombie. proc(5), stat: `PID (NAME) STATE PPID PGRP ...`. */
function isAtWork(pid: string, group: number): boolean {
  let text: string;
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return false; // it has ended meanwhile
  }
  const [state, , id] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(id) === group && state !== 'Z' && state !== 'X';
}

/** Every group that has not ended, of every run: they must not outlive this process. */
const alive = new Set<ProcessGroup>();

function killAll(): void {
  for (const group of alive) group.signal('KILL');
}

class ProcessGroup implements RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  /** Nothing of the group is left, or nothing can be done about it. */
  readonly over: Promise<void>;
  readonly #id: number;
  #leader = true;
  #gone = false;
  #told = false;
  #tell: (() => void) | undefined;

  constructor(child: ChildProcess, id: number) {
    this.#id = id;
    if (alive.size === 0) process.on('exit', killAll);
    alive.add(this);
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#leader = false;
        resolve(signal === null ? { status: code ?? 1 } : { signal: signal.slice(3) });
      });
    });
    this.over = this.ended
      .then(() => this.#last())
      .then(() => {
        this.#gone = true;
        alive.delete(this);
        if (alive.size === 0) process.off('exit', killAll);
      });
  }

  signal(name: string): void {
    this.#send(`SIG${name}`);
  }

  terminate(): void {
    if (this.#told || this.#gone) return;
    this.#told = true;
    this.#send('SIGTERM');
    // What is stopped would never hear of it.
    this.#send('SIGCONT');
    const timer = setTimeout(() => this.#kill(), GRACE);
    void this.over.then(() => clearTimeout(timer));
    this.#tell?.();
  }

  #kill(): void {
    this.#send('SIGKILL');
  }

  /** False: there is nobody, or nobody that we may signal. */
  #send(signal: NodeJS.Signals | string | 0): boolean {
    if (this.#gone) return false;
    // Once the leader is gone its number is taken only as long as its group has members; a process of that number is a stranger.
    if (!this.#leader && fs.existsSync(`/proc/${this.#id}`)) return false;
    try {
      process.kill(-this.#id, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether somebody of the group is there, and not only waits for its parent to hear of its end. */
  #lives(): boolean {
    if (!this.#send(0)) return false;
    try {
      return fs.readdirSync('/proc').some((name) => /^\d+$/.test(name) && isAtWork(name, this.#id));
    } catch {
      return true;
    }
  }

  /** Waits for what the leader left behind in its group. It may go on until the run ends, and then has the same time to. */
  async #last(): Promise<void> {
    if (!this.#lives()) return;
    if (!this.#told) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    }
    for (let waited = 0; this.#lives() && waited < 2 * GRACE; waited += LOOK) {
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }
}
