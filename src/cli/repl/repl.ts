/** The prompt: reads a line, runs it, and goes on with the shell as the line left it. Each line is a run with a budget of its own. */
import type { statusOf } from '../../../builtins/kit/outcome.js';
import { ScriptParser } from '../../../grammar/index.js';
import type { Effect } from '../../audit.js';
import { ShellError } from '../../errors.js';
import type { HostStreams } from '../../io/host.js';
import { policyText } from '../../runner/help.js';
import { findTarget } from '../../runner/invoke.js';
import { jobText } from '../../runner/jobs.js';
import { OPTIONS } from '../../runner/options.js';
import { runText } from '../../runner/run.js';
import { SourceText } from '../../runner/source.js';
import type { Run, RunEnd, RunSetup } from '../../runner/start.js';
import type { ShellState } from '../../runner/state.js';
import type { Awaitable } from '../../steps.js';
import type { Line } from '../line-editor/editor.js';
import { History, type HistoryFile } from '../line-editor/history.js';
import { promptCommands } from './commands.js';
import type { CommandState } from './highlight.js';

/** What the program hands to the prompt. */
export interface ReplHost {
  /** A run on the process's descriptors; the first, or one that goes on where `previous` ended. */
  makeRun(previous: Run | undefined, parts: Pick<RunSetup, 'onEffect' | 'own' | 'commandNotFound'>): Run;
  /** The streams that the runs use now. */
  readonly streams: HostStreams;
  /** After an interrupt they are closed: the next run gets new ones. */
  renewStreams(): void;
  /** Text for the terminal, in order with what commands print. */
  say(text: string): void;
  /** While something runs; what it answers is called at the end. */
  showProgress(): () => void;
  readonly colour: boolean;
  /** Whether the terminal can be cleared. */
  readonly clears: boolean;
}

/** Where lines come from: the line editor, or a plain reader where the terminal cannot do more. */
export interface LineReader {
  read(prompt: string, continuation: string): Promise<Line>;
  /** The line that is being read has ended, as with Ctrl-D. */
  end(): void;
  /** SIGINT, while a line is read. */
  interrupt(): void;
}

export interface ReplOptions {
  readonly host: ReplHost;
  readonly reader: (session: Session) => LineReader;
  readonly historyFile: HistoryFile | undefined;
  /** Run before the first line: what the caller named with `--rcfile`. */
  readonly startup: SourceText | undefined;
  readonly settings: number;
  /** Says once where one is: for people, not for what is piped in. */
  readonly greets: boolean;
}

const DEFAULT_HISTORY = 1000;
/** `set -o ignoreeof` bears so many ends of the input in a row, as in bash: an input that is gone ends for ever. */
const MOST_ENDS = 10;
/** 128 and the number of SIGHUP. */
const HUNG_UP = 129;
const DEFAULT_PROMPT = 'rmsh:\\w\\$ ';

/** What the line editor asks about the shell. */
export interface Session {
  readonly history: History;
  readonly shell: ShellState;
  isIncomplete(text: string): boolean;
  commandState(name: string): CommandState;
}

/** Reads and runs lines until the end of the input, or `exit`; answers the status of the shell. */
export function repl(options: ReplOptions): Promise<number> {
  return new Repl(options).run();
}

class Repl implements Session {
  readonly #host: ReplHost;
  readonly #options: ReplOptions;
  readonly history: History;
  #run: Run;
  #running = false;
  #interrupts = 0;
  /** What the last line did, for the prompt and for `budget`; a line that only asks leaves it. */
  #last: { readonly removed: number; readonly refused: readonly Effect[] } = { removed: 0, refused: [] };
  /** What was refused in the line that runs. */
  #refused: Effect[] = [];
  #asked = false;
  readonly #parts: Parameters<ReplHost['makeRun']>[1];
  #status = 0;
  #over = false;
  /** Ctrl-D was pressed while jobs ran. */
  #warned = false;
  #hungUp = false;
  /** How often in a row the input has ended. */
  #ends = 0;

  constructor(options: ReplOptions) {
    this.#host = options.host;
    this.#options = options;
    this.#parts = {
      onEffect: (effect) => this.#note(effect),
      own: promptCommands({
        policy: () => this.#asks(policyText(this.shell.scope)),
        budget: () => this.#asks(this.#budgetText()),
        history: () => this.history.entries,
        forget: () => this.history.forget(),
        clears: options.host.clears,
      }),
      commandNotFound: ([name = '']) => this.#notFound(name),
    };
    this.#run = options.host.makeRun(undefined, this.#parts);
    const { shell } = this.#run;
    shell.options |= options.settings | OPTIONS.interactive.bit;
    shell.assign('PS1', DEFAULT_PROMPT);
    this.history = new History(options.historyFile, this.#historySize());
  }

