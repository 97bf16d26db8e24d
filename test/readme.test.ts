/** Everything the README shows is run. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../src/policy/policy.js';
import { PROGRAM } from './support/cli.js';
import { listFiles, withTree } from './support/tree.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const run = promisify(execFile);

/** The fenced blocks of a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

const LOGS = { 'logs/app.log': 'started\n', 'logs/app.log.1': '', 'logs/app.log.2': '' };

describe('the README', () => {
  it('starts with one sentence and the two commands', () => {
    expect(readme).toMatch(
      /^# rmsh\n\n[^\n.]+\.\n\n## Two commands\n\n {4}npm ci && npm run demo .*\n {4}npm ci && npm test /,
    );
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test', 'prepare', 'docs', 'bench']));
  });

  it('goes on in the order a reader needs it', () => {
    expect([...readme.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      'Two commands',
      'What a script may touch',
      'rm and its two limits',
      'The command line',
      'The library',
      'The record',
      'The house',
      'Security',
    ]);
  });

  const transcripts = blocks('console');
  it('has transcripts', () => expect(transcripts.length).toBeGreaterThanOrEqual(2));
  it.each(transcripts)('prints what rmsh prints: %s', (transcript) =>
    withTree(LOGS, async (directory) => {
      // `rmsh`, as the README calls it.
      mkdirSync(join(directory, 'bin'));
      writeFileSync(join(directory, 'bin/rmsh'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
      chmodSync(join(directory, 'bin/rmsh'), 0o755);
      let shown = '';
      for (const line of transcript.split('\n').filter((one) => one.startsWith('$ '))) {
        const { stdout } = await run('/bin/sh', ['-c', `{ ${line.slice(2)}\n} 2>&1 || :`], {
          cwd: directory,
          env: { PATH: `${join(directory, 'bin')}:/usr/bin:/bin` },
        });
        shown += `${line}\n${stdout}`;
      }
      expect(shown).toBe(transcript);
    }),
  );

  it('has a policy that is one', () => {
    const [document = '', ...others] = blocks('json');
    expect(others).toEqual([]);
    expect(parsePolicy(document).limits).toEqual({ maxRemovalsPerRun: 20 });
  });

  it('shows the library in six lines that run', () =>
    withTree(LOGS, async (directory) => {
      const [program = ''] = blocks('js');
      expect(program.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(6);
      const library = pathToFileURL(join(root, 'dist/index.mjs')).href;
      const file = join(directory, 'six-lines.mjs');
      writeFileSync(file, program.replace("'rmsh'", JSON.stringify(library)));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: directory });
      expect({ stdout, stderr }).toEqual({ stdout: '0 app.log\n { made: 2, left: 98 }\n', stderr: '' });
      expect(listFiles(directory)).toEqual(['logs/app.log', 'six-lines.mjs']);
    }));

  it('shows what an embedding program may add, and that runs too', () =>
    withTree({}, async (directory) => {
      const [, program = ''] = blocks('js');
      const file = join(directory, 'embedded.mjs');
      const built = (name: string): string => JSON.stringify(pathToFileURL(join(root, `dist/${name}.mjs`)).href);
      writeFileSync(file, program.replace("'rmsh'", built('index')).replace("'rmsh/memory'", built('memory')));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: directory });
      expect({ stdout, stderr }).toEqual({ stdout: 'HELLO world\n false\n', stderr: '' });
    }));

  it('shows a command of the host that reads files, as far as they are granted', () =>
    withTree(LOGS, async (directory) => {
      const [, , program = ''] = blocks('js');
      const file = join(directory, 'reads.mjs');
      const library = JSON.stringify(pathToFileURL(join(root, 'dist/index.mjs')).href);
      writeFileSync(file, program.replace("'rmsh'", library));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: directory });
      expect({ stdout, stderr }).toEqual({
        stdout: '8 logs/app.log\nbytes: /etc/passwd: Permission denied\n\n',
        stderr: '',
      });
    }));

  it('shows a host that answers for programs, and that runs as well', () =>
    withTree({}, async (directory) => {
      const [, , , program = '', ...others] = blocks('js');
      expect(others).toEqual([]);
      const file = join(directory, 'answers.mjs');
      const library = JSON.stringify(pathToFileURL(join(root, 'dist/index.mjs')).href);
      writeFileSync(file, program.replace("'rmsh'", library));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: directory });
      expect({ stdout, stderr }).toEqual({ stdout: 'git status --short in /\ndone\n\n', stderr: '' });
    }));

  it('names files and rooms that are there', async () => {
    const { existsSync } = await import('node:fs');
    const rooms = [...readme.matchAll(/^ {4}((?:src|grammar|builtins|test)\/\S*)/gm)].map((match) => match[1] ?? '');
    expect(rooms.length).toBeGreaterThan(8);
    expect(rooms.filter((room) => !existsSync(join(root, room)))).toEqual([]);
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});

describe('npm run demo', { timeout: 60_000 }, () => {
  it('keeps every promise it makes, plainly when nobody looks', async () => {
    const { stdout } = await run(process.execPath, [join(root, 'examples/demo.mjs')], { env: {} });
    expect(stdout).toContain('As promised?');
    expect(stdout).not.toMatch(/^ {2}NO/m);
    expect(stdout).not.toContain('\x1b');
  });
});
