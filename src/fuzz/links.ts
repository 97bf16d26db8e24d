/** Scripts that change files by paths that lead through a symbolic link: in and between roots, out of them, and nowhere. */
import type { Arbitrary } from 'fast-check';
import type { MemoryTree } from '../files/memory.js';
import fc from './fast-check.js';
import { WAYS } from './lines.js';
import { BASE } from './scenario.js';
import { USUAL_TREE } from './trees.js';

/** Links to directories, by where they are, and links to files. */
const TO_DIRECTORIES = {
  dirlink: 'd',
  up: '..',
  away: '../out',
  here: '.',
  whole: `${BASE}/rw/d`,
  over: '../ro',
  twice: 'dirlink',
  'd/back': '..',
} as const;
const TO_FILES = {
  link: 'f',
  l: 'a1',
  leak: `${BASE}/out/f`,
  chain: 'link',
  'd/side': '../g',
  dangling: 'gone',
} as const;

const links = Object.entries({ ...TO_DIRECTORIES, ...TO_FILES });

/** The usual files, and all of these links. */
export const LINKED_TREE: MemoryTree = {
  ...USUAL_TREE,
  ...Object.fromEntries(links.map(([name, symlink]) => [`${BASE}/rw/${name}`, { symlink }])),
};

/** Whether what lies at `path` is one of the links: it may be replaced, as a name. */
export const isLink = (path: string): boolean => links.some(([name]) => path === `${BASE}/rw/${name}`);

const throughDirectory = fc
  .tuple(
    fc.array(fc.constantFrom('here', 'up/rw', 'dirlink/..', 'd/back', '.'), { maxLength: 2 }),
    fc.constantFrom(...Object.keys(TO_DIRECTORIES)),
    fc.constantFrom('new', 'h', 'f', 'x', 'a1', 'rw/f', 'e/f', 'new/er', '../f', 'link'),
  )
  .map(([before, link, name]) => [...before, link, name].join('/'));

const path = fc
  .tuple(
    fc.constantFrom('', '', './', `${BASE}/rw/`),
    fc.oneof(throughDirectory, fc.constantFrom(...Object.keys(TO_FILES))),
  )
  .map((parts) => parts.join(''));

/** `P` is the path. None takes anything else away, or changes it. */
const CHANGES = `
echo new > P
echo new >> P
echo new >| P
: <> P; echo new 1<> P
echo new | tee P
echo new | tee -a P
cp g P
cp -f g P
cp -r d P
ln g P
ln -s g P
touch P
truncate -s 1 P
mkdir P
mkdir -p P
chmod 600 P
sort -o P g
sed -i s/x/y/ P
sed "w P" g
awk "{ print > \\"P\\" }" g
split -l 1 g P/x
tar -cf P g
tar -cf - g | tar -xf - -C P
gzip -k P
mktemp P/XXXX
{ echo new; } 2> P
exec 9>> P; echo new >&9
logrotate -f P
cp --remove-destination g P
cp -a l P
ln -f g P
ln -sf g P
`
  .trim()
  .split('\n');

/** One such change, reached in one of many ways. */
const change: Arbitrary<string> = fc
  .tuple(fc.constantFrom(...CHANGES), path, fc.integer({ min: 0, max: WAYS.length * 2 }))
  .map(([template, to, way]) => {
    const one = template.replaceAll('P', to);
    return WAYS[way]?.(one) ?? one;
  });

export const linkChanges: Arbitrary<string> = fc
  .array(change, { minLength: 1, maxLength: 4 })
  .map((list) => `${list.join('\n')}\n`);
