/** grep: print lines that match a pattern. */
import { isFsError } from '../src/errors.js';
import type { ByteSource } from '../src/io/streams.js';
import { type Awaitable, andThen, isPromise } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import { isRegexTooCostly } from '../src/text/regex/index.js';
import { compilePatterns, type PatternLine, type Syntax } from './grep/patterns.js';
import { Printer } from './grep/printer.js';
import { type SearchOptions, type SearchResult, search } from './grep/search.js';
import { Selection } from './grep/select.js';
import { walk } from './grep/walk.js';
import type { Context } from './kit/context.js';
import { BadValue, defineBuiltin, type Flags, type Given, type Parsed, tryHelp } from './kit/define.js';
import { lastOf } from './kit/given.js';
import { closeInput, openInput } from './kit/input.js';
import { type LineWriter, lineWriter } from './kit/output.js';
import { forEach } from './kit/repeat.js';
import { readWhole } from './kit/whole-file.js';

const FLAGS = {
  extended: { short: 'E', long: 'extended-regexp', help: 'patterns are extended regular expressions' },
  fixed: { short: 'F', long: 'fixed-strings', help: 'patterns are text' },
  basic: { short: 'G', long: 'basic-regexp', help: 'patterns are basic regular expressions (the default)' },
  perl: { short: 'P', long: 'perl-regexp', help: 'refused: Perl expressions have no time limit' },
  patterns: { short: 'e', long: 'regexp', value: 'PATTERNS', repeat: true, help: 'look for these, one a line' },
  patternFile: { short: 'f', long: 'file', value: 'FILE', repeat: true, help: 'take patterns from FILE' },
  ignoreCase: { short: 'iy', long: 'ignore-case', help: 'upper and lower case are the same' },
  respectCase: { long: 'no-ignore-case', help: 'they are not (the default)' },
  words: { short: 'w', long: 'word-regexp', help: 'match only whole words' },
  wholeLines: { short: 'x', long: 'line-regexp', help: 'match only whole lines' },
  zero: { short: 'z', long: 'null-data', help: 'lines end with NUL' },
  silent: { short: 's', long: 'no-messages', help: 'say nothing of files that cannot be read' },
  invert: { short: 'v', long: 'invert-match', help: 'select the lines that do not match' },
  maxCount: { short: 'm', long: 'max-count', value: 'NUM', parse: maxCount, help: 'leave a file after NUM lines' },
  offsets: { short: 'b', long: 'byte-offset', help: 'print the byte offset with each line' },
  numbers: { short: 'n', long: 'line-number', help: 'print the line number with each line' },
  withName: { short: 'H', long: 'with-filename', help: 'print the file name with each line' },
  withoutName: { short: 'h', long: 'no-filename', help: 'do not print file names' },
  label: { long: 'label', value: 'LABEL', help: 'call the standard input LABEL' },
  onlyMatching: { short: 'o', long: 'only-matching', help: 'print only what matches, each on a line' },
  quiet: { short: 'q', long: ['quiet', 'silent'], help: 'print nothing; stop at the first match' },
  text: { short: 'a', long: 'text', help: 'take every file for text' },
  withoutBinary: { short: 'I', help: 'binary files do not match' },
  binaryFiles: {
    long: 'binary-files',
    value: 'TYPE',
    parse: binaryType,
    help: 'binary files are: binary, text, without-match',
  },
  recursive: { short: 'r', long: 'recursive', help: 'search directories, all the way down' },
  dereference: { short: 'R', long: 'dereference-recursive', help: 'likewise, following symlinks' },
  include: { long: 'include', value: 'GLOB', help: 'search only files that match GLOB' },
  exclude: { long: 'exclude', value: 'GLOB', help: 'do not search files that match GLOB' },
  excludeDirectory: { long: 'exclude-dir', value: 'GLOB', help: 'do not search directories that match GLOB' },
  withoutMatch: { short: 'L', long: 'files-without-match', help: 'print names of files with no selected line' },
  withMatches: { short: 'l', long: 'files-with-matches', help: 'print names of files with selected lines' },
  count: { short: 'c', long: 'count', help: 'print how many lines were selected' },
  nameEnd: { short: 'Z', long: 'null', help: 'print NUL after a file name' },
  before: { short: 'B', long: 'before-context', value: 'NUM', parse: contextLength, help: 'print NUM lines before' },
  after: { short: 'A', long: 'after-context', value: 'NUM', parse: contextLength, help: 'print NUM lines after' },
  context: {
    short: 'C',
    long: 'context',
    value: 'NUM',
    parse: contextLength,
    help: 'print NUM lines before and after (also -NUM)',
  },
  separator: { long: 'group-separator', value: 'SEP', help: 'print SEP between groups of lines, and not --' },
  noSeparator: { long: 'no-group-separator', help: 'print nothing between them' },
  color: {
    long: ['color', 'colour'],
    value: 'WHEN',
    optional: true,
    parse: colorWhen,
    help: 'mark matches: always, never, auto',
  },
} as const satisfies Flags;

