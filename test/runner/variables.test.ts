/** Variables in layers: a subshell sees them as they were when it began, however both go on. */
import { describe, expect, it } from 'vitest';
import { Variables } from '../../src/runner/variables.js';

function set(variables: Variables, name: string, text: string): void {
  variables.setText(variables.own(name), text);
}

function value(variables: Variables, name: string): string | undefined {
  return variables.get(name)?.value;
}

describe('what variables count', async () => {
  const { createShell } = await import('../../src/index.js');
  const run = (script: string) => createShell({ limits: { maxVariableBytes: 5000 } }).run(script);
  const loop = (body: string) =>
    `x=${'a'.repeat(100)}; i=0; while [ $i -lt 200 ]; do ${body}; i=$((i+1)); done; echo $i`;

  it.each([
    ['of a command', 'v=$x :'],
    ['of a command, twice', 'v=$x v=$x$x true'],
    ['of a function', 'f'],
    ['that become integers', 'v=$x; v=$((i))'],
    ['that become arrays', 'v=$x; v=(1 2 3)'],
    ['that are unset', 'v=$x; unset v'],
    ['of a subshell', '(v=$x; unset x)'],
  ])('is given back by those %s', async (_name, body) => {
    expect(await run(`f() { local v=$x w=1; : "$w"; }; ${loop(body)}`)).toMatchObject({
      status: 'exited',
      stdout: '200\n',
    });
  });

  it.each([
    ['of functions that are running', 'f() { local v=$x; f; }; x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; f'],
    [
      'made of integers that were looked at',
      `i=0; while [ $i -lt 2000 ]; do v=$((i+1000000)); : $v; v=a; i=$((i+1)); done; x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done`,
    ],
  ])('is not made less by those %s', async (_name, script) => {
    expect(await run(script)).toMatchObject({ status: 'limit', message: expect.stringContaining('maxVariableBytes') });
  });
});

describe('a fork of the variables', () => {
  it('keeps what it had when its origin goes on', () => {
    const parent = new Variables(1000);
    set(parent, 'x', 'before');
    const child = parent.fork();
    set(parent, 'x', 'after');
    expect([value(parent, 'x'), value(child, 'x')]).toEqual(['after', 'before']);
  });

  it('does not change its origin', () => {
    const parent = new Variables(1000);
    set(parent, 'x', 'parent');
    const child = parent.fork();
    set(child, 'x', 'child');
    child.unset('y');
    set(child, 'z', 'new');
    child.release();
    expect([value(parent, 'x'), value(parent, 'z')]).toEqual(['parent', undefined]);
  });

  it('keeps an unset variable unset', () => {
    const parent = new Variables(1000);
    set(parent, 'x', '1');
    const child = parent.fork();
    child.unset('x');
    expect([value(parent, 'x'), value(child, 'x')]).toEqual(['1', undefined]);
  });

  it('of a fork of a fork, and so on, still finds what the first one had', () => {
    let variables = new Variables(1000);
    set(variables, 'x', '1');
    for (let i = 0; i < 50; i++) {
      const child = variables.fork();
      set(child, `v${i}`, String(i));
      variables = child;
    }
    expect([value(variables, 'x'), value(variables, 'v0'), value(variables, 'v49')]).toEqual(['1', '0', '49']);
  });

  it('lists every variable once, as it is', () => {
    const parent = new Variables(1000);
    set(parent, 'x', '1');
    set(parent, 'y', '2');
    const child = parent.fork();
    set(child, 'x', '3');
    expect([...child.all()].map(([name, variable]) => [name, variable.value])).toEqual([
      ['x', '3'],
      ['y', '2'],
    ]);
  });

  it('has plain names for what JavaScript has names for', () => {
    const variables = new Variables(1000);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(value(variables, name)).toBeUndefined();
      set(variables, name, 'mine');
      expect(value(variables, name)).toBe('mine');
    }
  });
});

describe('an integer and a text', () => {
  it('stand for each other only where they print the same', () => {
    const variables = new Variables(1000);
    const variable = variables.own('i');
    variables.setInteger(variable, 42);
    expect(variable.value).toBe('42');
    variables.setText(variable, '007');
    expect([variable.value, variable.int]).toEqual(['007', undefined]);
  });
});

describe('the size of all variables', () => {
  it('is bounded, and what is unset does not count', () => {
    const variables = new Variables(100);
    set(variables, 'x', 'a'.repeat(60));
    variables.unset('x');
    set(variables, 'y', 'a'.repeat(60));
    expect(() => set(variables, 'z', 'a'.repeat(60))).toThrow(/maxVariableBytes/);
  });
});
