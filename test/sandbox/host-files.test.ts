import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendHostFile, readHostFile } from '../../src/sandbox/host-files.js';
import { failing, openDescriptors, scratch } from './support.js';

describe("the caller's own files", () => {
  it('are read whole, whatever their names', () => {
    const cwd = scratch();
    const bytes = Buffer.from([0x65, 0x00, 0xff, 0x0a]);
    fs.writeFileSync(join(cwd, 's'), bytes);
    fs.writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff])]), bytes);
    expect(readHostFile(join(cwd, 's'))).toEqual(bytes);
    expect(readHostFile(`${cwd}/\udcff`)).toEqual(bytes);
  });

  it('fail in the words of POSIX', () => {
    const cwd = scratch();
    expect(failing(() => readHostFile(cwd))).toBe(`EISDIR ${cwd}: Is a directory`);
    expect(failing(() => readHostFile('/no/such'))).toBe('ENOENT /no/such: No such file or directory');
    expect(failing(() => appendHostFile(cwd))).toBe(`EISDIR ${cwd}: Is a directory`);
  });

  it('grow, for their owner alone', () => {
    const path = join(scratch(), 'audit');
    const before = openDescriptors();
    for (const text of ['one\n', 'two\n']) {
      const file = appendHostFile(path);
      file.append(Buffer.from(text));
      file.sync();
      file.close();
    }
    expect(fs.readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
    expect(openDescriptors()).toBe(before);
  });
});
