/** Files whose names are the attack: options, newlines, blanks, patterns, bytes that are no text. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/text/bytes.js';
import { attack, type Field, hostile, withField } from './field.js';

const bytes = (path: string, ...more: number[]): Buffer => Buffer.concat([Buffer.from(path), Buffer.from(more)]);

/** In `t`: what `rm *`, `ls | xargs rm` and the like come across. */
function plant({ root }: Field): void {
  const t = join(root, 't');
  mkdirSync(join(t, 'x\n..'), { recursive: true });
  mkdirSync(join(t, 'x\n../outside'));
  for (const name of [
    '-rf',
    '--recursive',
    '-v',
    '*',
    ' ',
    'a b',
    '$(rm file)',
    '`rm x`',
    'x\n../outside/secret',
    'quo"te',
    "quo'te",
  ]) {
    writeFileSync(join(t, name), name);
  }
  writeFileSync(bytes(`${t}/`, 0xff, 0xfe), 'not text');
  writeFileSync(bytes(`${t}/`, 0xc3), 'half a character');
}

describe('a name is no option, no list and no program', () => {
  hostile(
    [
      ['cd t; rm *', 1, "rm: unrecognized option '--recursive'"],
      ['cd t; rm -*', 1, "rm: unrecognized option '--recursive'"],
      ['cd t; ls | xargs rm', 1, 'xargs: unmatched'],
      ["find t -path '*secret' | xargs rm", 123, "cannot remove '../outside/secret': Permission denied"],
      [
        'find t -path "*secret" | while read -r f; do rm "$f"; done',
        1,
        "cannot remove '../outside/secret': Permission denied",
      ],
      ['cd t; for f in $(ls); do rm "$f"; done', 1, /rm: /],
      ['cd t; for f in *; do eval "ls -d \\"$f\\""; done', 2, ''],
      ['cd t; set -- *rm*; sh -c "echo $1"', 0, "rm: cannot remove 'file'"],
      [
        'cd t; xargs -I{} sh -c "cat {}" <<< "../../outside/secret; cat ../../outside/dir/deep"',
        123,
        'Permission denied',
      ],
    ],
    { prepare: plant, changesRoot: true },
  );
});

describe('every name can be removed, and only it', () => {
  it.each([
    ['-rf', 'rm -- -rf'],
    ['-rf', 'rm ./-rf'],
    ['x\n../outside/secret', 'rm "x\n../outside/secret"'],
    ['x\n../outside/secret', "find . -path '*secret' -exec rm {} \\;"],
    ['x\n../outside/secret', "find . -path '*secret' -print0 | xargs -0 rm"],
    ['*', "rm '*'"],
    [' ', "rm ' '"],
    ['$(rm file)', "rm '$(rm file)'"],
    ['\udcff\udcfe', "rm $'\\377\\376'"],
    ['\udcff\udcfe', 'for f in *; do case $f in *[!\\ -~]*) [ ${#f} -eq 2 ] && rm "$f" ;; esac; done; :'],
    ['\udcc3', "find . -name $'\\303' -delete"],
    ['\udcc3', "printf '\\303' | xargs rm"],
  ])('%j by %s', (name, script) =>
    withField(async (field) => {
      plant(field);
      const t = join(field.root, 't');
      const list = (): string[] =>
        execFileSync('find', [t, '-type', 'f', '-printf', '%P\\0'], { encoding: 'latin1' }).split('\0').sort();
      const before = list();
      const result = await attack(field, `cd t; ${script}`);
      expect(result).toMatchObject({ stderr: '', exitCode: 0, removals: { made: 1 } });
      const gone = Buffer.from(encode(name)).toString('latin1');
      expect(list()).toEqual(before.filter((entry) => entry !== gone));
    }),
  );
});
