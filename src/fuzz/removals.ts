/** Generated scripts that remove, move and write, by every way commands can reach each other. */
import type { Arbitrary } from 'fast-check';
import fc from './fast-check.js';

/** Names the generated scripts use; `d` is a directory, `d/` holds two files, `l` is a link to a file. */
export const SCRIPT_FILES = {
  ...Object.fromEntries(['a', 'b', 'c'].flatMap((p) => [1, 2, 3, 4].map((i) => [`${p}${i}`, `${p}${i}\n`]))),
  'd/x': 'x\n',
  'd/y': 'y\n',
  l: { symlink: 'a1' },
  'sp ace': 's\n',
} as const;

const file = fc.constantFrom(
  ...['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd/x', 'd/y', 'l', "'sp ace'", 'missing', 'd', '../out', '/nowhere', '.'],
);
const files = fc.oneof(
  fc.array(file, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
  fc.constantFrom('a*', 'b?', '[bc]*', '*', 'd/*', '"$@"', '$x'),
);

/** One simple command that wants to remove, to move or to write. */
const change = fc.oneof(
  { weight: 5, arbitrary: files.map((list) => `rm ${list}`) },
  { weight: 1, arbitrary: files.map((list) => `rm -v ${list}`) },
  { weight: 1, arbitrary: files.map((list) => `rm -rf ${list}`) },
  { weight: 2, arbitrary: fc.tuple(file, file).map(([from, to]) => `mv ${from} ${to}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(file, fc.constantFrom('>', '>>', '>|', '<>')).map(([to, op]) => `echo new ${op} ${to}`),
  },
  { weight: 1, arbitrary: file.map((to) => `{ date; } > ${to}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('truncate -s 0', 'touch', 'mkdir', 'mkdir -p new/deep', 'tee', 'tee -a'), file)
      .map(([command, to]) => `${command} ${to} </dev/null`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'find . -type f -exec rm {} \\;',
      "find . -name 'c*' -exec rm {} +",
      "find . -name 'b*' -delete",
      'find . -type f -print0 | xargs -0 -n 1 rm',
      'ls | xargs -P 3 -n 2 rm',
      'ls a* | while read -r f; do rm "$f"; done',
    ),
  },
);

/** A statement: changes inside everything that nests. Every loop ends, and what is put into the background is waited for. */
export const statement: Arbitrary<string> = fc.letrec<{ one: string; many: string }>((tie) => ({
  many: fc.array(tie('one'), { minLength: 1, maxLength: 2 }).map((list) => list.join('\n')),
  one: fc.oneof(
    { depthSize: 'xsmall', withCrossShrink: true },
    change,
    change,
    tie('many').map((body) => `( ${body}\n)`),
    tie('many').map((body) => `{ ${body}\n}`),
    tie('many').map((body) => `{ ${body}\n} &`),
    fc.tuple(tie('many'), tie('many')).map(([left, right]) => `{ ${left}\n} | { ${right}\n}`),
    fc.tuple(tie('one'), tie('one')).map(([left, right]) => `if { ${left}\n}; then ${right}\nfi`),
    tie('many').map((body) => `x=$( ${body}\n)`),
    // Two turns: loops nest, and each level doubles the work.
    tie('many').map((body) => `for f in a1 b*4; do rm "$f"; ${body}\ndone`),
    tie('many').map((body) => `f() { ${body}\n}; f c1 c2`),
    tie('many').map((body) => `eval '${body.replaceAll("'", "'\\''")}'`),
    tie('many').map((body) => `sh -c '${body.replaceAll("'", "'\\''")}' sh c3 c4`),
    tie('many').map((body) => `case x in x) ${body}\n;; esac`),
    tie('many').map((body) => `trap '${body.replaceAll("'", "'\\''")}' EXIT`),
  ),
})).many;

/** A whole script that wants to remove. */
export const removals: Arbitrary<string> = fc
  .array(statement, { minLength: 1, maxLength: 3 })
  .map((list) => `set -- c3 b3\n${list.join('\n')}\nwait\n`);