type GrepContext = Context<'read' | 'list'> & Parsed<typeof FLAGS>;

export const grep = define('grep');
export const egrep = define('egrep', 'extended');
export const fgrep = define('fgrep', 'fixed');

function define(name: 'grep' | 'egrep' | 'fgrep', syntax?: Syntax) {
  return defineBuiltin({
    name,
    summary:
      syntax === undefined
        ? 'print lines that match a pattern'
        : `the same as grep ${syntax === 'fixed' ? '-F' : '-E'}`,
    usage: `${name} [OPTION]... PATTERNS [FILE]...`,
    needs: ['read', 'list'],
    flags: FLAGS,
    conflict: (next, before) => conflict(syntax, next, before),
    statuses: { 0: 'a line was selected', 1: 'none was', 2: 'something failed' },
    usageStatus: 2,
    writeFailure: 2,
    speaksAs: 'grep',
    usageHint,
    obsolete: contextOption,
    run: (context) => run(context, syntax),
  });
}

/** `-5` is `-C 5`, digit by digit: `-1 -2` is `-C 12`, but nobody means that. */
function contextOption(word: string): readonly string[] | undefined {
  const found = /^-([0-9]+)(.*)$/.exec(word);
  if (found === null) return undefined;
  const [, digits = '', rest = ''] = found;
  return rest === '' ? ['-C', digits] : ['-C', digits, `-${rest}`];
}

function run(context: GrepContext, syntax: Syntax | undefined): Awaitable<number> {
  const { flags } = context;
  if (flags.perl === true) {
    return fail(
      context,
      '-P is not supported: write the pattern for -E, with [0-9] for \\d, [[:space:]] for \\s and () for (?:)',
    );
  }
  const chosen = syntaxOf(context, syntax);
  return andThen(readPatterns(context), (read) => {
    if (typeof read === 'number') return read;
    const { lines, files } = read;
    const compiled = compilePatterns(lines, {
      syntax: chosen,
      ignoreCase: lastOf(context.given, ['ignoreCase', 'respectCase'])?.flag === 'ignoreCase',
      words: flags.words === true,
      wholeLines: flags.wholeLines === true,
      zero: flags.zero === true,
      look: context.look,
    });
    if ('message' in compiled) return fail(context, compiled.message);
    // GNU sees at once that nothing can be selected, and then prints no count either.
    const nothing = flags.invert === true && flags.wholeLines !== true && flags.words !== true;
    if (flags.maxCount === 0 && flags.withoutMatch !== true) return 1;
    if (flags.withoutMatch !== true && nothing && lines.length > 0 && lines.every(({ text }) => text === '')) return 1;
    for (const warning of compiled.warnings) context.complain(`warning: ${warning}`);
    const job = new Job(context, compiled.regex);
    return andThen(job.run(files), () => job.finish());
  });
}

