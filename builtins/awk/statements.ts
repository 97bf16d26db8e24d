/** Statements become closures that answer how they ended. */
import { type Awaitable, isPromise, type Waiting } from '../../src/steps.js';
import { repeat } from '../kit/repeat.js';
import { Code, type Exec } from './code.js';
import type { LaterExpressions } from './later.js';
import type { Writer } from './outputs.js';
import { arrayOf, keyOf, placeOf } from './places.js';
import type { Runtime } from './runtime.js';
import type { Expression, Redirection, Statement } from './tree.js';
import { toNumber, type Value } from './value.js';
import { mayWait } from './waits.js';

type Node<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

const normally = (): Code => Code.Normal;

export class Statements {
  private readonly runtime: Runtime;
  private readonly expressions: LaterExpressions;

  constructor(runtime: Runtime, expressions: LaterExpressions) {
    this.runtime = runtime;
    this.expressions = expressions;
  }

  compile(node: Statement): Exec {
    switch (node.kind) {
      case 'block':
        return this.block(node.body);
      case 'expression':
        return this.expression(node.expression);
      case 'print':
        return this.print(node);
      case 'printf':
        return this.printf(node);
      case 'if':
        return this.conditional(node);
      case 'loop':
        return this.loop(node);
      case 'each':
        return this.each(node);
      case 'break':
        return () => Code.Break;
      case 'continue':
        return () => Code.Continue;
      case 'next':
        return () => Code.Next;
      case 'nextfile':
        return () => Code.NextFile;
      case 'exit':
        return this.leaving(node.value, Code.Exit, (value) => {
          this.runtime.status = Math.trunc(toNumber(value)) & 255;
        });
      case 'return':
        return this.leaving(node.value, Code.Return, (value) => {
          this.runtime.returned = value;
        });
      case 'delete':
        return this.deletion(node);
    }
  }

  private block(body: readonly Statement[]): Exec {
    const statements = body.map((statement) => this.compile(statement));
    const [only] = statements;
    if (only === undefined) return normally;
    if (statements.length === 1) return only;
    const from = (start: number): Awaitable<Code> => {
      for (let i = start; i < statements.length; i++) {
        const code = (statements[i] as Exec)();
        if (code === Code.Normal) continue;
        if (isPromise(code)) return code.then((ended) => (ended === Code.Normal ? from(i + 1) : ended));
        return code;
      }
      return Code.Normal;
    };
    return () => from(0);
  }

  private expression(node: Expression): Exec {
    if (!mayWait(node)) {
      const run = this.expressions.value(node);
      return () => {
        run();
        return Code.Normal;
      };
    }
    const run = this.expressions.later(node);
    return () => {
      const result = run();
      return isPromise(result) ? result.then(normally) : Code.Normal;
    };
  }

  /** Runs `run` once the operands are there. */
  private after(before: (() => Waiting) | undefined, run: () => Code): Exec {
    if (before === undefined) return run;
    return () => {
      const waiting = before();
      return waiting === undefined ? run() : waiting.then(run);
    };
  }

  private print({ items, to }: Node<'print'>): Exec {
    const { runtime, expressions } = this;
    const { before, nodes } = expressions.prepared(to === undefined ? items : [...items, to.file]);
    const writer = this.writer(to, nodes[items.length]);
    const [first, ...others] = nodes.slice(0, items.length).map((item) => this.printed(item));
    if (first === undefined) {
      const { fields } = runtime;
      return this.after(before, () => {
        writer().write(fields.getRecord() + runtime.recordSeparator);
        return Code.Normal;
      });
    }
    return this.after(before, () => {
      let line = first();
      for (let i = 0; i < others.length; i++) line += runtime.outputSeparator + (others[i] as () => string)();
      writer().write(line + runtime.recordSeparator);
      return Code.Normal;
    });
  }

  /** Numbers by OFMT. */
  private printed(node: Expression): () => string {
    if (node.kind === 'string' || node.kind === 'concat' || node.kind === 'field') {
      // A field that was assigned a number shows as CONVFMT made it.
      return this.expressions.text(node);
    }
    const value = this.expressions.value(node);
    const { printed } = this.runtime;
    return () => printed(value());
  }

