/** The command line: words in, what to do out. Pure: it looks at nothing but what it is handed. */
import { getopt, type OptionShape } from '../../builtins/kit/getopt.js';
import { isLimitName, LIMITS, parseCount } from '../limits.js';
import { LONGEST_MS, parseDuration } from '../policy/duration.js';
import type { Mode, Policy } from '../policy/policy.js';
import { similarNames } from '../text/similar-names.js';

/** Where the commands come from. */
export type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Of standard input; the REPL, when nothing says otherwise and that is a terminal. */
  | { readonly kind: 'stdin' };

export type Level = 'kernel-anchored' | 'best-effort';

export type Only = 'check' | 'print-ast' | 'format';

export interface RunRequest {
  readonly kind: 'run';
  readonly source: Source;
  /** `$0`; undefined where the operands do not say. */
  readonly name: string | undefined;
  readonly args: readonly string[];
  /** As for `set`, in the order they were given; `-i` is `interactive`. */
  readonly settings: readonly { readonly option: string; readonly on: boolean }[];
  /** What the options grant; it comes on top of `policyFile`. */
  readonly policy: Policy;
  readonly policyFile: string | undefined;
  readonly cwd: string | undefined;
  /** Run before the first line at a prompt. */
  readonly rcFile: string | undefined;
  readonly json: boolean;
  /** Instead of running it: say what would be refused, print the script's tree, or print it tidied. */
  readonly only: Only | undefined;
  readonly requireLevel: Level | undefined;
  /** Where the audit trail is kept. */
  readonly audit: string | undefined;
}

export type Request =
  | RunRequest
  | { readonly kind: 'help' }
  /** `rmsh help [NAME]`: what the builtin of that name would say. */
  | { readonly kind: 'topic'; readonly args: readonly string[] }
  | { readonly kind: 'fuzz'; readonly args: readonly string[] }
  | { readonly kind: 'version' }
  /** `rmsh audit WORD...` */
  | { readonly kind: 'audit'; readonly args: readonly string[] }
  /** Status 2; `hint` says whether `--help` would help. */
  | { readonly kind: 'error'; readonly message: string; readonly hint: boolean };

/** What the command line is read against. */
export interface Surroundings {
  /** The caller's environment, for `--env NAME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether `-o NAME` names an option of the shell. */
  readonly isOption: (name: string) => boolean;
}

/** Words that are no script when they come first; a script of that name is run as `./fuzz`. */
const SUBCOMMANDS = new Set(['help', 'fuzz', 'audit', 'plan', 'apply', 'undo', 'runs', 'purge', 'explain']);

/** The letters of sh that `set` knows too, and `-i`. */
export const SET_LETTERS: Readonly<Record<string, string>> = {
  a: 'allexport',
  b: 'notify',
  C: 'noclobber',
  e: 'errexit',
  f: 'noglob',
  i: 'interactive',
  m: 'monitor',
  n: 'noexec',
  u: 'nounset',
  v: 'verbose',
  x: 'xtrace',
};

interface LongOption {
  readonly value?: string;
  readonly help: string;
}

/** The options with long names: `--help` and the README list them from here. */
export const LONG_OPTIONS = {
  mode: { value: 'MODE', help: "'read-only' (the default) or 'remediation'" },
  'allow-path': { value: 'DIR[:ro|:rw]', help: 'a directory to read (ro, default) or change (rw)' },
  'allow-command': { value: 'NAME', help: 'run only the commands named so, and harmless ones' },
  'allow-host': { help: 'run commands that look at the host: ps, ss ...' },
  'allow-external': { value: 'NAME[:ro]', help: 'start this host program; it is not confined' },
  env: { value: 'NAME[=VALUE]', help: 'set a variable, or pass on the one of the caller' },
  timeout: { value: 'TIME', help: 'end the run after 30s, 5m, ...; status 124' },
  limit: { value: 'NAME=N', help: 'set a limit, as maxRemovalsPerRun=20' },
  policy: { value: 'FILE', help: 'read the grants from a JSON file' },
  cwd: { value: 'DIR', help: 'start there' },
  check: { help: 'say which commands the policy refuses; run nothing' },
  'print-ast': { help: 'print the tree of the script as JSON; run nothing' },
  format: { help: 'print the script tidied, comments kept; run nothing' },
  rcfile: { value: 'FILE', help: 'at a prompt: run this first' },
  audit: { value: 'FILE', help: 'keep a record there of all that is done and refused' },
  json: { help: 'print the result as JSON, with all effects' },
  'require-level': { value: 'LEVEL', help: "do not run unless the sandbox is 'kernel-anchored'" },
  version: { help: 'print the versions and the level of the sandbox' },
  help: { help: 'print this help' },
} as const satisfies Record<string, LongOption>;

