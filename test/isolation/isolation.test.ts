/** Nothing of a run is left in the next one, in another that goes on at the same time, or in the program that runs them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { openDescriptors } from '../sandbox/support.js';
import { withTree } from '../support/tree.js';

/** Whatever a script can set. */
const DIRTY = `
x=1; export x; readonly r=1; a=(1 2); declare -A m; m[k]=v; IFS=:; PATH=.; OPTIND=5; HOME=/tmp; PS4=dirty
f() { :; }; alias ll='echo dirty'; readonly -f f
set -f -u -C -a; set -o pipefail; shopt -s nullglob
set -- one two three
trap 'echo dirty' EXIT INT USR1 ERR
umask 077; cd d; pushd .. >/dev/null; cd d
exec 3>../out 4<../in 5>&1
hash ls; getopts ab z; RANDOM=5
sleep 0.01 &
false
`;

const SHOW = `
echo "status=$? args=$# bang=\${!-none} x=\${x-unset} r=\${r-unset} a=\${a-unset} m=\${m[k]-unset} opts=$-"
echo "PATH=$PATH OPTIND=$OPTIND HOME=\${HOME-unset} PS4=$PS4 IFS=$(printf %s "$IFS" | od -An -c | tr -d ' \\n')"
type f; type ll; alias; trap; umask; pwd -P; pwd; dirs; jobs; set +o; shopt; export -p
{ echo x >&3; } 2>/dev/null || echo 'closed 3'; { cat <&4; } 2>/dev/null || echo 'closed 4'
r=2; echo "$r"
echo *
`;

function snapshot() {
  return {
    cwd: process.cwd(),
    umask: process.umask(),
    env: { ...process.env },
    argv: [...process.argv],
    exitCode: process.exitCode,
    title: process.title,
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    global: Reflect.ownKeys(globalThis).map(String).sort(),
    prototypes: [Object, Array, String, Function, Map, Set, Promise, RegExp, Error, Uint8Array, Buffer].map((kind) =>
      Reflect.ownKeys(kind.prototype).map((key) => [
        String(key),
        // What a property is, not what it does: getters of a prototype want an instance.
        typeof Object.getOwnPropertyDescriptor(kind.prototype, key)?.value,
      ]),
    ),
    frozen: Object.isFrozen(Object.prototype),
  };
}

const FILES = { 'd/g': '', in: 'in\n', f: '' } as const;

