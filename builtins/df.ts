/** df: how full file systems are. */
import { isFsError } from '../src/errors.js';
import type { FileSystemStat } from '../src/files/files.js';
import { type Awaitable, andThen } from '../src/steps.js';
import { gnuQuoteIfNeeded, gnuQuoteValue } from '../src/text/quote.js';
import { FIELDS, type Field, figuresOf, type Row, type Style, sumOf, table } from './df/table.js';
import type { Context, HostFacts } from './kit/context.js';
import { BadValue, defineBuiltin, usageFailure } from './kit/define.js';
import { lastOf } from './kit/given.js';

type DfContext = Context<'read' | 'host'>;
type Mount = ReturnType<HostFacts['mounts']>[number];

export const df = defineBuiltin({
  name: 'df',
  summary: 'print how full file systems are',
  usage: 'df [OPTION]... [FILE]...',
  needs: ['read', 'host'],
  flags: {
    all: { short: 'a', long: 'all', help: 'also those without blocks, and those mounted over' },
    human: { short: 'h', long: 'human-readable', help: 'sizes like 1K 234M 2G' },
    si: { short: 'H', long: 'si', help: 'the same, with powers of 1000' },
    inodes: { short: 'i', long: 'inodes', help: 'inodes instead of blocks' },
    kilo: { short: 'k', help: 'in blocks of 1024 bytes (default)' },
    local: { short: 'l', long: 'local', help: 'only file systems of this machine' },
    mega: { short: 'm', help: 'in blocks of 1048576 bytes' },
    output: { long: 'output', value: 'FIELDS', optional: true, repeat: true, help: 'these columns, or all' },
    portability: { short: 'P', long: 'portability', help: 'with the headings of POSIX' },
    total: { long: 'total', help: 'a line with the total of all' },
    only: { short: 't', long: 'type', value: 'TYPE', repeat: true, help: 'only file systems of TYPE' },
    types: { short: 'T', long: 'print-type', help: 'print the type, too' },
    without: { short: 'x', long: 'exclude-type', value: 'TYPE', repeat: true, help: 'no file systems of TYPE' },
  },
  notes: `FIELDS are, with commas between: ${FIELDS.join(' ')}.
Only file systems that a root lies on, or that lie in a root, are shown.`,
  statuses: { 0: 'all went well', 1: 'some FILE failed, or there was nothing to show' },

  run(context): Awaitable<number> {
    const { flags, operands } = context;
    const fields = fieldsOf(flags);
    if (fields instanceof BadValue) return usageFailure(context, fields.message);
    const both = (flags.only ?? []).filter((type) => flags.without?.includes(type));
    for (const type of both) {
      context.complain(`file system type ${gnuQuoteValue(type)} both selected and excluded`);
    }
    if (both.length > 0) return 1;
    const isWanted = ({ type, source }: Mount): boolean =>
      (flags.only === undefined || flags.only.includes(type)) &&
      flags.without?.includes(type) !== true &&
      (!flags.local || !isRemote(type, source));

    let status = 0;
    const rows: Row[] = [];
    if (operands.length === 0) rows.push(...allRows(context, isWanted, flags.all === true));
    for (const file of operands) {
      try {
        const row = rowOf(context, file, isWanted);
        if (row !== undefined) rows.push(row);
      } catch (error) {
        status = context.failed(gnuQuoteIfNeeded(file), error);
      }
    }
    if (rows.length === 0) {
      if (status === 0) context.complain('no file systems processed');
      return 1;
    }
    if (flags.total) rows.push(sumOf(rows));
    const text = table(fields, rows, styleOf(context.given, flags.portability === true, flags.output !== undefined));
    return andThen(context.out.write(text), () => status);
  },
});

function styleOf(
  given: readonly { readonly flag: string; readonly value: unknown }[],
  posix: boolean,
  chosen: boolean,
): Style {
  const scale = lastOf(given, ['human', 'si', 'kilo', 'mega'])?.flag;
  return {
    scale: scale === 'human' ? 1024 : scale === 'si' ? 1000 : undefined,
    block: scale === 'mega' ? 1024n * 1024n : 1024n,
    posix,
    chosen,
  };
}

