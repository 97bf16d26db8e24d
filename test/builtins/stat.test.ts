import { readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stat } from '../../builtins/stat.js';
import { makeTree, type Tree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree: Tree = {
  a: { content: 'abc\n', mtime: 1577934245.125, atime: 1_500_000_000.5 },
  empty: '',
  d: { dir: true },
  la: { symlink: 'a' },
  dl: { symlink: 'gone' },
  p: { fifo: true },
  'sp ace': { content: '', mode: 0o4711 },
  "it's\n": '',
};
const everything = '%a %A %b %B %d %D %f %F %g %G %h %i %n %N %o %r %R %s %t %T %u %U %w %W %x %X %y %Y %z %Z %m';

withGnu('stat', COREUTILS, () => {
  gnuRows(
    stat,
    [
      '',
      'a',
      'la d p empty',
      ['sp ace', "it's\n"],
      '-t a la',
      '-L la',
      '-L dl',
      'gone a',
      ['-c', everything, 'a', 'la', 'd', 'p', 'empty', 'sp ace', "it's\n"],
      ['-Lc', everything, 'la'],
      ['-c', '%C', 'a'],
      ['-c', '%N %F|%Hd %Ld %Hr %Lr', 'la', 'd', 'p'],
      ['--printf', '%n\\t\\x41\\101\\n%%\\a\\"', 'a'],
      ['-c', '%10s|%-10s|%010s|%.3n|%5a|%#a|%05a|%#x|%10.4n|%+s|% s', 'a'],
      ['-c', '%X.%Y|%.3X|%.9Y|%15.3Y|%-15.2Y|%015.3Y|%.0Y|%.X|%.12Y', 'a'],
      ['-c', '%.y|%.3y|%20.3y|%5.1A', 'a'],
      ['-c', '%q %', 'a'],
      ['-c', 'a\\n', 'a'],
      ['--printf', '\\q\\e\\', 'a'],
      ['-c', '%10', 'a'],
      ['-c', '%n|%5%', 'a', 'd'],
      ['-c', '%.9N|%5N', 'a'],
      ['-c', '%.9N', 'a'],
      ['-c', '%Hs %E', 'a'],
      ['-c', "%'s", 'a'],
      ['-c', '%n', 'a', '--printf', '%s'],
      ['-f', '-c', '%b %c %n %s %S %t %T %q', 'a', 'la'],
      '-fc %T gone',
      [''],
      '-x',
      '-c',
      '--format=%s --dereference la',
      '--terse a',
    ],
    // A link that was read has the time of that: read it before both do.
    { tree, prepare: (root) => readlinkSync(`${root}/la`) },
  );
});

it('shows times in the zone of the clock', async () => {
  const cwd = makeTree(tree);
  const result = await runBuiltin(stat, ['-c', '%y', 'a'], { cwd, timeZone: 'Asia/Kolkata' });
  expect(result.stdout).toBe('2020-01-02 08:34:05.125000000 +0530\n');
});

it('-f prints all that is to be had of a file system', async () => {
  const result = await runBuiltin(stat, ['-f', '.'], { cwd: makeTree({}) });
  expect(result.stdout).toMatch(
    /^ {2}File: "\."\n {4}ID: \? {8}Namelen: \? {7}Type: .+\nBlock size: \d+ +Fundamental block size: \d+\nBlocks: Total: \d+ +Free: \d+ +Available: \d+\nInodes: Total: \d+ +Free: \d+\n$/,
  );
});
