/** What a running program shares: variables, the record, inputs and outputs. */
import { isFsError } from '../../src/errors.js';
import { type Awaitable, andThen, isPromise, type Waiting } from '../../src/steps.js';
import { fromByteString, toByteString } from '../../src/text/bytes.js';
import type { Context } from '../kit/context.js';
import { closeInput, openInput } from '../kit/input.js';
import { repeat } from '../kit/repeat.js';
import { Formatter } from './format.js';
import { expandEscapes } from './lexer.js';
import { numberText, sixDigits } from './number-text.js';
import { Outputs } from './outputs.js';
import { isVariableName } from './parse.js';
import { PatternCache } from './patterns.js';
import { Random } from './random.js';
import { type RecordEnd, RecordReader, recordEnd } from './reader.js';
import { Fields } from './record.js';
import { orNewline, separatorOf } from './split.js';
import { SLOT, type SpecialScalar } from './symbols.js';
import { AwkError, type Program, type Variable } from './tree.js';
import { AwkArray, Holdings, inputValue, toNumber, type Value } from './value.js';

export type AwkContext = Context<'read' | 'write' | 'environment' | 'clock'>;

export interface Frame {
  readonly scalars: Value[];
  readonly arrays: AwkArray[];
}

/** Turns of loops between two ticks. */
const TURNS = 128;
/** A few milliseconds' work. */
const BYTES_BETWEEN_LOOKS = 1 << 22;
const SIX_DIGITS = '%.6g';
/** Longer strings in frames that are not the innermost are counted. */
const LARGE = 4096;

export class Runtime {
  readonly context: AwkContext;
  readonly holdings: Holdings;
  readonly patterns: PatternCache;
  readonly outputs: Outputs;
  readonly formatter: Formatter;
  readonly fields: Fields;
  readonly random = new Random();
  readonly globals: Frame;
  /** Of the function that runs; the globals outside of any. */
  frame: Frame;
  depth = 0;
  /** What `return` gave. */
  returned: Value;
  status = 0;
  records = 0;
  fileRecords = 0;
  outputSeparator = ' ';
  recordSeparator = '\n';
  subscriptSeparator = '\x1c';
  private readonly variables: ReadonlyMap<string, Variable>;
  private turns = TURNS;
  private longBytes = 0;
  private end: RecordEnd = { kind: 'character', character: '\n' };
  private fieldSeparator = ' ';
  private conversion = sixDigits;
  private output = sixDigits;
  /** The operand that is read next. */
  private operand = 1;
  private reader: RecordReader | undefined;
  private readonly readers = new Map<string, { readonly reader: RecordReader; readonly close: () => void }>();
  private closeOperand = (): void => {};
  private sawFile = false;

  constructor(context: AwkContext, program: Program, operands: readonly string[]) {
    this.context = context;
    this.holdings = new Holdings(context.limits);
    this.patterns = new PatternCache(context.look);
    this.outputs = new Outputs(context);
    this.variables = program.globals;
    this.formatter = new Formatter(this.text, this.holdings);
    this.fields = new Fields(this.holdings, this.text, () => this.outputSeparator);
    const all = [...program.globals.values()];
    this.globals = {
      scalars: new Array<Value>(all.filter(({ array }) => !array).length).fill(undefined),
      arrays: all.filter(({ array }) => array).map(() => new AwkArray(this.holdings)),
    };
    this.frame = this.globals;
    this.prepare(operands);
  }

  private prepare(operands: readonly string[]): void {
    const initial: { readonly [Name in SpecialScalar]: Value } = {
      NF: 0,
      NR: 0,
      FNR: 0,
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      CONVFMT: SIX_DIGITS,
      OFMT: SIX_DIGITS,
      RSTART: 0,
      RLENGTH: -1,
      FILENAME: '',
      ARGC: operands.length + 1,
    };
    for (const [name, value] of Object.entries(initial)) {
      this.globals.scalars[SLOT[name as SpecialScalar]] = value; // the keys are those of the object
    }
    const environment = this.array('ENVIRON');
    for (const [name, value] of this.context.environment) {
      environment.set(toByteString(name), inputValue(toByteString(value)));
    }
    const given = this.array('ARGV');
    given.set('0', toByteString(this.context.name));
    operands.forEach((operand, i) => {
      given.set(String(i + 1), inputValue(toByteString(operand)));
    });
  }

  private array(name: string): AwkArray {
    const slot = this.variables.get(name)?.slot ?? 0; // special variables are in every program
    return this.globals.arrays[slot] as AwkArray;
  }

  /** To be called in loops: now and then it ticks, and answers what has to be waited for. */
  poll(): Waiting {
    if (--this.turns > 0) return undefined;
    this.turns = TURNS;
    return this.rest();
  }

