/** Between a program of the host and what is only in this process: pipes of the kernel, fed and drained as far as their other ends go. */
import { isBrokenPipe, isFsError, isSignalled } from '../errors.js';
import type { InputPipe, OutputPipe } from '../io/programs.js';
import { type ByteSink, type ByteSource, type Description, putBack } from '../io/streams.js';
import type { ShellState } from './state.js';

/** Gives a program its input. What it has not read when it ends is the next reader's, as if it had shared the descriptor. */
export class Feed {
  readonly #shell: ShellState;
  readonly #pipe: InputPipe;
  readonly #source: ByteSource;
  #over = false;
  /** While bytes wait for room in the pipe. */
  #writing: Promise<number> | undefined;
  #feeding: Promise<void> | undefined;

  constructor(shell: ShellState, pipe: InputPipe, source: ByteSource) {
    this.#shell = shell;
    this.#pipe = pipe;
    this.#source = source;
  }

  begin(): void {
    this.#feeding = this.#feed().catch((error: unknown) => {
      // The end of our shell or of the run is for who waits for the program to notice; an error of reading ends the input.
      if (isFsError(error)) this.#pipe.end();
    });
  }

  async #feed(): Promise<void> {
    const source = this.#source;
    while (!this.#over) {
      if (source.start === source.end && !(await source.fill())) {
        // The end that comes because all is stopped is no end of the input.
        if (!this.#over && !this.#stopped()) this.#pipe.end();
        return;
      }
      if (this.#over) return;
      const written = this.#pipe.write(source.buffer.subarray(source.start, source.end), 0);
      if (written instanceof Promise) {
        this.#writing = written;
        const late = await written;
        this.#writing = undefined;
        source.start += late;
      } else source.start += written;
    }
  }

  #stopped(): boolean {
    return this.#shell.scope.ticker.stopped !== undefined || this.#shell.signals.fatalFor(this.#shell) !== undefined;
  }

  /** The program has ended. */
  async finish(): Promise<void> {
    this.#over = true;
    this.#pipe.end();
    if (this.#writing !== undefined) await this.#feeding;
    putBack(this.#source, this.#pipe.takeBack());
  }

  /** It was never started. */
  abandon(): void {
    this.#over = true;
    this.#pipe.takeBack();
  }
}

const CHUNK_BYTES = 65_536;

/** Takes a program's output. It goes on after the program for as long as somebody else has the pipe. */
export class Drain {
  readonly #shell: ShellState;
  readonly #pipe: OutputPipe;
  readonly #description: Description;
  readonly #sink: ByteSink;
  #over = false;
  #abandoned: (() => void) | undefined;
  #done: Promise<void> = Promise.resolve();
  /** Whether all that has come is written, and how often more came. */
  #idle = false;
  #chunks = 0;
  #whenIdle: (() => void) | undefined;

  constructor(shell: ShellState, pipe: OutputPipe, description: Description, sink: ByteSink) {
    this.#shell = shell;
    this.#pipe = pipe;
    this.#description = description;
    this.#sink = sink;
  }

  begin(fail: (error: unknown) => void): void {
    const { outlived } = this.#shell.scope;
    this.#description.retain();
    outlived.add(this);
    this.#done = this.#drain().then(
      () => this.#release(fail),
      (error: unknown) => {
        // A reader that has left, or a full disk: the program's next write tells it.
        if (!isBrokenPipe(error) && !isFsError(error) && !isSignalled(error)) fail(error);
        return this.#release(fail);
      },
    );
  }

  async #drain(): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const reader = this.#pipe.openReader(buffer);
    this.#abandoned = () => reader.close();
    try {
      while (!this.#over) {
        let length = reader.read();
        if (length === undefined) {
          this.#idle = true;
          this.#whenIdle?.();
          length = await reader.wait();
          this.#idle = false;
        }
        if (length === 0) return;
        this.#chunks++;
        const turn = this.#sink.write(buffer.subarray(0, length));
        if (turn !== undefined) await turn;
        const tick = this.#shell.scope.tick();
        if (tick !== undefined) await tick;
      }
    } finally {
      this.#over = true;
      reader.close();
    }
  }

  async #release(fail: (error: unknown) => void): Promise<void> {
    this.#shell.scope.outlived.delete(this);
    try {
      await this.#description.release();
    } catch (error) {
      if (!isBrokenPipe(error) && !isFsError(error)) fail(error);
    }
  }

  /**
   * After the program's end: settles when all that it has written is taken. Where the pipe does not end, because the program has left
   * somebody behind, that is when two turns of the event loop have brought nothing more.
   */
  async emptied(): Promise<void> {
    for (let quiet = 0; quiet < 2 && !this.#over; ) {
      const chunks = this.#chunks;
      if (!this.#idle) await Promise.race([this.#done, this.#nextIdle()]);
      await Promise.race([this.#done, new Promise<void>((resolve) => setImmediate(resolve))]);
      quiet = this.#idle && chunks === this.#chunks ? quiet + 1 : 0;
    }
    if (this.#over) await this.#done;
  }

  #nextIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  /** Takes no more: who still writes is told by a broken pipe. */
  abandon(): void {
    this.#over = true;
    if (this.#abandoned === undefined) this.#pipe.close();
    else this.#abandoned();
  }
}
