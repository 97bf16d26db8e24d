/** Things by name: functions, aliases. Subshells share the table until one of them, or the shell itself, changes it. */
interface Shared<Value> {
  readonly values: Map<string, Value>;
  /** Tables that look at it. */
  users: number;
}

export class SharedTable<Value> {
  #shared: Shared<Value>;

  constructor(shared: Shared<Value> = { values: new Map(), users: 1 }) {
    this.#shared = shared;
  }

  get isEmpty(): boolean {
    return this.#shared.values.size === 0;
  }

  /** What the table holds now; a change may make another map. */
  get values(): ReadonlyMap<string, Value> {
    return this.#shared.values;
  }

  /** Sorted. */
  names(): string[] {
    return [...this.#shared.values.keys()].sort();
  }

  get(name: string): Value | undefined {
    return this.#shared.values.get(name);
  }

  /** Undefined takes the name away. */
  set(name: string, value: Value | undefined): void {
    const before = this.#shared;
    if (before.users > 1) {
      before.users -= 1;
      this.#shared = { values: new Map(before.values), users: 1 };
    }
    if (value === undefined) this.#shared.values.delete(name);
    else this.#shared.values.set(name, value);
  }

  /** For a subshell. `release` when it has ended. */
  fork(): SharedTable<Value> {
    this.#shared.users += 1;
    return new SharedTable(this.#shared);
  }

  release(): void {
    this.#shared.users -= 1;
  }
}
