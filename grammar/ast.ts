/**
 * The syntax tree of the shell command language (POSIX.1-2024, XCU 2.10).
 *
 * Every node has `start` and `end`: offsets, in UTF-16 units, into the text it was parsed from, `end` exclusive. Lines and
 * columns are computed when someone asks (`diagnostics.ts`). Every node is made with all its keys, in the order they are
 * declared here, so that nodes of a kind share one shape.
 */

/** Where a node stands in its text. */
export interface Span {
  /** Offset of its first UTF-16 unit. */
  readonly start: number;
  /** Offset just after its last. */
  readonly end: number;
}

// ---------------------------------------------------------------------------------------------------------- words

/** One WORD token: `a"b"$c`. */
export interface Word extends Span {
  readonly kind: 'Word';
  readonly parts: readonly WordPart[];
  /**
   * The one field this word always expands to, when that is known from the text: only literal and quoted text, no tilde
   * prefix, and no unquoted `*` `?` `[`. Undefined otherwise. (`''` has the literal ``.)
   */
  readonly literal: string | undefined;
}

/** What a word is made of, side by side. */
export type WordPart =
  | Literal
  | Escaped
  | SingleQuoted
  | DoubleQuoted
  | TildePrefix
  | ParameterExpansion
  | CommandSubstitution
  | ArithmeticExpansion
  | ProcessSubstitution
  | BraceList
  | BraceSequence;

/** Unquoted text: its `*` `?` `[` are pattern characters. Inside double quotes or a here-document: text that is just itself. */
export interface Literal extends Span {
  readonly kind: 'Literal';
  readonly text: string;
}

/** `\c`: `text` is the quoted character (one code point). `\` and newline together vanish and have no node. */
export interface Escaped extends Span {
  readonly kind: 'Escaped';
  readonly text: string;
}

/** `'...'`, and `$'...'` (POSIX 2.2.4) whose escapes are already decoded in `text`. */
export interface SingleQuoted extends Span {
  readonly kind: 'SingleQuoted';
  readonly dollar: boolean;
  readonly text: string;
}

/** `"..."`. `parts` never holds SingleQuoted (but inside `${x#'p'}` an operand word has its own rules) or TildePrefix. */
export interface DoubleQuoted extends Span {
  readonly kind: 'DoubleQuoted';
  readonly parts: readonly WordPart[];
}

/** `~` or `~user` at the start of a word, and after `=` or an unquoted `:` in an assignment's value. `user` is `` for `~`. */
export interface TildePrefix extends Span {
  readonly kind: 'TildePrefix';
  readonly user: string;
}

/**
 * `$name`, `${name}` and, with an operation, `${name%pattern}`, `${name:-word}` ... `name` may be `@ * # ? - $ ! 0` or digits.
 */
export interface ParameterExpansion extends Span {
  readonly kind: 'ParameterExpansion';
  readonly name: string;
  readonly braced: boolean;
  /** `${a[subscript]}` (bash): `@` and `*` are all elements, a word is an index or a key. */
  readonly subscript: Subscript | undefined;
  /** `${!name}` (bash): the value is the name of the parameter that is meant. */
  readonly indirect: boolean;
  readonly operation: ParameterOperation | undefined;
}

/** What stands in brackets after an array's name. */
export type Subscript = '@' | '*' | Word;

/** What stands behind the name in `${name...}`. */
export type ParameterOperation =
  /** `${#x}`, `${#a[@]}` */
  | { readonly kind: 'Length' }
  /** `${x:offset}` and `${x:offset:length}` (bash): both are arithmetic, expanded as in `$(( ))` */
  | { readonly kind: 'Substring'; readonly offset: Word; readonly length: Word | undefined }
  /** `${x/p/r}`, `${x//p/r}` (all), `${x/#p/r}` and `${x/%p/r}` (anchored) (bash) */
  | {
      readonly kind: 'Replace';
      readonly all: boolean;
      readonly anchor: 'start' | 'end' | undefined;
      readonly pattern: Word;
      readonly replacement: Word | undefined;
    }
  /** `${x^}` `${x^^}` `${x,}` `${x,,}` `${x~}` `${x~~}`, with a pattern of one character (bash) */
  | {
      readonly kind: 'Case';
      readonly to: 'upper' | 'lower' | 'toggle';
      readonly all: boolean;
      readonly pattern: Word | undefined;
    }
  /** `${x@Q}` and its like (bash) */
  | { readonly kind: 'Transform'; readonly operator: 'Q' | 'E' | 'P' | 'A' | 'a' | 'K' | 'k' | 'U' | 'u' | 'L' }
  /** `${!prefix*}` and `${!prefix@}` (bash): the names of the variables that begin so */
  | { readonly kind: 'Names'; readonly separate: boolean }
  /** `${!a[@]}` and `${!a[*]}` (bash): the indices or keys of an array */
  | { readonly kind: 'Keys' }
  /** `${x-w}` and `${x:-w}`: the colon is `orEmpty` */
  | { readonly kind: 'Default'; readonly orEmpty: boolean; readonly word: Word }
  /** `${x=w}` and `${x:=w}` */
  | { readonly kind: 'Assign'; readonly orEmpty: boolean; readonly word: Word }
  /** `${x?w}` and `${x:?w}`; `word` is undefined when nothing follows the `?` */
  | { readonly kind: 'Error'; readonly orEmpty: boolean; readonly word: Word | undefined }
  /** `${x+w}` and `${x:+w}` */
  | { readonly kind: 'Alternative'; readonly orEmpty: boolean; readonly word: Word }
  /** `${x#p}` `${x##p}` `${x%p}` `${x%%p}` */
  | { readonly kind: 'Strip'; readonly from: 'start' | 'end'; readonly longest: boolean; readonly pattern: Word };