  get shell(): ShellState {
    return this.#run.shell;
  }

  async run(): Promise<number> {
    const reader = this.#options.reader(this);
    const stopListening = this.#listen(reader);
    try {
      if (this.#options.greets) {
        const mode = this.shell.scope.grants.mode === 'remediation' ? 'remediation mode' : 'read-only mode';
        this.#host.say(`rmsh, ${mode}: 'help', 'policy' and 'budget' say what you may do\n`);
      }
      if (this.#options.startup !== undefined) await this.#execute(this.#options.startup, true);
      while (!this.#over) {
        this.#tellOfJobs();
        await this.#host.streams.flush();
        this.shell.historyNumber = this.history.entries.length + 1;
        const line = await reader.read(await this.#prompt('PS1'), await this.#prompt('PS2'));
        if (line.kind === 'lost') this.#hungUp = true;
        if (this.#hungUp || line.kind === 'lost') await this.#leave();
        else if (line.kind === 'interrupted') this.shell.status = 130;
        else if (line.kind === 'end') await this.#leave();
        else {
          this.#ends = 0;
          await this.#take(line.text);
        }
      }
    } finally {
      stopListening();
    }
    return this.#status;
  }

  async #take(text: string): Promise<void> {
    this.history.add(text, this.#historySize());
    if (text.trim() !== '') await this.#execute(new SourceText('rmsh', text), false);
  }

  #asks(answer: string): string {
    this.#asked = true;
    return answer;
  }

  /** Who types `!!` expects csh's history expansion, which no script has. */
  #notFound(name: string): number | undefined {
    if (!/^!./.test(name)) return undefined;
    this.#host.say(
      `rmsh: ${name}: the history is not expanded in a line: Up or Ctrl-R recalls one, 'history' lists them\n`,
    );
    return 127;
  }

  async #execute(source: SourceText, quiet: boolean): Promise<void> {
    this.#refused = [];
    this.#asked = false;
    if (!quiet) this.shell.commandNumber += 1;
    const end = await this.#inRun((shell) => runText(shell, source));
    const { used: removed } = end.budget;
    if (!this.#asked || removed > 0 || this.#refused.length > 0) this.#last = { removed, refused: this.#refused };
    this.#status = end.status;
    this.shell.status = end.status;
    this.#over = end.over;
    if (end.message !== undefined) this.#host.say(`rmsh: ${end.message}\n`);
    if (!quiet && end.over && end.kind !== 'exited') this.#host.say('rmsh: the session has ended\n');
  }

  /** Does something in the shell, as a run of its own. */
  async #inRun(main: (shell: ShellState) => Awaitable<number | Parameters<typeof statusOf>[0]>): Promise<RunEnd> {
    this.#run = this.#fresh ? this.#run : this.#host.makeRun(this.#run, this.#parts);
    this.#fresh = false;
    this.#running = true;
    this.#interrupts = 0;
    const erase = this.#host.showProgress();
    try {
      const end = await this.#run.execute(main);
      await this.#run.unwound;
      return end;
    } finally {
      erase();
      this.#running = false;
      if (this.#interrupts > 0) this.#host.renewStreams();
    }
  }
  /** The run has been made, and nothing was done with it yet. */
  #fresh = true;

