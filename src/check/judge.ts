/** The verdict on one command: its name, its operands, its redirections. */
import type { FileRedirection, Redirection, SimpleCommand, Word } from '../../grammar/ast.js';
import { allowsCommand, type Grants, HOST_COMMANDS } from '../policy/policy.js';
import { type Child, childOf } from './children.js';
import { FILE_OPERANDS, type FileOperands, REMEDIATION_ONLY, TOUCH_NO_FILE, WRAPPERS } from './commands.js';
import { type Argv, argvOf, type Facts, unwrapped } from './facts.js';
import type { PathJudge } from './paths.js';
import { ALLOWED, refused, together, unknown, type Verdict } from './verdict.js';
import type { Found } from './walk.js';

/** What the interpreter has inside, as the Runner finds it. */
export interface Inside {
  /** `special`: a special built-in, which nothing shadows and every policy allows. */
  kind(name: string): 'special' | 'command' | 'path' | 'missing';
  /** The name of a command for one of its other names: `gzip` for `gunzip`. */
  canonical(name: string): string;
  /** The command that `/bin/NAME` stands for. */
  ofPath(path: string): string | undefined;
}

/** Commands that run commands that run commands are followed so deep. */
const DEPTH = 20;
const SYSTEM_FILE = /^\/(?:usr\/)?s?bin\/[^/]+$/;

export class Judge {
  readonly #grants: Grants;
  readonly #facts: Facts;
  readonly #paths: PathJudge;
  readonly #inside: Inside;

  constructor(grants: Grants, facts: Facts, paths: PathJudge, inside: Inside) {
    this.#grants = grants;
    this.#facts = facts;
    this.#paths = paths;
    this.#inside = inside;
  }

  judge({ node }: Found): Verdict {
    const redirections = 'redirections' in node ? this.#redirections(node.redirections) : ALLOWED;
    if (this.#facts.dynamic !== undefined && redirections.verdict === 'refused') {
      return unknown(`${redirections.reason}; but an alias may change what it says: ${this.#facts.dynamic}`);
    }
    // They are made first: where one is refused nothing runs.
    if (node.kind !== 'SimpleCommand' || redirections.verdict === 'refused') return redirections;
    if (node.words.length === 0) return redirections;
    const command = this.#command(node);
    // A redirection that fails for another reason comes before what the command would be refused for.
    if (command.verdict === 'refused' && redirections.verdict === 'unknown') return redirections;
    const patterns = node.words.some(isPattern)
      ? unknown('what its patterns match is known only when it runs')
      : ALLOWED;
    return together([command, redirections, patterns]);
  }

  #redirections(redirections: readonly Redirection[]): Verdict {
    const verdicts: Verdict[] = [];
    let sure = true;
    for (const one of redirections) {
      if (one.kind !== 'FileRedirection') continue;
      const verdict = this.#redirection(one);
      // One before it may fail, and then nobody gets to this one.
      verdicts.push(verdict.verdict === 'refused' && !sure ? unknown(verdict.reason) : verdict);
      if (one.target.literal !== '/dev/null' && !this.#copies(one)) sure = false;
    }
    return together(verdicts);
  }