interface FieldFlags {
  readonly output: readonly (string | undefined)[] | undefined;
  readonly inodes: true | undefined;
  readonly types: true | undefined;
  readonly portability: true | undefined;
}

function fieldsOf(flags: FieldFlags): readonly Field[] | BadValue {
  if (flags.output === undefined) {
    const source: readonly Field[] = flags.types ? ['source', 'fstype'] : ['source'];
    return flags.inodes
      ? [...source, 'itotal', 'iused', 'iavail', 'ipcent', 'target']
      : [...source, 'size', 'used', 'avail', 'pcent', 'target'];
  }
  const other = flags.inodes ? '-i' : flags.portability ? '-P' : flags.types ? '-T' : undefined;
  if (other !== undefined) return new BadValue(`options ${other} and --output are mutually exclusive`);
  const fields: Field[] = [];
  for (const list of flags.output) {
    for (const word of list === undefined ? FIELDS : list.split(',')) {
      const field = FIELDS.find((one) => one === word);
      if (field === undefined) return new BadValue(`option --output: field ${gnuQuoteValue(word)} unknown`);
      if (fields.includes(field)) {
        return new BadValue(`option --output: field ${gnuQuoteValue(word)} used more than once`);
      }
      fields.push(field);
    }
  }
  return fields;
}

const REMOTE = new Set([
  'acfs',
  'afs',
  'auristorfs',
  'cifs',
  'coda',
  'fhgfs',
  'gfs',
  'gpfs',
  'ibrix',
  'lustre',
  'ncpfs',
  'nfs',
  'nfs4',
  'ocfs2',
  'smbfs',
  'smb3',
  'stnfs',
  'vxfs',
]);

function isRemote(type: string, source: string): boolean {
  return REMOTE.has(type) || source.includes(':') || source.startsWith('//');
}

function allRows(context: DfContext, isWanted: (mount: Mount) => boolean, all: boolean): Row[] {
  const mounts = context.host.mounts();
  const seen = new Set<bigint>();
  const rows: Row[] = [];
  mounts.forEach((mount, i) => {
    if (!isWanted(mount)) return;
    const isCovered = mounts.slice(i + 1).some(({ target }) => target === mount.target);
    if (!all && (isCovered || seen.has(mount.dev))) return;
    const facts = factsOf(context, mount);
    if (facts === undefined || (!all && facts.blocks === 0n)) return;
    seen.add(mount.dev);
    rows.push({ source: mount.source, type: mount.type, target: mount.target, file: '-', facts: figuresOf(facts) });
  });
  return rows;
}

/** Asked at the mount itself, or where a root is all that is to be seen of it, there. */
function factsOf({ fs }: DfContext, mount: Mount): FileSystemStat | undefined {
  for (const path of [mount.target, '.']) {
    try {
      if (fs.stat(path).dev === mount.dev) return fs.statfs(path);
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  }
  return undefined;
}

/** Of the file system a file is on. Throws FsError. */
function rowOf({ fs, host }: DfContext, file: string, isWanted: (mount: Mount) => boolean): Row | undefined {
  const { dev } = fs.stat(file);
  const path = fs.realpath(file);
  let best: Mount | undefined;
  for (const mount of host.mounts()) {
    if (mount.dev !== dev) continue;
    const holds = path === mount.target || path.startsWith(mount.target === '/' ? '/' : `${mount.target}/`);
    const isBetter = best === undefined || (holds && mount.target.length >= best.target.length);
    if (isBetter) best = mount;
  }
  if (best !== undefined && !isWanted(best)) return undefined;
  const { source, type, target } = best ?? { source: '-', type: '-', target: '-' };
  return { source, type, target, file, facts: figuresOf(fs.statfs(file)) };
}
