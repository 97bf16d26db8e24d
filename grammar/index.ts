export { type ArithmeticOptions, isProblem, parseArithmetic } from './arithmetic.js';
export type * from './ast.js';
export { formatProblem, LineIndex, lineOf, type Problem } from './diagnostics.js';
export { printArithmetic } from './printed-arithmetic.js';
export { type Printable, print } from './printer.js';
export { decodeDollarQuoted } from './quoting.js';
export { type ParseOptions, type ParseResult, parse, parseDoubleQuotedText, ScriptParser } from './script.js';
export { isName, isReservedWord } from './tokens.js';
export type { Modes } from './words.js';