function fail(context: GrepContext, message: string): number {
  context.complain(message);
  return 2;
}

const SYNTAXES: ReadonlySet<string> = new Set(['extended', 'fixed', 'basic', 'perl']);

function syntaxOf({ given }: GrepContext, preset: Syntax | undefined): Syntax {
  return preset ?? lastOf(given, ['extended', 'fixed', 'basic'])?.flag ?? 'basic';
}

/** One kind of pattern, `preset` where the command's own name says it. */
function conflict(preset: Syntax | undefined, next: Given, before: readonly Given[]): string | undefined {
  if (!SYNTAXES.has(next.flag)) return undefined;
  const other = preset ?? before.find(({ flag }) => SYNTAXES.has(flag))?.flag;
  return other === undefined || other === next.flag ? undefined : 'conflicting matchers specified';
}

function usageHint(name: string): string {
  return `Usage: ${name} [OPTION]... PATTERNS [FILE]...\n${tryHelp(name)}`;
}

/** The patterns and the operands that are left; a status when that failed. */
function readPatterns(context: GrepContext): Awaitable<{ lines: PatternLine[]; files: readonly string[] } | number> {
  const { given, operands } = context;
  const sources = given.filter(({ flag }) => flag === 'patterns' || flag === 'patternFile');
  const lines: PatternLine[] = [];
  if (sources.length === 0) {
    const [pattern, ...files] = operands;
    if (pattern === undefined) {
      return andThen(context.err.write(usageHint('grep')) as Awaitable<void>, () => 2);
    }
    addLines(lines, toByteString(pattern), undefined);
    return { lines, files };
  }
  let status = 0;
  const each = forEach(sources, ({ flag, value }) => {
    const text = String(value);
    if (flag === 'patterns') {
      addLines(lines, toByteString(text), undefined);
      return false;
    }
    return andThen(readWhole(context, text), (content) => {
      if (typeof content !== 'string') {
        context.complain(`${text}: ${content.message}`);
        status = 2;
        return true;
      }
      if (content !== '') addLines(lines, content.endsWith('\n') ? content.slice(0, -1) : content, text);
      return false;
    });
  });
  return andThen(each, () => (status === 0 ? { lines, files: operands } : status));
}

function addLines(lines: PatternLine[], text: string, file: string | undefined): void {
  text.split('\n').forEach((line, i) => {
    lines.push({ text: line, origin: file === undefined ? undefined : `${file}:${i + 1}` });
  });
}

class Job {
  private readonly context: GrepContext;
  private readonly options: SearchOptions;
  private readonly printer: Printer;
  private readonly out: LineWriter;
  private readonly files = new Selection();
  private readonly directories = new Selection();
  private readonly recursive: boolean;
  /** Names are printed before lines and counts. */
  private names = false;
  private listing: 'matches' | 'without' | undefined;
  private anySelected = false;
  private failed = false;

