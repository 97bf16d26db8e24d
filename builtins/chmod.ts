/** chmod: change permissions. */
import { isFsError } from '../src/errors.js';
import type { FileStat } from '../src/files/files.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuote, gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import type { Context } from './kit/context.js';
import { type Builtin, defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { adjustMode, type ModeChange, modeString, parseMode } from './kit/mode.js';
import { joinPath } from './kit/paths.js';
import { repeat } from './kit/repeat.js';

/** Before a mode that begins with a dash, so that it is not taken for options. No argument can hold a NUL. */
const MARK = '\0';

const definition = defineBuiltin({
  name: 'chmod',
  summary: 'change permissions',
  usage: 'chmod [OPTION]... MODE[,MODE]... FILE...\nchmod [OPTION]... --reference=RFILE FILE...',
  needs: ['read', 'list', 'write'],
  remediationOnly: true,
  flags: {
    changes: { short: 'c', long: 'changes', help: 'print a line for each change' },
    quiet: { short: 'f', long: ['silent', 'quiet'], help: 'do not say what failed' },
    recursive: { short: 'R', long: 'recursive', help: 'directories with all that is in them' },
    reference: { long: 'reference', value: 'RFILE', help: 'the permissions of RFILE' },
    verbose: { short: 'v', long: 'verbose', help: 'print a line for each file' },
  },
  notes: 'MODE is [ugoa]*([-+=]([rwxXst]*|[ugo]))+ or octal digits. What -R meets below and is a link is left alone.',
  statuses: { 0: 'all were changed', 1: 'some were not' },

  run(context): Awaitable<number> {
    const { flags } = context;
    const words = context.operands.map((word) => (word.startsWith(MARK) ? word.slice(1) : word));
    const text = flags.reference === undefined ? words.shift() : undefined;
    if (words.length === 0) {
      const after = text === undefined ? '' : ` after ${gnuQuoteValue(text)}`;
      return usageFailure(context, `missing operand${after}`);
    }
    let mode: ModeChange | undefined;
    if (flags.reference !== undefined) {
      try {
        mode = parseMode((context.fs.stat(flags.reference).mode & 0o7777).toString(8).padStart(5, '0'));
      } catch (error) {
        return context.failed(`failed to get attributes of ${gnuQuote(flags.reference)}`, error);
      }
    } else mode = parseMode(text ?? '');
    if (mode === undefined) return usageFailure(context, `invalid mode: ${gnuQuoteValue(text ?? '')}`);
    const changing = new Changing(context, mode, {
      report: lastOf(context.given, ['changes', 'verbose'])?.flag,
      quiet: flags.quiet === true,
      recursive: flags.recursive === true,
      checksUmask: flags.reference === undefined && context.operands[0]?.startsWith(MARK) === true,
    });
    return changing.run(words);
  },
});

/** With modes like `-x` told from options. */
export const chmod: Builtin = {
  ...definition,
  invoke: (context, argv) => definition.invoke(context, markModes(argv)),
};

function markModes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    const isMode = i > 0 && (end < 0 || i < end) && /^-[rwxXstugoa,+=0-7]/.test(word);
    return isMode ? MARK + word : word;
  });
}

interface Options {
  readonly report: 'changes' | 'verbose' | undefined;
  readonly quiet: boolean;
  readonly recursive: boolean;
  /** `-w` was written as an option: what the umask kept from being taken is said. */
  readonly checksUmask: boolean;
}

class Changing {
  private readonly context: Context<'read' | 'list' | 'write'>;
  private readonly mode: ModeChange;
  private readonly options: Options;
  private status = 0;
  /** Paths still to be changed, the next one last. */
  private readonly paths: { readonly path: string; readonly top: boolean }[] = [];

  constructor(context: Context<'read' | 'list' | 'write'>, mode: ModeChange, options: Options) {
    this.context = context;
    this.mode = mode;
    this.options = options;
  }

  run(operands: readonly string[]): Awaitable<number> {
    for (const path of [...operands].reverse()) this.paths.push({ path, top: true });
    const all = repeat<true>(() => {
      const next = this.paths.pop();
      if (next === undefined) return true;
      return andThen(this.context.tick(), () => andThen(this.change(next.path, next.top), () => undefined));
    });
    return andThen(all, () => this.status);
  }

  private fail(what: string, error: unknown): undefined {
    if (!isFsError(error)) throw error;
    this.status = 1;
    if (!this.options.quiet) this.context.failed(what, error);
  }

  private change(path: string, top: boolean): Awaitable<unknown> {
    const { fs } = this.context;
    let stat: FileStat | undefined;
    try {
      stat = fs.lstat(path);
      if (stat.kind === 'symlink') {
        if (!top) return this.leave(path);
        stat = fs.stat(path);
      }
    } catch (error) {
      if (stat?.kind === 'symlink' && isFsError(error) && error.code === 'ENOENT') {
        this.status = 1;
        if (!this.options.quiet) this.context.complain(`cannot operate on dangling symlink ${gnuQuote(path)}`);
        return undefined;
      }
      return this.fail(`cannot access ${gnuQuote(path)}`, error);
    }
    const before = stat.mode & 0o7777;
    const isDirectory = stat.kind === 'directory';
    const after = adjustMode(before, isDirectory, this.context.umask, this.mode);
    try {
      fs.chmod(path, after);
    } catch (error) {
      return this.fail(`changing permissions of ${gnuQuote(path)}`, error);
    }
    return andThen(this.report(path, before, after), () => {
      this.checkUmask(path, before, after, isDirectory);
      if (isDirectory && this.options.recursive) this.addBelow(path);
    });
  }

  private leave(path: string): Awaitable<unknown> {
    if (this.options.report !== 'verbose') return undefined;
    return this.context.out.write(`neither symbolic link ${gnuQuote(path)} nor referent has been changed\n`);
  }

  private report(path: string, before: number, after: number): Awaitable<unknown> {
    const { report } = this.options;
    if (report === undefined || (report === 'changes' && before === after)) return undefined;
    const text = before === after ? `retained as ${shown(after)}` : `changed from ${shown(before)} to ${shown(after)}`;
    return this.context.out.write(`mode of ${gnuQuote(path)} ${text}\n`);
  }

  private checkUmask(path: string, before: number, after: number, isDirectory: boolean): void {
    if (!this.options.checksUmask) return;
    const naive = adjustMode(before, isDirectory, 0, this.mode);
    if ((after & ~naive) === 0) return;
    this.status = 1;
    if (this.options.quiet) return;
    const [is, not] = [after, naive].map((mode) => modeString('file', mode).slice(1));
    this.context.complain(`${gnuQuoteIfNeeded(path)}: new permissions are ${is}, not ${not}`);
  }

  private addBelow(path: string): void {
    try {
      const directory = this.context.fs.openDirectory(path);
      try {
        const names = directory.entries().map(({ name }) => name);
        for (const name of names.reverse()) this.paths.push({ path: joinPath(path, name), top: false });
      } finally {
        directory.close();
      }
    } catch (error) {
      this.fail(`cannot read directory ${gnuQuote(path)}`, error);
    }
  }
}

function shown(mode: number): string {
  return `${mode.toString(8).padStart(4, '0')} (${modeString('file', mode).slice(1)})`;
}
