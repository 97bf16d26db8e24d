/**
 * A policy is data: what a run may do. Whatever it does not name is not allowed.
 *
 * The JSON form carries a version. What a version means never changes: a new default is a new version.
 */
import { isAbsolute, resolve } from 'node:path';
import { DEFAULT_LIMITS, isLimitName, LIMITS, type Limits } from '../limits.js';
import { similarNames } from '../text/similar-names.js';
import { LONGEST_MS } from './duration.js';
import { repeatedKeys } from './repeated-keys.js';

export const POLICY_VERSION = 1;

export type Mode = 'read-only' | 'remediation';
export type Access = 'ro' | 'rw';
export type AuditFailure = 'end' | 'continue';

/** A root: a directory, and what may be done below it. */
export interface AllowedPath {
  /** As the caller sees it; a relative one begins at the directory of the process. */
  readonly path: string;
  /** `ro`: what is below it may be read; `rw`: changed too, in remediation mode. */
  readonly access: Access;
}

/** What a caller writes. Every key may be left out; then the least is granted. */
export interface Policy {
  /** Of the format: 1. In a file it has to be there. */
  readonly version?: typeof POLICY_VERSION | undefined;
  /** `remediation` lets files be changed inside `rw` roots. */
  readonly mode?: Mode | undefined;
  /** The roots. The text form is `DIR`, `DIR:ro` or `DIR:rw`; without a suffix it is read-only. */
  readonly allowedPaths?: readonly (AllowedPath | string)[] | undefined;
  /** When given: only these, special built-ins and `ALWAYS_ALLOWED`. */
  readonly allowedCommands?: readonly string[] | undefined;
  /** The commands that look at the host: `HOST_COMMANDS`. */
  readonly allowHost?: boolean | undefined;
  /**
   * Programs of the host that may be started: `NAME`, looked for in `PROGRAM_DIRECTORIES`, or `/PATH`, whose last part is the name.
   * They are not confined, so they need remediation mode; with the suffix `:ro` the caller says that this one changes nothing.
   */
  readonly external?: readonly string[] | undefined;
  /** Variables the script starts with, exported. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that a run may take; 124 is the status of one that took longer. Default: no end. */
  readonly timeoutMs?: number | undefined;
  /** Limits that are not to be the defaults of `LIMITS`, by name. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | undefined } | undefined;
  /** What becomes of a run whose audit trail cannot be kept: `end` (the default), or `continue` with a warning. */
  readonly audit?: { readonly onFailure?: AuditFailure | undefined } | undefined;
}

/** A policy with everything filled in; made once per shell, and frozen. */
export interface Grants {
  readonly mode: Mode;
  /** Absolute paths, each once. */
  readonly allowedPaths: readonly AllowedPath[];
  /** Undefined: every command but the host's. */
  readonly allowedCommands: ReadonlySet<string> | undefined;
  readonly allowHost: boolean;
  /** By the name a script calls it. */
  readonly external: ReadonlyMap<string, ExternalGrant>;
  readonly env: ReadonlyMap<string, string>;
  readonly timeoutMs: number | undefined;
  readonly limits: Limits;
  readonly audit: { readonly onFailure: AuditFailure };
}

/** A program of the host, as it is granted. */
export interface ExternalGrant {
  readonly name: string;
  /** Where it is; undefined: to be found in `PROGRAM_DIRECTORIES`. */
  readonly path: string | undefined;
  /** The caller says that it changes nothing: it may run in read-only mode. */
  readonly readOnly: boolean;
}

/** Where programs are looked for that are granted by name. The caller's `$PATH` grants nothing. */
export const PROGRAM_DIRECTORIES: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/** Commands no list of allowed commands has to name: they touch nothing. */
export const ALWAYS_ALLOWED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'test',
  '[',
  'echo',
  'printf',
  'read',
  'cd',
  'pwd',
  'help',
]);

/** Commands that look beyond the roots, at the host: only with `allowHost`, or by name. */
export const HOST_COMMANDS: ReadonlySet<string> = new Set(['ps', 'free', 'vmstat', 'ss', 'ip', 'lsof', 'pgrep']);

/**
 * Whether the policy lets a command that is inside run. Special built-ins are part of the language: nobody asks for them here.
 */
export function allowsCommand(grants: Grants, name: string): boolean {
  if (grants.allowedCommands !== undefined) {
    if (grants.allowedCommands.has(name) || ALWAYS_ALLOWED.has(name)) return true;
    return HOST_COMMANDS.has(name) && grants.allowHost;
  }
  return !HOST_COMMANDS.has(name) || grants.allowHost;
}

