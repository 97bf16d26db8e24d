/** The public face of the grammar: parse, print, and the tree. */
export type * from './ast.js';
