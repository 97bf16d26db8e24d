/** Shell recursion 10,000 levels deep, whatever stands between the levels: the JavaScript stack must never be what ends it. */
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';

const DEPTH = 10_000;

/** `f N` calls `f N-1` through one kind of command; at 0 it answers 7, which has to come back up through all of them. */
const THROUGH: Readonly<Record<string, string>> = {
  'a function': 'f() { [ $1 -eq 0 ] && return 7; f $(($1-1)); }',
  'if and else': 'f() { if [ $1 -eq 0 ]; then return 7; else f $(($1-1)); fi; }',
  'an AND-OR list': 'f() { [ $1 -eq 0 ] && return 7; true && f $(($1-1)) || return $?; }',
  'a case item': 'f() { case $1 in 0) return 7;; *) f $(($1-1));; esac; }',
  'a for loop': 'f() { [ $1 -eq 0 ] && return 7; for i in x; do f $(($1-1)); done; }',
  'a while loop': 'f() { [ $1 -eq 0 ] && return 7; while :; do f $(($1-1)); return $?; done; }',
  'a brace group with a redirection': 'f() { [ $1 -eq 0 ] && return 7; { f $(($1-1)); } 2>/dev/null; }',
  'a subshell': 'f() { [ $1 -eq 0 ] && return 7; (f $(($1-1))); }',
  'a command substitution': 'f() { [ $1 -eq 0 ] && return 7; x=$(f $(($1-1))); }',
  eval: 'f() { [ $1 -eq 0 ] && return 7; eval "f $(($1-1))"; }',
  'a temporary assignment': 'f() { [ $1 -eq 0 ] && return 7; v=$1 f $(($1-1)); }',
};

describe('recursion of 10,000 levels', { timeout: 120_000 }, () => {
  it.each(Object.entries(THROUGH))('through %s', async (_name, definition) => {
    const result = await createShell({}).run(`${definition}\nf ${DEPTH}\necho $?`);
    expect(result).toMatchObject({ status: 'exited', exitCode: 0, stdout: '7\n', stderr: '' });
  });

  it('through pipelines, whose stages are all there at once', async () => {
    const result = await createShell({}).run('f() { [ $1 -eq 0 ] && return 7; : | f $(($1-1)); }\nf 2000\necho $?');
    expect(result).toMatchObject({ status: 'exited', stdout: '7\n', stderr: '' });
  });

  it('of commands that each run the next', async () => {
    for (const chain of ['command ', 'builtin ', 'command exec ', 'env ']) {
      const result = await createShell({}).run(`${chain.repeat(5000 / chain.split(' ').length)} true; echo $?`);
      expect(result).toMatchObject({ status: 'exited', stderr: '' });
    }
  });

  it('without an end meets the limit, by name', async () => {
    const result = await createShell({ limits: { maxCallDepth: 5000 } }).run('echo before\nf() { f; }\nf\necho after');
    expect(result).toMatchObject({ status: 'limit', exitCode: 1, stdout: 'before\n' });
    expect(result.message).toContain('maxCallDepth');
    expect(result.message).toContain('5000');
  });
});
