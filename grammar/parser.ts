/** The grammar of POSIX.1-2024 2.10, building the tree as it goes. The tokens come from `lexer.ts`. */
import { EmbeddedActionsParser, EOF, type ILookaheadStrategy, type IOrAlt, type IToken } from 'chevrotain';
import type { ArithmeticForHead } from './arithmetic-commands.js';
import type {
  AndOr,
  ArithmeticCommand,
  ArithmeticFor,
  ArithmeticText,
  Assignment,
  BraceGroup,
  Case,
  CaseItem,
  Command,
  CompoundCommand,
  Conditional,
  ConditionalExpression,
  DeclaredArgument,
  For,
  FunctionDefinition,
  HereDocument,
  If,
  List,
  ListItem,
  Pipeline,
  Redirection,
  Select,
  SimpleCommand,
  Statement,
  Subshell,
  While,
  Word,
} from './ast.js';
import { DECISION_TABLE } from './decision-table.js';
import { begins, chooses, type Decision, parseDecisions } from './decisions.js';
import { type RedirectionStart, redirectionOf } from './operators.js';
import * as T from './tokens.js';

/** Not frozen, because that would be another kind of array to the engine; the types keep it empty. */
const NONE: readonly never[] = [];

/** Thrown by a rule at a token that Chevrotain's lookahead lets through and the grammar does not. */
class Unexpected {
  readonly token: IToken;
  constructor(token: IToken) {
    this.token = token;
  }
}

/** What became of a token vector: a list, or the token that does not fit (undefined: the end). */
export type Outcome = { readonly list: List } | { readonly unexpected: IToken | undefined };

/** What of Chevrotain's parser is not in its types. The version is pinned. */
interface Engine {
  readonly fullRuleNameToShort: Readonly<Record<string, number>>;
  selfAnalysisDone: boolean;
  setLaFuncCache(key: number, decide: () => boolean | number | undefined): void;
}

/** The kind of a production in the key of its lookahead function, as Chevrotain numbers them. */
const METHOD_KEYS: Readonly<Record<Decision['kind'], number>> = {
  Alternation: 1 << 8,
  Option: 2 << 8,
  Repetition: 3 << 8,
  RepetitionMandatory: 4 << 8,
  RepetitionWithSeparator: 5 << 8,
  RepetitionMandatoryWithSeparator: 6 << 8,
};

export class CommandParser extends EmbeddedActionsParser {
  /** Offset in the text of the tokens' offset 0. */
  #base = 0;

  /** `analysis`: find the decisions of the grammar by Chevrotain's analysis of the rules, instead of reading the table. */
  constructor(analysis?: { readonly skipValidations: boolean; readonly lookaheadStrategy?: ILookaheadStrategy }) {
    super([...T.ALL_TOKENS], { maxLookahead: 1, recoveryEnabled: false, ...analysis });
    if (analysis !== undefined) this.performSelfAnalysis();
    else this.#decideAs(parseDecisions(DECISION_TABLE, T.ALL_TOKENS));
  }

