/** gzip, gunzip, zcat: compress and expand files. */
import { FsError, isFsError } from '../src/errors.js';
import type { FileStat } from '../src/files/files.js';
import type { ByteSource } from '../src/io/streams.js';
import type { Awaitable } from '../src/steps.js';
import { plainName, Reports, ratio, suffixOf } from './gzip/reports.js';
import type { Context, OutputFile } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Parsed } from './kit/define.js';
import {
  BadGzip,
  compress,
  type Expanded,
  expand,
  noTotals,
  type Target,
  type Totals,
  UNEXPECTED_END,
} from './kit/gzip/pump.js';
import { joinPath } from './kit/paths.js';

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
  list: { short: 'l', long: 'list', help: 'print sizes of compressed files' },
  noName: { short: 'n', long: 'no-name', help: 'as ever: neither name nor time are saved' },
  quiet: { short: 'q', long: 'quiet', help: 'no warnings' },
  recursive: { short: 'r', long: 'recursive', help: 'directories: the files in them' },
  suffix: {
    short: 'S',
    long: 'suffix',
    value: 'SUF',
    parse: (text) => (text === '' || text.includes('/') ? new BadValue(`invalid suffix '${text}'`) : text),
    help: 'SUF in place of .gz',
  },
  verbose: { short: 'v', long: 'verbose', repeat: true, help: 'say what became of each file' },
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
  needs: ['read', 'list', 'write', 'remove', 'clock'],
  usage: 'gzip [OPTION]... [FILE]...\ngunzip [OPTION]... [FILE]...\nzcat [FILE]...',
  notes: `FILE becomes FILE.gz, and back. With no FILE, or when FILE is -, from the standard input to the standard output. A FILE that is
replaced counts as removed.`,
  flags: FLAGS,
  speaksAs: 'gzip',
  usageHint: () => "Try `gzip --help' for more information.\n",
  statuses: { 0: 'done', 1: 'something failed', 2: 'there was a warning' },

  run(context): Awaitable<number> {
    return new Gzip(context).run();
  },
});

type GzipContext = Context<'read' | 'list' | 'write' | 'remove' | 'clock'> & Parsed<typeof FLAGS>;

class Gzip {
  private status = 0;
  private readonly context: GzipContext;
  private readonly expands: boolean;
  private readonly toOutput: boolean;
  private readonly tests: boolean;
  /** `-f`: what is not compressed is printed as it is. */
  private readonly passesOn: boolean;
  private readonly level: number;
  private readonly suffix: string;
  private readonly verbose: boolean;
  /** `-l`. */
  private readonly reports: Reports | undefined;

