/** `:`, `true`, `false`, `break`, `continue`, `return`, `exit`: what decides how statements end (POSIX 2.15). */
import { completion, type Outcome } from '../kit/outcome.js';
import { fail, refuse } from './output.js';
import type { Shell, ShellBuiltin } from './shell.js';

export const colon: ShellBuiltin = {
  names: [':'],
  special: true,
  summary: 'do nothing, successfully',
  usage: ': [WORD]...',
  run: () => 0,
};

export const trueBuiltin: ShellBuiltin = {
  names: ['true'],
  special: false,
  summary: 'succeed',
  usage: 'true',
  run: () => 0,
};

export const falseBuiltin: ShellBuiltin = {
  names: ['false'],
  special: false,
  summary: 'fail',
  usage: 'false',
  run: () => 1,
};

function loopBuiltin(kind: 'break' | 'continue', summary: string): ShellBuiltin {
  return {
    names: [kind],
    special: true,
    summary,
    usage: `${kind} [N]`,
    run(shell, argv) {
      if (shell.loopDepth === 0) {
        shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
        return 0;
      }
      const text = argv[1] ?? '1';
      const levels = statusNumber(text);
      if (levels === undefined) {
        fail(shell, argv, `${text}: numeric argument required`);
        return completion('builtin error', 128);
      }
      if (argv.length > 2) {
        return refuse(shell, argv, 'too many arguments');
      }
      if (levels < 1) {
        fail(shell, argv, `${text}: loop count out of range`);
        return completion('break', 1, shell.loopDepth);
      }
      return completion(kind, 0, Math.min(levels, shell.loopDepth));
    },
  };
}

export const breakBuiltin = loopBuiltin('break', 'leave a loop');
export const continueBuiltin = loopBuiltin('continue', 'go on with the next turn of a loop');

export const returnBuiltin: ShellBuiltin = {
  names: ['return'],
  special: true,
  summary: 'leave a function or a script run by .',
  usage: 'return [STATUS]',
  run(shell, argv) {
    if (!shell.inFunction && !shell.inDotScript) {
      return fail(shell, argv, "can only `return' from a function or sourced script", 2);
    }
    return leave(shell, argv, 'return');
  },
};

export const exit: ShellBuiltin = {
  names: ['exit'],
  special: true,
  summary: 'end the shell',
  usage: 'exit [STATUS]',
  run: (shell, argv) => leave(shell, argv, 'exit'),
};

function leave(shell: Shell, argv: readonly string[], kind: 'return' | 'exit'): Outcome {
  const text = argv[1];
  if (text === undefined) return completion(kind, kind === 'exit' ? shell.exitStatus : shell.status);
  const status = statusNumber(text);
  if (status === undefined) {
    fail(shell, argv, `${text}: numeric argument required`);
    return kind === 'exit' ? completion(kind, 2) : completion('builtin error', 2);
  }
  if (argv.length > 2) return refuse(shell, argv, 'too many arguments');
  return completion(kind, ((status % 256) + 256) % 256);
}

/** Decimal digits with an optional sign. */
function statusNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?[0-9]{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}
