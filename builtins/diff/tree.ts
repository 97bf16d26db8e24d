/** Which files are compared: two operands, or what two directories have by the same names. */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen } from '../../src/steps.js';
import { compareBytes } from '../../src/text/bytes.js';
import { baseName, joinPath } from '../kit/paths.js';
import { forEach } from '../kit/repeat.js';
import { compareFiles } from './files.js';
import { calledNames, type DiffContext, type DiffOptions, type Side, TROUBLE } from './sides.js';

/** The directories in which two sides were found. */
interface Parents {
  readonly sides: readonly [Side, Side];
  readonly above: Parents | undefined;
}

/** The interpreter's own names, which are no files. */
const STREAM = /^(?:-|\/dev\/(?:stdin|null|zero|fd\/[0-9]+))$/;

export function differ(context: DiffContext, first: string, second: string, options: DiffOptions): Awaitable<number> {
  return new Differ(context, options).operands(first, second);
}

class Differ {
  private readonly context: DiffContext;
  private readonly options: DiffOptions;

  constructor(context: DiffContext, options: DiffOptions) {
    this.context = context;
    this.options = options;
  }

  operands(first: string, second: string): Awaitable<number> {
    if (this.options.newFile) {
      // One of them may be missing, not both.
      const [a, b] = [first, second].map((name) => !STREAM.test(name) && this.isMissing(name));
      if (a !== b) return this.compare(this.sideOr(first), this.sideOr(second), undefined);
    }
    const a = this.side(first);
    const b = this.side(second);
    if (a === undefined || b === undefined) return TROUBLE;
    const [inA, inB] = [isDirectory(a), isDirectory(b)];
    if (inA === inB) return this.compare(a, b, undefined);
    const directory = inA ? first : second;
    const file = inA ? second : first;
    if (file === '-') {
      this.context.complain("cannot compare '-' to a directory");
      return TROUBLE;
    }
    const inside = this.side(joinPath(directory, baseName(file)));
    if (inside === undefined) return TROUBLE;
    return inA ? this.compare(inside, b, undefined) : this.compare(a, inside, undefined);
  }

  private isMissing(name: string): boolean {
    try {
      this.context.fs.stat(name);
      return false;
    } catch (error) {
      return isFsError(error) && error.code === 'ENOENT';
    }
  }

  private sideOr(name: string): Side {
    return STREAM.test(name) ? { name, stat: undefined } : { name, stat: this.context.fs.tryStat(name) ?? 'missing' };
  }

  /** Undefined when it cannot be looked at, which was said. */
  private side(name: string): Side | undefined {
    if (STREAM.test(name)) return { name, stat: undefined };
    try {
      return { name, stat: this.context.fs.stat(name) };
    } catch (error) {
      this.context.failed(name, error);
      return undefined;
    }
  }

  private compare(a: Side, b: Side, parents: Parents | undefined): Awaitable<number> {
    return andThen(this.difference(a, b, parents), (status) => {
      if (status !== 0 || !this.options.identical || isDirectory(a)) return status;
      const [first, second] = calledNames(this.options, a, b);
      return andThen(this.context.out.write(`Files ${first} and ${second} are identical\n`), () => 0);
    });
  }

  private difference(a: Side, b: Side, parents: Parents | undefined): Awaitable<number> {
    if (isSame(a, b)) return 0;
    // What is missing is taken for whatever the other is.
    const [inA, inB] = [isDirectory(a) || a.stat === 'missing', isDirectory(b) || b.stat === 'missing'];
    if (inA && inB) {
      if (parents === undefined || this.options.recursive) return this.directories(a, b, parents);
      return this.say(`Common subdirectories: ${a.name} and ${b.name}`, 0);
    }
    const special = parents !== undefined && !(isRegular(a) && isRegular(b));
    if (!isDirectory(a) && !isDirectory(b) && !special) {
      return compareFiles(this.context, a, b, this.options, parents !== undefined);
    }
    if (a.stat === 'missing' || b.stat === 'missing') {
      return this.onlyIn(a.stat === 'missing' ? parents?.sides[1] : parents?.sides[0], a.name);
    }
    return this.say(`File ${a.name} is a ${kindOf(a)} while file ${b.name} is a ${kindOf(b)}`, 1);
  }

  private say(line: string, status: number): Awaitable<number> {
    return andThen(this.context.out.write(`${line}\n`), () => status);
  }

  private onlyIn(directory: Side | undefined, name: string): Awaitable<number> {
    return this.say(`Only in ${directory?.name ?? '.'}: ${baseName(name)}`, 1);
  }

  private directories(a: Side, b: Side, above: Parents | undefined): Awaitable<number> {
    for (const [i, side] of [a, b].entries()) {
      for (let outer = above; outer !== undefined; outer = outer.above) {
        const same = outer.sides[i] as Side; // i is 0 or 1
        if (!isSame(side, same)) continue;
        this.context.complain(`${side.name}: recursive directory loop`);
        return TROUBLE;
      }
    }
    let status = 0;
    const names: Set<string>[] = [];
    for (const side of [a, b]) {
      try {
        names.push(this.namesIn(side));
      } catch (error) {
        this.context.failed(side.name, error);
        status = TROUBLE;
      }
    }
    const [inA, inB] = names;
    if (inA === undefined || inB === undefined) return status;
    const parents: Parents = { sides: [a, b], above };
    const all = [...new Set([...inA, ...inB])].sort(compareBytes);
    const each = forEach(all, (name) =>
      andThen(this.context.tick(), () =>
        andThen(this.entry(name, inA.has(name), inB.has(name), parents), (one) => {
          status = Math.max(status, one);
          return false;
        }),
      ),
    );
    return andThen(each, () => status);
  }

  private namesIn({ name, stat }: Side): Set<string> {
    if (stat === 'missing') return new Set();
    const directory = this.context.fs.openDirectory(name);
    try {
      return new Set(directory.entries().map((entry) => entry.name));
    } finally {
      directory.close();
    }
  }

  private entry(name: string, inA: boolean, inB: boolean, parents: Parents): Awaitable<number> {
    const [left, right] = parents.sides;
    const missing = !inA || !inB;
    if (missing && !this.options.newFile) return this.onlyIn(inA ? left : right, name);
    const find = (there: boolean, directory: Side): Side | undefined => {
      const path = joinPath(directory.name, name);
      return there ? this.side(path) : { name: path, stat: 'missing' };
    };
    const a = find(inA, left);
    const b = find(inB, right);
    return a === undefined || b === undefined ? TROUBLE : this.compare(a, b, parents);
  }
}

function isDirectory({ stat }: Side): boolean {
  return typeof stat === 'object' && stat.kind === 'directory';
}

function isRegular({ stat }: Side): boolean {
  return stat === 'missing' || (typeof stat === 'object' && stat.kind === 'file');
}

function isSame(a: Side, b: Side): boolean {
  if (typeof a.stat === 'object' && typeof b.stat === 'object') {
    return a.stat.dev === b.stat.dev && a.stat.ino === b.stat.ino;
  }
  return a.stat === undefined && a.name === b.name && a.name !== '/dev/zero';
}

const KINDS = {
  file: 'regular file',
  directory: 'directory',
  symlink: 'symbolic link',
  fifo: 'fifo',
  socket: 'socket',
  block: 'block special file',
  character: 'character special file',
} as const;

function kindOf({ stat }: Side): string {
  if (typeof stat !== 'object') return 'character special file';
  return stat.kind === 'file' && stat.size === 0 ? 'regular empty file' : KINDS[stat.kind];
}
