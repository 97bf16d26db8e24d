/** The prompt in a real terminal: what a person does, and what is seen. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBuild, PROGRAM, rmsh } from '../support/cli.js';
import { hasTmux, Screen } from '../support/terminal.js';

checkBuild();
if (!hasTmux && process.env['RMSH_REQUIRE_ORACLES'] === '1') throw new Error('tmux is not installed');
if (!hasTmux) console.warn('tmux is not installed: the prompt is not tried in a terminal');

let folder = '';
let home = '';
let screen: Screen | undefined;

/** Opens a prompt; its own is `$ ` where the test says nothing else. */
async function open(options = '', environment = ''): Promise<Screen> {
  const variables = `PATH=${process.env['PATH']} HOME=${home} LC_ALL=C.UTF-8 ${environment.includes('TERM=') ? '' : 'TERM=screen-256color'}`;
  screen = new Screen(
    `cd ${folder} && env -i ${variables} ${environment} ${process.execPath} ${PROGRAM} --rcfile ${home}/rc ${options}`,
  );
  await screen.until((rows) => /\$$/.test(rows.at(-1) ?? ''));
  return screen;
}

/** Types a line, and waits for the prompt behind what it prints: those rows. */
async function enter(terminal: Screen, line: string): Promise<string[]> {
  terminal.keys('-l', line);
  terminal.keys('Enter');
  const rows = await terminal.until(
    (seen) => seen.at(-1) === '$' && seen.some((row) => row.startsWith(`$ ${line.slice(0, 60)}`)),
    line,
  );
  return rows.slice(rows.findLastIndex((row) => row.startsWith(`$ ${line.slice(0, 60)}`)) + 1, -1);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rmsh-prompt-')));
  home = mkdtempSync(join(tmpdir(), 'rmsh-home-'));
  writeFileSync(join(home, 'rc'), "PS1='$ '\n");
});
afterEach(() => {
  screen?.close();
  screen = undefined;
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
});