type LongName = keyof typeof LONG_OPTIONS;

/** Widened, so that every option can be asked for its value. */
const LONG: readonly (readonly [string, LongOption])[] = Object.entries(LONG_OPTIONS);

const SHAPES: readonly OptionShape[] = [
  ...LONG.map(
    ([name, option]): OptionShape => ({
      key: name,
      short: '',
      long: [name],
      argument: option.value === undefined ? 'none' : 'required',
    }),
  ),
  ...['c', 's', ...Object.keys(SET_LETTERS)].map(
    (letter): OptionShape => ({ key: letter, short: letter, long: [], argument: 'none' }),
  ),
  { key: 'o', short: 'o', long: [], argument: 'required' },
];

export const USAGE = ["rmsh [OPTION]... [FILE | -c 'COMMANDS' [NAME] | -s] [ARG]..."];

/** `--help`: it fits a screen of 24 lines. */
export function commandLineHelp(): string {
  const options = LONG.map(([name, { value, help }]) => {
    const left = `  --${name}${value === undefined ? '' : ` ${value}`}`;
    return `${left.padEnd(29)}${help}`;
  });
  return [
    ...USAGE.map((line, i) => `${i === 0 ? 'Usage:' : '  or: '} ${line}`),
    'A shell for remediation: a script can do what is granted here, and nothing else.',
    '',
    ...options,
    `  ${Object.keys(SET_LETTERS)
      .map((letter) => `-${letter}`)
      .join(' ')} -o NAME  as in sh; with + in place of - off`,
    "'rmsh help [NAME]' explains; 'rmsh audit verify FILE' checks a record.",
    '',
  ].join('\n');
}

/** Reads the words after the program's name. */
export function parseCommandLine(argv: readonly string[], around: Surroundings): Request {
  const reading = new Reading(around);
  const error = reading.read(argv);
  return error === undefined ? reading.request() : error;
}

type Refusal = Extract<Request, { kind: 'error' }>;

/** The long option that a misspelt one may be. */
function meant(option: string): string {
  const like = similarNames(option.replace(/^--/, ''), Object.keys(LONG_OPTIONS));
  return like.length === 0 ? '' : ` (${like.map((name) => `--${name}`).join(' or ')}?)`;
}

const refuse = (message: string): Refusal => ({ kind: 'error', message, hint: true });

class Reading {
  private readonly around: Surroundings;
  private readonly settings: { option: string; on: boolean }[] = [];
  private readonly paths: string[] = [];
  private readonly commands: string[] = [];
  private readonly external: string[] = [];
  /** Without a prototype: `__proto__` is a name as any other. */
  private readonly env: Record<string, string> = Object.create(null);
  private readonly limits: { -readonly [Name in keyof NonNullable<Policy['limits']>]: number } = {};
  private readonly texts: Partial<Record<'policy' | 'cwd' | 'rcfile' | 'audit', string>> = {};
  private mode: Mode | undefined;
  private allowHost = false;
  private timeoutMs: number | undefined;
  private json = false;
  private only: Only | undefined;
  private requireLevel: Level | undefined;
  /** `--help` or `--version`, the first of them. */
  private asked: 'help' | 'version' | undefined;
  private fromText = false;
  private fromStdin = false;
  private operands: readonly string[] = [];

  constructor(around: Surroundings) {
    this.around = around;
  }