/** `$(list)` and `` `list` ``. Offsets inside a backquoted body count in the body's own text, given as `text`. */
export interface CommandSubstitution extends Span {
  readonly kind: 'CommandSubstitution';
  readonly backquoted: boolean;
  /** For backquotes the text between them, one level of backslashes removed; undefined for `$( )`. */
  readonly text: string | undefined;
  readonly body: List;
}

/** `<(list)` and `>(list)` (bash): a name that reads what the list prints, or writes what it reads. */
export interface ProcessSubstitution extends Span {
  readonly kind: 'ProcessSubstitution';
  readonly direction: '<' | '>';
  readonly body: List;
}

/** `{a,b}` in a word (bash): brace expansion comes before all others, and makes a word of each item. */
export interface BraceList extends Span {
  readonly kind: 'BraceList';
  readonly items: readonly (readonly WordPart[])[];
}

/** `{1..9}`, `{a..e..2}`, `{01..10}` (bash). */
export interface BraceSequence extends Span {
  readonly kind: 'BraceSequence';
  /** `letters`: from, to are code points. */
  readonly letters: boolean;
  readonly from: number;
  readonly to: number;
  /** Never 0; its sign is that of the direction. */
  readonly step: number;
  /** Digits, the sign included, that numbers are filled up to with zeros; 0: none. */
  readonly width: number;
}

/** `$((expression))`. The text is expanded as if in double quotes (POSIX 2.6.4), then evaluated. */
export interface ArithmeticExpansion extends Span {
  readonly kind: 'ArithmeticExpansion';
  readonly parts: readonly WordPart[];
  /**
   * The expression, when it could be parsed before expansion: `parts` is literal text and plain `$name` or `${name}`, each
   * standing where a primary may stand (an ArithmeticParameter). It holds for a run only while the parameters' values
   * are decimal numbers; otherwise the expanded text is parsed (`parseArithmetic`). Undefined when it could not.
   */
  readonly expression: Arithmetic | undefined;
}

// ----------------------------------------------------------------------------------------------------- arithmetic

/** A signed 64-bit integer: a plain number while it is a safe integer, else a bigint. */
export type ArithmeticInteger = number | bigint;

/** An expression of `$(( ))` or `(( ))`. */
export type Arithmetic =
  | { readonly kind: 'Number'; readonly value: ArithmeticInteger }
  | { readonly kind: 'Variable'; readonly name: string; readonly subscript: ArithmeticSubscript | undefined }
  /** `$x` or `${x}` (also `$1`, `$#`, `$?`) inside an expression */
  | { readonly kind: 'Parameter'; readonly name: string }
  | { readonly kind: 'Unary'; readonly operator: UnaryOperator; readonly operand: Arithmetic }
  | {
      readonly kind: 'Binary';
      readonly operator: BinaryOperator;
      readonly left: Arithmetic;
      readonly right: Arithmetic;
    }
  /** `&&` and `||`: the right side is evaluated only when needed */
  | { readonly kind: 'Logical'; readonly operator: '&&' | '||'; readonly left: Arithmetic; readonly right: Arithmetic }
  | {
      readonly kind: 'Conditional';
      readonly test: Arithmetic;
      readonly then: Arithmetic;
      readonly otherwise: Arithmetic;
    }
  /** `x = e` has the operator undefined; `x += e` has `+` */
  | {
      readonly kind: 'Assignment';
      readonly name: string;
      readonly subscript: ArithmeticSubscript | undefined;
      readonly operator: BinaryOperator | undefined;
      readonly value: Arithmetic;
    }
  /** `++x` `x++` `--x` `x--` */
  | {
      readonly kind: 'Increment';
      readonly name: string;
      readonly subscript: ArithmeticSubscript | undefined;
      readonly by: 1 | -1;
      readonly prefix: boolean;
    }
  /** `a, b` (bash) */
  | { readonly kind: 'Comma'; readonly left: Arithmetic; readonly right: Arithmetic };

