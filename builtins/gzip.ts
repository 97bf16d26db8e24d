/** gzip, gunzip, zcat: compress and expand files. */
import { isFsError } from '../src/errors.js';
import type { FileStat } from '../src/files/files.js';
import type { ByteSource } from '../src/io/streams.js';
import type { Awaitable } from '../src/steps.js';
import type { Context, OutputFile } from './kit/context.js';
import { defineBuiltin, type Flags, type Parsed } from './kit/define.js';
import { BadGzip, compress, type Expanded, expand, type Target } from './kit/gzip/pump.js';

const LEVELS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

const FLAGS = {
  stdout: { short: 'c', long: ['stdout', 'to-stdout'], help: 'write to the standard output, change no files' },
  decompress: { short: 'd', long: ['decompress', 'uncompress'], help: 'expand' },
  force: {
    short: 'f',
    long: 'force',
    help: 'overwrite files that are there; with -cd, print what is not compressed as it is',
  },
  keep: { short: 'k', long: 'keep', help: 'keep the input files' },
  noName: { short: 'n', long: 'no-name', help: 'as ever: neither name nor time are saved' },
  quiet: { short: 'q', long: 'quiet', help: 'no warnings' },
  test: { short: 't', long: 'test', help: 'only test whether compressed files are whole' },
  '1': { short: '1', long: 'fast', help: 'fastest' },
  '2': { short: '2', help: '-2 to -8: between' },
  '3': { short: '3', help: 'a little smaller' },
  '4': { short: '4', help: 'a little smaller' },
  '5': { short: '5', help: 'a little smaller' },
  '6': { short: '6', help: 'the default' },
  '7': { short: '7', help: 'a little smaller' },
  '8': { short: '8', help: 'a little smaller' },
  '9': { short: '9', long: 'best', help: 'smallest' },
} as const satisfies Flags;

const WARNING = 2;

export const gzip = defineBuiltin({
  name: 'gzip',
  aliases: ['gunzip', 'zcat'],
  summary: 'compress and expand files',
  needs: ['read', 'write', 'remove'],
  usage: 'gzip [OPTION]... [FILE]...\ngunzip [OPTION]... [FILE]...\nzcat [FILE]...',
  notes: `FILE becomes FILE.gz, and back. With no FILE, or when FILE is -, from the standard input to the standard output. A FILE that is
replaced counts as removed.`,
  flags: FLAGS,
  statuses: { 0: 'done', 1: 'something failed', 2: 'there was a warning' },

  run(context): Awaitable<number> {
    return new Gzip(context).run();
  },
});

type GzipContext = Context<'read' | 'write' | 'remove'> & Parsed<typeof FLAGS>;

class Gzip {
  private status = 0;
  private readonly context: GzipContext;
  private readonly expands: boolean;
  private readonly toOutput: boolean;
  private readonly tests: boolean;
  /** `-f`: what is not compressed is printed as it is. */
  private readonly passesOn: boolean;
  private readonly level: number;

  constructor(context: GzipContext) {
    const { flags, name, given } = context;
    this.context = context;
    this.tests = flags.test === true;
    this.expands = flags.decompress === true || this.tests || name !== 'gzip';
    this.toOutput = flags.stdout === true || name === 'zcat';
    this.passesOn = flags.force === true && (this.toOutput || this.tests);
    const levels = given.filter(({ flag }) => LEVELS.some((level) => level === flag));
    this.level = Number(levels[levels.length - 1]?.flag ?? 6);
  }

  async run(): Promise<number> {
    const { operands } = this.context;
    for (const operand of operands.length === 0 ? ['-'] : operands) {
      if (operand === '-') await this.standard();
      else await this.file(operand);
    }
    return this.status;
  }

  private complain(message: string, status: 1 | 2): void {
    if (status === WARNING && this.context.flags.quiet === true) {
      this.status ||= WARNING;
      return;
    }
    void this.context.err.write(message);
    if (this.status !== 1) this.status = status;
  }