  constructor(context: GrepContext, regex: SearchOptions['regex']) {
    this.context = context;
    const { flags, given } = context;
    this.recursive = flags.recursive === true || flags.dereference === true;
    const listing = lastOf(given, ['withMatches', 'withoutMatch'])?.flag;
    const quiet = flags.quiet === true;
    this.listing = quiet || listing === undefined ? undefined : listing === 'withMatches' ? 'matches' : 'without';
    const binary = lastOf(given, ['text', 'withoutBinary', 'binaryFiles']);
    const separator = lastOf(given, ['separator', 'noSeparator']);
    const color =
      flags.color === undefined ? false : flags.color === true ? context.out.facts.terminal : flags.color === 'always';
    const eol = flags.zero === true ? '\0' : '\n';
    this.options = {
      regex,
      invert: flags.invert === true,
      eol,
      maxCount: flags.maxCount ?? Number.POSITIVE_INFINITY,
      before: flags.onlyMatching === true && flags.invert === true ? -1 : contextOf(context, 'before'),
      after: flags.onlyMatching === true && flags.invert === true ? -1 : contextOf(context, 'after'),
      existence: quiet || listing !== undefined,
      counting: flags.count === true,
      binary:
        binary?.flag === 'text' || binary?.value === 'text'
          ? 'text'
          : binary?.flag === 'withoutBinary' || binary?.value === 'without-match'
            ? 'skip'
            : 'binary',
    };
    this.printer = new Printer(
      {
        numbers: flags.numbers === true,
        offsets: flags.offsets === true,
        onlyMatching: flags.onlyMatching === true,
        invert: flags.invert === true,
        color,
        nameEnd: flags.nameEnd === true ? '\0' : '',
        eol,
        anyBytes: this.options.binary === 'text',
        between:
          separator === undefined
            ? '--'
            : separator.flag === 'separator'
              ? toByteString(String(separator.value))
              : undefined,
      },
      regex,
    );
    this.out = lineWriter(context.out);
    for (const { flag, value } of given) {
      if (flag === 'include' || flag === 'exclude') this.files.add(String(value), flag === 'include');
      if (flag === 'excludeDirectory') this.directories.add(withoutSlashes(String(value)), false);
    }
  }

  run(files: readonly string[]): Awaitable<boolean> {
    const { context } = this;
    const operands = files.length > 0 ? files : [this.recursive ? '.' : '-'];
    const forced = lastOf(context.given, ['withName', 'withoutName'])?.flag;
    const several =
      operands.length > 1 || (this.recursive && (files.length === 0 || this.isDirectory(operands[0] as string)));
    this.names = forced === undefined ? several : forced === 'withName';
    const implied = this.recursive && files.length === 0;
    return forEach(operands, (operand) => this.operand(operand, implied));
  }

  finish(): Awaitable<number> {
    return andThen(this.out.end() as Awaitable<void>, () => {
      if (this.failed && !(this.context.flags.quiet === true && this.anySelected)) return 2;
      return this.anySelected ? 0 : 1;
    });
  }

  private isDirectory(path: string): boolean {
    return path !== '-' && this.context.fs.tryStat(path)?.kind === 'directory';
  }

  /** True: nothing more needs to be looked at. */
  private operand(operand: string, implied: boolean): Awaitable<boolean> {
    const { context } = this;
    if (operand !== '-' && this.recursive && this.isDirectory(operand)) {
      if (!implied && this.directories.skips(withoutSlashes(operand), true)) return false;
      return walk(context, operand, {
        follow: context.flags.dereference === true,
        files: this.files,
        directories: this.directories,
        failed: (path, error) => this.report(implied ? path.slice(2) : path, error),
        loop: (path) => this.complain(`warning: ${path}: recursive directory loop`),
        visit: (path) => this.file(path, implied ? path.slice(2) : path),
      });
    }
    if (operand !== '-') {
      const byDirectories = this.directories.skips(withoutSlashes(operand), true);
      const byFiles = this.files.skips(operand, true);
      if (byDirectories || byFiles) {
        const directory = this.isDirectory(operand);
        if (directory ? byDirectories : byFiles) return directory ? false : this.skip(operand);
      }
    }
    return this.file(operand, operand === '-' ? (context.flags.label ?? '(standard input)') : operand);
  }

  /** A file is opened before it is passed over: one that is not there is said so. */
  private skip(operand: string): false {
    try {
      this.context.fs.stat(operand);
    } catch (error) {
      this.report(operand, error);
    }
    return false;
  }

  private report(name: string, error: unknown): void {
    if (!isFsError(error)) throw error;
    this.failed = true;
    if (this.context.flags.silent !== true) this.complain(`${name}: ${error.message}`);
  }

  /** What was printed before goes out before the complaint. */
  private complain(message: string): void {
    this.context.complain(message);
  }

