/** Reads the declarations that the package ships (`*.d.ts`, as tsc writes them), to see what has no docstring. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Declared {
  readonly file: string;
  /** Lines of the file. */
  readonly lines: readonly string[];
  /** Of the line that the declaration begins in. */
  readonly at: number;
}

/** All that an entry exports: `name`, and where it is declared. */
export function exportsOf(entry: string): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  const lines = readFileSync(entry, 'utf8').split('\n');
  lines.forEach((line, at) => {
    const [, direct] =
      /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/.exec(line) ?? [];
    if (direct !== undefined && !found.has(direct)) found.set(direct, { file: entry, lines, at });
    const [, names, from] = /^export (?:type )?\{(.*)\} from '(\..*)\.js';/.exec(line) ?? [];
    for (const name of names?.split(',') ?? []) {
      const [, inner = '', outer = inner] = /^(?:type )?(\w+)(?: as (\w+))?$/.exec(name.trim()) ?? [];
      if (inner === '') continue;
      const declared = exportsOf(join(dirname(entry), `${from}.d.ts`)).get(inner);
      if (declared === undefined) throw new Error(`${entry}: '${inner}' is not found in ${from}`);
      found.set(outer, declared);
    }
    const [, all] = /^export (?:type )?\* from '(\..*)\.js';/.exec(line) ?? [];
    if (all !== undefined) {
      for (const [name, declared] of exportsOf(join(dirname(entry), `${all}.d.ts`))) found.set(name, declared);
    }
  });
  return found;
}

/** What of `name` has no docstring: itself, or `name.member` of an interface, class or object type. */
export function undocumented(name: string, { file, lines, at }: Declared): string[] {
  const missing = isDocumented(lines, at) ? [] : [name];
  if (!/^export (?:declare )?(?:abstract )?(?:class|interface) |^export type .* = \{$/.test(lines[at] ?? ''))
    return missing;
  const end = lines.findIndex((line, i) => i > at && line.startsWith('}'));
  // A union of objects is explained as a whole.
  if (lines[end]?.startsWith('} |') === true) return missing;
  for (let i = at + 1; i < end; i++) {
    // tsc indents members by four; what is in them stands further in.
    const [, member] =
      /^ {4}(?:readonly |static |abstract |get |set )*(\w+)[?!]?(?:[:(<]|$)/.exec(lines[i] ?? '') ?? [];
    // `kind` says which of a union it is, and a node of the tree is documented by its syntax: its fields are the words of that.
    if (member === undefined || member === 'kind' || isNode(file, name)) continue;
    if (!isDocumented(lines, i)) missing.push(`${name}.${member}`);
  }
  return missing;
}

const isNode = (file: string, name: string): boolean => file.endsWith('grammar/ast.d.ts') && name !== 'Span';

/** Overloads share the docstring of the first of them. */
function isDocumented(lines: readonly string[], at: number): boolean {
  return /\*\/$/.test(lines[at - 1]?.trimEnd() ?? '');
}