  /** What `performSelfAnalysis` ends with: a function for each decision, under the key that Chevrotain asks by. */
  #decideAs(decisions: readonly Decision[]): void {
    const engine = this as unknown as Engine;
    for (const decision of decisions) {
      const method = METHOD_KEYS[decision.kind];
      const key = (engine.fullRuleNameToShort[decision.rule] ?? 0) | method | decision.occurrence;
      engine.setLaFuncCache(key, decision.kind === 'Alternation' ? chooses(decision) : begins(decision));
    }
    engine.selfAnalysisDone = true;
    // V8 keeps an object with this many properties as a table, and makes it fast again when it becomes a prototype.
    Object.create(this);
  }

  /** Called by Chevrotain where no alternative fits. Its own would describe what was expected, from the rules it has analysed. */
  protected raiseNoAltException(): never {
    throw new Unexpected(this.LA(1));
  }

  /** Called by Chevrotain where an `AT_LEAST_ONE` finds none. */
  protected raiseEarlyExitException(): never {
    throw new Unexpected(this.LA(1));
  }

  /** Parses all of `tokens`, which stand in the text from `base` on. The list may be empty. */
  parse(tokens: IToken[], base: number): Outcome {
    this.#base = base;
    this.input = tokens;
    try {
      const list = this.list();
      const error = this.errors[0];
      if (error === undefined) return { list };
      return { unexpected: error.token.tokenType === EOF ? undefined : error.token };
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error;
      return { unexpected: error.token.tokenType === EOF ? undefined : error.token };
    }
  }

  #start(token: IToken): number {
    return this.#base + token.startOffset;
  }

  #end(token: IToken): number {
    return this.#base + token.startOffset + token.image.length;
  }

  // ----------------------------------------------------------------------------------------------------------- lists

  /** compound_list, or nothing: who needs a command asks `#required`. */
  readonly list = this.RULE('list', (): List => {
    this.MANY1(() => this.CONSUME1(T.Newline));
    const items: ListItem[] = [];
    let end = 0;
    let separated = true;
    this.MANY2(() => {
      if (!separated) throw new Unexpected(this.LA(1));
      separated = false;
      const statement = this.SUBRULE(this.andOr);
      let background = false;
      if (!this.RECORDING_PHASE) end = statement.end;
      this.OPTION(() => {
        const separator = this.SUBRULE(this.separator);
        if (this.RECORDING_PHASE) return;
        separated = true;
        if (separator.tokenType === T.Newline) return;
        background = separator.tokenType === T.Ampersand;
        end = this.#end(separator);
      });
      items.push({ statement, background });
    });
    if (this.RECORDING_PHASE) return { kind: 'List', start: 0, end: 0, items };
    const first = items[0];
    if (first === undefined) {
      const before = this.LA(0);
      end = before.tokenType === EOF ? this.#base : this.#end(before);
    }
    return { kind: 'List', start: first === undefined ? end : first.statement.start, end, items };
  });

  /** `;`, `&` or a newline, and the newlines after it. */
  readonly separator = this.RULE('separator', (): IToken => {
    const token = this.OR(
      (this.#separators ??= [
        { ALT: () => this.CONSUME(T.Semicolon) },
        { ALT: () => this.CONSUME(T.Ampersand) },
        { ALT: () => this.CONSUME1(T.Newline) },
      ]),
    );
    this.MANY(() => this.CONSUME2(T.Newline));
    return token;
  });
  #separators: IOrAlt<IToken>[] | undefined;

  readonly andOr = this.RULE('andOr', (): Statement => {
    const first = this.OR1((this.#firstStatements ??= this.#statements(1)));
    let rest: AndOr['rest'][number][] | undefined;
    this.MANY1(() => {
      const operator = this.CONSUME(T.AndOrToken).payload as '&&' | '||';
      this.MANY2(() => this.CONSUME(T.Newline));
      const statement = this.OR2((this.#laterStatements ??= this.#statements(2)));
      rest ??= [];
      rest.push({ operator, statement });
    });
    if (rest === undefined || this.RECORDING_PHASE) return first;
    return { kind: 'AndOr', start: first.start, end: rest.at(-1)?.statement.end ?? first.end, first, rest };
  });
  #firstStatements: IOrAlt<Pipeline | Command>[] | undefined;
  #laterStatements: IOrAlt<Pipeline | Command>[] | undefined;

  #statements(occurrence: 1 | 2): IOrAlt<Pipeline | Command>[] {
    return occurrence === 1
      ? [{ ALT: () => this.SUBRULE1(this.pipeline) }, { ALT: () => this.SUBRULE1(this.prefixedPipeline) }]
      : [{ ALT: () => this.SUBRULE2(this.pipeline) }, { ALT: () => this.SUBRULE2(this.prefixedPipeline) }];
  }

  readonly pipeline = this.RULE('pipeline', (): Pipeline | Command => {
    const first = this.SUBRULE1(this.command);
    let commands: Command[] | undefined;
    let both: boolean[] | undefined;
    this.MANY1(() => {
      const pipe = this.CONSUME(T.Pipe);
      this.MANY2(() => this.CONSUME(T.Newline));
      const command = this.SUBRULE2(this.command);
      commands ??= [first];
      commands.push(command);
      both ??= [];
      both.push(pipe.payload === '|&');
    });
    if (this.RECORDING_PHASE || commands === undefined) return first;
    const { start } = first;
    const end = commands.at(-1)?.end ?? first.end;
    return { kind: 'Pipeline', start, end, negated: false, timed: 'no', commands, both: both ?? NONE };
  });

  /** `!` once, and `time` (bash), in front of a pipeline; `time` may stand alone. */
  readonly prefixedPipeline = this.RULE('prefixedPipeline', (): Pipeline => {
    let negated = false;
    let timed: Pipeline['timed'] = 'no';
    let start = -1;
    let end = 0;
    this.AT_LEAST_ONE(() => {
      const token = this.OR([{ ALT: () => this.CONSUME(T.Bang) }, { ALT: () => this.CONSUME(T.TimeToken) }]);
      if (this.RECORDING_PHASE) return;
      if (token.tokenType === T.TimeToken) {
        timed = token.payload === 'posix' ? 'posix' : timed === 'posix' ? 'posix' : 'yes';
      } else {
        if (negated) throw new Unexpected(token);
        negated = true;
      }
      if (start < 0) start = this.#start(token);
      end = this.#end(token);
    });
    const pipeline = this.OPTION(() => this.SUBRULE(this.pipeline));
    if (!this.RECORDING_PHASE && pipeline === undefined && (timed === 'no' || this.LA(1).tokenType === T.AndOrToken)) {
      throw new Unexpected(this.LA(1));
    }
    const commands = pipeline === undefined ? NONE : pipeline.kind === 'Pipeline' ? pipeline.commands : [pipeline];
    const both = pipeline?.kind === 'Pipeline' ? pipeline.both : NONE;
    return { kind: 'Pipeline', start, end: pipeline?.end ?? end, negated, timed, commands, both };
  });

  // -------------------------------------------------------------------------------------------------------- commands

  readonly command = this.RULE(
    'command',
    (): Command =>
      this.OR(
        (this.#commands ??= [
          { ALT: () => this.SUBRULE(this.simpleCommand) },
          { ALT: () => this.SUBRULE(this.braceGroup) },
          { ALT: () => this.SUBRULE(this.subshell) },
          { ALT: () => this.SUBRULE(this.ifClause) },
          { ALT: () => this.SUBRULE(this.forClause) },
          { ALT: () => this.SUBRULE(this.whileClause) },
          { ALT: () => this.SUBRULE(this.caseClause) },
          { ALT: () => this.SUBRULE(this.functionDefinition) },
          { ALT: () => this.SUBRULE(this.conditional) },
          { ALT: () => this.SUBRULE(this.arithmeticCommand) },
          { ALT: () => this.SUBRULE(this.selectClause) },
        ]),
      ),
  );
  #commands: IOrAlt<Command>[] | undefined;

  readonly simpleCommand = this.RULE('simpleCommand', (): SimpleCommand => {
    let assignments: Assignment[] | undefined;
    let words: Word[] | undefined;
    let declared: DeclaredArgument[] | undefined;
    let redirections: Redirection[] | undefined;
    let start = -1;
    let end = 0;
    this.AT_LEAST_ONE(() => {
      const part = this.OR(
        (this.#simpleParts ??= [
          { ALT: () => this.CONSUME(T.WordToken).payload as Word },
          { ALT: () => this.CONSUME(T.AssignmentToken).payload as Assignment },
          { ALT: () => this.SUBRULE(this.redirection) },
        ]),
      );
      if (this.RECORDING_PHASE) return;
      if (start < 0) start = part.start;
      end = part.end;
      if (part.kind === 'Word') {
        if (words === undefined) words = [part];
        else words.push(part);
      } else if (part.kind === 'Assignment' && words !== undefined) {
        declared ??= [];
        declared.push({ index: words.length, assignment: part });
      } else if (part.kind === 'Assignment') {
        if (assignments === undefined) assignments = [part];
        else assignments.push(part);
      } else if (redirections === undefined) {
        redirections = [part];
      } else {
        redirections.push(part);
      }
    });
    return {
      kind: 'SimpleCommand',
      start,
      end,
      assignments: assignments ?? NONE,
      words: words ?? NONE,
      declared: declared ?? NONE,
      redirections: redirections ?? NONE,
    };
  });
  #simpleParts: IOrAlt<Word | Assignment | Redirection>[] | undefined;

  readonly redirection = this.RULE(
    'redirection',
    (): Redirection =>
      this.OR(
        (this.#redirections ??= [
          {
            ALT: () => {
              const token = this.CONSUME(T.RedirectionToken);
              const target = this.CONSUME(T.WordToken).payload as Word;
              if (this.RECORDING_PHASE) return token.payload as Redirection;
              return redirectionOf(token.payload as RedirectionStart, this.#start(token), target);
            },
          },
          { ALT: () => this.CONSUME(T.HereDocumentToken).payload as HereDocument },
        ]),
      ),
  );
  #redirections: IOrAlt<Redirection>[] | undefined;

  readonly functionDefinition = this.RULE('functionDefinition', (): FunctionDefinition => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.FunctionToken) },
      {
        ALT: () => {
          const name = this.CONSUME(T.FunctionName);
          this.CONSUME(T.OpenParenthesis);
          this.CONSUME(T.CloseParenthesis);
          return name;
        },
      },
    ]);
    this.MANY(() => this.CONSUME(T.Newline));
    const first = this.LA(1);
    const body = this.SUBRULE(this.command);
    if (!this.RECORDING_PHASE && (body.kind === 'SimpleCommand' || body.kind === 'FunctionDefinition')) {
      throw new Unexpected(first);
    }
    return {
      kind: 'FunctionDefinition',
      start: this.#start(token),
      end: this.RECORDING_PHASE ? 0 : body.end,
      keyword: token.tokenType === T.FunctionToken,
      name: token.payload as string,
      body: body as CompoundCommand,
    };
  });

  // ----------------------------------------------------------------------------------------------- compound commands

  readonly compoundRedirections = this.RULE('compoundRedirections', (): readonly Redirection[] => {
    let redirections: Redirection[] | undefined;
    this.MANY(() => {
      const redirection = this.SUBRULE(this.redirection);
      if (redirections === undefined) redirections = [redirection];
      else redirections.push(redirection);
    });
    return redirections ?? NONE;
  });

  /** The end of a compound command: its last word, or the redirections after it. */
  #compoundEnd(last: IToken, redirections: readonly Redirection[]): number {
    if (this.RECORDING_PHASE) return 0;
    return redirections.at(-1)?.end ?? this.#end(last);
  }

  /** The list just read must hold a command. */
  #required(list: List): List {
    if (!this.RECORDING_PHASE && list.items.length === 0) throw new Unexpected(this.LA(1));
    return list;
  }

  readonly braceGroup = this.RULE('braceGroup', (): BraceGroup => {
    const first = this.CONSUME(T.OpenBrace);
    const body = this.#required(this.SUBRULE(this.list));
    const last = this.CONSUME(T.CloseBrace);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    return { kind: 'BraceGroup', start: this.#start(first), end, body, redirections };
  });

  readonly subshell = this.RULE('subshell', (): Subshell => {
    const first = this.CONSUME(T.OpenParenthesis);
    const body = this.#required(this.SUBRULE(this.list));
    const last = this.CONSUME(T.CloseParenthesis);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    return { kind: 'Subshell', start: this.#start(first), end, body, redirections };
  });

  readonly ifClause = this.RULE('ifClause', (): If => {
    const clauses: If['clauses'][number][] = [];
    const first = this.CONSUME(T.If);
    const condition = this.#required(this.SUBRULE1(this.list));
    this.CONSUME1(T.Then);
    clauses.push({ condition, body: this.#required(this.SUBRULE2(this.list)) });
    this.MANY(() => {
      this.CONSUME(T.Elif);
      const next = this.#required(this.SUBRULE3(this.list));
      this.CONSUME2(T.Then);
      clauses.push({ condition: next, body: this.#required(this.SUBRULE4(this.list)) });
    });
    let otherwise: List | undefined;
    this.OPTION(() => {
      this.CONSUME(T.Else);
      otherwise = this.#required(this.SUBRULE5(this.list));
    });
    const last = this.CONSUME(T.Fi);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    return { kind: 'If', start: this.#start(first), end, clauses, otherwise, redirections };
  });

  readonly forClause = this.RULE('forClause', (): For | ArithmeticFor => {
    const first = this.CONSUME(T.ForWord);
    return this.OR<For | ArithmeticFor>([
      {
        ALT: () => {
          const { start, end, name, words, body, redirections } = this.SUBRULE(this.wordLoop, { ARGS: [first] });
          return { kind: 'For', start, end, name, words, body, redirections };
        },
      },
      { ALT: () => this.SUBRULE(this.arithmeticFor, { ARGS: [first] }) },
    ]);
  });

  readonly selectClause = this.RULE('selectClause', (): Select => {
    const first = this.CONSUME(T.SelectWord);
    const { start, end, name, words, body, redirections } = this.SUBRULE(this.wordLoop, { ARGS: [first] });
    return { kind: 'Select', start, end, name, words, body, redirections };
  });

  /** What follows `for` or `select`, which is `first`. */
  readonly wordLoop = this.RULE('wordLoop', (first: IToken): Omit<For, 'kind'> => {
    const name = this.CONSUME(T.ForName).payload as string;
    let words: Word[] | undefined;
    const semicolon = this.OPTION1(() => this.CONSUME(T.Semicolon));
    this.MANY(() => this.CONSUME(T.Newline));
    this.OPTION2(() => {
      if (semicolon !== undefined && !this.RECORDING_PHASE) throw new Unexpected(this.LA(1));
      words = this.SUBRULE(this.forWords);
    });
    this.CONSUME(T.Do);
    const body = this.#required(this.SUBRULE(this.list));
    const last = this.CONSUME(T.Done);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    return { start: this.RECORDING_PHASE ? 0 : this.#start(first), end, name, words, body, redirections };
  });

  readonly arithmeticFor = this.RULE('arithmeticFor', (word: IToken): ArithmeticFor => {
    const head = this.CONSUME(T.ArithmeticForToken).payload as ArithmeticForHead;
    this.OPTION(() => this.CONSUME(T.Semicolon));
    this.MANY(() => this.CONSUME(T.Newline));
    const { body, last } = this.OR([
      {
        ALT: () => {
          this.CONSUME(T.Do);
          const list = this.#required(this.SUBRULE1(this.list));
          return { body: list, last: this.CONSUME(T.Done) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.OpenBrace);
          const list = this.#required(this.SUBRULE2(this.list));
          return { body: list, last: this.CONSUME(T.CloseBrace) };
        },
      },
    ]);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    const start = this.RECORDING_PHASE ? 0 : this.#start(word);
    const [first, test, next] = this.RECORDING_PHASE ? NONE : head;
    return { kind: 'ArithmeticFor', start, end, first, test, next, body, redirections };
  });

  readonly arithmeticCommand = this.RULE('arithmeticCommand', (): ArithmeticCommand => {
    const token = this.CONSUME(T.ArithmeticToken);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(token, redirections);
    const text = token.payload as ArithmeticText;
    return { kind: 'ArithmeticCommand', start: this.#start(token), end, text, redirections };
  });

  readonly conditional = this.RULE('conditional', (): Conditional => {
    const token = this.CONSUME(T.ConditionalToken);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(token, redirections);
    const expression = token.payload as ConditionalExpression;
    return { kind: 'Conditional', start: this.#start(token), end, expression, redirections };
  });

  readonly forWords = this.RULE('forWords', (): Word[] => {
    const words: Word[] = [];
    this.CONSUME(T.In);
    this.MANY1(() => {
      words.push(this.CONSUME(T.WordToken).payload as Word);
    });
    this.OR([{ ALT: () => this.CONSUME(T.Semicolon) }, { ALT: () => this.CONSUME1(T.Newline) }]);
    this.MANY2(() => this.CONSUME2(T.Newline));
    return words;
  });

  readonly whileClause = this.RULE('whileClause', (): While => {
    const first = this.OR([{ ALT: () => this.CONSUME(T.WhileWord) }, { ALT: () => this.CONSUME(T.Until) }]);
    const condition = this.#required(this.SUBRULE1(this.list));
    this.CONSUME(T.Do);
    const body = this.#required(this.SUBRULE2(this.list));
    const last = this.CONSUME(T.Done);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    const until = first.tokenType === T.Until;
    return { kind: 'While', start: this.#start(first), end, until, condition, body, redirections };
  });

  readonly caseClause = this.RULE('caseClause', (): Case => {
    const items: CaseItem[] = [];
    const first = this.CONSUME(T.CaseWord);
    const word = this.CONSUME(T.WordToken).payload as Word;
    this.MANY1(() => this.CONSUME1(T.Newline));
    this.CONSUME(T.In);
    this.MANY2(() => this.CONSUME2(T.Newline));
    let open = false;
    this.MANY3(() => {
      // only the last item may leave out its `;;`
      if (open) throw new Unexpected(this.LA(1));
      const item = this.SUBRULE(this.caseItem);
      items.push(item.node);
      open = item.open;
    });
    const last = this.CONSUME(T.Esac);
    const redirections = this.SUBRULE(this.compoundRedirections);
    const end = this.#compoundEnd(last, redirections);
    return { kind: 'Case', start: this.#start(first), end, word, items, redirections };
  });

  readonly caseItem = this.RULE('caseItem', (): { node: CaseItem; open: boolean } => {
    let first: IToken | undefined;
    this.OPTION1(() => {
      first = this.CONSUME(T.OpenParenthesis);
    });
    const patterns: Word[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Pipe,
      DEF: () => {
        patterns.push(this.CONSUME(T.WordToken).payload as Word);
      },
    });
    const parenthesis = this.CONSUME(T.CloseParenthesis);
    const body = this.SUBRULE(this.list);
    let end = this.RECORDING_PHASE || body.items.length > 0 ? body.end : this.#end(parenthesis);
    let terminator: CaseItem['terminator'] | undefined;
    this.OPTION2(() => {
      const token = this.CONSUME(T.CaseTerminator);
      this.MANY(() => this.CONSUME(T.Newline));
      terminator = token.payload as CaseItem['terminator'];
      end = this.#end(token);
    });
    const start = this.RECORDING_PHASE ? 0 : first === undefined ? (patterns[0]?.start ?? 0) : this.#start(first);
    return {
      node: { start, end, patterns, body, terminator: terminator ?? ';;' },
      open: terminator === undefined,
    };
  });
}
