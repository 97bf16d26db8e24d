/** Runs a program: BEGIN, the rules for each record, END (POSIX awk, "Overall Program Structure"). */
import { type Awaitable, andThen, isPromise } from '../../src/steps.js';
import { repeat } from '../kit/repeat.js';
import { FunctionCalls } from './calls.js';
import { Code, type Exec, Signal } from './code.js';
import { LaterExpressions } from './later.js';
import type { Runtime } from './runtime.js';
import { Statements } from './statements.js';
import type { Program, Rule, Statement } from './tree.js';

export class ProgramRunner {
  private readonly runtime: Runtime;
  private readonly statements: Statements;
  private readonly expressions: LaterExpressions;
  private readonly begin: Exec;
  private readonly rules: Exec | undefined;
  private readonly end: Exec | undefined;

  /** Throws AwkError where the program makes no sense. */
  constructor(runtime: Runtime, program: Program) {
    this.runtime = runtime;
    const calls = new FunctionCalls(runtime, program.functions);
    this.expressions = new LaterExpressions(runtime, calls);
    this.statements = new Statements(runtime, this.expressions);
    for (const definition of program.functions.values()) {
      this.expressions.owner = definition;
      calls.setBody(definition.name, this.statements.compile(definition.body));
    }
    this.expressions.owner = undefined;
    const block = (body: readonly Statement[]): Exec => this.guarded(this.statements.compile({ kind: 'block', body }));
    this.begin = block(program.begin);
    this.rules = program.rules.length === 0 ? undefined : this.guarded(this.all(program.rules));
    this.end = program.end.length === 0 ? undefined : block(program.end);
  }

  /** Answers the exit status. */
  run(): Awaitable<number> {
    const { runtime } = this;
    const read = (code: Code): Awaitable<Code> => {
      if (code === Code.Exit || (this.rules === undefined && this.end === undefined)) return Code.Normal;
      return this.records();
    };
    const finish = (): Awaitable<Code> => this.end?.() ?? Code.Normal;
    return andThen(this.begin(), (began) => andThen(read(began), () => andThen(finish(), () => runtime.status)));
  }

  private records(): Awaitable<Code> {
    const { runtime } = this;
    const rules = this.rules ?? (() => Code.Normal);
    const ruled = (code: Code): Code | undefined => {
      if (code === Code.Exit) return code;
      if (code === Code.NextFile) runtime.nextFile();
      return undefined;
    };
    const read = (there: boolean): Awaitable<Code | undefined> => {
      if (!there) return Code.Normal;
      const code = rules();
      return isPromise(code) ? code.then(ruled) : ruled(code);
    };
    const turn = (): Awaitable<Code | undefined> => {
      const there = runtime.nextRecord();
      return isPromise(there) ? there.then(read) : read(there);
    };
    return repeat<Code>(() => {
      const waiting = runtime.poll();
      return waiting === undefined ? turn() : waiting.then(turn);
    });
  }

  /** What a function threw to leave its rule becomes a code again. */
  private guarded(run: Exec): Exec {
    const caught = (error: unknown): Code => {
      if (error instanceof Signal) return error.code;
      throw error;
    };
    return () => {
      try {
        const code = run();
        return isPromise(code) ? code.catch(caught) : code;
      } catch (error) {
        return caught(error);
      }
    };
  }

  private all(rules: readonly Rule[]): Exec {
    const each = rules.map((rule) => this.rule(rule));
    const [only] = each;
    if (only !== undefined && each.length === 1) return only;
    const from = (start: number): Awaitable<Code> => {
      for (let i = start; i < each.length; i++) {
        const code = (each[i] as Exec)();
        if (code === Code.Normal) continue;
        if (isPromise(code)) return code.then((ended) => (ended === Code.Normal ? from(i + 1) : ended));
        return code;
      }
      return Code.Normal;
    };
    return () => from(0);
  }

  private rule({ patterns, body }: Rule): Exec {
    const run = this.statements.compile(body ?? { kind: 'print', items: [], to: undefined });
    const [first, last] = patterns;
    if (first === undefined) return run;
    const starts = this.expressions.laterTruth(first);
    if (last === undefined) {
      const chosen = (truth: boolean): Awaitable<Code> => (truth ? run() : Code.Normal);
      return () => {
        const truth = starts();
        return isPromise(truth) ? truth.then(chosen) : chosen(truth);
      };
    }
    const ends = this.expressions.laterTruth(last);
    let inside = false;
    return () =>
      andThen(inside || starts(), (is) => {
        if (!is) return Code.Normal;
        return andThen(ends(), (over) => {
          inside = !over;
          return run();
        });
      });
  }
}
