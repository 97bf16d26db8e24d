/** What `--help` cannot hold: `rmsh help TOPIC`, and the sections of the man page. Loaded only where they are asked for. */
import { LIMITS } from '../limits.js';
import { SET_LETTERS } from './options.js';

interface Topic {
  readonly summary: string;
  /** Paragraphs; one whose lines begin with blanks is shown as it is. */
  readonly text: readonly string[];
}

/** Short enough for a table: 64Mi, 2e6, 200. */
function short(value: number): string {
  if (value >= 1 << 20 && value % (1 << 20) === 0) return `${value >> 20}Mi`;
  return value >= 1e6 && value % 1e6 === 0 ? `${value / 1e6}e6` : String(value);
}

const limitLines = Object.entries(LIMITS).map(
  ([name, { value, why }]) => `  ${name.padEnd(18)}${short(value).padEnd(8)}${why}`,
);

const topics = {
  policy: {
    summary: 'what a script may touch, and how it is granted',
    text: [
      'By default a script may change nothing, sees no file, and starts no program of the host. Each grant is an option, or a key of the file that --policy names; options come on top of the file: lists grow, single values are replaced.',
      [
        '  --mode remediation      "mode": "remediation"',
        '  --allow-path DIR:rw     "allowedPaths": ["DIR:rw"]',
        '  --allow-command NAME    "allowedCommands": ["NAME"]',
        '  --allow-host            "allowHost": true',
        '  --allow-external NAME   "external": ["NAME"]',
        '  --env NAME=VALUE        "env": { "NAME": "VALUE" }',
        '  --timeout 30s           "timeoutMs": 30000',
        '  --limit NAME=N          "limits": { "NAME": N }',
      ].join('\n'),
      'The file is JSON with "version": 1; a key that is not known is an error. In read-only mode nothing is created, changed or removed. In remediation mode files change only below rw directories, never through a symbolic link, and never where they have a second name; of two directories, one in the other, the inner one decides. The decision is made when a command runs, on the operands it really has: xargs, eval, sh -c, traps and functions pass the same gate.',
    ],
  },
  rm: {
    summary: 'the two limits of removing',
    text: [
      'rm removes files, in remediation mode, below rw directories. It removes no directory and knows neither -r nor -f. One rm takes ten operands at most (maxRemoveOperands): with one more it refuses before anything is removed. Write xargs -n 10 rm, or find ... -exec rm {} \\;.',
      'One run removes a hundred files at most (maxRemovalsPerRun). Every loop, subshell, pipeline, background job, sh -c, xargs and find -delete draws on the same budget, and so does a mv that takes the name of another file away. When it is spent rm says so and stops; the script goes on. The caller may set both numbers, the script cannot.',
    ],
  },
  limits: {
    summary: 'the limits of a run, for --limit NAME=N',
    text: [
      limitLines.join('\n'),
      'N is a whole number, as 200, 2e6 or 64Mi: e6 stands for a million, Ki, Mi and Gi for 1024, 1048576 and 1073741824. A limit ends the run with status 1 and its name; operands and removals make only their rm fail, and captured output is cut.',
    ],
  },
  check: {
    summary: 'what a policy refuses of a script; a script tidied, and its tree',
    text: [
      'rmsh --check FILE, with the options it would run under, runs nothing and says of each command whether the policy refuses it, with the line, the reason and what to write instead. Refused: whenever it is reached. Allowed: not by the policy, as the files are now. Unknown: it depends on words that are known only when it runs. Status 1: something is refused. With --json as JSON.',
      'rmsh -n FILE only checks the syntax. rmsh --format FILE prints the script tidied, with its comments; rmsh --print-ast FILE prints its tree as JSON. Of a script with a mistake both print only the mistake, with status 2.',
    ],
  },
  audit: {
    summary: 'the record of what is done and refused',
    text: [
      'rmsh --audit FILE keeps one line of JSON for each command, change and refusal, each with the hash of the one before. Before anything is lost its line is on the disk. FILE is a regular file outside every rw directory, or /dev/fd/N. A record that cannot be kept ends the run with status 1; with "audit": { "onFailure": "continue" } in the policy the run goes on and says so.',
      'rmsh audit verify FILE finds the first line that was changed, removed, inserted or moved. 0: whole; 1: not; 2: it cannot be read. Who can write the whole file can write a whole new one: keep the last hash, which it prints, somewhere else.',
    ],
  },
  external: {
    summary: 'programs of the host',
    text: [
      '--allow-external NAME or /PATH lets a script start a program of the host. It is not confined: it has the rights of whoever started rmsh, and the script decides its arguments and its input. Grant only what you would let the script use to its end; an interpreter is everything. It runs in remediation mode only; NAME:ro is your word that it changes nothing.',
      'It is found once, when the run begins, in /usr/local/sbin, /usr/local/bin, /usr/sbin, /usr/bin, /sbin and /bin. Nothing is run that lies below an rw directory. Commands inside, built-ins and functions of the same name come first.',
    ],
  },
  prompt: {
    summary: 'keys and commands of the prompt',
    text: [
      'rmsh alone on a terminal is a prompt under the same policy. Each line is a run with a removal budget of its own. policy says what is granted, budget what the last line removed and what was refused, history what was entered, clear clears the screen.',
      [
        '  Tab                  complete a command, option, variable or file',
        '  Up, Down, Ctrl-R     go through the history, look something up in it',
        '  Right, Ctrl-E, End   take what is suggested in grey',
        '  Ctrl-A Ctrl-K Ctrl-U Ctrl-W Ctrl-Y Ctrl-_   as in Emacs',
        '  Ctrl-C               drop the line, or end what runs',
        '  Ctrl-D               leave, on an empty line; not after set -o ignoreeof',
      ].join('\n'),
      'HISTSIZE says how many entries are kept, in $XDG_STATE_HOME/rmsh/history; lines that begin with a blank are not. PS1, PS2 and PS4 are as in bash. --rcfile FILE is run first; no file is run that is not named. NO_COLOR and TERM=dumb are respected.',
    ],
  },
  status: {
    summary: 'what the exit status says',
    text: [
      [
        '  0-125   the status of the last command, or of exit',
        '  1       a limit was reached, or the record could not be kept',
        '  2       a mistake in the script or on the command line',
        '  124     the time was over (--timeout)',
        '  126     a command that may not be run',
        '  127     a command, or a script, that is not there',
        '  128+N   signal N ended it',
      ].join('\n'),
    ],
  },
  scripts: {
    summary: 'scripts that bring their policy along, and options of sh',
    text: [
      'A file may begin with',
      '  #!/usr/bin/env -S rmsh --policy /etc/rmsh/cleanup.json',
      'and is then a program that can do what that policy grants, whoever starts it. A relative path is taken from the directory it is started in: write an absolute one.',
      `The options ${Object.keys(SET_LETTERS)
        .map((letter) => `-${letter}`)
        .join(
          ' ',
        )} and -o NAME are as in sh, and with + they are off. -c takes the commands from the next word, -s from standard input. The first words help, audit and fuzz are no scripts, nor are plan, apply, undo, runs, purge and explain, which are kept for later: a script of that name is run as ./fuzz.`,
    ],
  },
} as const satisfies Record<string, Topic>;

/** By name, in the order in which they are listed. */
export const TOPICS: ReadonlyMap<string, Topic> = new Map(Object.entries(topics));

/** Undefined: there is no such topic. */
export function topicText(name: string): string | undefined {
  const topic = TOPICS.get(name);
  if (topic === undefined) return undefined;
  const paragraphs = topic.text.map((text) => (text.startsWith(' ') ? text : wrap(text)));
  return `${name}: ${topic.summary}\n\n${paragraphs.join('\n\n')}\n`;
}

/** What is under `rmsh help` besides the commands. */
export function topicList(): string {
  const lines = [...TOPICS].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return ['Topics:', ...lines, "'rmsh help TOPIC' has more, and so has the man page.", ''].join('\n');
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > 79) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