describe('after a run', () => {
  it('the next one of the same shell starts as the first did', () =>
    withTree(FILES, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const show = () => shell.run(SHOW, { cwd: root });
      const first = await show();
      expect(first.stdout).toContain('status=0 args=0 bang=none x=unset r=unset a=unset m=unset');
      expect(first.stdout).toContain('closed 3\nclosed 4\n');
      const dirty = await shell.run(DIRTY, { cwd: root });
      expect(dirty.stdout).toContain('dirty');
      const out = join(root, 'out');
      await shell.run(`rm ${out}`);
      const second = await show();
      expect(second.stdout).toBe(first.stdout);
      expect(second.stderr).toBe(first.stderr);
    }));

  it('the process is as it was', () =>
    withTree(FILES, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`], timeoutMs: 5000 });
      // Once before, so that what is loaded late is there.
      await shell.run(DIRTY, { cwd: root });
      const before = snapshot();
      const descriptors = openDescriptors();
      for (const script of [
        DIRTY,
        'exit 3',
        'echo ${x?no}',
        'if',
        'exec 7>out; exec sleep 0',
        'yes | head -n 1',
        'rm in; cat <(cat missing) >&9',
        'find . -exec cat {} + ; ls -R | xargs ls',
        'while :; do sleep 100 & done',
        'x=a; while :; do x=$x$x; done',
        'cd d; exec 3<g; kill $$',
        'umask 777; mkdir e; : > h',
        'exec 8<f 9<in; f() { f; }; f',
      ]) {
        await shell.run(script, { cwd: root, timeoutMs: 400 });
      }
      // A run that was stopped may have answered before all of it had come to an end.
      await expect.poll(openDescriptors, { timeout: 5000 }).toBeLessThanOrEqual(descriptors);
      expect(snapshot()).toEqual(before);
    }));
});

/** Names that mean something to every object of the language we are written in. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'length',
  'isPrototypeOf',
];

describe('names that objects have', () => {
  it.each(NAMES)('%s is a name as any other', (name) =>
    withTree({}, async (root) => {
      const shell = createShell({ mode: 'remediation', allowedPaths: [`${root}:rw`] });
      const script = `
        echo "\${N-unset} \${#N} \${N+set}"; N=v; echo "$N \${N-unset} \${#N}"; export N; env | grep N; unset N; echo "\${N-unset}"
        N() { echo "called $1"; }; N 1; type N; unset -f N; N 2>/dev/null || echo gone
        alias N='echo alias'
        N
        unalias N
        declare -A m; echo "\${m[N]-unset} \${#m[@]}"; m[N]=v; echo "\${m[N]} \${!m[@]}"; unset 'm[N]'; echo "\${#m[@]}"
        a=(1); echo "\${a[N]-x}"; echo $((N)) $((N=5)) $N
        : > N; ls; rm N; ls
        awk 'BEGIN { print ("N" in x), x["N"] + 0; x["N"] = 1; for (k in x) print k }'
        f() { local N=2; echo $N; }; f; read N <<< r; echo $N; for N in 1; do echo $N; done; printf -v N %s p; echo $N
        trap 'echo' N 2>/dev/null || echo 'no signal'; set -o N 2>/dev/null || echo 'no option'; N=t env N=u printenv N
        getopts N o; help N >/dev/null 2>&1 || echo 'no help'; N= N2=\${N:-d}; echo $N2; hash N 2>/dev/null || echo 'no hash'
      `;
      const of = (name: string) => shell.run(script.replaceAll(/\bN\b/g, name), { cwd: root });
      const [given, plain] = [await of(name), await of('plain')];
      const renamed = (text: string): string => text.replaceAll(name, 'plain');
      expect(renamed(given.stdout)).toBe(plain.stdout);
      expect(renamed(given.stderr)).toBe(plain.stderr);
      expect(given.exitCode).toBe(plain.exitCode);
      expect(({} as Record<string, unknown>)['v']).toBeUndefined();
    }),
  );

  it.each(NAMES)('%s in the policy is one too', async (name) => {
    const env = Object.fromEntries([[name, 'v']]);
    expect((await createShell({ env }).run(`echo "$${name}"`)).stdout).toBe('v\n');
    expect((await createShell({}).run(`echo "$${name}"`, { environment: env })).stdout).toBe('v\n');
    const only = createShell({ allowedCommands: [name] });
    expect((await only.run(`${name}; cat`)).stderr).toMatch(/command not found\n.*cat: not allowed/s);
    expect(() => createShell({ limits: { [name]: 1 } })).toThrow('unknown limit');
  });
});

describe('two runs at one time', () => {
  it('of one shell, and of two shells, do not see each other', () =>
    withTree({ 'a/d/g': '', 'a/in': '', 'b/d/g': '', 'b/in': '' }, async (root) => {
      const one = createShell({
        mode: 'remediation',
        allowedPaths: [`${root}/a:rw`],
        limits: { maxRemovalsPerRun: 2 },
      });
      const other = createShell({ allowedPaths: [`${root}/b`] });
      const alone = await other.run(SHOW, { cwd: join(root, 'b') });
      const slow = DIRTY.replaceAll('\n', '\nsleep 0.01\n');
      const [, second, , fourth] = await Promise.all([
        one.run(slow, { cwd: join(root, 'a') }),
        other.run(`sleep 0.05${SHOW}`, { cwd: join(root, 'b') }),
        one.run(slow.replace('3>../out', '3>../out2'), { cwd: join(root, 'a') }),
        other.run(`sleep 0.1\ntrue > new; cat ${root}/a/in; rm in`, { cwd: join(root, 'b') }),
      ]);
      expect(second.stdout).toBe(alone.stdout);
      expect(fourth.stderr).toMatch(/remediation mode required\n.*Permission denied\n.*remediation mode required/s);
      expect(fourth.removals).toEqual({ made: 0, left: 100 });
    }));
});