  /** Work that counts as so many turns. */
  worked(turns: number): void {
    this.turns -= turns;
  }

  /** A text of so many bytes is gone through. */
  long(bytes: number): void {
    this.longBytes += bytes;
    if (this.longBytes < BYTES_BETWEEN_LOOKS) return;
    this.longBytes = 0;
    this.turns = 0;
    this.context.look();
  }

  /** In the midst of what cannot wait: throws when the run is over, and has what is to be waited for waited for later. */
  look(): void {
    const waiting = this.context.tick();
    if (waiting === undefined) return;
    this.outputs.wait(waiting);
    this.turns = 0;
  }

  private rest(): Waiting {
    const output = this.outputs.pending();
    const waiting = this.context.tick();
    if (output === undefined) return waiting;
    return waiting === undefined ? output : output.then(() => waiting);
  }

  readonly text = (value: Value): string => {
    if (typeof value === 'string') return value;
    if (value === undefined) return '';
    return typeof value === 'number' ? numberText(value, this.conversion) : value.text;
  };

  /** As print shows it: numbers by OFMT. */
  readonly printed = (value: Value): string =>
    typeof value === 'number' ? numberText(value, this.output) : this.text(value);

  /** A special variable is about to be read. */
  refresh(slot: number): void {
    const { scalars } = this.globals;
    if (slot === SLOT.NF) scalars[slot] = this.fields.count;
    else if (slot === SLOT.NR) scalars[slot] = this.records;
    else if (slot === SLOT.FNR) scalars[slot] = this.fileRecords;
  }

  /** A special variable was assigned to. */
  changed(slot: number): void {
    const value = this.globals.scalars[slot];
    switch (slot) {
      case SLOT.NF:
        this.fields.count = toNumber(value);
        break;
      case SLOT.NR:
        this.records = toNumber(value);
        break;
      case SLOT.FNR:
        this.fileRecords = toNumber(value);
        break;
      case SLOT.FS:
        this.fieldSeparator = this.text(value);
        this.setSeparator();
        break;
      case SLOT.RS:
        this.end = recordEnd(this.text(value), this.patterns);
        this.setSeparator();
        break;
      case SLOT.OFS:
        this.outputSeparator = this.text(value);
        break;
      case SLOT.ORS:
        this.recordSeparator = this.text(value);
        break;
      case SLOT.SUBSEP:
        this.subscriptSeparator = this.text(value);
        break;
      case SLOT.CONVFMT:
        this.conversion = this.conversionBy(this.text(value));
        break;
      case SLOT.OFMT:
        this.output = this.conversionBy(this.text(value));
        break;
      default:
        break;
    }
  }

  private setSeparator(): void {
    this.fields.complete();
    const choose = this.end.kind === 'paragraph' ? orNewline : separatorOf;
    this.fields.separator = choose(this.fieldSeparator, this.patterns);
  }

  private conversionBy(format: string): (value: number) => string {
    return format === SIX_DIGITS ? sixDigits : (value) => this.formatter.number(format, value);
  }

  /** `NAME=value` on the command line, escapes and all. False when it is no assignment. */
  assign(operand: string): boolean {
    const equals = operand.indexOf('=');
    if (equals <= 0) return false;
    const name = operand.slice(0, equals);
    if (!isVariableName(name)) return false;
    const variable = this.variables.get(name);
    // A variable the program does not name is of no use to it.
    if (variable === undefined) return true;
    if (variable.array) throw new AwkError(`cannot use array \`${name}' as a variable on the command line`);
    this.globals.scalars[variable.slot] = inputValue(expandEscapes(operand.slice(equals + 1)));
    this.changed(variable.slot);
    return true;
  }

  /** The next record of the operands into `$0`; false after the last. */
  nextRecord(): Awaitable<boolean> {
    const record = this.nextLine();
    return isPromise(record) ? record.then(this.setRecord) : this.setRecord(record);
  }

  private readonly setRecord = (record: string | undefined): boolean => {
    if (record === undefined) return false;
    this.fields.setRecord(record);
    return true;
  };

  /** The next record of the operands, counted. */
  nextLine(): Awaitable<string | undefined> {
    const { reader } = this;
    if (reader === undefined) return this.searchLine();
    const record = this.read(reader);
    if (isPromise(record)) return record.then(this.counted);
    return this.counted(record);
  }

  private readonly counted = (record: string | undefined): Awaitable<string | undefined> => {
    if (record === undefined) {
      this.nextFile();
      return this.searchLine();
    }
    this.records++;
    this.fileRecords++;
    return record;
  };

