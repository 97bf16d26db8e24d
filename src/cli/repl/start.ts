/** Puts the prompt together: the terminal, the history's file, the runs. Loaded only where there is a prompt. */
import { dirname, join, resolve } from 'node:path';
import type { AuditRequest } from '../../audit.js';
import { isFsError } from '../../errors.js';
import { type HostStreams, hostStreams } from '../../io/host.js';
import type { HostPort, HostReader } from '../../io/host-port-types.js';
import type { Grants } from '../../policy/policy.js';
import { lineReader } from '../../runner/script-stream.js';
import { SourceText } from '../../runner/source.js';
import { Run, type RunSetup } from '../../runner/start.js';
import { appendHostFile, makeHostDirectory, readHostFile, replaceHostFile } from '../../sandbox/host-files.js';
import { createHostPort } from '../../sandbox/host-port.js';
import { sandboxStore } from '../../sandbox/store.js';
import { decode, encode } from '../../text/bytes.js';
import { LineEditor } from '../line-editor/editor.js';
import type { HistoryFile } from '../line-editor/history.js';
import { complete } from './completion.js';
import { highlight } from './highlight.js';
import { knowledgeOf } from './knowledge.js';
import { PlainReader } from './plain-reader.js';
import { ProgressLine } from './progress.js';
import { type ReplHost, repl, type Session } from './repl.js';
import { HostTerminal } from './terminal.js';

export interface ReplRequest {
  readonly grants: Grants;
  readonly cwd: string | undefined;
  readonly args: readonly string[];
  readonly settings: number;
  readonly rcFile: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The audit trail of the next run; undefined: nobody wants one. */
  readonly nextAudit: (() => AuditRequest) | undefined;
  /** What a run is made of that is the same for every program. */
  readonly common: Pick<RunSetup, 'findPrograms' | 'hostHas' | 'host' | 'pid' | 'parentPid' | 'topics'>;
}

/** The status of the shell at its end. */
export async function startRepl(request: ReplRequest): Promise<number> {
  const { grants, environment } = request;
  const streams = new Streams();
  const editing = streams.isTerminal && (environment['TERM'] ?? 'dumb') !== 'dumb';
  const colour = editing && (environment['NO_COLOR'] ?? '') === '';
  const terminal = editing ? new HostTerminal(colour) : undefined;
  streams.terminal = terminal;
  streams.progress = terminal === undefined ? undefined : new ProgressLine(terminal);
  let warned = false;
  const host: ReplHost = {
    colour,
    clears: editing,
    get streams() {
      return streams.now;
    },
    renewStreams: () => streams.renew(),
    say: (text) => streams.say(text),
    showProgress: () => streams.progress?.show() ?? (() => {}),
    makeRun: (previous, { onEffect, own, commandNotFound }) => {
      const run = new Run({
        ...request.common,
        grants,
        makeStore: sandboxStore,
        descriptors: [0, 1, 2].map((number) => streams.now.description(number)),
        terminal: streams.now.description(0),
        cwd: resolve(request.cwd ?? process.cwd()),
        zero: 'rmsh',
        args: request.args,
        onEffect,
        own,
        commandNotFound,
        audit: request.nextAudit?.(),
        onWarning: (warning) => streams.say(`rmsh: warning: ${warning}\n`),
        signal: undefined,
        timeoutMs: undefined,
        flush: () => streams.now.flush(),
        onStop: () => streams.now.interrupt(),
        session: { previous, jobs: 'leave' },
      });
      if (!warned) for (const warning of run.warnings) streams.say(`rmsh: warning: ${warning}\n`);
      warned = true;
      return run;
    },
  };
  // For completion: it looks at files while nothing runs.
  const looking = sandboxStore({
    mode: 'read-only',
    roots: grants.allowedPaths.map(({ path }) => ({ path, writable: false })),
    budget: { limit: 0, used: 0, reserve: () => false, release: () => {} },
  });
  const reader = (session: Session) => {
    if (terminal === undefined) {
      return new PlainReader({
        nextLine: () => {
          const source = streams.now.description(0)?.source;
          return source === undefined ? undefined : lineReader(source, session.shell)();
        },
        say: (text) => {
          streams.say(text);
          void streams.now.flush();
        },
        isIncomplete: (text) => session.isIncomplete(text),
        terminal: streams.isTerminal,
      });
    }
    const known = knowledgeOf(session, looking);
    return new LineEditor(
      terminal,
      {
        isIncomplete: (text) => session.isIncomplete(text),
        highlight: (text) => highlight(text, (name) => session.commandState(name)),
        complete: (text, cursor) => complete(text, cursor, known),
      },
      session.history,
    );
  };
  try {
    return await repl({
      host,
      reader,
      historyFile: editing ? historyFile(environment) : undefined,
      startup: request.rcFile === undefined ? undefined : new SourceText(request.rcFile, readText(request.rcFile)),
      settings: request.settings,
      greets: editing,
    });
  } finally {
    looking.close();
    await streams.now.flush();
    streams.now.settle();
    streams.now.abort();
  }
}

function readText(path: string): string {
  return decode(readHostFile(path));
}

/** The process's descriptors, opened anew after an interrupt has closed what was waiting. */
class Streams {
  terminal: HostTerminal | undefined;
  progress: ProgressLine | undefined;
  now: HostStreams;
  readonly #port: HostPort;

  constructor() {
    const port = createHostPort();
    const streams = this;
    this.#port = {
      ...port,
      openWriter(fd, kind) {
        const writer = port.openWriter(fd, kind);
        return kind === 'terminal' ? (streams.progress?.before(writer) ?? writer) : writer;
      },
      openReader(fd, kind, buffer) {
        const reader = port.openReader(fd, kind, buffer);
        if (kind !== 'terminal') return reader;
        const ahead = { ...wrapped(reader), read: () => streams.terminal?.takeAhead(buffer) ?? reader.read() };
        return streams.progress?.whileReading(ahead) ?? ahead;
      },
    };
    this.now = hostStreams(this.#port);
  }

  get isTerminal(): boolean {
    return [0, 2].every((number) => this.now.description(number)?.facts.terminal === true);
  }

  renew(): void {
    this.now.abort();
    this.now = hostStreams(this.#port);
  }

  say(text: string): void {
    try {
      this.now
        .description(2)
        ?.sink?.writeText(text)
        ?.catch(() => {});
    } catch {
      // The terminal is gone: nobody is left to be told.
    }
  }
}

function wrapped(reader: HostReader): HostReader {
  return { read: () => reader.read(), wait: () => reader.wait(), close: () => reader.close() };
}

/** `$XDG_STATE_HOME/rmsh/history`, for its owner alone. Where it cannot be kept, the history ends with the shell. */
function historyFile(environment: ReplRequest['environment']): HistoryFile | undefined {
  const home = environment['HOME'];
  const state = environment['XDG_STATE_HOME'] || (home ? join(home, '.local/state') : undefined);
  if (state === undefined || !state.startsWith('/')) return undefined;
  const path = join(state, 'rmsh/history');
  const quietly = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  };
  return {
    read() {
      let text = '';
      quietly(() => {
        text = decode(readHostFile(path));
      });
      return text;
    },
    append: (line) =>
      quietly(() => {
        makeHostDirectory(dirname(path));
        const file = appendHostFile(path);
        try {
          file.append(encode(line));
        } finally {
          file.close();
        }
      }),
    rewrite: (text) => quietly(() => replaceHostFile(path, encode(text))),
  };
}