/** One thing that is wrong with a policy. */
export interface PolicyProblem {
  /** Where: `limits.maxJobs`, `allowedPaths[1].access`; `` for the whole document. */
  readonly key: string;
  readonly message: string;
}

/** A policy that cannot be used. Nothing runs under half a policy. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  /** All that is wrong with it. */
  readonly problems: readonly PolicyProblem[];
  /** The message has a line for each problem. */
  constructor(problems: readonly PolicyProblem[]) {
    super(problems.map(({ key, message }) => (key === '' ? message : `${key}: ${message}`)).join('\n'));
    this.problems = problems;
  }
}

/** `DIR`, `DIR:ro` or `DIR:rw`. A directory whose own name ends so is written with its suffix: `odd:rw:ro`. */
export function parseAllowedPath(text: string): AllowedPath {
  const suffix = text.slice(-3);
  if (suffix === ':ro') return { path: text.slice(0, -3), access: 'ro' };
  if (suffix === ':rw') return { path: text.slice(0, -3), access: 'rw' };
  return { path: text, access: 'ro' };
}

/** `NAME`, `/PATH`, and the same with `:ro`. */
export function parseExternal(text: string): ExternalGrant {
  const readOnly = text.endsWith(':ro');
  const word = readOnly ? text.slice(0, -3) : text;
  const slash = word.lastIndexOf('/');
  return { name: word.slice(slash + 1), path: slash < 0 ? undefined : word, readOnly };
}

/**
 * Checks a policy that a program wrote and fills in what it left out. Relative roots are taken from `directory`. Throws
 * PolicyError with everything that is wrong.
 */
export function grantsOf(policy: Policy, directory: string = process.cwd()): Grants {
  const checked = ownCopy(check(ownCopy(policy), false));
  const roots = new Map<string, AllowedPath>();
  const problems: PolicyProblem[] = [];
  for (const [index, given] of (checked.allowedPaths ?? []).entries()) {
    const root = typeof given === 'string' ? parseAllowedPath(given) : given;
    const path = isAbsolute(root.path) ? resolve(root.path) : resolve(directory, root.path);
    const earlier = roots.get(path);
    if (earlier !== undefined && earlier.access !== root.access) {
      problems.push({ key: `allowedPaths[${index}]`, message: `'${root.path}' is both ro and rw` });
    }
    roots.set(path, { path, access: root.access });
  }
  const external = new Map<string, ExternalGrant>();
  for (const [index, given] of (checked.external ?? []).entries()) {
    const grant = parseExternal(given);
    const earlier = external.get(grant.name);
    if (earlier !== undefined && (earlier.path !== grant.path || earlier.readOnly !== grant.readOnly)) {
      problems.push({ key: `external[${index}]`, message: `'${grant.name}' is granted in two ways` });
    }
    external.set(grant.name, grant);
  }
  if (problems.length > 0) throw new PolicyError(problems);
  return Object.freeze({
    mode: checked.mode ?? 'read-only',
    allowedPaths: [...roots.values()],
    allowedCommands: checked.allowedCommands && new Set(checked.allowedCommands),
    allowHost: checked.allowHost ?? false,
    external,
    env: new Map(Object.entries(checked.env ?? {})),
    timeoutMs: checked.timeoutMs,
    limits: Object.freeze({ ...DEFAULT_LIMITS, ...dropUndefined(checked.limits ?? {}) }),
    audit: { onFailure: checked.audit?.onFailure ?? 'end' },
  });
}

/**
 * A policy as it is now, with what is its own: nothing that a prototype has is a grant, a getter is asked once, and who changes the
 * original later grants nothing.
 */
export function ownCopy<T>(value: T): T {
  if (Array.isArray(value)) return Array.from(value, ownCopy) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = ownCopy((value as Record<string, unknown>)[key]);
  return copy as T;
}

/** Reads a policy document: JSON text. Its version must be there. Throws PolicyError. */
export function parsePolicy(text: string): Policy {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PolicyError([{ key: '', message: `not JSON: ${withLine(why, text)}` }]);
  }
  const twice = repeatedKeys(text, at);
  if (twice.length > 0) throw new PolicyError(twice.map((key) => ({ key, message: 'given twice' })));
  return check(document, true);
}

/** Node 20 says `at position 44` alone: where that is in a text of many lines only an editor can tell. */
function withLine(message: string, text: string): string {
  return message.replace(/ at position (\d+)$/, (whole, position: string) => {
    const lines = text.slice(0, Number(position)).split('\n');
    return `${whole} (line ${lines.length} column ${(lines.at(-1) ?? '').length + 1})`;
  });
}

function dropUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // The filter is what makes the type true: no undefined value is left.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

// ------------------------------------------------------------------------------------------------------ checking

