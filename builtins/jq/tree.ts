/** The syntax tree of a jq program. */
import type { Json } from './value.js';

export type Node = Shape & {
  /** Whether it has exactly one output and never waits; worked out when first asked. */
  simple?: boolean;
};

type Shape =
  /** `.` */
  | { readonly kind: 'identity' }
  | { readonly kind: 'literal'; readonly value: Json }
  /** `of[key]`, `.a` */
  | { readonly kind: 'index'; readonly of: Node; readonly key: Node }
  /** `of[from:to]` */
  | { readonly kind: 'slice'; readonly of: Node; readonly from: Node | undefined; readonly to: Node | undefined }
  /** `of[]` */
  | { readonly kind: 'iterate'; readonly of: Node }
  | { readonly kind: 'pipe'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'comma'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'negate'; readonly of: Node }
  | { readonly kind: 'and' | 'or'; readonly left: Node; readonly right: Node }
  /** `left // right` */
  | { readonly kind: 'alternative'; readonly left: Node; readonly right: Node }
  /** `=` `|=` `+=` ... `//=` */
  | { readonly kind: 'update'; readonly operator: UpdateOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'if'; readonly test: Node; readonly then: Node; readonly otherwise: Node }
  /** `try body catch handler`, `body?` */
  | { readonly kind: 'try'; readonly body: Node; readonly handler: Node | undefined }
  /** `source as $x | body` */
  | { readonly kind: 'bind'; readonly source: Node; readonly pattern: Pattern; readonly body: Node }
  | {
      readonly kind: 'reduce';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
    }
  | {
      readonly kind: 'foreach';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
      readonly extract: Node;
    }
  | { readonly kind: 'label'; readonly name: string; readonly body: Node }
  | { readonly kind: 'break'; readonly name: string }
  /** `[body]` */
  | { readonly kind: 'array'; readonly body: Node | undefined }
  | { readonly kind: 'object'; readonly members: readonly { readonly key: Node; readonly value: Node }[] }
  /** `"a\(b)c"`, with the format its parts go through. */
  | { readonly kind: 'string'; readonly format: string | undefined; readonly parts: readonly (string | Node)[] }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | {
      readonly kind: 'call';
      readonly name: string /** `name/2` */;
      readonly key: string;
      readonly arguments: readonly Node[];
      readonly target: CallTarget;
    }
  | { readonly kind: 'define'; readonly definition: Definition; readonly body: Node };

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=';
export type UpdateOperator = '=' | '|=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//=';

/** `scope`: a definition or parameter of the program; `native`: one of ours; a definition: one of ours written in jq. */
export type CallTarget = 'scope' | 'native' | Definition;

export interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  body: Node;
}

export type Pattern =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly Pattern[] }
  | {
      readonly kind: 'object';
      readonly members: readonly {
        readonly variable: string | undefined;
        readonly key: Node;
        readonly pattern: Pattern | undefined;
      }[];
    };

/** The call of `empty`: what a filter that was not given does. */
export const EMPTY: Node = { kind: 'call', name: 'empty', key: 'empty/0', arguments: [], target: 'native' };