describe.skipIf(!hasTmux)('the prompt', () => {
  it('runs lines, keeps the shell, and leaves with its status', async () => {
    const terminal = await open();
    expect(terminal.rows()[0]).toBe("rmsh, read-only mode: 'help', 'policy' and 'budget' say what you may do");
    expect(await enter(terminal, 'x=5; f() { echo "f $x"; }')).toEqual([]);
    expect(await enter(terminal, 'f; false')).toEqual(['f 5']);
    expect(await enter(terminal, 'echo $?')).toEqual(['1']);
    expect(await enter(terminal, 'if; then')).toContain("rmsh: line 1: syntax error near unexpected token ';'");
    terminal.keys('-l', 'exit 3');
    terminal.keys('Enter');
    await terminal.last('over 3');
  });

  it('shows mode and budget in remediation mode, and each line has a budget of its own', async () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '');
    const terminal = await open(`--mode remediation --allow-path ${folder}:rw --limit maxRemovalsPerRun=2`);
    terminal.keys('-l', 'for f in a b c; do rm $f; done');
    terminal.keys('Enter');
    await terminal.last('[remediation 2, 2 removed] $');
    expect(existsSync(join(folder, 'c'))).toBe(true);
    terminal.keys('-l', 'rm c');
    terminal.keys('Enter');
    await terminal.last('[remediation 2, 1 removed] $');
    expect(existsSync(join(folder, 'c'))).toBe(false);
  });

  it('says what is granted, what was used and what was refused', async () => {
    const terminal = await open(`--allow-path ${folder}`);
    await enter(terminal, 'cat /etc/passwd; : >x');
    expect((await enter(terminal, 'budget')).join('\n')).toMatch(
      /read-only mode[\s\S]*cat: read \/etc\/passwd[\s\S]*x/,
    );
    expect(await enter(terminal, 'policy')).toContain(`  ro  ${folder}`);
  });

  it('has the commands of a prompt, whatever the policy allows, and they are commands as any other', async () => {
    const terminal = await open('--allow-command ls');
    await enter(terminal, 'cat /etc/passwd');
    expect((await enter(terminal, 'budget')).join()).toContain('cat: command');
    // To ask changes nothing.
    expect((await enter(terminal, 'budget | while read line; do echo "$line"; done')).join()).toContain('cat: command');
    expect(await enter(terminal, 'history 2')).toEqual([
      expect.stringMatching(/^ +3 {2}budget \|/),
      expect.stringMatching(/^ +4 {2}history 2$/),
    ]);
    expect((await enter(terminal, 'history x')).join()).toContain('history: x: numeric argument required');
    expect((await enter(terminal, 'fg')).join()).toMatch(/fg: no job control: .*'wait %1' waits/);
    expect((await enter(terminal, '!!')).join()).toMatch(/^rmsh: !!: the history is not expanded in a line: Up/);
    expect((await enter(terminal, 'help history')).join()).toContain('Usage: history [N]');
    await enter(terminal, 'policy() { echo mine; }');
    expect(await enter(terminal, 'policy of mine')).toEqual(['mine']);
    terminal.keys('clear', 'Enter');
    await terminal.until((rows) => rows.length === 1 && rows[0] === '$');
    await enter(terminal, 'history -c');
    expect(await enter(terminal, 'history')).toEqual([expect.stringMatching(/^ +1 {2}history$/)]);
    terminal.keys('C-d');
    await terminal.last('over 0');
    expect(readFileSync(join(home, '.local/state/rmsh/history'), 'utf8')).toBe('"history"\n');
  });

  it('explains what `rmsh help` explains', async () => {
    const terminal = await open();
    expect((await enter(terminal, 'help prompt')).join('\n')).toMatch(/^prompt: keys and commands[\s\S]*Ctrl-R/);
    const both = (await enter(terminal, 'help policy | head -n 9')).join('\n');
    expect(both).toMatch(/Usage: policy\nSay what is granted\.[\s\S]*policy: what a script may touch/);
    terminal.keys('help li', 'Tab');
    await terminal.last('$ help limits');
  });

  it.each([
    ['a loop', 'while :; do :; done'],
    ['a command that reads the terminal', 'cat'],
    ['a pipeline', 'sleep 100 | cat'],
    ['a command that waits', 'sleep 100'],
    ['a function', 'f() { local x=1; sleep 100; }; f'],
    ['a substitution', 'x=$(sleep 100)'],
    ['a command that prints without an end', 'yes'],
  ])('ends %s with Ctrl-C, and goes on', async (_, line) => {
    const terminal = await open();
    terminal.keys('-l', line);
    terminal.keys('Enter');
    await new Promise((wait) => setTimeout(wait, 300));
    terminal.keys('C-c');
    await terminal.last('$');
    expect(await enter(terminal, 'echo $?')).toEqual(['130']);
    terminal.keys('-l', 'dropped');
    terminal.keys('C-c');
    await terminal.until((rows) => rows.includes('$ dropped^C') && rows.at(-1) === '$');
  });

  it('gives a trapped Ctrl-C to its trap', async () => {
    const terminal = await open();
    terminal.keys('-l', "trap 'echo caught' INT; sleep 1; echo on");
    terminal.keys('Enter');
    await new Promise((wait) => setTimeout(wait, 300));
    terminal.keys('C-c');
    await terminal.until((rows) => rows.some((row) => row.endsWith('caught')) && rows.includes('on'));
  });

  it('asks on while a command is incomplete, and recalls it whole', async () => {
    const terminal = await open();
    terminal.keys('-l', 'for i in 1 2; do');
    terminal.keys('Enter');
    await terminal.last('>');
    terminal.keys('-l', 'echo "i $i"');
    terminal.keys('Enter');
    terminal.keys('-l', 'done');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.includes('i 1') && rows.includes('i 2') && rows.at(-1) === '$');
    terminal.keys('Up');
    await terminal.until((rows) => rows.slice(-3).join('\n') === '$ for i in 1 2; do\n> echo "i $i"\n> done');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.filter((row) => row === 'i 2').length === 2);
    terminal.keys('C-d');
    await terminal.last('over 0');
    terminal.close();
    const again = await open();
    again.keys('Up');
    await again.until((rows) => rows.slice(-3).join('\n') === '$ for i in 1 2; do\n> echo "i $i"\n> done');
  });

  it('reads no start-up file that is not named, and keeps the history where XDG_STATE_HOME says', async () => {
    for (const name of ['.rmshrc', '.bashrc', '.profile', '.shrc', 'env']) {
      writeFileSync(join(home, name), 'echo "start-up file"\n');
    }
    screen = new Screen(
      `cd ${folder} && env -i HOME=${home} ENV=${home}/env BASH_ENV=${home}/env XDG_STATE_HOME=${home}/state TERM=screen-256color ${process.execPath} ${PROGRAM}`,
    );
    await screen.last(/^rmsh:.*[$#]$/);
    screen.keys('echo kept', 'Enter');
    const rows = await screen.until((seen) => seen.includes('kept') && /^rmsh:.*[$#]$/.test(seen.at(-1) ?? ''));
    expect(rows.join('\n')).not.toContain('start-up file');
    const file = join(home, 'state/rmsh/history');
    expect(readFileSync(file, 'utf8')).toBe('"echo kept"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(join(home, '.local'))).toBe(false);
  });

  it('draws the usual escapes of PS1, and PS2', async () => {
    const terminal = await open('--env HOME=/elsewhere');
    terminal.keys('-l', "PS1='\\u at \\h in \\w \\!\\$ ' PS2='more> '");
    terminal.keys('Enter');
    await terminal.last(
      `${userInfo().username} at ${hostname().split('.')[0]} in ${folder} 2${userInfo().uid === 0 ? '#' : '$'}`,
    );
    terminal.keys('(', 'Enter');
    await terminal.last('more>');
    terminal.keys('C-c');
    terminal.keys('-l', `HOME=${folder}`);
    terminal.keys('Enter');
    await terminal.last(/ in ~ 3[#$]$/);
  });

  it('takes a paste of many lines as one entry', async () => {
    const terminal = await open();
    terminal.paste('echo one\necho two\n');
    await terminal.until((rows) => rows.some((row) => row === '> echo two'));
    expect(terminal.rows()).not.toContain('one');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.includes('one') && rows.includes('two'));
  });

  it('completes commands, files with quotes, variables and options', async () => {
    writeFileSync(join(folder, 'a file.log'), 'content\n');
    const terminal = await open(`--allow-path ${folder}`);
    terminal.keys('-l', 'cat a');
    terminal.keys('Tab');
    await terminal.last("$ cat 'a file.log'");
    terminal.keys('Enter');
    await terminal.until((rows) => rows.includes('content') && rows.at(-1) === '$');
    terminal.keys('-l', 'unali');
    terminal.keys('Tab');
    await terminal.last('$ unalias');
    terminal.keys('C-u');
    terminal.keys('-l', 'echo ${ALLOWED');
    terminal.keys('Tab');
    await terminal.last('$ echo ${ALLOWED_PATHS}');
    terminal.keys('C-u');
    terminal.keys('-l', 'ls --re');
    terminal.keys('Tab');
    await terminal.until((rows) => rows.some((row) => /^--recursive +\S/.test(row)));
  });

  it('completes no name outside the granted directories, but the way to them', async () => {
    const terminal = await open(`--allow-path ${folder}`);
    terminal.keys('-l', 'cat /etc/pas');
    terminal.keys('Tab');
    terminal.keys('-l', 'x');
    await terminal.last('$ cat /etc/pasx');
    terminal.keys('C-u');
    terminal.keys('-l', `ls ${folder.slice(0, 6)}`);
    terminal.keys('Tab');
    await terminal.last(`$ ls ${folder}/`);
  });

  it('finds what was entered before, and keeps it for the next time, but not what begins with a blank', async () => {
    let terminal = await open();
    await enter(terminal, 'echo alpha');
    await enter(terminal, 'echo beta');
    terminal.keys('-l', ' echo secret');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.includes('secret') && rows.at(-1) === '$');
    terminal.keys('C-r');
    terminal.keys('-l', 'alp');
    await terminal.until((rows) => rows.includes('$ echo alpha'));
    terminal.keys('Enter');
    await terminal.until((rows) => rows.filter((row) => row === 'alpha').length === 2);
    terminal.keys('C-d');
    await terminal.last('over 0');
    terminal.close();
    const file = join(home, '.local/state/rmsh/history');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('"echo alpha"\n"echo beta"\n"echo alpha"\n');
    terminal = await open();
    terminal.keys('Up', 'Up');
    await terminal.last('$ echo beta');
  });

  it('suggests from the history in grey, and Right takes it', async () => {
    const terminal = await open();
    await enter(terminal, 'echo suggested');
    terminal.keys('-l', 'ec');
    await terminal.until((rows) => (rows.at(-1) ?? '').includes('\u001b[90mho suggested'), 'grey', true);
    terminal.keys('Right', 'Enter');
    await terminal.until((rows) => rows.filter((row) => row === 'suggested').length === 2);
  });

  it('colours as it is written, unless NO_COLOR is set', async () => {
    let terminal = await open('--allow-command cat');
    terminal.keys('-l', 'nosuch ls "a $x"');
    await terminal.until((rows) => (rows.at(-1) ?? '').includes('\u001b[31mnosuch'), 'red', true);
    terminal.keys('C-u');
    // A keyword is bold blue, a string yellow, a command that may be run green, an expansion cyan.
    terminal.keys('-l', 'while cat "s" $x; do');
    await terminal.until(
      (rows) => {
        const row = rows.at(-1) ?? '';
        return ['[1m\u001b[34mwhile', '[32mcat', '[33m"s"', '[36m$x', '[34mdo'].every((part) => row.includes(part));
      },
      'colours of a loop',
      true,
    );
    terminal.keys('C-u');
    terminal.keys('-l', 'grep x');
    await terminal.until((rows) => (rows.at(-1) ?? '').includes('\u001b[4m\u001b[31mgrep'), 'refused', true);
    terminal.close();
    terminal = await open('', 'NO_COLOR=1');
    terminal.keys('-l', 'nosuch');
    const rows = await terminal.until((seen) => (seen.at(-1) ?? '').includes('nosuch'), 'plain', true);
    expect(rows.at(-1)).toBe('$ nosuch');
  });

  it('leaves what a command printed without a newline, and erases its progress line', async () => {
    const terminal = await open();
    expect(await enter(terminal, 'printf abc')).toEqual(['abc%']);
    terminal.keys('-l', 'sleep 1.8; echo done');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.some((row) => /^… 1 s, Ctrl-C ends it$/.test(row)));
    const rows = await terminal.until((seen) => seen.includes('done') && seen.at(-1) === '$');
    expect(rows.some((row) => row.includes('Ctrl-C ends it'))).toBe(false);
  });

  it.each([
    ['sort', 'seq 1500000 | sort -k1.3 | tail -n 1'],
    ['find over a tree', `find . -type f -exec sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' ';'`],
    ['du', 'while :; do du -a . >f; done'],
    ['awk', "awk 'BEGIN { for (i = 0; i < 3000000000; i++) n += i }'"],
  ])('shows a progress line while %s works for long, and erases it', async (_, line) => {
    for (let at = 0; at < 300; at++) writeFileSync(join(folder, `file${at}`), 'x');
    const terminal = await open(`--mode remediation --allow-path ${folder}:rw`);
    await terminal.until((rows) => rows.at(-1)?.endsWith('$') === true);
    terminal.keys('-l', line);
    terminal.keys('Enter');
    await terminal.until((rows) => rows.some((row) => /^… \d+ s, Ctrl-C ends it$/.test(row)));
    terminal.keys('C-c');
    const rows = await terminal.until((seen) => seen.at(-1)?.endsWith('$') === true);
    expect(rows.some((row) => row.includes('Ctrl-C ends it'))).toBe(false);
  });

  it('tells of jobs, and asks before it leaves them', async () => {
    const terminal = await open();
    terminal.keys('-l', 'sleep 1 & echo on');
    terminal.keys('Enter');
    await terminal.until((rows) => rows.includes('on') && rows.some((row) => /^\[1\] \d+$/.test(row)));
    terminal.keys('C-d');
    await terminal.until((rows) => rows.some((row) => row.startsWith('There are running jobs')));
    await new Promise((wait) => setTimeout(wait, 1200));
    terminal.keys('Enter');
    await terminal.until((rows) => rows.some((row) => /^\[1\]\+ {2}Done {20,}sleep 1$/.test(row)));
    terminal.keys('C-d');
    await terminal.last('over 0');
  });

  it('does not leave at Ctrl-D after set -o ignoreeof, but ten times in a row are enough, as in bash', async () => {
    const terminal = await open();
    await enter(terminal, 'set -o ignoreeof');
    terminal.keys('C-d');
    await terminal.until((rows) => rows.includes('Use "exit" to leave the shell.') && rows.at(-1) === '$');
    expect(await enter(terminal, 'echo still here')).toEqual(['still here']);
    for (let times = 1; times <= 10; times++) {
      terminal.keys('C-d');
      await terminal.until(
        (rows) => rows.filter((row) => row.startsWith('Use "exit"')).length === times + 1 && rows.at(-1) === '$',
      );
    }
    terminal.keys('C-d');
    await terminal.last('over 0');
  });

  it('keeps as many entries as HISTSIZE says', async () => {
    let terminal = await open();
    await enter(terminal, 'HISTSIZE=2');
    for (const line of ['echo one', 'echo two', 'echo three']) await enter(terminal, line);
    terminal.keys('Up', 'Up', 'Up', 'Up');
    await terminal.until((rows) => rows.at(-1) === '$ echo two');
    terminal.keys('C-c');
    await terminal.until((rows) => rows.at(-1) === '$');
    terminal.keys('C-d');
    await terminal.last('over 130');
    terminal.close();
    writeFileSync(join(home, 'rc'), "PS1='$ '; HISTSIZE=0\n");
    terminal = await open();
    await enter(terminal, 'echo not kept');
    terminal.keys('C-d');
    await terminal.last('over 0');
    const kept = readFileSync(join(home, '.local/state/rmsh/history'), 'utf8');
    expect(kept).toContain('echo three');
    expect(kept).not.toContain('not kept');
  });

  it('keeps a record of each line, as --audit asks', async () => {
    const record = join(home, 'record');
    writeFileSync(join(folder, 'f'), '');
    const terminal = await open(`--mode remediation --allow-path ${folder}:rw --audit ${record}`);
    terminal.keys('-l', 'rm f; cat /etc/passwd');
    terminal.keys('Enter');
    await terminal.last('[remediation 100, 1 removed] $');
    terminal.keys('-l', 'exit 4');
    terminal.keys('Enter');
    await terminal.last('over 4');
    const events = readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; run: string; argv?: string[] });
    expect(events.filter(({ event }) => event === 'refusal')).toHaveLength(1);
    expect(events.filter(({ event }) => event === 'intent')).toHaveLength(1);
    const starts = events.filter(({ event }) => event === 'run-start').length;
    // the start-up file, and each line, is a run
    expect(starts).toBeGreaterThanOrEqual(3);
    expect(events.filter(({ event }) => event === 'run-end')).toHaveLength(starts);
    expect((await rmsh(['audit', 'verify', record])).stdout).toContain('whole');
  });

  it('clears the screen, yanks what was killed, takes back what was typed', async () => {
    const terminal = await open();
    await enter(terminal, 'echo before');
    terminal.keys('-l', 'echo one');
    terminal.keys('C-w', 'C-y', 'C-y');
    await terminal.last('$ echo oneone');
    terminal.keys('C-_');
    await terminal.last('$ echo one');
    terminal.keys('C-l');
    await terminal.until((rows) => rows.length === 1 && rows[0] === '$ echo one');
  });

  it('draws a prompt that runs commands, and $? stays', async () => {
    const terminal = await open();
    terminal.keys('-l', "PS1='$(false)$ '; (exit 7)");
    terminal.keys('Enter');
    await terminal.until((rows) => rows.at(-1) === '$');
    expect(await enter(terminal, 'echo $?')).toEqual(['7']);
    expect((await enter(terminal, "PS4='+ at ${LINENO}: '; set -x; : x; set +x")).join()).toContain('+ at 1: : x');
  });

  it('explains commands, and completes functions', async () => {
    const terminal = await open();
    expect((await enter(terminal, 'help rm | head -n 9')).join()).toMatch(/Usage: rm \[-v\] FILE/);
    await enter(terminal, 'sweep_logs() { echo swept; }');
    terminal.keys('-l', 'sweep');
    terminal.keys('Tab', 'Enter');
    await terminal.until((rows) => rows.includes('swept') && rows.at(-1) === '$');
  });

  it('hands what is typed ahead to what reads it', async () => {
    const terminal = await open();
    terminal.keys('read x', 'Enter', 'typed ahead', 'Enter');
    await terminal.until((rows) => rows.filter((row) => row === '$').length <= 1 && rows.at(-1) === '$');
    expect(await enter(terminal, 'echo "<$x>"')).toEqual(['<typed ahead>']);
  });

  it('is a plain one on a dumb terminal', async () => {
    const terminal = await open('', 'TERM=dumb');
    expect(await enter(terminal, 'echo plain')).toEqual(['plain']);
    terminal.keys('C-d');
    await terminal.last('over 0');
  });

  it.each<[number, number, string[]]>([
    [79, 157, ['C-e']],
    [60, 157, ['C-e']],
    [31, 157, ['C-e']],
    [25, 6, ['C-a', 'M-f']],
    [33, 2, ['C-a']],
    [100, 157, ['C-e']],
    [160, 6, ['C-a', 'M-f']],
  ])(
    'leaves nothing behind when the terminal becomes %i columns wide, with the cursor at %i',
    async (columns, cursor, keys) => {
      const terminal = await open();
      // Down to the last row: tmux scrolls a screen that is not full as if it were.
      terminal.keys('seq 40', 'Enter');
      await terminal.until((rows) => rows.at(-2) === '40' && rows.at(-1) === '$');
      // Of a row blanks at its end are not told.
      const solid = (rows: readonly string[]): string => rows.join('').replaceAll(' ', '');
      const above = solid(terminal.all().slice(0, -1));
      const line = `$ echo ${'0123456789'.repeat(15)}`;
      terminal.keys('-l', line.slice(2));
      await terminal.until((rows) => rows.slice(-2).join('') === line);
      const settled = () => new Promise((wait) => setTimeout(wait, 300));
      terminal.keys(...keys);
      await settled();
      terminal.resize(columns, 24);
      await settled();
      terminal.keys('-l', 'Z');
      const wanted = above + solid([`${line.slice(0, cursor)}Z${line.slice(cursor)}`]);
      await terminal.until(() => solid(terminal.all()) === wanted, `${columns} columns`);
    },
  );

  it('quotes what it completes: blanks, dollars, quotes, newlines and dashes', async () => {
    const names = ['a b', 'c$HOME', 'd\'e"f', 'g\nh', '-i', 'k*l', '~m', '#n', 'o\\p', 'q`r', 'sé'];
    for (const name of names) writeFileSync(join(folder, name), `<${name}>\n`);
    const terminal = await open(`--allow-path ${folder}`);
    for (const name of names) {
      terminal.keys('-l', name === '-i' ? 'cat ./-' : `cat ${name === '~m' ? '\\~' : name === '#n' ? '\\#' : name[0]}`);
      terminal.keys('Tab', 'Enter');
      await terminal.until((rows) => rows.join('\n').endsWith(`\n<${name}>\n$`), name);
    }
    terminal.keys('-l', 'cat ');
    terminal.keys('Tab');
    // A name with a newline takes a row as any other.
    await terminal.until((rows) => rows.some((row) => /(^| )g\?h( |$)/.test(row)));
    terminal.keys('C-u');
    rmSync(join(folder, 'a b'));
    for (const name of names.slice(1)) if (name !== '-i') rmSync(join(folder, name));
    terminal.keys('-l', 'cat ');
    terminal.keys('Tab');
    await terminal.last('$ cat ./-i');
  });

  it('draws long lines, wide characters and another size of the terminal', async () => {
    const terminal = await open();
    const long = 'echo '.padEnd(150, 'x');
    terminal.keys('-l', long);
    await terminal.until((rows) => rows.slice(-2).join('') === `$ ${long}`);
    terminal.resize(60, 20);
    await terminal.until((rows) => rows.slice(-3).join('') === `$ ${long}`);
    terminal.keys('C-u');
    terminal.keys('-l', 'echo 日本語');
    terminal.keys('Left', 'BSpace');
    await terminal.last('$ echo 日語');
  });
});