  read(argv: readonly string[]): Refusal | undefined {
    let words = argv;
    for (;;) {
      const { given, operands, error } = getopt(words, SHAPES, { order: 'leading' });
      for (const { key, text } of given) {
        const refused = this.take(key, text ?? '');
        if (refused !== undefined) return refused;
      }
      if (error !== undefined) return refuse(error.message + (error.kind === 'unknown' ? meant(error.option) : ''));
      const off = operands[0];
      if (off === undefined || !/^\+[A-Za-z]/.test(off) || endedByDashes(words, operands)) {
        // POSIX: a lone `-` as the first operand is ignored.
        this.operands = off === '-' ? operands.slice(1) : operands;
        return undefined;
      }
      // getopt(3) knows only `-`: a word with `+` is read here, and getopt goes on behind it.
      words = operands.slice(1);
      for (const letter of off.slice(1)) {
        const name = letter === 'o' ? words[0] : SET_LETTERS[letter];
        if (letter === 'o') {
          if (name === undefined) return refuse("option requires an argument -- 'o'");
          if (!this.around.isOption(name)) return refuse(`'${name}' is no option of the shell`);
          words = words.slice(1);
        } else if (name === undefined) return refuse(`invalid option -- '+${letter}'`);
        if (name !== undefined) this.settings.push({ option: name, on: false });
      }
    }
  }

  private take(key: string, text: string): Refusal | undefined {
    const letter = SET_LETTERS[key];
    if (letter !== undefined) {
      this.settings.push({ option: letter, on: true });
      return undefined;
    }
    switch (key) {
      case 'c':
        this.fromText = true;
        return undefined;
      case 's':
        this.fromStdin = true;
        return undefined;
      case 'o':
        if (!this.around.isOption(text)) return refuse(`'${text}' is no option of the shell`);
        this.settings.push({ option: text, on: true });
        return undefined;
      default:
        // Every other key of SHAPES is a long name.
        return this.takeLong(key as LongName, text);
    }
  }

  private takeLong(name: LongName, text: string): Refusal | undefined {
    switch (name) {
      case 'mode':
        if (text !== 'read-only' && text !== 'remediation') {
          return refuse(`--mode: '${text}' is neither 'read-only' nor 'remediation'`);
        }
        this.mode = text;
        return undefined;
      case 'allow-path':
        if (/^(?::r[ow])?$/.test(text)) return refuse('--allow-path: no directory is named');
        this.paths.push(text);
        return undefined;
      case 'allow-command':
        if (text === '' || /[\s/]/.test(text)) return refuse(`--${name}: '${text}' is not the name of a command`);
        this.commands.push(text);
        return undefined;
      case 'allow-external':
        if (!/^(?:\/(?:.*\/)?)?[^\s/:]+(?::ro)?$/s.test(text)) {
          return refuse(`--${name}: '${text}' is neither NAME nor /PATH of a program, with :ro or without`);
        }
        this.external.push(text);
        return undefined;
      case 'allow-host':
        this.allowHost = true;
        return undefined;
      case 'env':
        return this.takeVariable(text);
      case 'timeout':
        this.timeoutMs = parseDuration(text);
        if (this.timeoutMs !== undefined) return undefined;
        return refuse(
          `--timeout: '${text}' is no time such as 30s, 5m or 500ms, up to ${Math.floor(LONGEST_MS / 86_400_000)}d`,
        );
      case 'limit':
        return this.takeLimit(text);
      case 'policy':
      case 'audit':
      case 'cwd':
      case 'rcfile':
        if (text === '') return refuse(`--${name}: nothing is named`);
        this.texts[name] = text;
        return undefined;
      case 'check':
      case 'print-ast':
      case 'format':
        if (this.only !== undefined && this.only !== name)
          return refuse(`--${this.only} and --${name} exclude each other`);
        this.only = name;
        return undefined;
      case 'json':
        this.json = true;
        return undefined;
      case 'require-level':
        if (text !== 'kernel-anchored' && text !== 'best-effort') {
          return refuse(`--require-level: '${text}' is neither 'kernel-anchored' nor 'best-effort'`);
        }
        this.requireLevel = text;
        return undefined;
      case 'version':
      case 'help':
        this.asked ??= name;
        return undefined;
    }
  }