/** What is wrong with a value, told through `report`. */
type Rule = (value: unknown, key: string, report: (key: string, message: string) => void) => void;

interface Field {
  readonly rule: Rule;
  /** Its JSON schema, and what it means in half a line. */
  readonly schema: object;
  readonly description: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `allowedPaths.x` for a name, `env["a b"]` for what is not one. */
const at = (key: string, name: string): string => {
  const word = /^\w+$/.test(name) ? name : undefined;
  if (key === '') return word ?? JSON.stringify(name);
  return word === undefined ? `${key}[${JSON.stringify(name)}]` : `${key}.${word}`;
};

const oneOf =
  (...values: readonly (string | number)[]): Rule =>
  (value, key, report) => {
    if (!values.some((one) => one === value)) {
      report(key, `must be ${values.map((one) => JSON.stringify(one)).join(' or ')}, not ${show(value)}`);
    }
  };

const pathText: Rule = (value, key, report) => {
  if (typeof value !== 'string') report(key, `must be text, not ${show(value)}`);
  else if (value === '') report(key, 'must not be empty');
  else if (value.includes('\0')) report(key, 'must not hold a NUL character');
};

const commandName: Rule = (value, key, report) => {
  if (typeof value !== 'string') report(key, `must be the name of a command, not ${show(value)}`);
  else if (value === '' || /[\s/\0]/.test(value)) report(key, `must be the name of a command, not ${show(value)}`);
};

const programName: Rule = (value, key, report) => {
  const { name, path } = typeof value === 'string' ? parseExternal(value) : { name: '', path: undefined };
  if (name === '' || name === '.' || name === '..' || /[\s:\0]/.test(name) || path?.startsWith('/') === false) {
    report(key, `must be NAME or /PATH of a program, either with :ro or without, not ${show(value)}`);
  } else if (path?.includes('\0') === true) report(key, 'must not hold a NUL character');
};

const listOf =
  (rule: Rule): Rule =>
  (value, key, report) => {
    if (!Array.isArray(value)) report(key, `must be a list, not ${show(value)}`);
    else for (const [index, item] of value.entries()) rule(item, `${key}[${index}]`, report);
  };

const allowedPath: Rule = (value, key, report) => {
  if (typeof value === 'string') {
    pathText(parseAllowedPath(value).path, key, report);
    // `logs:rwx` is a slip, not the directory of that name, which is written with an access: `logs:rwx:ro`.
    const suffix = /:[a-z]{1,3}$/i.exec(value)?.[0];
    if (suffix !== undefined && suffix !== ':ro' && suffix !== ':rw')
      report(key, `'${suffix}' is no access: write :ro or :rw`);
    return;
  }
  if (!isObject(value)) {
    report(key, `must be {"path": ..., "access": "ro" or "rw"} or a text such as "DIR:ro", not ${show(value)}`);
    return;
  }
  for (const name of Object.keys(value)) if (name !== 'path' && name !== 'access') report(at(key, name), 'unknown key');
  pathText(value['path'], at(key, 'path'), report);
  oneOf('ro', 'rw')(value['access'], at(key, 'access'), report);
};

const variables: Rule = (value, key, report) => {
  if (!isObject(value)) {
    report(key, `must be an object of names and values, not ${show(value)}`);
    return;
  }
  for (const [name, text] of Object.entries(value)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) report(at(key, name), 'not a name of a variable');
    else if (typeof text !== 'string') report(at(key, name), `must be text, not ${show(text)}`);
    else if (text.includes('\0')) report(at(key, name), 'must not hold a NUL character');
  }
};

const limits: Rule = (value, key, report) => {
  if (!isObject(value)) {
    report(key, `must be an object of names and numbers, not ${show(value)}`);
    return;
  }
  for (const [name, number] of Object.entries(value)) {
    if (!isLimitName(name)) report(at(key, name), `unknown limit${meant(name, Object.keys(LIMITS))}`);
    else if (number !== undefined && !(Number.isSafeInteger(number) && Number(number) >= 0)) {
      report(at(key, name), `must be a whole number, 0 or more, not ${show(number)}`);
    }
  }
};

/** What a name that is not known may be a slip of. */
function meant(name: string, names: readonly string[]): string {
  const like = similarNames(name, names);
  return like.length === 0 ? '' : ` (${like.join(' or ')}?)`;
}

const audit: Rule = (value, key, report) => {
  if (!isObject(value)) {
    report(key, `must be an object such as {"onFailure": "continue"}, not ${show(value)}`);
    return;
  }
  for (const [name, one] of Object.entries(value)) {
    if (name !== 'onFailure') report(at(key, name), 'unknown key');
    else if (one !== undefined) oneOf('end', 'continue')(one, at(key, name), report);
  }
};

