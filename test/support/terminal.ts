/** A real terminal to try things in: a tmux server of its own, with keys in and the screen out. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** How long what is waited for may take, in milliseconds: a machine that is busy is slow to draw. */
const PATIENCE = 15_000;

export class Screen {
  readonly #socket: string;
  readonly #folder: string;

  /** Runs a command line of `sh` in a terminal of 80 columns and 24 rows; `over` is printed at its end, with its status. */
  constructor(command: string, size: { readonly columns: number; readonly rows: number } = { columns: 80, rows: 24 }) {
    this.#folder = mkdtempSync(join(tmpdir(), 'rmsh-tmux-'));
    this.#socket = join(this.#folder, 'socket');
    const { columns, rows } = size;
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      `${columns}`,
      '-y',
      `${rows}`,
      `${command}; echo over $?; sleep 1000`,
    );
  }

  /** As `tmux send-keys`: names of keys (`Enter`, `C-c`, `Up`), or text. */
  keys(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  /** Pastes as a terminal with bracketed paste does. */
  paste(text: string): void {
    this.#tmux('set-buffer', text);
    this.#tmux('paste-buffer', '-p');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`);
  }

  /** The rows that are not empty; `colours` with their SGR sequences. */
  rows(colours = false): string[] {
    return this.#captured(colours ? ['-e'] : []);
  }

  /** The same, with those that have been scrolled off. */
  all(): string[] {
    return this.#captured(['-S', '-']);
  }

  /** The column of the cursor, counted from 0. */
  cursorColumn(): number {
    return Number(this.#tmux('display-message', '-p', '#{cursor_x}'));
  }

  #captured(options: readonly string[]): string[] {
    return this.#tmux('capture-pane', '-p', ...options)
      .split('\n')
      .map((row) => row.trimEnd())
      .filter((row) => row !== '');
  }

  /** The rows, once `there` holds of them; throws with what is on the screen when that takes too long. */
  async until(there: (rows: readonly string[]) => boolean, what = String(there), colours = false): Promise<string[]> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const rows = this.rows(colours);
      if (there(rows)) return rows;
      if (performance.now() > end) throw new Error(`not seen: ${what}\n${this.all().join('\n')}`);
      await new Promise((wait) => setTimeout(wait, 30));
    }
  }

  /** Waits until the last row is `row`. */
  last(row: string | RegExp): Promise<string[]> {
    const is = (text: string | undefined) => (typeof row === 'string' ? text === row : row.test(text ?? ''));
    return this.until((rows) => is(rows.at(-1)), `last row ${row}`);
  }

  close(): void {
    this.#tmux('kill-server');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...words: readonly string[]): string {
    const { stdout } = spawnSync('tmux', ['-S', this.#socket, ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    });
    return stdout;
  }
}
