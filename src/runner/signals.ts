/**
 * Signals that a script sends with `kill`, or the host sends to the command line. Everything runs in one process here, so a signal
 * goes to a group: a job, a nested `sh`, or the run itself, each with the subshells it started.
 */
import { completion, type Outcome } from '../../builtins/kit/outcome.js';
import { signalNumber } from '../../builtins/kit/signals.js';
import { type Awaitable, lastly } from '../steps.js';
import { evaluate } from './run.js';
import type { ShellState } from './state.js';

/** Signals whose default is to do nothing. */
const HARMLESS = new Set(['CHLD', 'CONT', 'URG', 'WINCH']);

export class SignalGroup {
  /** The shell that traps for the group; its subshells have reset their traps. */
  leader: ShellState | undefined = undefined;
  /** Signals with a trap, which the leader has not taken yet. */
  readonly pending: string[] = [];
  /** 128 and the number of the signal that ended the group, once there is one. */
  #fatal: number | undefined = undefined;
  /** The signal was for a job, whose subshells nobody else would end; `kill $$` ends the shell and leaves its subshells. */
  #everyone = false;
  /** The leader is one command and nothing else, which takes the signals as if it had been executed in its place. */
  direct = false;
  /** Its streams are guarded (`guardStreams`): who waits at one of them hears of a signal that ends the group. */
  guarded = false;
  /** The command that does, while it runs. */
  #inPlace: ((signal: string) => void) | undefined = undefined;
  readonly #members = new Set<SignalGroup>();
  readonly #wakers = new Set<() => void>();

  /** A group whose end ends `member` too: a nested shell inside a job. */
  adopt(member: SignalGroup): () => void {
    if (this.#fatal !== undefined && this.#everyone) member.#end(this.#fatal, true);
    this.#members.add(member);
    return () => {
      this.#members.delete(member);
    };
  }

  /** From now on, until what this answers is called, `take` gets the signals, where `shell` is nothing but the command it runs. */
  handOver(shell: ShellState, take: (signal: string) => void): () => void {
    if (!this.direct || this.leader !== shell) return () => {};
    this.#inPlace = take;
    return () => {
      if (this.#inPlace === take) this.#inPlace = undefined;
    };
  }

  /** Whether a shell of the group has anything to do about a signal before its next command. */
  concerns(shell: ShellState): boolean {
    if (this.pending.length > 0 && this.leader === shell) return true;
    return this.#fatal !== undefined && (this.#everyone || this.leader === shell);
  }

  /** No signal is pending for any shell of the group, and none has ended it. */
  get isQuiet(): boolean {
    return this.pending.length === 0 && this.#fatal === undefined;
  }

  /** The status of the signal that ends `shell`, if one does. */
  fatalFor(shell: ShellState): number | undefined {
    return this.#everyone || this.leader === shell ? this.#fatal : undefined;
  }

  /** `everyone`: the subshells of the group are meant too. */
  deliver(signal: string, everyone: boolean): void {
    const action = signal === 'KILL' || signal === 'STOP' ? undefined : this.leader?.traps.get(signal);
    if (action === '') return;
    if (this.#inPlace !== undefined) {
      this.#inPlace(signal);
      return;
    }
    if (action === undefined && HARMLESS.has(signal)) return;
    if (action !== undefined) this.pending.push(signal);
    else this.#end(128 + signalNumber(signal), everyone);
    this.#wake();
  }

  #end(status: number, everyone: boolean): void {
    this.#fatal ??= status;
    this.#everyone ||= everyone;
    if (!everyone) return;
    for (const member of this.#members) {
      member.#end(status, true);
      member.#wake();
    }
  }

  #wake(): void {
    const wakers = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of wakers) wake();
  }

  /** Settles when the next signal comes; `forget` when nobody waits any more. */
  next(): { readonly came: Promise<void>; readonly forget: () => void } {
    let wake = () => {};
    const came = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#wakers.add(wake);
    return { came, forget: () => this.#wakers.delete(wake) };
  }
}

/**
 * Before a command: a signal that ends the group ends this shell; one with a trap has its action run. Undefined: go on.
 */
export function takeSignals(shell: ShellState): Awaitable<Outcome | undefined> {
  const { signals } = shell;
  for (;;) {
    const fatal = signals.fatalFor(shell);
    if (fatal !== undefined) return completion('exit', fatal);
    const signal = signals.leader === shell ? signals.pending.shift() : undefined;
    if (signal === undefined) return undefined;
    const { status, trapStatus, pipeStatus } = shell;
    shell.trapStatus = status;
    const outcome = lastly(
      () => evaluate(shell, shell.traps.get(signal) ?? '', 'trap'),
      () => {
        shell.trapStatus = trapStatus;
        shell.pipeStatus = pipeStatus;
      },
    );
    if (outcome instanceof Promise) {
      return outcome.then((late) => {
        if (typeof late !== 'number') return late;
        shell.status = status;
        return takeSignals(shell);
      });
    }
    if (typeof outcome !== 'number') return outcome;
    shell.status = status;
  }
}
