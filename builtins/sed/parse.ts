/** Reads sed scripts (POSIX, with GNU's extensions) as GNU sed does, and complains in its words. */

import type { Look } from '../../src/steps.js';
import { fromByteString } from '../../src/text/bytes.js';
import { compileRegex, type Regex, RegexError } from '../../src/text/regex/index.js';
import { type Action, type Address, type Command, type Script, SedError, type Where } from './commands.js';
import { replaceEscapes, unquoteText } from './escapes.js';
import { highestGroup, type Part, parseReplacement } from './replacement.js';
import { transliteration } from './transliterate.js';

export interface ScriptSource {
  /** A byte string. */
  readonly text: string;
  /** Undefined: given with -e. */
  readonly file: string | undefined;
}

export interface ParseOptions {
  readonly extended: boolean;
  /** -z: a newline is a character like any other. */
  readonly zero: boolean;
  readonly look: Look;
}

const SIMPLE = '=dDFgGhHnNpPxz';

export function parseScript(sources: readonly ScriptSource[], options: ParseOptions): Script {
  const parser = new ScriptParser(options);
  for (const source of sources) parser.read(source);
  return parser.finish();
}

/** A text command whose text goes on in the next -e. */
interface Pending {
  readonly action: { text: string };
  raw: string;
}

class ScriptParser {
  private readonly extended: boolean;
  private readonly zero: boolean;
  private readonly look: Look;
  private readonly commands: Command[] = [];
  private readonly blocks: { end: number }[] = [];
  private readonly labels = new Map<string, number>();
  private quiet = false;
  private pending: Pending | undefined;
  private expressions = 0;
  private source: ScriptSource = { text: '', file: undefined };
  private text = '';
  private at = 0;

  constructor(options: ParseOptions) {
    this.extended = options.extended;
    this.zero = options.zero;
    this.look = options.look;
  }

