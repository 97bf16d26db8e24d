/** Literal text that a match cannot do without: looked for first, since indexOf is many times faster than a DFA. */
import { encode } from '../bytes.js';
import type { Node } from './node.js';
import { isInvalid } from './sets.js';

export interface Required {
  /** A byte string that is in every match; empty when none is known. */
  readonly literal: string;
  /** The literal is all there is: where it is, there is a match, and nothing else is one. */
  readonly whole: boolean;
}

export function requiredLiteral(node: Node): Required {
  const found = new Finder();
  found.node(node);
  return { literal: toBytes(found.finish()), whole: found.whole };
}

function toBytes(text: string): string {
  return encode(text).toString('latin1');
}

class Finder {
  whole = true;
  private best = '';
  private run = '';

  node(node: Node): void {
    switch (node.kind) {
      case 'empty':
        break;
      case 'set':
        // A byte that is no character may be found inside one: the DFA must see it.
        if (node.set.only === undefined || isInvalid(node.set.only)) this.cut();
        else this.run += String.fromCodePoint(node.set.only);
        break;
      case 'cat':
        for (const item of node.items) this.node(item);
        break;
      case 'group':
        this.node(node.body);
        break;
      case 'assert':
        // Nothing is between its neighbours, so the run goes on.
        this.whole = false;
        break;
      case 'repeat':
        this.cut();
        if (node.min > 0) {
          this.node(node.body);
          this.cut();
        }
        break;
      default:
        this.cut();
    }
  }

  private cut(): void {
    this.whole = false;
    if (this.run.length > this.best.length) this.best = this.run;
    this.run = '';
  }

  finish(): string {
    return this.run.length > this.best.length ? this.run : this.best;
  }
}