  private takeVariable(text: string): Refusal | undefined {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refuse(`--env: '${name}' is not a name of a variable`);
    const value = equals < 0 ? this.around.environment[name] : text.slice(equals + 1);
    if (value !== undefined) this.env[name] = value;
    return undefined;
  }

  private takeLimit(text: string): Refusal | undefined {
    const [, name = '', digits] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const number = digits === undefined ? undefined : parseCount(digits);
    if (number === undefined)
      return refuse(`--limit: '${text}' is not NAME=N, with a whole number such as 200, 2e6 or 64Mi`);
    if (!isLimitName(name)) {
      return refuse(`--limit: '${name}' is not one of ${Object.keys(LIMITS).join(' ')}`);
    }
    this.limits[name] = number;
    return undefined;
  }

  request(): Request {
    if (this.asked !== undefined) return { kind: this.asked };
    if (this.fromText && this.fromStdin) return refuse('-c and -s exclude each other');
    if (this.only !== undefined && this.texts.audit !== undefined) {
      return refuse(`--${this.only} runs nothing that --audit could record`);
    }
    const [first, ...others] = this.operands;
    if (this.fromText) {
      if (first === undefined) return refuse("option requires an argument -- 'c'");
      return this.run({ kind: 'text', text: first }, others[0], others.slice(1));
    }
    if (this.fromStdin || first === undefined) return this.run({ kind: 'stdin' }, undefined, this.operands);
    if (first === 'help') return { kind: 'topic', args: others };
    if (first === 'audit') return { kind: 'audit', args: others };
    if (first === 'fuzz') return { kind: 'fuzz', args: others };
    if (SUBCOMMANDS.has(first)) {
      return {
        kind: 'error',
        message: `'${first}' is not available yet; a script of that name is run as ./${first}`,
        hint: false,
      };
    }
    if (first === '') return refuse('the name of the script is empty');
    return this.run({ kind: 'file', path: first }, first, others);
  }

  private run(source: Source, name: string | undefined, args: readonly string[]): Request {
    const [unused] = args;
    if (this.only !== undefined && unused !== undefined) {
      return refuse(`--${this.only} runs nothing that '${unused}' could be an argument of: leave it out`);
    }
    const { paths, commands, external, env, limits } = this;
    return {
      kind: 'run',
      source,
      name,
      args,
      settings: this.settings,
      policy: {
        ...(this.mode === undefined ? {} : { mode: this.mode }),
        ...(paths.length === 0 ? {} : { allowedPaths: paths }),
        ...(commands.length === 0 ? {} : { allowedCommands: commands }),
        ...(this.allowHost ? { allowHost: true } : {}),
        ...(external.length === 0 ? {} : { external }),
        ...(Object.keys(env).length === 0 ? {} : { env }),
        ...(this.timeoutMs === undefined ? {} : { timeoutMs: this.timeoutMs }),
        ...(Object.keys(limits).length === 0 ? {} : { limits }),
      },
      policyFile: this.texts.policy,
      cwd: this.texts.cwd,
      rcFile: this.texts.rcfile,
      json: this.json,
      only: this.only,
      requireLevel: this.requireLevel,
      audit: this.texts.audit,
    };
  }
}

/** Whether it was a `--`, and not the operand itself, that ended the options of `words`. */
function endedByDashes(words: readonly string[], operands: readonly string[]): boolean {
  const end = words.length - operands.length;
  // A `--` may also be an option's argument: then the words before it lack one.
  return words[end - 1] === '--' && getopt(words.slice(0, end - 1), SHAPES, { order: 'leading' }).error === undefined;
}

/** What a policy file grants, and on top what the options do: lists grow, single values are replaced. */
export function mergePolicies(file: Policy, options: Policy): Policy {
  const merged: { -readonly [Key in keyof Policy]: Policy[Key] } = { ...file, ...options };
  for (const key of ['allowedPaths', 'allowedCommands', 'external'] as const) {
    if (file[key] !== undefined && options[key] !== undefined) {
      Object.assign(merged, { [key]: [...file[key], ...options[key]] });
    }
  }
  if (file.env !== undefined) merged.env = { ...file.env, ...options.env };
  if (file.limits !== undefined) merged.limits = { ...file.limits, ...options.limits };
  return merged;
}