/** `a[i]` in an expression (bash): an index, or for an associative array a key. */
export interface ArithmeticSubscript {
  /** Undefined when the text is no expression: it can only be a key. */
  readonly expression: Arithmetic | undefined;
  /** As written between the brackets. When it holds a `$`, a key is known only after expansion. */
  readonly text: string;
}

/** Operators with one operand. */
export type UnaryOperator = '+' | '-' | '!' | '~';
/** Operators with two operands. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!=';

// ------------------------------------------------------------------------------------------------------- commands

/** What is parsed, and run, in one go: a list up to its newline. */
export interface CompleteCommand extends Span {
  readonly kind: 'CompleteCommand';
  readonly list: List;
}

/** Commands joined by `;`, `&` or newlines. */
export interface List extends Span {
  readonly kind: 'List';
  readonly items: readonly ListItem[];
}

/** One part of a list, up to its `;`, `&` or newline. */
export interface ListItem {
  readonly statement: Statement;
  /** The item ended with `&`: an asynchronous list. */
  readonly background: boolean;
}

/** A part with nothing to join is not wrapped: a lone command is a Command, not a Pipeline of one. */
export type Statement = AndOr | Pipeline | Command;

/** `a && b || c`, left-associative. */
export interface AndOr extends Span {
  readonly kind: 'AndOr';
  readonly first: Pipeline | Command;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly statement: Pipeline | Command }[];
}

/** `! a | b`: two or more commands, one that is negated or timed, or none that is timed: `time` alone. */
export interface Pipeline extends Span {
  readonly kind: 'Pipeline';
  readonly negated: boolean;
  /** `time a | b` (bash), `time -p a | b`. */
  readonly timed: 'no' | 'yes' | 'posix';
  readonly commands: readonly Command[];
  /** For each `|`, whether it was `|&` (bash): the command before it also sends its standard error into the pipe. */
  readonly both: readonly boolean[];
}

/** What a pipeline is made of. */
export type Command = SimpleCommand | CompoundCommand | FunctionDefinition;

/** A command with a reserved word, or parentheses, around it. */
export type CompoundCommand =
  | BraceGroup
  | Subshell
  | If
  | For
  | ArithmeticFor
  | Select
  | While
  | Case
  | ArithmeticCommand
  | Conditional;

/** `a=1 cmd word >file`: assignments, words and redirections, each possibly empty but not all of them. */
export interface SimpleCommand extends Span {
  readonly kind: 'SimpleCommand';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  /**
   * Arguments of the form `name=value` of a command that declares: `export`, `readonly`, `local`, `declare`, `typeset`. They are
   * assignments and not among `words`. A value in which braces are expanded is a word all the same, as in bash.
   */
  readonly declared: readonly DeclaredArgument[];
  readonly redirections: readonly Redirection[];
}

/** An argument of `export`, `declare` and their like that is an assignment. */
export interface DeclaredArgument {
  /** How many of the command's `words` stand before it. */
  readonly index: number;
  readonly assignment: Assignment;
}

/** `name=value`. The value may hold TildePrefix parts after `=` and after unquoted `:`. It is never split or globbed. */
export interface Assignment extends Span {
  readonly kind: 'Assignment';
  readonly name: string;
  /** `a[subscript]=value` (bash). */
  readonly subscript: Word | undefined;
  /** `name+=value` (bash). */
  readonly append: boolean;
  readonly value: Word | ArrayLiteral;
}

/** `(word [key]=word ...)` after `name=` (bash). Words without a key are split and globbed. */
export interface ArrayLiteral extends Span {
  readonly kind: 'ArrayLiteral';
  readonly elements: readonly ArrayElement[];
}

/** `value`, `[subscript]=value` or `[subscript]+=value` in the parentheses of an array. */
export interface ArrayElement {
  readonly subscript: Word | undefined;
  readonly append: boolean;
  readonly value: Word;
}

