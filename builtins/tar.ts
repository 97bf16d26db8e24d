/** tar: archives of files. */
import { type FsError, isFsError } from '../src/errors.js';
import type { ByteSource } from '../src/io/streams.js';
import type { Awaitable } from '../src/steps.js';
import { toByteString } from '../src/text/bytes.js';
import type { Context, Output, OutputFile } from './kit/context.js';
import { BadValue, type Builtin, defineBuiltin, type Flags, type Parsed } from './kit/define.js';
import { BadGzip, Compressor, expand } from './kit/gzip/pump.js';
import { closeInput, openInput } from './kit/input.js';
import { joinPath } from './kit/paths.js';
import { Creator, type Write } from './tar/create.js';
import { Extractor } from './tar/extract.js';
import type { Header } from './tar/header.js';
import { Listing } from './tar/listing.js';
import { Selection, safeName, shown, withoutComponents } from './tar/names.js';
import { ArchiveReader } from './tar/reader.js';
import { Fatal, Report } from './tar/report.js';

const FLAGS = {
  create: { short: 'c', long: 'create', help: 'make a new archive of FILEs' },
  list: { short: 't', long: 'list', help: 'list what is in an archive' },
  extract: { short: 'x', long: ['extract', 'get'], help: 'extract what is in an archive' },
  file: { short: 'f', long: 'file', value: 'ARCHIVE', help: 'the archive; - is the standard input or output' },
  gzip: { short: 'z', long: ['gzip', 'gunzip', 'ungzip'], help: 'compressed by gzip (seen by itself in a file)' },
  dereference: { short: 'h', long: 'dereference', help: 'archive what symbolic links point to' },
  strip: {
    long: 'strip-components',
    value: 'NUMBER',
    parse: components,
    help: 'leave out so many leading parts of names when extracting',
  },
  verbose: { short: 'v', long: 'verbose', repeat: true, help: 'name each file; with -t, or twice, say more of it' },
  directory: {
    short: 'C',
    long: 'directory',
    value: 'DIR',
    repeat: true,
    help: 'go to DIR, for the FILEs that follow',
  },
} as const satisfies Flags;

const OPERATIONS = ['create', 'list', 'extract'] as const;

const definition = defineBuiltin({
  name: 'tar',
  summary: 'list, extract and make archives',
  needs: ['read', 'list', 'write', 'remove', 'clock', 'host'],
  usage: 'tar -c|-t|-x [OPTION]... [FILE]...',
  notes: `Nothing is extracted outside of the directory: names lose what leads out of it, and a link that leads out is not made. An
existing file is removed first, which draws on the removal budget; directories are never removed. Files belong to
who extracts them, and the umask holds.`,
  flags: FLAGS,
  usageStatus: 64,
  usageHint: tryTar,
  statuses: { 0: 'done', 1: 'a file changed meanwhile', 2: 'something failed', 64: 'an option is wrong' },

  run(context): Awaitable<number> {
    return run(context);
  },
});

/** `tar xzf a.tgz`: letters without a dash, whose arguments follow in their order. */
export const tar: Builtin = {
  ...definition,
  invoke: (context, argv) => definition.invoke(context, withDashes(argv)),
};

function withDashes(argv: readonly string[]): readonly string[] {
  const [name = 'tar', letters = '', ...rest] = argv;
  if (letters === '' || letters.startsWith('-')) return argv;
  const words: string[] = [];
  for (const letter of letters) {
    words.push(`-${letter}`);
    const argument = letter === 'f' || letter === 'C' ? rest.shift() : undefined;
    if (argument !== undefined) words.push(argument);
  }
  return [name, ...words, ...rest];
}

function components(text: string): number | BadValue {
  return /^[0-9]+$/.test(text) ? Number(text) : new BadValue(`${text}: Invalid number of elements`, true, false, 2);
}

function tryTar(): string {
  return "Try 'tar --help' or 'tar --usage' for more information.\n";
}

type TarContext = Context<'read' | 'list' | 'write' | 'remove' | 'clock' | 'host'> & Parsed<typeof FLAGS>;

async function run(context: TarContext): Promise<number> {
  const { flags, operands } = context;
  const problem = conflict(context);
  if (problem !== undefined) {
    context.complain(problem);
    await context.err.write(tryTar());
    return 2;
  }
  const report = new Report(context);
  try {
    const bases = basesOf(context);
    if (flags.list !== true) for (const base of new Set(bases)) if (base !== '.') checkBase(context, base);
    if (flags.create === true) await create(context, report, bases);
    else await read(context, report, bases, new Selection(operands.map(toByteString)));
  } catch (error) {
    if (!(error instanceof Fatal)) throw error;
    return report.fatal();
  }
  return report.end();
}

function conflict({ flags, operands, given }: TarContext): string | undefined {
  const count = OPERATIONS.filter((operation) => flags[operation] === true).length;
  if (count === 0) return "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options";
  if (count > 1) return "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option";
  if (flags.create === true && operands.length === 0) return 'Cowardly refusing to create an empty archive';
  const late = given.find(
    ({ flag, operandsBefore }) => flag === 'directory' && operands.length > 0 && operandsBefore === operands.length,
  );
  return late === undefined ? undefined : `-C '${late.value}' has no effect after the last FILE`;
}

/** The directory of each operand; without operands, the one for all. */
function basesOf({ given, operands }: TarContext): readonly string[] {
  const changes = given.filter(({ flag }) => flag === 'directory');
  return (operands.length === 0 ? [''] : operands).map((_, i) => {
    let base = '.';
    for (const { value, operandsBefore } of changes) {
      if (operandsBefore > i) break;
      const directory = String(value);
      base = directory.startsWith('/') || base === '.' ? directory : joinPath(base, directory);
    }
    return base;
  });
}