  /** The first record of the next operand that has one. */
  private searchLine(): Awaitable<string | undefined> {
    const step = (record: string | undefined): string | undefined => {
      if (record !== undefined) return `r${record}`;
      this.nextFile();
      return undefined;
    };
    return andThen(
      repeat<string>(() => {
        if (!this.openNext()) return 'end';
        const { reader } = this;
        return reader === undefined ? undefined : andThen(this.read(reader), step);
      }),
      (record) => (record === 'end' ? undefined : this.counted(record.slice(1))),
    );
  }

  private read(reader: RecordReader): Awaitable<string | undefined> {
    try {
      const record = reader.next(this.end);
      return isPromise(record) ? record.catch(this.unreadable) : record;
    } catch (error) {
      return this.unreadable(error);
    }
  }

  /** A read that fails ends the program, with words for it; a directory is passed over. */
  private readonly unreadable = (error: unknown): undefined => {
    if (!isFsError(error)) throw error;
    const name = this.text(this.globals.scalars[SLOT.FILENAME]);
    if (error.code !== 'EISDIR') {
      throw new AwkError(`error reading input file \`${fromByteString(name)}': ${error.message}`);
    }
    this.skipDirectory(name);
    return undefined;
  };

  private skipDirectory(name: string): void {
    this.context.complain(`warning: command line argument \`${fromByteString(name)}' is a directory: skipped`);
  }

  /** The next operand that is a file; without any, the standard input once. False when there is none left. */
  private openNext(): boolean {
    const given = this.array('ARGV');
    for (;;) {
      const count = toNumber(this.globals.scalars[SLOT.ARGC]);
      if (this.operand >= count) {
        if (this.sawFile) return false;
        this.open('-', '');
        return true;
      }
      const key = String(this.operand++);
      const operand = given.has(key) ? this.text(given.get(key)) : '';
      if (operand === '' || this.assign(operand)) continue;
      if (this.open(operand, operand)) return true;
    }
  }

  private open(operand: string, name: string): boolean {
    this.sawFile = true;
    const { context } = this;
    this.globals.scalars[SLOT.FILENAME] = inputValue(name);
    this.fileRecords = 0;
    try {
      const source = openInput(context, fromByteString(operand === '/dev/stdin' ? '-' : operand));
      this.closeOperand = () => closeInput(context, source);
      this.reader = new RecordReader(context, source, this.beforeWait);
      return true;
    } catch (error) {
      if (!isFsError(error)) throw error;
      if (error.code === 'EISDIR') {
        this.skipDirectory(operand);
        return false;
      }
      throw new AwkError(`cannot open file \`${fromByteString(operand)}' for reading: ${error.message}`);
    }
  }

  private readonly beforeWait = (): void => this.outputs.standard.send();

  /** `nextfile`, and the end of a file. */
  nextFile(): void {
    this.reader?.giveBack();
    this.closeOperand();
    this.closeOperand = () => {};
    this.reader = undefined;
  }

  /** `getline < file`: undefined at the end, false when it cannot be read. */
  readFile(name: string): Awaitable<string | undefined | false> {
    const failed = (error: unknown): false => {
      if (!isFsError(error)) throw error;
      return false;
    };
    try {
      const record = this.fileReader(name).next(this.end);
      return isPromise(record) ? record.catch(failed) : record;
    } catch (error) {
      return failed(error);
    }
  }

  private fileReader(name: string): RecordReader {
    const known = this.readers.get(name);
    if (known !== undefined) return known.reader;
    if (name === '') throw new AwkError("expression for `<' redirection has null string value");
    if (this.readers.size >= this.context.limits.maxDescriptors) throw new AwkError('Too many open files');
    const { context } = this;
    const source = openInput(context, fromByteString(name === '/dev/stdin' ? '-' : name));
    const reader = new RecordReader(context, source, this.beforeWait);
    const close = (): void => {
      reader.giveBack();
      closeInput(context, source);
    };
    this.readers.set(name, { reader, close });
    return reader;
  }

  /** `close`: 0, or -1 for what is not open. */
  close(name: string): Awaitable<number> {
    const reading = this.readers.get(name);
    if (reading !== undefined) {
      reading.close();
      this.readers.delete(name);
    }
    return andThen(this.outputs.close(name), (closed) => (closed || reading !== undefined ? 0 : -1));
  }

  /** After the program, however it ended. */
  finish(): Awaitable<void> {
    this.nextFile();
    for (const { close } of this.readers.values()) close();
    this.readers.clear();
    return this.outputs.finish();
  }

  /** Strings a caller's frame holds on to while the function it called runs. */
  held({ scalars }: Frame): number {
    let bytes = 0;
    for (const value of scalars) if (typeof value === 'string' && value.length > LARGE) bytes += value.length;
    return bytes;
  }
}
