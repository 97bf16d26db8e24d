/** What is compared, and how. */
import type { FileStat } from '../../src/files/files.js';
import type { Context } from '../kit/context.js';
import type { Ignored } from './classes.js';

export const TROUBLE = 2;

export interface DiffOptions {
  readonly ignored: Ignored;
  /** Lines around a change; undefined: the normal format, which has none. */
  readonly context: number | undefined;
  readonly brief: boolean;
  readonly identical: boolean;
  readonly recursive: boolean;
  readonly newFile: boolean;
  readonly text: boolean;
  /** As they were written, for the line above the differences of two files in directories. */
  readonly optionWords: readonly string[];
  /** What the first and the second file are called; their names where it is left out. */
  readonly labels: readonly string[];
}

export type DiffContext = Context<'read' | 'list' | 'clock'>;

/** One of the two things compared. */
export interface Side {
  readonly name: string;
  /** Undefined for a stream; `'missing'`: compared as an empty file, where options want that. */
  readonly stat: FileStat | 'missing' | undefined;
}

/** The names of both as they are printed. */
export function calledNames({ labels }: DiffOptions, a: Side, b: Side): [string, string] {
  return [labels[0] ?? a.name, labels[1] ?? b.name];
}