  /** `2>&1`, in a script that closes nothing. */
  #copies({ operator, target }: FileRedirection): boolean {
    return operator.endsWith('&') && /^[012]$/.test(target.literal ?? '') && !this.#facts.closes;
  }

  #redirection({ operator, target }: FileRedirection): Verdict {
    const { literal } = target;
    if (literal === undefined) return unknown('where it is redirected to is known only when it runs');
    if (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(literal)) return ALLOWED;
    const verdict = this.#paths.judge(literal, operator === '<' ? 'read' : 'write');
    if (operator !== '>' || !this.#facts.noclobber || verdict.verdict !== 'refused') return verdict;
    return unknown(`${verdict.reason}; but with 'set -C' it may be refused because it is there`);
  }

  #command(node: SimpleCommand): Verdict {
    const whole = argvOf(node);
    const { argv, wrappers, known } = unwrapped(whole);
    const [given] = argv;
    const first = whole[0];
    if (given === undefined || first === undefined) return unknown('which command it is is known only when it runs');
    if (this.#facts.dynamic !== undefined) {
      return unknown(`'${first}' may be a function or an alias by then: ${this.#facts.dynamic}`);
    }
    if (this.#inside.kind(first) !== 'special' && this.#facts.functions.has(first))
      return unknown(`'${first}' is a function`);
    if (!known) return unknown(`what '${given}' does is known only when it runs`);
    // A function of the name behind `exec` and `command` is not asked for.
    return this.#found(given, argv, wrappers);
  }

  /** Of the command that `given` is, where it is no function; `depth`: how many commands run it, one the other. */
  #found(given: string, argv: Argv, wrappers: readonly string[], depth = 0): Verdict {
    const name = SYSTEM_FILE.test(given) ? (this.#inside.ofPath(given) ?? given) : given;
    switch (this.#inside.kind(name)) {
      case 'special':
        return wrappers.length === 0 ? this.#special(name, argv) : unknown(`'${name}' is part of the shell`);
      case 'command':
        return this.#utility(name, argv, wrappers, depth);
      case 'path':
        return this.#script(name);
      case 'missing':
        return this.#missing(name);
    }
  }

  #special(name: string, argv: Argv): Verdict {
    if (name === '.' || name === 'source') {
      const path = argv[1];
      const verdict = path?.includes('/') === true ? this.#paths.judge(path, 'read') : ALLOWED;
      return verdict.verdict === 'refused' ? verdict : unknown('what the file says is known only when it runs');
    }
    return name === 'exec' && argv.length > 1 ? unknown('what it runs is known only when it runs') : ALLOWED;
  }

  #utility(name: string, argv: Argv, wrappers: readonly string[], depth: number): Verdict {
    const canonical = this.#inside.canonical(name);
    // `command` is a command itself, and asked for first; `exec` is part of the language.
    for (const asked of [...wrappers.filter((one) => this.#inside.kind(one) !== 'special'), name]) {
      if (allowsCommand(this.#grants, asked) || allowsCommand(this.#grants, this.#inside.canonical(asked))) continue;
      const how = HOST_COMMANDS.has(asked) ? '--allow-host' : `--allow-command ${asked}`;
      return refused(`'${asked}' is not among the allowed commands`, how);
    }
    if (REMEDIATION_ONLY.has(canonical) && this.#grants.mode === 'read-only') {
      return refused(`'${name}' changes files, and the mode is read-only`, '--mode remediation');
    }
    if (name === 'rm') return this.#rm(argv);
    if (TOUCH_NO_FILE.has(name)) return ALLOWED;
    if (name === 'cd') return this.#cd(argv);
    const child = depth < DEPTH ? childOf(argv) : undefined;
    if (child !== undefined) return this.#child(name, child, depth + 1);
    const operands = FILE_OPERANDS.get(name);
    return operands === undefined
      ? unknown(`what '${name}' touches is known only when it runs`)
      : this.#files(argv, operands);
  }

  /** What is said of a command because of the one it runs. */
  #child(name: string, { argv, runs }: Child, depth: number): Verdict {
    const [run] = argv;
    // Neither asks for what is part of the language.
    if (run === undefined || this.#inside.kind(run) === 'special')
      return unknown(`what '${name}' runs is known only when it runs`);
    const verdict = this.#found(run, argv, [], depth);
    if (runs === 'only')
      return verdict.verdict === 'refused' ? { ...verdict, reason: `it runs '${run}': ${verdict.reason}` } : verdict;
    if (verdict.verdict !== 'refused') return unknown(`what '${name}' touches is known only when it runs`);
    if (runs === 'once') return refused(`it runs '${run}': ${verdict.reason}`, verdict.instead);
    return unknown(`where it runs '${run}' that is refused: ${verdict.reason}`);
  }

  #files(argv: Argv, shape: FileOperands): Verdict {
    const words = literals(argv);
    const operands = words && operandsOf(words, shape.switches);
    if (operands === undefined) return unknown('its operands are known only when it runs');
    const files = operands.slice(shape.skip);
    // `-` is standard input to whoever reads, and a file of that name to whoever writes.
    const judge = (word: string): Verdict => {
      if (word === '-' && shape.purpose === 'read') return ALLOWED;
      return shape.names === true ? this.#paths.judgeName(word, 'write') : this.#paths.judge(word, shape.purpose);
    };
    const verdict = together(files.map(judge));
    const sure = verdict.verdict !== 'refused' || shape.stops !== true || files.length === 1;
    return sure ? verdict : unknown(verdict.reason);
  }

  #rm(argv: Argv): Verdict {
    for (const word of argv.slice(1)) {
      // Help is given at once, whatever stands behind it.
      if (word === undefined || word.startsWith('--') || /^-v*h/.test(word)) break;
      if (/^-v*[^v]/.test(word)) {
        return refused(
          `rm has no option '${word}'`,
          "'find DIR -type f -exec rm {} \\;' for the files below a directory; 'rmdir DIR' for an empty one; 'if [ -e FILE ]; then rm FILE; fi'",
        );
      }
    }
    const words = literals(argv);
    const operands = words && operandsOf(words, 'v');
    if (operands === undefined) return unknown('which files it removes is known only when it runs');
    const { maxRemoveOperands, maxRemovalsPerRun } = this.#grants.limits;
    if (operands.length > maxRemoveOperands) {
      return refused(
        `${operands.length} files, and one rm takes ${maxRemoveOperands}`,
        `'xargs -n ${maxRemoveOperands} rm' or 'find ... -exec rm {} \\;'`,
      );
    }
    const verdict = together(operands.map((word) => this.#paths.judgeName(word, 'write')));
    if (verdict.verdict !== 'allowed' || this.#facts.removals <= maxRemovalsPerRun) return verdict;
    return unknown(`the budget of ${maxRemovalsPerRun} removals may be spent by then`);
  }

  #cd(argv: Argv): Verdict {
    const path = argv[1];
    if (argv.length !== 2 || path === undefined || path.startsWith('-')) {
      return unknown('where it goes is known only when it runs');
    }
    // Its own path is relative to something unknown as soon as there is a second one.
    if (!path.startsWith('/')) return unknown(`'${path}' is looked for when it runs`);
    return this.#paths.judgeName(path, 'read');
  }

  #script(path: string): Verdict {
    const verdict = this.#paths.judge(path, 'read');
    if (this.#grants.external.size > 0) return unknown(`'${path}' may be a program of the host`);
    return verdict.verdict === 'refused' ? verdict : unknown('what the file says is known only when it runs');
  }

  #missing(name: string): Verdict {
    if (this.#grants.external.size > 0) return unknown(`'${name}' may be a program of the host`);
    if (this.#facts.setsPath || this.#grants.env.has('PATH'))
      return unknown(`'${name}' is not inside; PATH may lead to one`);
    if (WRAPPERS.has(name)) return refused(`'${name}' is not inside`, `leave out '${name}'`);
    const grant = name.includes('/') ? '' : `; --allow-external ${name} grants a program of the host`;
    return refused(`'${name}' is not inside`, `'rmsh help' lists what is${grant}`);
  }
}

/** Directories are read for it, whatever the command does with what matches. */
function isPattern({ parts }: Word): boolean {
  return parts.some((part) => part.kind === 'Literal' && /[*?[]/.test(part.text));
}

function literals(argv: Argv): readonly string[] | undefined {
  const words: string[] = [];
  for (const word of argv.slice(1)) {
    if (word === undefined) return undefined;
    words.push(word);
  }
  return words;
}

/** The operands among `words`; undefined where an option is not one of `switches`. */
function operandsOf(words: readonly string[], switches: string): readonly string[] | undefined {
  const operands: string[] = [];
  for (const [i, word] of words.entries()) {
    if (word === '--') return [...operands, ...words.slice(i + 1)];
    if (word === '-' || !/^[-+]/.test(word)) operands.push(word);
    else if (word.startsWith('+') || [...word.slice(1)].some((letter) => !switches.includes(letter))) return undefined;
  }
  return operands;
}