  constructor(context: GzipContext) {
    const { flags, name, given } = context;
    this.context = context;
    this.tests = flags.test === true || flags.list === true;
    this.verbose = flags.verbose !== undefined;
    this.suffix = flags.suffix ?? '.gz';
    if (flags.list) {
      this.reports = new Reports(context.out, context.clock.timeZone, flags.quiet === true, this.verbose);
    }
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
      if (this.aborted) return this.status;
    }
    if (operands.length > 1) await this.reports?.total();
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
      const totals = noTotals();
      if (!(await this.work(stdin, this.tests ? NOWHERE : out, 'stdin', totals))) return;
      if (this.reports !== undefined) await this.reports.one(totals, 'stdout', this.context.clock.now());
      else if (this.verbose) this.say(this.tests ? ' OK' : this.expands ? '' : ratio(totals));
    } catch (error) {
      this.failed('stdin', error, '\n');
    }
  }

  /** An input that stops too early ends GNU's gzip at once: the files after it are left alone. */
  private aborted = false;

  /** The name of the file in hand has been printed: a warning came first. */
  private named = false;

  private say(words: string): void {
    if (words !== '') void this.context.err.write(`${words}\n`);
  }

  /** Whether all went well. */
  private async work(source: ByteSource, out: Target, name: string, totals: Totals): Promise<boolean> {
    if (!this.expands) {
      await compress(this.context, source, out, this.level, totals);
      return true;
    }
    const result: Expanded = await expand(this.context, source, out, this.passesOn, totals);
    if (result instanceof BadGzip) {
      this.aborted = result === UNEXPECTED_END;
      // What GNU printed before it looked inside.
      if (this.verbose && this.reports === undefined && name !== 'stdin' && totals.framing > 0)
        void this.context.err.write(`${name}:\t`);
      this.complain(`\ngzip: ${name}: ${result.message}\n`, 1);
      return false;
    }
    if (result !== 'done') {
      const front = this.verbose && this.reports === undefined && name !== 'stdin' ? `${name}:\t` : '';
      this.complain(`${front}\ngzip: ${name}: decompression OK, ${result}\n`, WARNING);
      this.named = front !== '';
    }
    return true;
  }

  private async file(operand: string): Promise<void> {
    const { fs, flags } = this.context;
    const alone = this.toOutput || this.tests;
    let path = operand;
    // What a link leads to is not replaced.
    if (!alone && flags.force !== true && fs.tryLstat(path)?.kind === 'symlink') {
      return this.failed(path, new FsError('ELOOP', path));
    }
    let stat = fs.tryStat(path);
    if (
      stat === undefined &&
      this.expands &&
      isMissing(() => fs.stat(operand)) &&
      suffixOf(operand, this.suffix) === undefined
    ) {
      for (const suffix of [this.suffix, '.gz']) {
        path = `${operand}${suffix}`;
        stat = fs.tryStat(path);
        if (stat !== undefined) break;
      }
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
    if (stat.kind === 'directory' && flags.recursive === true) return this.directory(path);
    if (stat.kind === 'directory') return this.complain(`gzip: ${path} is a directory -- ignored\n`, WARNING);
    const target = alone && (flags.recursive !== true || !this.expands) ? undefined : this.targetOf(path);
    if (target === null) return;
    if (!alone && target !== undefined && fs.tryLstat(target) !== undefined && flags.force !== true) {
      return this.complain(`gzip: ${target} already exists;\tnot overwritten\n`, WARNING);
    }
    let source: ByteSource | undefined;
    try {
      source = this.context.openSource(path);
      const totals = noTotals();
      const whole =
        alone || target === undefined
          ? await this.work(source, this.tests ? NOWHERE : this.context.out, path, totals)
          : await this.replace(source, path, target, stat, totals);
      if (!whole) return;
      if (this.reports !== undefined) {
        await this.reports.one(totals, plainName(path, this.suffix), stat.mtimeNs);
      } else if (this.verbose) this.tell(path, alone ? undefined : target, totals);
    } catch (error) {
      this.failed(path, error);
    } finally {
      source?.close();
    }
  }

  private tell(path: string, target: string | undefined, totals: Totals): void {
    const front = this.named ? '' : `${path}:\t`;
    this.named = false;
    if (this.tests) {
      this.say(`${front} OK`);
      return;
    }
    const became = target !== undefined && this.context.flags.keep === true ? 'created' : 'replaced with';
    this.say(`${front}${ratio(totals)} -- ${became} ${target ?? 'stdout'}`);
  }

  /** Names first: what is made is not to be met again. */
  private async directory(path: string): Promise<void> {
    let names: readonly string[];
    try {
      const directory = this.context.fs.openDirectory(path);
      try {
        names = directory.entries().map(({ name }) => name);
      } finally {
        directory.close();
      }
    } catch (error) {
      return this.failed(path, error);
    }
    for (const name of names) {
      if (this.aborted) return;
      await this.context.tick();
      const inner = joinPath(path, name);
      // A link to a directory could lead round in circles.
      const isLink = this.context.fs.tryLstat(inner)?.kind === 'symlink';
      if (!isLink || this.context.fs.tryStat(inner)?.kind !== 'directory') await this.file(inner);
    }
  }

  /** The name of the result; null where there is none, and that has been said. */
  private targetOf(path: string): string | null {
    const { recursive, quiet } = this.context.flags;
    const suffix = suffixOf(path, this.suffix);
    if (!this.expands) {
      if (suffix === undefined) return `${path}${this.suffix}`;
      // Not even a warning's status.
      if (this.verbose || (recursive !== true && quiet !== true)) {
        void this.context.err.write(`gzip: ${path} already has ${suffix} suffix -- unchanged\n`);
      }
      return null;
    }
    if (suffix !== undefined) return plainName(path, this.suffix);
    if (recursive !== true || this.verbose) this.complain(`gzip: ${path}: unknown suffix -- ignored\n`, WARNING);
    return null;
  }

  /** Writes the result beside the file, and takes the file away when it is whole. */
  private async replace(
    source: ByteSource,
    path: string,
    target: string,
    stat: FileStat,
    totals: Totals,
  ): Promise<boolean> {
    const { fs, flags } = this.context;
    const existed = fs.tryLstat(target) !== undefined;
    let sink: OutputFile;
    try {
      sink = this.context.openSink(target, { truncate: true, mode: stat.mode & 0o777 });
    } catch (error) {
      this.failed(target, error);
      return false;
    }
    let whole = false;
    try {
      whole = await this.work(source, sink, path, totals);
    } finally {
      await sink.close();
      if (!whole && !existed) await fs.remove(target);
    }
    if (!whole) return false;
    fs.utimes(target, { atimeNs: stat.atimeNs, mtimeNs: stat.mtimeNs });
    if (flags.keep !== true) await fs.remove(path);
    return true;
  }

  private failed(path: string, error: unknown, before = ''): void {
    if (!isFsError(error)) throw error;
    this.complain(`${before}gzip: ${path}: ${error.message}\n`, 1);
  }
}

/** Only of a name that is not there another one is tried. */
function isMissing(look: () => unknown): boolean {
  try {
    look();
    return false;
  } catch (error) {
    return isFsError(error) && error.code === 'ENOENT';
  }
}

const NOWHERE: Target = { give: () => undefined };