  /** Ctrl-D, or the end of the input. */
  async #leave(): Promise<void> {
    this.#ends += 1;
    if ((this.shell.options & OPTIONS.ignoreeof.bit) !== 0 && !this.#hungUp && this.#ends <= MOST_ENDS) {
      this.#host.say('Use "exit" to leave the shell.\n');
      return;
    }
    const running = this.shell.jobs.filter(({ status }) => status === undefined);
    if (running.length > 0 && !this.#warned && !this.#hungUp) {
      this.#warned = true;
      this.#host.say('There are running jobs: once more to leave, and they end with the shell.\n');
      return;
    }
    this.#host.say('exit\n');
    await this.#execute(new SourceText('rmsh', this.#hungUp ? `exit ${HUNG_UP}` : 'exit'), true);
  }

  // -------------------------------------------------------------------------------------------------- prompt

  /** Drawing it never changes `$?`. */
  async #prompt(name: 'PS1' | 'PS2'): Promise<string> {
    const text = this.shell.variables.get(name)?.value ?? '';
    const { status, substitutionStatus, pipeStatus } = this.shell;
    let shown = text;
    if (/\$\(|`/.test(text)) {
      await this.#inRun(async (shell) => {
        shown = await shell.prompt(text);
        return status;
      });
    } else {
      try {
        shown = await this.shell.prompt(text);
      } catch (error) {
        // `set -u` and a variable that is not there: the prompt is shown as it stands.
        if (!(error instanceof Error)) throw error;
      }
    }
    Object.assign(this.shell, { status, substitutionStatus, pipeStatus });
    return name === 'PS1' ? this.#modeMark() + shown : shown;
  }

  /** In remediation mode: that it is, what a line may remove, and what the last one did. */
  #modeMark(): string {
    const { grants, budget } = this.shell.scope;
    if (grants.mode !== 'remediation') return '';
    const text = `[remediation ${budget.limit}${this.#last.removed > 0 ? `, ${this.#last.removed} removed` : ''}]`;
    return this.#host.colour ? `\x1b[33m${text}\x1b[0m ` : `${text} `;
  }

  #budgetText(): string {
    const { budget, limits, grants } = this.shell.scope;
    const { removed, refused } = this.#last;
    const lines = [
      grants.mode === 'remediation'
        ? `Each line may remove ${budget.limit} files, each rm ${limits.maxRemoveOperands}. The last line removed ${removed}.`
        : 'In read-only mode nothing is removed (--mode remediation grants it).',
      ...(refused.length === 0 ? [] : ['Refused in the last line:']),
      ...refused.map((effect) => {
        const who = effect.command === '' ? 'the shell' : effect.command;
        if (effect.action === 'run') return `  ${who}: ${effect.rule}`;
        return `  ${who}: ${effect.action} ${effect.given}: ${effect.rule ?? effect.reason ?? 'refused'}`;
      }),
    ];
    return `${lines.join('\n')}\n`;
  }

  #note(effect: Effect): void {
    if (effect.outcome === 'refused' && this.#refused.length < 20) this.#refused.push(effect);
  }

  #historySize(): number {
    const size = this.shell.variables.get('HISTSIZE')?.value;
    return size !== undefined && /^\d{1,7}$/.test(size) ? Number(size) : DEFAULT_HISTORY;
  }

  /** Jobs that have ended since the last prompt are told of once. */
  #tellOfJobs(): void {
    const { shell } = this;
    const ended = shell.jobs.filter(({ status }) => status !== undefined);
    if (ended.length === 0) return;
    this.#warned = false;
    for (const job of ended) {
      const state = job.status === 0 ? 'Done' : `Exit ${job.status}`;
      this.#host.say(`[${job.number}]+  ${state.padEnd(23)} ${jobText(job)}\n`);
      shell.waitedFor ??= new Map();
      shell.waitedFor.set(job.pid, job.status ?? 0);
    }
    shell.jobs = shell.jobs.filter(({ status }) => status === undefined);
  }

  // ----------------------------------------------------------------------------------------------- questions

  isIncomplete(text: string): boolean {
    const parser = new ScriptParser(text, { maxNesting: this.shell.limits.maxNesting });
    for (;;) {
      const result = parser.next();
      if (result.kind !== 'command') return result.kind === 'incomplete';
      if (result.hereDocumentUnterminated || result.endsInBackslash) return true;
    }
  }

  commandState(name: string): CommandState {
    if (/[$`*?[~'"\\]/.test(name) || name.includes('/')) return 'known';
    if (this.shell.aliases.get(name) !== undefined) return 'known';
    switch (findTarget(this.shell, name).kind) {
      case 'missing':
        return 'unknown';
      case 'refused':
        return 'refused';
      default:
        return 'known';
    }
  }

  // ------------------------------------------------------------------------------------------------- signals

  /**
   * Ctrl-C and Ctrl-\ go to what runs; twice, and that is ended whatever it does. A hang-up ends the shell, SIGTERM does not, as
   * in bash.
   */
  #listen(reader: LineReader): () => void {
    const toWhatRuns = (signal: 'INT' | 'QUIT'): void => {
      this.#interrupts += 1;
      if (this.#interrupts === 1) {
        this.#run.interrupt(signal);
        if (!this.shell.traps.has(signal)) this.#host.streams.interrupt();
      } else this.#run.stop(new ShellError('aborted', 'interrupted'));
    };
    const listeners: Readonly<Record<string, () => void>> = {
      SIGINT: () => (this.#running ? toWhatRuns('INT') : reader.interrupt()),
      SIGQUIT: () => {
        if (this.#running) toWhatRuns('QUIT');
      },
      SIGTERM: () => {},
      SIGHUP: () => {
        this.#hungUp = true;
        if (this.#running) this.#run.stop(new ShellError('aborted', 'hung up'));
        reader.end();
      },
    };
    for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
    return () => {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    };
  }
}
