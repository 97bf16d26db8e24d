/** A text that is being run: a script, the argument of `eval`, the body of a backquoted substitution. */
import { LineIndex } from '../../grammar/index.js';
import type { Route } from '../audit.js';

export class SourceText {
  /** What messages call it: `$0`, or the file of `.`. */
  readonly name: string;
  readonly text: string;
  /** How it came to be run: for the audit trail. */
  readonly route: Route;
  readonly #firstLine: number;
  #lines: LineIndex | undefined;

  /** `firstLine`: the line its first line counts as, for text that stands inside another. */
  constructor(name: string, text: string, firstLine = 1, route: Route = 'script') {
    this.route = route;
    this.name = name;
    this.text = text;
    this.#firstLine = firstLine;
  }

  /** 1-based. */
  lineOf(offset: number): number {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines.lineOf(offset) + this.#firstLine - 1;
  }
}
