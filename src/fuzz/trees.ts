/** File trees: the usual names that scripts know, and around them what nobody expects. */
import type { Arbitrary } from 'fast-check';
import type { MemoryEntry, MemoryTree } from '../files/memory.js';
import fc from './fast-check.js';
import { SCRIPT_FILES } from './removals.js';
import { BASE } from './scenario.js';

/** Stands in files that no root holds: where it is printed, or written elsewhere, something was read that may not be. */
export const CANARY = 'canary-7d1f';

/** What every tree has; the names are those that generated scripts use. */
export const USUAL_TREE: MemoryTree = {
  ...Object.fromEntries(
    Object.entries(SCRIPT_FILES).map(([name, entry]): [string, MemoryEntry] => [`${BASE}/rw/${name}`, entry]),
  ),
  [`${BASE}/rw/f`]: 'x\n',
  [`${BASE}/rw/g`]: 'b 2\na 1\n\nb 2\nc\t3\n',
  [`${BASE}/rw/log`]: 'INFO started\nERROR disk full\nINFO done\n',
  [`${BASE}/rw/d/h`]: 'x\n',
  [`${BASE}/rw/link`]: { symlink: 'f' },
  [`${BASE}/rw/up`]: { symlink: '..' },
  [`${BASE}/rw/dirlink`]: { symlink: 'd' },
  [`${BASE}/rw/dangling`]: { symlink: 'gone' },
  [`${BASE}/rw/loop`]: { symlink: 'loop' },
  [`${BASE}/rw/ro/k`]: 'x\n',
  [`${BASE}/ro/f`]: 'x\n',
  [`${BASE}/out/f`]: `${CANARY}\n`,
  [`${BASE}/out/e/f`]: `${CANARY}\n`,
  [`${BASE}/out/twin`]: 'known by two names\n',
  [`${BASE}/rw/hard`]: { hardlink: `${BASE}/out/twin` },
  [`${BASE}/rw/away`]: { symlink: '../out' },
  [`${BASE}/rw/leak`]: { symlink: `${BASE}/out/f` },
};

/** Names of files, without `/` and NUL. A lone surrogate is a byte that is not UTF-8. */
export const fileNames: Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['-rf', '--help', '-', '*', '?', '[a]', ' ', '  x', 'x ', '\n', 'a\nb', '\t', '~', '$x', '`id`', '$(id)'],
      ...["it's", '"', '\\', ';', '&', '|', '#x', '{a,b}', '!', '=', 'é', 'e\u0301', '\u{1f600}', '\udcff', 'a\udc80b'],
      ...['.hidden', '...', '\x1b[31m', '\x7f', 'CON', 'a'.repeat(255), 'rm', '%s', '\\n', 'a:b', 'x.gz', 'x.log.1'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom('a', 'B', '1', ' ', '-', '.', '*', '\n', "'", 'é', '\udc9f'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((characters) => characters.join(''))
      .filter((name) => name !== '.' && name !== '..'),
  },
);

const contents: Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom('', 'x', 'x\n', 'a b\nc\n', '\n\n', 'no newline', '1\n10\n9\n', 'ä\n'),
  fc.uint8Array({ maxLength: 12 }),
);

const entries: Arbitrary<MemoryEntry> = fc.oneof(
  { weight: 5, arbitrary: contents },
  {
    weight: 1,
    arbitrary: fc.record({ content: contents, mode: fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o666) }),
  },
  { weight: 1, arbitrary: fc.constant({ directory: true }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'f',
        'd',
        'd/x',
        '.',
        '..',
        'gone',
        'self',
        '../ro/f',
        '../out/f',
        `${BASE}/out`,
        `${BASE}/rw/f`,
        '/',
      )
      .map((symlink) => ({ symlink })),
  },
  { weight: 1, arbitrary: fc.constantFrom('f', 'd/x', 'g').map((name) => ({ hardlink: `${BASE}/rw/${name}` })) },
);

/** `special`: also FIFOs, sockets and devices, which only memory can have of all kinds. */
export function trees({ special }: { readonly special: boolean }): Arbitrary<MemoryTree> {
  const one = special
    ? fc.oneof(
        { weight: 8, arbitrary: entries },
        {
          weight: 1,
          arbitrary: fc.constantFrom('fifo', 'socket', 'block', 'character').map((kind) => ({ special: kind })),
        },
      )
    : entries;
  const places = fc.constantFrom('rw', 'rw/d', 'rw/odd', 'rw/odd/deep/er/and/deeper', 'ro', 'out');
  return fc.array(fc.tuple(places, fileNames, one), { maxLength: 8 }).map((list) => {
    const tree: Record<string, MemoryEntry> = { ...USUAL_TREE };
    for (const [place, name, entry] of list) tree[`${BASE}/${place}/${name}`] ??= entry;
    return tree;
  });
}