function checkBase(context: TarContext, base: string): void {
  try {
    context.fs.stat(joinPath(base, '.'));
  } catch (error) {
    refuse(context, `${base}: Cannot open`, error);
  }
}

/** Says why, and ends it all. */
function refuse(context: TarContext, what: string, error: unknown): never {
  if (!isFsError(error)) throw error;
  const { message }: FsError = error;
  context.complain(`${what}: ${message}`);
  throw new Fatal();
}

// ------------------------------------------------------------------------------------------------------- -t and -x

async function read(
  context: TarContext,
  report: Report,
  bases: readonly string[],
  selection: Selection,
): Promise<void> {
  const { flags, out } = context;
  const verbosity = flags.verbose?.length ?? 0;
  const listing = new Listing(context.clock.timeZone);
  const extractor = flags.extract === true ? new Extractor(context, report) : undefined;
  const long = verbosity > (extractor === undefined ? 0 : 1);
  const reader = new ArchiveReader(context, report, async (header) => {
    await context.tick();
    const link = header.type === 'hard link' ? safeName(header.link, report, 'hard link targets') : header.link;
    const match = selection.match(header.name);
    if (match === undefined) return undefined;
    const member = extractor === undefined ? header : withoutComponents(header, flags.strip ?? 0);
    if (member === undefined) return undefined;
    if (extractor === undefined || verbosity > 0) {
      await out.write(`${long ? listing.line(header, link) : shown(header.name)}\n`);
    }
    if (extractor === undefined) {
      safeName(header.name, report, 'member names');
      return undefined;
    }
    const body = await extractor.member(member, bases[Math.max(match, 0)] ?? '.');
    const made = extractor.takeMade();
    if (long) for (const { name, mode } of made) await out.write(`${listing.madeLine(name, mode)}\n`);
    return body;
  });
  await feed(context, reader);
  await reader.end();
  extractor?.finish();
  for (const name of selection.missing()) report.error(`${shown(name)}: Not found in archive`);
}

/** The archive's bytes to the reader, expanded where they are compressed. */
async function feed(context: TarContext, reader: ArchiveReader): Promise<void> {
  const name = context.flags.file ?? '-';
  let source: ByteSource;
  try {
    source = openInput(context, name);
  } catch (error) {
    refuse(context, `${name}: Cannot open`, error);
  }
  try {
    const compressed = await isCompressed(source);
    if (context.flags.gzip === true || (compressed && name !== '-')) await feedExpanded(context, source, reader);
    else if (compressed) {
      context.complain('Archive is compressed. Use -z option');
      throw new Fatal();
    } else await feedPlain(context, source, reader);
  } catch (error) {
    if (error instanceof Fatal || !isFsError(error) || error.path !== name) throw error;
    refuse(context, `${name}: Cannot read`, error);
  } finally {
    closeInput(context, source);
  }
}

async function isCompressed(source: ByteSource): Promise<boolean> {
  if (source.start === source.end && !(await source.fill())) return false;
  return source.buffer[source.start] === 0x1f && source.buffer[source.start + 1] === 0x8b;
}

async function feedPlain(context: TarContext, source: ByteSource, reader: ArchiveReader): Promise<void> {
  while (!reader.ended) {
    await context.tick();
    if (source.start === source.end && !(await source.fill())) return;
    const chunk = source.buffer.subarray(source.start, source.end);
    source.start = source.end;
    await reader.give(chunk);
  }
}

async function feedExpanded(context: TarContext, source: ByteSource, reader: ArchiveReader): Promise<void> {
  const result = await expand(context, source, { give: (bytes) => reader.give(bytes) });
  if (!(result instanceof BadGzip)) return;
  await context.err.write(`\ngzip: stdin: ${result.message}\n`);
  context.complain('Child returned status 1');
  throw new Fatal();
}

// -------------------------------------------------------------------------------------------------------------- -c

async function create(context: TarContext, report: Report, bases: readonly string[]): Promise<void> {
  const { flags, operands } = context;
  const name = flags.file ?? '-';
  const sink = name === '-' ? undefined : openArchive(context, name);
  const out: Output = sink ?? context.out;
  if (out.facts.terminal) {
    context.complain('Refusing to write archive contents to terminal (missing -f option?)');
    throw new Fatal();
  }
  const stat = sink === undefined ? undefined : context.fs.tryStat(name);
  const archive = stat === undefined ? out.facts.file : `${stat.dev}:${stat.ino}`;
  const compressor = flags.gzip === true ? new Compressor(context, out, 6) : undefined;
  const write: Write = async (bytes) => {
    try {
      await (compressor === undefined ? out.write(bytes) : compressor.write(bytes));
    } catch (error) {
      refuse(context, `${name}: Cannot write`, error);
    }
  };
  const told = sink === undefined ? context.err : context.out;
  const listing = new Listing(context.clock.timeZone);
  const verbosity = flags.verbose?.length ?? 0;
  const tell = async (header: Header): Promise<void> => {
    if (verbosity > 0) await told.write(`${verbosity > 1 ? listing.line(header) : shown(header.name)}\n`);
  };
  try {
    const creator = new Creator(context, { report, write, archive, tell, follow: flags.dereference === true });
    for (const [i, operand] of operands.entries()) await creator.add(toByteString(operand), bases[i] ?? '.');
    await creator.end();
    await compressor?.end();
  } finally {
    await sink?.close();
  }
}

function openArchive(context: TarContext, name: string): OutputFile {
  try {
    return context.openSink(name, { truncate: true });
  } catch (error) {
    return refuse(context, `${name}: Cannot open`, error);
  }
}