  private async standard(): Promise<void> {
    const { stdin, out } = this.context;
    if (stdin === undefined) return this.complain('gzip: stdin: Bad file descriptor\n', 1);
    try {
      await this.work(stdin, this.tests ? NOWHERE : out, 'stdin');
    } catch (error) {
      this.failed('stdin', error, '\n');
    }
  }

  /** Whether all went well. */
  private async work(source: ByteSource, out: Target, name: string): Promise<boolean> {
    if (!this.expands) {
      await compress(this.context, source, out, this.level);
      return true;
    }
    const result: Expanded = await expand(this.context, source, out, this.passesOn);
    if (result instanceof BadGzip) {
      this.complain(`\ngzip: ${name}: ${result.message}\n`, 1);
      return false;
    }
    if (result !== 'done') this.complain(`\ngzip: ${name}: decompression OK, ${result}\n`, WARNING);
    return true;
  }

  private async file(operand: string): Promise<void> {
    const { fs, flags } = this.context;
    let path = operand;
    let stat = fs.tryStat(path);
    if (stat === undefined && this.expands && !operand.endsWith('.gz')) {
      path = `${operand}.gz`;
      stat = fs.tryStat(path);
    }
    if (stat === undefined) {
      // Asked again for the reason.
      try {
        fs.stat(path);
      } catch (error) {
        this.failed(path, error);
      }
      return;
    }
    if (stat.kind === 'directory') return this.complain(`gzip: ${path} is a directory -- ignored\n`, WARNING);
    const target = this.toOutput || this.tests ? undefined : this.targetOf(path);
    if (target === null) return;
    if (target !== undefined && fs.tryLstat(target) !== undefined && flags.force !== true) {
      return this.complain(`gzip: ${target} already exists;\tnot overwritten\n`, WARNING);
    }
    let source: ByteSource | undefined;
    try {
      source = this.context.openSource(path);
      if (target === undefined) await this.work(source, this.tests ? NOWHERE : this.context.out, path);
      else await this.replace(source, path, target, stat);
    } catch (error) {
      this.failed(path, error);
    } finally {
      source?.close();
    }
  }

  /** The name of the result; null where there is none, and that has been said. */
  private targetOf(path: string): string | null {
    if (!this.expands) {
      if (!path.endsWith('.gz')) return `${path}.gz`;
      // Not even a warning's status.
      if (this.context.flags.quiet !== true)
        void this.context.err.write(`gzip: ${path} already has .gz suffix -- unchanged\n`);
      return null;
    }
    if (path.endsWith('.gz')) return path.slice(0, -3);
    if (path.endsWith('.tgz')) return `${path.slice(0, -4)}.tar`;
    this.complain(`gzip: ${path}: unknown suffix -- ignored\n`, WARNING);
    return null;
  }

  /** Writes the result beside the file, and takes the file away when it is whole. */
  private async replace(source: ByteSource, path: string, target: string, stat: FileStat): Promise<void> {
    const { fs, flags } = this.context;
    const existed = fs.tryLstat(target) !== undefined;
    let sink: OutputFile;
    try {
      sink = this.context.openSink(target, { truncate: true, mode: stat.mode & 0o777 });
    } catch (error) {
      return this.failed(target, error);
    }
    let whole = false;
    try {
      whole = await this.work(source, sink, path);
    } finally {
      await sink.close();
      if (!whole && !existed) await fs.remove(target);
    }
    if (!whole) return;
    fs.utimes(target, { atimeNs: stat.atimeNs, mtimeNs: stat.mtimeNs });
    if (flags.keep !== true) await fs.remove(path);
  }

  private failed(path: string, error: unknown, before = ''): void {
    if (!isFsError(error)) throw error;
    this.complain(`${before}gzip: ${path}: ${error.message}\n`, 1);
  }
}

const NOWHERE: Target = { give: () => undefined };
