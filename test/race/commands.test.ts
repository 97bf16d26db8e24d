/** The same races through whole commands: what walks trees, matches patterns, changes the directory, and edits in place. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createShell } from '../../src/index.js';
import { buildAttacker, PATIENCE, ROUNDS, underAttack } from './attacker.js';
import { FILE_SYSTEMS, Field } from './field.js';

const attacker = buildAttacker();
afterAll(() => attacker.remove());

/** A turn is a command, and takes as long as ten of the operations below it. */
const TURNS = Math.ceil(ROUNDS / 10);

/** Each is run in a loop, in the root. `d` is in turn a directory in it and a link that leads out of it. */
const COMMANDS: readonly string[] = [
  'find d',
  'find d/ -type f',
  'find -L . -name "[sk]*"',
  'find d/ -type f -exec cat {} +',
  'echo inside > d/f && find d/ -name f -delete',
  'find d/ -name keep -exec chmod 644 {} \\;',
  'du -a d/',
  'du -L .',
  'echo d/*',
  'echo d/sub/* */keep',
  'for f in d/*; do [ -e "$f" ] && cat "$f"; done',
  'cd d && pwd -P && cat keep; cd "$ROOT"',
  'cd d/sub && cat ../keep g && cd .. && cat keep; cd "$ROOT"',
  "sed -i 's/inside/inside/' d/keep",
  "sed -i 's/inside/inside/' d/sub/g",
  'grep -r . d/',
  'ls -lR d/',
  'cp -r d/. copy',
  'tar -cf - d | strings',
  'cat < d/keep',
  'echo inside > d/keep',
  'echo inside >> d/new',
  'truncate -s 6 d/keep',
  'mkdir d/m && rmdir d/m',
  'touch d/keep',
  'ln -s x d/s && rm d/s',
  'mv d/f d/f2 || mv d/f2 d/f',
  'cp d/keep d/copied',
];

describe.skipIf(attacker.missing !== undefined).each(FILE_SYSTEMS)(
  'on %s, while d is swapped for a link to outside',
  (_name, base) => {
    const turns = base === undefined || ROUNDS > 2000 ? TURNS : Math.ceil(TURNS / 8);

    it.each(COMMANDS)('%s', { timeout: 5 * PATIENCE }, async (command) => {
      const field = new Field(undefined, base);
      const shell = createShell({
        mode: 'remediation',
        allowedPaths: [`${field.root}:rw`],
        limits: { maxRemovalsPerRun: 1_000_000 },
      });
      const swapped = [join(field.root, 'd'), join(field.root, 'l')] as const;
      const script = `i=0; while [ $i -lt ${turns} ]; do i=$((i+1))\n${command}\ndone`;
      const once = () => shell.run(script, { cwd: field.root, environment: { ROOT: field.root } });
      const until = performance.now() + 30_000;
      let met = false;
      // Again where the two processes did not meet: on a busy machine one may not run while the other does.
      while (!met) {
        const result = await underAttack(attacker, 'exchange', swapped, once);
        expect(field.touched).toBe(false);
        expect(result.status).toBe('exited');
        for (const output of [result.stdout, result.stderr]) {
          expect(output).not.toContain('outside');
          expect(output).not.toContain('secret');
          // What the link itself says is in the root, and `ls -l` and an archive show it.
          if (!/^(?:ls|tar)/.test(command)) expect(output).not.toContain(field.out);
        }
        met = result.effects.some(({ outcome }) => outcome === 'done');
        if (performance.now() > until) break;
      }
      expect(met).toBe(true);
      field.close();
    });
  },
);
