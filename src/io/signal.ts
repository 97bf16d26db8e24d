/** Something that happens again and again, and that several may wait for. */
export class Signal {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** The next time it happens. */
  wait(): Promise<void> {
    this.#promise ??= new Promise<void>((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  raise(): void {
    if (this.#resolve === undefined) return;
    const resolve = this.#resolve;
    this.#promise = undefined;
    this.#resolve = undefined;
    resolve();
  }
}
