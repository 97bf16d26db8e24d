/** The functions of a shell. Subshells share the table until one of them, or the shell itself, changes it. */
import type { ShellFunction } from './state.js';

interface Shared {
  readonly functions: Map<string, ShellFunction>;
  /** Tables that look at it. */
  users: number;
}

export class FunctionTable {
  #shared: Shared;

  constructor(shared: Shared = { functions: new Map(), users: 1 }) {
    this.#shared = shared;
  }

  get isEmpty(): boolean {
    return this.#shared.functions.size === 0;
  }

  /** Sorted. */
  names(): string[] {
    return [...this.#shared.functions.keys()].sort();
  }

  get(name: string): ShellFunction | undefined {
    return this.#shared.functions.get(name);
  }

  /** Defines a function; undefined takes it away. */
  set(name: string, value: ShellFunction | undefined): void {
    const before = this.#shared;
    if (before.users > 1) {
      before.users -= 1;
      this.#shared = { functions: new Map(before.functions), users: 1 };
    }
    if (value === undefined) this.#shared.functions.delete(name);
    else this.#shared.functions.set(name, value);
  }

  /** For a subshell. `release` when it has ended. */
  fork(): FunctionTable {
    this.#shared.users += 1;
    return new FunctionTable(this.#shared);
  }

  release(): void {
    this.#shared.users -= 1;
  }
}
