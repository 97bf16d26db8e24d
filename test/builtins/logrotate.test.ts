import { expect, it } from 'vitest';
import { logrotate } from '../../builtins/logrotate.js';
import { makeTree, snapshot } from '../support/builtin-tree.js';
import { runBuiltin } from '../support/run-builtin.js';

const tree = { 'd/app.log': 'x'.repeat(2000), 'd/small.log': 'y', l: { symlink: 'd' }, z: '' } as const;

async function run(words: string, remediation = true) {
  const cwd = makeTree(tree);
  const result = await runBuiltin(logrotate, words.split(' '), { cwd, remediation });
  return { ...result, files: snapshot(cwd) };
}

it('empties files of at least the size, where they are', async () => {
  const result = await run('-v -s 1K d/app.log d/small.log');
  expect(result).toMatchObject({ status: 0, stderr: '' });
  expect(result.stdout).toBe("truncated 'd/app.log' (2000 bytes)\n'd/small.log': 1 bytes, kept\n");
  expect(result.files).toContain('d/app.log 644 1 ""');
  expect(result.files).toContain('d/small.log 644 1 "y"');
});

it('looks at one file once, by whatever path it is reached', async () => {
  const result = await run('-v -f d/app.log l/app.log d/../d/app.log');
  expect(result).toMatchObject({ status: 0, stderr: '' });
  expect(result.stdout).toBe(
    "truncated 'd/app.log' (2000 bytes)\n'l/app.log': the same file as before\n'd/../d/app.log': the same file as before\n",
  );
});

it('-n only says what would be done, in read-only mode too', async () => {
  for (const mode of [true, false]) {
    const result = await run('-n -s 1500 d/app.log d/small.log', mode);
    expect(result.stdout).toBe("would truncate 'd/app.log' (2000 bytes)\n");
    expect(result.files).toContain('d/small.log 644 1 "y"');
    expect(result.files.join()).toContain('x'.repeat(2000));
  }
});

it('writes nothing in read-only mode', async () => {
  const result = await run('-f d/app.log', false);
  expect(result).toMatchObject({
    stderr: "logrotate: cannot truncate 'd/app.log': remediation mode required\n",
    status: 1,
  });
  expect(result.files.join()).toContain('x'.repeat(2000));
});

it('goes on after what fails', async () => {
  const result = await run('-f gone d l/app.log d/small.log');
  expect(result.stderr).toBe(
    "logrotate: cannot truncate 'gone': No such file or directory\nlogrotate: cannot truncate 'd': Is a directory\n" +
      "logrotate: cannot truncate 'l/app.log': symlinks are not supported as write targets\n",
  );
  expect(result.status).toBe(1);
  expect(result.files).toContain('d/small.log 644 1 ""');
});

it('wants to be told which', async () => {
  for (const words of ['d/app.log', '-s 1 -f d/app.log', '-s 1x d/app.log', '-f', '-x']) {
    const result = await run(words);
    expect(result.status).toBe(1);
    expect(result.files.join()).toContain('x'.repeat(2000));
  }
  expect((await run('-s 1x z')).stderr).toBe('logrotate: invalid size: ‘1x’\n');
});
