/** The syntax tree of an awk program. */
import type { Regex } from '../../src/text/regex/index.js';

/** What is wrong with a program, or what went wrong while it ran: it ends awk with status 2. */
export class AwkError extends Error {
  override readonly name = 'AwkError';
}

/** A variable, shared by all places that name it. What it is shows in how it is used, so kinds are known before anything runs. */
export interface Variable {
  readonly name: string;
  readonly local: boolean;
  array: boolean;
  scalar: boolean;
  /** Where it lives: among the scalars or the arrays of its frame. */
  slot: number;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly Variable[];
  body: Statement;
  /** Slots of one frame; temporaries are added while the body is compiled. */
  scalars: number;
  arrays: number;
}

export type Arithmetic = '+' | '-' | '*' | '/' | '%' | '^';
export type Comparison = '<' | '<=' | '==' | '!=' | '>' | '>=';

export type Target =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'element'; readonly array: Variable; readonly keys: readonly Expression[] }
  | { readonly kind: 'field'; readonly index: Expression };

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly text: string }
  /** `/re/`; where no regular expression is asked for it is `$0 ~ /re/`. */
  | { readonly kind: 'regex'; readonly regex: Regex }
  | Target
  /** The name of an array as an argument. */
  | { readonly kind: 'array'; readonly array: Variable }
  | { readonly kind: 'assign'; readonly target: Target; readonly operator: Arithmetic | ''; readonly value: Expression }
  /** `++x` `x++` `--x` `x--` */
  | { readonly kind: 'step'; readonly target: Target; readonly by: 1 | -1; readonly prefix: boolean }
  | {
      readonly kind: 'arithmetic';
      readonly operator: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** Of two strings or more. */
  | { readonly kind: 'concat'; readonly parts: readonly Expression[] }
  | {
      readonly kind: 'match';
      readonly negated: boolean;
      readonly left: Expression;
      readonly pattern: Expression;
    }
  | { readonly kind: 'in'; readonly keys: readonly Expression[]; readonly array: Variable }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'choice';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly operand: Expression }
  /** `(a, b)`: the arguments of print, or keys before `in`. One in parentheses is itself, wrapped. */
  | { readonly kind: 'group'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly line: string; readonly arguments: readonly Expression[] }
  | { readonly kind: 'builtin'; readonly name: BuiltinName; readonly arguments: readonly Expression[] }
  | { readonly kind: 'getline'; readonly target: Target | undefined; readonly file: Expression | undefined };

export const BUILTIN_NAMES = [
  'atan2',
  'close',
  'cos',
  'exp',
  'fflush',
  'gsub',
  'index',
  'int',
  'length',
  'log',
  'match',
  'rand',
  'sin',
  'split',
  'sprintf',
  'sqrt',
  'srand',
  'sub',
  'substr',
  'tolower',
  'toupper',
] as const;

export type BuiltinName = (typeof BUILTIN_NAMES)[number];

export interface Redirection {
  readonly append: boolean;
  readonly file: Expression;
}

export type Statement =
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'print'; readonly items: readonly Expression[]; readonly to: Redirection | undefined }
  | { readonly kind: 'printf'; readonly items: readonly Expression[]; readonly to: Redirection | undefined }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  /** `while`, and `for` with its parts: the step comes after the body, `continue` or not. */
  | {
      readonly kind: 'loop';
      readonly before: Statement | undefined;
      readonly test: Expression | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
      /** `do`: the body comes before the first test. */
      readonly bodyFirst: boolean;
    }
  | { readonly kind: 'each'; readonly variable: Variable; readonly array: Variable; readonly body: Statement }
  | { readonly kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly kind: 'exit' | 'return'; readonly value: Expression | undefined }
  /** Without keys: all elements. */
  | { readonly kind: 'delete'; readonly array: Variable; readonly keys: readonly Expression[] | undefined };

export interface Rule {
  /** None: every record. Two: a range. */
  readonly patterns: readonly Expression[];
  /** None: print the record. */
  readonly body: Statement | undefined;
}

export interface Program {
  readonly begin: readonly Statement[];
  readonly rules: readonly Rule[];
  readonly end: readonly Statement[];
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly globals: ReadonlyMap<string, Variable>;
}