const names = { type: 'array', items: { type: 'string', minLength: 1, pattern: '^[^\\s/]+$' } };
const pathSchema = { type: 'string', minLength: 1 };

export const POLICY_FIELDS: { readonly [Key in keyof Required<Policy>]: Field } = {
  version: {
    rule: oneOf(POLICY_VERSION),
    schema: { const: POLICY_VERSION },
    description: 'Version of this document.',
  },
  mode: {
    rule: oneOf('read-only', 'remediation'),
    schema: { enum: ['read-only', 'remediation'] },
    description: 'Whether files may be changed at all. Default: read-only.',
  },
  allowedPaths: {
    rule: listOf(allowedPath),
    schema: {
      type: 'array',
      items: {
        anyOf: [
          pathSchema,
          {
            type: 'object',
            properties: { path: pathSchema, access: { enum: ['ro', 'rw'] } },
            required: ['path', 'access'],
            additionalProperties: false,
          },
        ],
      },
    },
    description:
      'Directories that may be looked at (ro) or changed (rw). As text: DIR, DIR:ro or DIR:rw. Default: none.',
  },
  allowedCommands: {
    rule: listOf(commandName),
    schema: names,
    description:
      'When given, only these commands, special built-ins and a few that touch nothing. Default: all but the host commands.',
  },
  allowHost: {
    rule: (value, key, report) => {
      if (typeof value !== 'boolean') report(key, `must be true or false, not ${show(value)}`);
    },
    schema: { type: 'boolean' },
    description: `Whether commands may look at the host (${[...HOST_COMMANDS].join(' ')}). Default: false.`,
  },
  external: {
    rule: listOf(programName),
    schema: { type: 'array', items: { type: 'string', pattern: '^(/(.*/)?)?[^\\s/:]+(:ro)?$' } },
    description:
      'Programs of the host that may be started: NAME or /PATH. They are not confined, and need remediation mode; NAME:ro says that one changes nothing. Default: none.',
  },
  env: {
    rule: variables,
    schema: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      additionalProperties: { type: 'string' },
    },
    description: 'Variables the script starts with. Default: none.',
  },
  timeoutMs: {
    rule: (value, key, report) => {
      if (typeof value !== 'number' || !(value > 0 && value <= LONGEST_MS)) {
        report(key, `must be a number of milliseconds, more than 0 and at most ${LONGEST_MS}, not ${show(value)}`);
      }
    },
    schema: { type: 'number', exclusiveMinimum: 0, maximum: LONGEST_MS },
    description: 'Milliseconds after which the run is ended with status 124. Default: none.',
  },
  limits: {
    rule: limits,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(LIMITS).map(([name, row]) => [
          name,
          { type: 'integer', minimum: 0, default: row.value, description: `${row.unit}: ${row.why}` },
        ]),
      ),
      additionalProperties: false,
    },
    description: 'Limits of a run that differ from the defaults.',
  },
  audit: {
    rule: audit,
    schema: {
      type: 'object',
      properties: { onFailure: { enum: ['end', 'continue'], default: 'end' } },
      additionalProperties: false,
    },
    description: 'What becomes of a run whose audit trail cannot be kept: it ends, or continues with a warning.',
  },
};

function check(document: unknown, versioned: boolean): Policy {
  const problems: PolicyProblem[] = [];
  const report = (key: string, message: string): void => void problems.push({ key, message });
  if (!isObject(document)) throw new PolicyError([{ key: '', message: `must be an object, not ${show(document)}` }]);
  if (versioned && !Object.hasOwn(document, 'version')) report('version', `missing; this rmsh reads ${POLICY_VERSION}`);
  for (const [key, value] of Object.entries(document)) {
    // What an editor checks the document by: it grants nothing.
    if (key === '$schema' && versioned) {
      if (typeof value !== 'string') report(key, `must be the address of the schema, not ${show(value)}`);
    } else if (!isField(key)) report(at('', key), `unknown key${meant(key, Object.keys(POLICY_FIELDS))}`);
    // A program may write undefined for a key it leaves out; JSON has no such thing.
    else if (value !== undefined) POLICY_FIELDS[key].rule(value, key, report);
  }
  if (problems.length > 0) throw new PolicyError(problems);
  const { $schema: _, ...policy } = document;
  // Every key and every value has been looked at above: this is a Policy.
  return policy as Policy;
}

function isField(key: string): key is keyof Policy {
  return Object.hasOwn(POLICY_FIELDS, key);
}

/** A value as a message shows it: short, and never a whole document. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  // JSON has no text for these two.
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  if (text === undefined) return `a ${typeof value}`;
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