  read(source: ScriptSource): void {
    const first = this.expressions === 0 && this.source.file === undefined;
    this.source = source;
    if (source.file === undefined) this.expressions++;
    this.text = source.text;
    this.at = 0;
    // GNU looks at no more than these two characters.
    if (first && /^#n/.test(this.text)) this.quiet = true;
    if (this.pending !== undefined) this.readText(this.pending);
    for (;;) {
      const next = this.skip(' \t\n\v\f\r;');
      if (next === undefined) return;
      if (next === '#') this.skipComment();
      else this.command(next);
    }
  }

  finish(): Script {
    if (this.pending !== undefined) this.endText(this.pending);
    if (this.blocks.length > 0) this.failAt(0, "unmatched `{'");
    for (const { action } of this.commands) {
      if (action.kind !== 'b' && action.kind !== 't' && action.kind !== 'T') continue;
      const target = action.label === '' ? this.commands.length : this.labels.get(action.label);
      if (target === undefined)
        throw new SedError(`can't find label for jump to \`${fromByteString(action.label)}'`, 4);
      action.target = target;
    }
    return { commands: this.commands, quiet: this.quiet };
  }

  private fail(message: string): never {
    return this.failAt(this.at, message);
  }

  private failAt(at: number, message: string): never {
    const { file } = this.source;
    if (file === undefined) throw new SedError(`-e expression #${this.expressions}, char ${at}: ${message}`);
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new SedError(`file ${file} line ${this.text[this.at - 1] === '\n' ? line - 1 : line}: ${message}`);
  }

  /** The next character, or undefined at the end. */
  private take(): string | undefined {
    return this.at < this.text.length ? this.text[this.at++] : undefined;
  }

  private back(character: string | undefined): void {
    if (character !== undefined) this.at--;
  }

  /** The next character that is none of `passed`. */
  private skip(passed: string): string | undefined {
    let next = this.take();
    while (next !== undefined && passed.includes(next)) next = this.take();
    return next;
  }

  private skipBlanks(): string | undefined {
    return this.skip(' \t\v\f\r');
  }

  private skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  private endOfCommand(): void {
    const next = this.skipBlanks();
    if (next === '}' || next === '#') this.back(next);
    else if (next !== undefined && next !== '\n' && next !== ';') this.fail('extra characters after command');
  }

  private command(start: string): void {
    let next: string | undefined = start;
    const first = this.address(next, true);
    let second: Address | undefined;
    if (first !== undefined) {
      next = this.skipBlanks();
      if (next === ',') {
        second = this.address(this.skipBlanks(), false);
        if (second === undefined) this.fail("unexpected `,'");
        next = this.skipBlanks();
      }
      if (first.kind === 'line' && first.line === 0 && second?.kind !== 'regex') {
        this.failAt(next === undefined ? this.at : this.at, 'invalid usage of line address 0');
      }
    }
    let negated = false;
    if (next === '!') {
      negated = true;
      next = this.skipBlanks();
      if (next === '!') this.fail("multiple `!'s");
    }
    if (next === undefined) this.fail('missing command');
    const where: Where = { first, second, negated };
    const action = this.action(next, where);
    if (action !== undefined) this.commands.push({ where, action });
  }

  private address(start: string | undefined, isFirst: boolean): Address | undefined {
    if (start === undefined) return undefined;
    if (start === '/' || start === '\\') return this.regexAddress(start);
    if (start === '$') return { kind: 'last' };
    if (start === '+' || start === '~') {
      if (isFirst)
        this.failAt(this.at + this.number(this.take(), '').length, 'invalid usage of +N or ~N as first address');
      const count = Number(this.number(this.skipBlanks(), '0'));
      return start === '+' ? { kind: 'plus', count } : { kind: 'multiple', of: count };
    }
    if (!isDigit(start)) return undefined;
    const line = Number(this.number(start, ''));
    const next = this.skipBlanks();
    if (next !== '~') {
      this.back(next);
      return { kind: 'line', line };
    }
    const step = Number(this.number(this.skipBlanks(), '0'));
    return step > 0 ? { kind: 'step', first: line, step } : { kind: 'line', line };
  }

  /** The digits that begin with `first`; `none` when there are none, and then `first` is not taken. */
  private number(first: string | undefined, none: string): string {
    if (first === undefined || !isDigit(first)) {
      this.back(first);
      return none;
    }
    let digits = first;
    for (let next = this.take(); ; next = this.take()) {
      if (next === undefined || !isDigit(next)) {
        this.back(next);
        return digits;
      }
      digits += next;
    }
  }

  private regexAddress(start: string): Address {
    const delimiter = start === '\\' ? this.take() : start;
    const source = delimiter === undefined ? undefined : this.delimited(delimiter, true);
    if (source === undefined) this.fail('unterminated address regex');
    let ignoreCase = false;
    let lines = false;
    for (let next = this.skipBlanks(); ; next = this.skipBlanks()) {
      if (next === 'I') ignoreCase = true;
      else if (next === 'M') lines = true;
      else {
        this.back(next);
        break;
      }
    }
    return { kind: 'regex', regex: this.regex(source, ignoreCase, lines) };
  }

  /** What stands before the next `delimiter`; undefined when there is none on this line. */
  private delimited(delimiter: string, regex: boolean): string | undefined {
    let out = '';
    for (let next = this.take(); next !== undefined; next = this.take()) {
      if (next === delimiter) return out;
      if (next === '[' && regex) {
        out += this.bracket();
        continue;
      }
      if (next === '\\') {
        const quoted = this.take();
        if (quoted === undefined) return undefined;
        if (quoted === delimiter) out += regex || quoted !== '&' ? quoted : `\\${quoted}`;
        else if (quoted === '\n' || (quoted === 'n' && regex)) out += '\n';
        else out += `\\${quoted}`;
      } else if (next === '\n') {
        this.back(next);
        return undefined;
      } else out += next;
    }
    return undefined;
  }

  /** From after `[` to the `]` that closes it, or to the end of the line: inside a bracket the delimiter is a character. */
  private bracket(): string {
    const rest = this.text.slice(this.at);
    const inside = /^\^?\]?(?:\[:[^\]\n]*:\]|\[\.[^\]\n]*\.\]|\[=[^\]\n]*=\]|[^\]\n])*\]?/.exec(rest)?.[0] ?? '';
    this.at += inside.length;
    return `[${inside.replaceAll('\\n', '\n')}`;
  }

  private regex(source: string, ignoreCase: boolean, lines: boolean): Regex | undefined {
    if (source === '') {
      if (ignoreCase || lines) this.fail('no previous regular expression');
      return undefined;
    }
    const pattern = replaceEscapes(source, (character) => character, false);
    const regex = compileRegex(fromByteString(pattern), {
      syntax: this.extended ? 'extended' : 'basic',
      dialect: 'sed',
      ignoreCase,
      newline: !lines ? 'character' : this.zero ? 'apart' : 'anchor',
      look: this.look,
    });
    if (!(regex instanceof RegexError)) return regex;
    if (regex.code === 'classSyntax') throw new SedError(regex.message, 4);
    return this.fail(regex.message);
  }

  private action(letter: string, where: Where): Action | undefined {
    if (SIMPLE.includes(letter)) {
      this.endOfCommand();
      return { kind: letter as 'p' }; // any of SIMPLE: they have one shape
    }
    switch (letter) {
      case '#':
        if (where.first !== undefined) this.fail("comments don't accept any addresses");
        this.skipComment();
        return undefined;
      case '{': {
        const block: Action = { kind: '{', end: 0 };
        this.blocks.push(block);
        return block;
      }
      case '}': {
        const block = this.blocks.pop();
        if (block === undefined) this.fail("unexpected `}'");
        if (where.first !== undefined) this.fail("} doesn't want any addresses");
        block.end = this.commands.length;
        this.endOfCommand();
        return { kind: '}' };
      }
      case 'a':
      case 'i':
      case 'c':
        return this.textCommand(letter);
      case ':': {
        if (where.first !== undefined) this.fail(": doesn't want any addresses");
        const label = this.label();
        if (label === '') this.fail('":" lacks a label');
        this.labels.set(label, this.commands.length);
        return { kind: ':' };
      }
      case 'b':
      case 't':
      case 'T': {
        const label = this.label();
        this.endOfCommand();
        return { kind: letter, label, target: 0 };
      }
      case 'q':
      case 'Q': {
        if (where.second !== undefined) this.fail('command only uses one address');
        const status = Number(this.number(this.skipBlanks(), '0'));
        this.endOfCommand();
        return { kind: letter, status };
      }
      case 'l': {
        const width = this.number(this.skipBlanks(), '');
        this.endOfCommand();
        return { kind: 'l', width: width === '' ? undefined : Number(width) };
      }
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        return { kind: letter, file: this.fileName() };
      case 's':
        return this.substitution();
      case 'y':
        return this.transliterate();
      case 'v':
        this.checkVersion(this.label());
        this.endOfCommand();
        return undefined;
      case 'e':
        return this.fail('the e command is refused: a script runs nothing');
      default:
        return this.fail(`unknown command: \`${fromByteString(letter)}'`);
    }
  }

  private label(): string {
    const start = this.skipBlanks();
    this.back(start);
    const from = this.at;
    while (this.at < this.text.length && !' \t\n\v\f\r;}'.includes(this.text[this.at] as string)) this.at++;
    return this.text.slice(from, this.at);
  }

  /** What needs a newer sed than the 4.9 we are like, is refused. */
  private checkVersion(label: string): void {
    const [major = 0, minor = 0] = label.split('.').map(Number);
    if (major > 4 || (major === 4 && minor > 9)) this.fail('expected newer version of sed');
  }

  private fileName(): string {
    const start = this.skipBlanks();
    this.back(start);
    const end = this.text.indexOf('\n', this.at);
    const name = this.text.slice(this.at, end < 0 ? this.text.length : end);
    this.at = end < 0 ? this.text.length : end + 1;
    if (name === '') this.fail('missing filename in r/R/w/W commands');
    return fromByteString(name);
  }

  private textCommand(letter: 'a' | 'i' | 'c'): Action {
    const next = this.skipBlanks();
    if (next === undefined) this.fail("expected \\ after `a', `c' or `i'");
    const action = { kind: letter, text: '' };
    if (next === '\\') {
      // `a\` and a newline, or, as GNU has it, the text at once: what stands before it is part of it.
      const after = this.skipBlanks();
      if (after === undefined) {
        this.pending = { action, raw: '' };
        return action;
      }
      if (after !== '\n') {
        const backslash = this.text.lastIndexOf('\\', this.at - 1);
        this.at = after === '\\' ? this.at - 1 : backslash + 1;
      }
    } else this.back(next);
    this.readText({ action, raw: '' });
    return action;
  }

  /** Text up to a newline that no backslash quotes; at the end of an -e that quotes its own end it goes on in the next. */
  private readText(pending: Pending): void {
    this.pending = undefined;
    for (let next = this.take(); next !== undefined && next !== '\n'; next = this.take()) {
      pending.raw += next;
      if (next !== '\\') continue;
      const quoted = this.take();
      if (quoted === undefined) {
        pending.raw = `${pending.raw.slice(0, -1)}\n`;
        this.pending = pending;
        return;
      }
      pending.raw += quoted;
    }
    this.endText(pending);
    pending.action.text += '\n';
  }

  private endText({ action, raw }: Pending): void {
    action.text = unquoteText(raw);
  }

  private substitution(): Action {
    const delimiter = this.take();
    const pattern =
      delimiter === undefined || delimiter === '\n' || delimiter === '\\' ? undefined : this.delimited(delimiter, true);
    const replacement = pattern === undefined ? undefined : this.delimited(delimiter as string, false);
    if (pattern === undefined || replacement === undefined) this.fail("unterminated `s' command");
    const parts = parseReplacement(replacement);
    const flags = this.substitutionFlags();
    const regex = this.regex(pattern, flags.ignoreCase, flags.lines);
    this.checkGroups(parts, regex);
    const { global, number, print, file } = flags;
    return { kind: 's', substitution: { regex, parts, global, number: number ?? 1, print, file } };
  }

  private checkGroups(parts: readonly Part[], regex: Regex | undefined): void {
    const highest = highestGroup(parts);
    if (regex !== undefined && highest > regex.groups) {
      this.fail(`invalid reference \\${highest} on \`s' command's RHS`);
    }
  }

  private substitutionFlags() {
    const flags = {
      global: false,
      print: false,
      ignoreCase: false,
      lines: false,
      number: undefined as number | undefined,
      file: undefined as string | undefined,
    };
    for (;;) {
      const next = this.take();
      switch (next) {
        case 'i':
        case 'I':
          flags.ignoreCase = true;
          break;
        case 'm':
        case 'M':
          flags.lines = true;
          break;
        case 'p':
          if (flags.print) this.fail("multiple `p' options to `s' command");
          flags.print = true;
          break;
        case 'g':
          if (flags.global) this.fail("multiple `g' options to `s' command");
          flags.global = true;
          break;
        case 'w':
          flags.file = this.fileName();
          return flags;
        case '}':
        case '#':
          this.back(next);
          return flags;
        case ' ':
          break;
        case '\n':
        case ';':
        case undefined:
          return flags;
        default:
          if (!isDigit(next)) this.fail("unknown option to `s'");
          if (flags.number !== undefined) this.fail("multiple number options to `s' command");
          flags.number = Number(this.number(next, ''));
          if (flags.number === 0) this.fail("number option to `s' command may not be zero");
      }
    }
  }

  private transliterate(): Action {
    const delimiter = this.take();
    const from =
      delimiter === undefined || delimiter === '\n' || delimiter === '\\'
        ? undefined
        : this.delimited(delimiter, false);
    const to = from === undefined ? undefined : this.delimited(delimiter as string, false);
    if (from === undefined || to === undefined) this.fail("unterminated `y' command");
    const map = transliteration(from, to);
    if (map === undefined) this.fail("strings for `y' command are different lengths");
    this.endOfCommand();
    return { kind: 'y', map };
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