  private printf({ items, to }: Node<'printf'>): Exec {
    const { runtime, expressions } = this;
    const { before, nodes } = expressions.prepared(to === undefined ? items : [...items, to.file]);
    const writer = this.writer(to, nodes[items.length]);
    const format = expressions.text(nodes[0] as Expression); // the parser asks for it
    const values = nodes.slice(1, items.length).map((item) => expressions.value(item));
    return this.after(before, () => {
      const text = runtime.formatter.format(
        format(),
        values.map((value) => value()),
      );
      writer().write(text);
      return Code.Normal;
    });
  }

  private writer(to: Redirection | undefined, file: Expression | undefined): () => Writer {
    const { outputs } = this.runtime;
    if (to === undefined || file === undefined) return () => outputs.standard;
    const name = this.expressions.text(file);
    return () => outputs.open(name(), to.append);
  }

  private conditional(node: Node<'if'>): Exec {
    const test = this.expressions.laterTruth(node.test);
    const yes = this.compile(node.yes);
    const no = node.no === undefined ? normally : this.compile(node.no);
    const choose = (truth: boolean): Awaitable<Code> => (truth ? yes() : no());
    return () => {
      const truth = test();
      return isPromise(truth) ? truth.then(choose) : choose(truth);
    };
  }

  private loop(node: Node<'loop'>): Exec {
    const { runtime } = this;
    const before = node.before === undefined ? normally : this.compile(node.before);
    const test = node.test === undefined ? () => true : this.expressions.laterTruth(node.test);
    const step = node.step === undefined ? normally : this.compile(node.step);
    const body = this.compile(node.body);

    const stepped = (): undefined => undefined;
    const afterBody = (code: Code): Awaitable<Code | undefined> => {
      if (code === Code.Break) return Code.Normal;
      if (code > Code.Continue) return code;
      const result = step();
      return isPromise(result) ? result.then(stepped) : undefined;
    };
    const runBody = (): Awaitable<Code | undefined> => {
      const code = body();
      return isPromise(code) ? code.then(afterBody) : afterBody(code);
    };
    const tested = (truth: boolean): Awaitable<Code | undefined> => (truth ? runBody() : Code.Normal);
    const runTest = (): Awaitable<Code | undefined> => {
      const truth = test();
      return isPromise(truth) ? truth.then(tested) : tested(truth);
    };
    const turn = (): Awaitable<Code | undefined> => {
      const waiting = runtime.poll();
      return waiting === undefined ? runTest() : waiting.then(runTest);
    };
    const turns = (): Awaitable<Code> => repeat<Code>(turn);
    if (node.bodyFirst) {
      const goOn = (code: Code | undefined): Awaitable<Code> => code ?? turns();
      return () => {
        const first = runBody();
        return isPromise(first) ? first.then(goOn) : goOn(first);
      };
    }
    return () => {
      const started = before();
      return isPromise(started) ? started.then(turns) : turns();
    };
  }

  /** Over the elements there were when it began. */
  private each({ variable, array: of, body: statement }: Node<'each'>): Exec {
    const { runtime } = this;
    const array = arrayOf(runtime, of);
    const place = placeOf(runtime, this.expressions, { kind: 'variable', variable });
    const body = this.compile(statement);
    const afterBody = (code: Code): Code | undefined =>
      code === Code.Break ? Code.Normal : code > Code.Continue ? code : undefined;
    return () => {
      const keys = array().keys();
      let next = 0;
      const run = (): Awaitable<Code | undefined> => {
        if (next >= keys.length) return Code.Normal;
        place.set(0, keys[next++]);
        const code = body();
        return isPromise(code) ? code.then(afterBody) : afterBody(code);
      };
      return repeat<Code>(() => {
        const waiting = runtime.poll();
        return waiting === undefined ? run() : waiting.then(run);
      });
    };
  }

  private leaving(node: Expression | undefined, code: Code, take: (value: Value) => void): Exec {
    if (node === undefined) return () => code;
    const value = this.expressions.later(node);
    const taken = (result: Value): Code => {
      take(result);
      return code;
    };
    return () => {
      const result = value();
      return isPromise(result) ? result.then(taken) : taken(result);
    };
  }

  private deletion({ array: of, keys }: Node<'delete'>): Exec {
    const array = arrayOf(this.runtime, of);
    if (keys === undefined) {
      return () => {
        array().clear();
        return Code.Normal;
      };
    }
    const { before, nodes } = this.expressions.prepared(keys);
    const key = keyOf(this.runtime, this.expressions, nodes);
    return this.after(before, () => {
      array().delete(key());
      return Code.Normal;
    });
  }
}