  private file(path: string, name: string): Awaitable<boolean> {
    const { context } = this;
    let source: ByteSource;
    try {
      if (path !== '-' && this.isOutput(path)) {
        this.failed = true;
        this.complain(`${name}: input file is also the output`);
        return false;
      }
      source = openInput(context, path);
    } catch (error) {
      this.report(name, error);
      // A directory is a file with nothing in it.
      return isFsError(error) && error.code === 'EISDIR'
        ? this.searched(path, name, { count: 0, binaryMatches: false })
        : false;
    }
    const done = (result: SearchResult): Awaitable<boolean> => {
      closeInput(context, source);
      if (result.error !== undefined) this.report(name, result.error);
      return this.searched(path, name, result);
    };
    const broken = (error: unknown): boolean => {
      closeInput(context, source);
      this.searchFailed(name, error);
      return false;
    };
    try {
      const shownName = this.names ? toByteString(name) : undefined;
      const result = search(context, source, shownName, this.options, this.printer, this.out);
      return isPromise(result) ? result.then(done, broken) : done(result);
    } catch (error) {
      return broken(error);
    }
  }

  private searchFailed(name: string, error: unknown): void {
    if (!isRegexTooCostly(error)) throw error;
    this.failed = true;
    this.complain(`${name}: ${error.message}`);
  }

  /** Reading a file into itself would never end. */
  private isOutput(path: string): boolean {
    const { file } = this.context.out.facts;
    if (file === undefined || this.options.existence || this.options.counting || this.options.maxCount <= 1)
      return false;
    const stat = this.context.fs.tryStat(path);
    return stat?.kind === 'file' && `${stat.dev}:${stat.ino}` === file;
  }

  private searched(_path: string, name: string, { count, binaryMatches }: SearchResult): Awaitable<boolean> {
    const { out, printer } = this;
    const { flags } = this.context;
    if (count > 0) this.anySelected = true;
    const bytes = toByteString(name);
    let text = '';
    if (this.options.counting && this.options.existence === false) {
      text = `${this.names ? printer.fileName(bytes, ':') : ''}${count}\n`;
    }
    if (this.listing !== undefined && count > 0 === (this.listing === 'matches')) {
      text += `${printer.fileName(bytes, '').replace(/\0$/, '')}${flags.nameEnd === true ? '\0' : '\n'}`;
    }
    return andThen(out.write(text) as Awaitable<void>, () => {
      if (binaryMatches)
        return andThen(out.end() as Awaitable<void>, () => {
          this.complain(`${name}: binary file matches`);
          return false;
        });
      return flags.quiet === true && count > 0;
    });
  }
}

/** -A and -B win over -C, wherever they stand. */
function contextOf({ flags }: GrepContext, which: 'before' | 'after'): number {
  return flags[which] ?? flags.context ?? -1;
}

function withoutSlashes(name: string): string {
  return name.replace(/(?<=[^/])\/+$/, '');
}

function contextLength(text: string): number | BadValue {
  return wholeNumber(text) ?? new BadValue(`${text}: invalid context length argument`);
}

function maxCount(text: string): number | BadValue {
  if (/^-[0-9]+$/.test(text)) return Number.POSITIVE_INFINITY;
  return wholeNumber(text) ?? new BadValue('invalid max count');
}

function wholeNumber(text: string): number | undefined {
  return /^[ \t\n]*\+?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function binaryType(text: string): 'binary' | 'text' | 'without-match' | BadValue {
  if (text === 'binary' || text === 'text' || text === 'without-match') return text;
  return new BadValue('unknown binary-files type');
}

function colorWhen(text: string): 'always' | 'never' | 'auto' | BadValue {
  if (text === 'always' || text === 'yes' || text === 'force') return 'always';
  if (text === 'never' || text === 'no' || text === 'none') return 'never';
  if (text === 'auto' || text === 'tty' || text === 'if-tty') return 'auto';
  return new BadValue(`invalid argument '${text}' for '--color'`);
}