/** `{ list; }` */
export interface BraceGroup extends Span {
  readonly kind: 'BraceGroup';
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `( list )` */
export interface Subshell extends Span {
  readonly kind: 'Subshell';
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `if list; then list; elif list; then list; else list; fi` */
export interface If extends Span {
  readonly kind: 'If';
  readonly clauses: readonly { readonly condition: List; readonly body: List }[];
  readonly otherwise: List | undefined;
  readonly redirections: readonly Redirection[];
}

/** `for name in words; do list; done`; `words` is undefined when there is no `in`, which means `"$@"`. */
export interface For extends Span {
  readonly kind: 'For';
  readonly name: string;
  readonly words: readonly Word[] | undefined;
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** An expression in a command: `((expression))`, and each of the three of `for ((;;))`. As in ArithmeticExpansion. */
export interface ArithmeticText extends Span {
  readonly parts: readonly WordPart[];
  readonly expression: Arithmetic | undefined;
}

/** `for ((first; test; next)); do list; done` (bash). An expression that is left out is undefined; a test left out is true. */
export interface ArithmeticFor extends Span {
  readonly kind: 'ArithmeticFor';
  readonly first: ArithmeticText | undefined;
  readonly test: ArithmeticText | undefined;
  readonly next: ArithmeticText | undefined;
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `select name in words; do list; done` (bash). */
export interface Select extends Span {
  readonly kind: 'Select';
  readonly name: string;
  readonly words: readonly Word[] | undefined;
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `((expression))` (bash): 0 when it is not zero. */
export interface ArithmeticCommand extends Span {
  readonly kind: 'ArithmeticCommand';
  readonly text: ArithmeticText;
  readonly redirections: readonly Redirection[];
}

/** `[[ expression ]]` (bash). */
export interface Conditional extends Span {
  readonly kind: 'Conditional';
  readonly expression: ConditionalExpression;
  readonly redirections: readonly Redirection[];
}

/** What stands in `[[ ]]`. */
export type ConditionalExpression =
  | { readonly kind: 'And' | 'Or'; readonly left: ConditionalExpression; readonly right: ConditionalExpression }
  | { readonly kind: 'Not'; readonly operand: ConditionalExpression }
  | { readonly kind: 'Group'; readonly operand: ConditionalExpression }
  /** `-f word`, and `word` alone as `-n word` with `operator` undefined */
  | { readonly kind: 'UnaryTest'; readonly operator: string | undefined; readonly operand: Word }
  /** `a -eq b`, `a == pattern`, `a =~ regex`, `a < b` ... */
  | { readonly kind: 'BinaryTest'; readonly operator: string; readonly left: Word; readonly right: Word };

/** `while list; do list; done` and `until ...` */
export interface While extends Span {
  readonly kind: 'While';
  readonly until: boolean;
  readonly condition: List;
  readonly body: List;
  readonly redirections: readonly Redirection[];
}

/** `case word in pattern|pattern) list;; esac` */
export interface Case extends Span {
  readonly kind: 'Case';
  readonly word: Word;
  readonly items: readonly CaseItem[];
  readonly redirections: readonly Redirection[];
}

/** `pattern | pattern) list ;;` */
export interface CaseItem extends Span {
  readonly patterns: readonly Word[];
  /** Possibly empty: `a) ;;` */
  readonly body: List;
  /**
   * `;;` (also when the last item leaves it out), `;&`, which goes on with the next item's list (POSIX.1-2024), or `;;&`, which goes
   * on with the next item's patterns (bash).
   */
  readonly terminator: ';;' | ';&' | ';;&';
}

/** `name() compound-command`. The redirections stand on `body` and are made anew at each call. */
export interface FunctionDefinition extends Span {
  readonly kind: 'FunctionDefinition';
  /** `function name` (bash). */
  readonly keyword: boolean;
  readonly name: string;
  readonly body: CompoundCommand;
}

// --------------------------------------------------------------------------------------------------- redirections

/** A redirection of any kind. */
export type Redirection = FileRedirection | HereDocument | HereString;

/** `&>` and `&>>` (bash) are descriptors 1 and 2 together. */
export type RedirectionOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>';

/** A number, the variable of `{name}>` (bash) that gets a free one, or undefined: what the operator stands for. */
export type RedirectionDescriptor = number | { readonly variable: string } | undefined;

/** `2>file`, `<&3`, `>&-`. `descriptor` is undefined when none was written: 0 for `<` forms, 1 for `>` forms. */
export interface FileRedirection extends Span {
  readonly kind: 'FileRedirection';
  readonly descriptor: RedirectionDescriptor;
  readonly operator: RedirectionOperator;
  readonly target: Word;
}

/** `<<word` and `<<-word`. */
export interface HereDocument extends Span {
  readonly kind: 'HereDocument';
  readonly descriptor: RedirectionDescriptor;
  /** `<<-`: leading tabs are already stripped from `body`. */
  readonly stripTabs: boolean;
  /** The delimiter word as written, quotes included. */
  readonly delimiter: string;
  /** The delimiter was quoted: the body is literal. */
  readonly quoted: boolean;
  /** The document, its last newline included. Expanded as in double quotes, except that `"` is ordinary. */
  readonly body: Word;
}

/** `<<< word` (bash): the word, not split, and a newline. */
export interface HereString extends Span {
  readonly kind: 'HereString';
  readonly descriptor: RedirectionDescriptor;
  readonly word: Word;
}
