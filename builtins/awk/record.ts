/** `$0` and the fields: split when one is asked for, and put together again when one was changed. */
import { numberOf } from './number-text.js';
import { BLANK, blankField, type Separator, splitInto } from './split.js';
import { AwkError } from './tree.js';
import { type Holdings, inputValue, toNumber, type Value } from './value.js';

const ALL = Number.POSITIVE_INFINITY;

export class Fields {
  separator: Separator = BLANK;
  private readonly holdings: Holdings;
  private readonly text: (value: Value) => string;
  private readonly outputSeparator: () => string;
  private record = '';
  /** The record is out of date: a field was assigned to. */
  private stale = false;
  private fields: string[] = [];
  /** Where splitting goes on; -1: all fields are known. */
  private at = 0;
  /** Fields that were assigned keep what was assigned. */
  private assigned: Map<number, Value> | undefined;

  constructor(holdings: Holdings, text: (value: Value) => string, outputSeparator: () => string) {
    this.holdings = holdings;
    this.text = text;
    this.outputSeparator = outputSeparator;
  }

  /** Fields that were asked for, by text or number. */
  private asked = 0;
  /** One was asked for of the record before: then it is found without cutting out those before it. */
  private lone = false;

  setRecord(text: string): void {
    this.lone = this.asked === 1;
    this.asked = 0;
    this.record = text;
    this.stale = false;
    if (this.fields.length > 0) this.fields = [];
    this.at = 0;
    this.assigned = undefined;
  }

  /** Before FS changes: this record is still split by the old one. */
  complete(): void {
    if (this.at >= 0) this.need(ALL);
  }

  get count(): number {
    if (this.at >= 0) this.need(ALL);
    return this.fields.length;
  }

  set count(count: number) {
    if (count < 0 || Number.isNaN(count)) throw new AwkError('NF set to negative value');
    const wanted = Math.trunc(count);
    this.complete();
    this.grow(wanted);
    this.fields.length = wanted;
    if (this.assigned !== undefined) {
      for (const index of this.assigned.keys()) if (index > wanted) this.assigned.delete(index);
    }
    this.stale = true;
  }

  getText(index: number): string {
    if (index === 0) return this.getRecord();
    this.asked++;
    if (this.at >= 0 && this.fields.length < index) {
      if (this.lone && this.at === 0 && this.asked === 1 && this.separator.kind === 'blank') {
        return blankField(this.record, index);
      }
      this.need(index);
    }
    return this.fields[index - 1] ?? '';
  }

  getValue(index: number): Value {
    if (index === 0) return inputValue(this.getRecord());
    if (this.assigned?.has(index) === true) return this.assigned.get(index);
    if (this.at >= 0 && this.fields.length < index) this.need(index);
    // A field that is not there is an empty string to all awks, and not, as a variable, 0 too.
    return inputValue(this.fields[index - 1] ?? '');
  }

  getNumber(index: number): number {
    if (this.assigned !== undefined) return toNumber(this.getValue(index));
    return numberOf(this.getText(index));
  }

  set(index: number, value: Value): void {
    if (index === 0) {
      this.setRecord(this.text(value));
      return;
    }
    this.complete();
    this.grow(index);
    this.fields[index - 1] = this.text(value);
    this.assigned ??= new Map();
    this.assigned.set(index, value);
    this.stale = true;
  }

  getRecord(): string {
    if (this.stale) {
      this.record = this.fields.join(this.outputSeparator());
      this.holdings.checkString(this.record.length);
      this.stale = false;
    }
    return this.record;
  }

  private grow(count: number): void {
    if (count > this.holdings.maxFields) this.holdings.over('maxFields');
    while (this.fields.length < count) this.fields.push('');
  }

  private need(count: number): void {
    const { maxFields } = this.holdings;
    this.at = splitInto(this.record, this.at, this.separator, this.fields, count, maxFields);
    if (this.fields.length > maxFields) this.holdings.over('maxFields');
  }
}

/** The number of a field, from a value. */
export function fieldIndex(value: number): number {
  const index = Math.trunc(value);
  if (index < 0) throw new AwkError(`attempt to access field ${index}`);
  return Number.isNaN(index) ? 0 : index;
}
