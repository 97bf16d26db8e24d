/** `--print-ast` and `--format`: a script is read, and nothing of it runs. Loaded only where they are asked for. */
import { format, formatProblem, type ParseOptions, type Problem, parse } from '../../grammar/index.js';
import type { Grants } from '../policy/policy.js';

export interface TextRequest {
  /** What messages call the script. */
  readonly name: string;
  readonly grants: Grants;
  readonly settings: readonly { readonly option: string; readonly on: boolean }[];
  readonly print: (text: string) => void;
  readonly tell: (text: string) => void;
}

const SYNTAX_ERROR = 2;

/** One JSON object, `{"commands": [...]}`: complete commands as `rmsh/grammar` types them. Offsets are UTF-16 units of the script. */
export function printTree(text: string, request: TextRequest): number {
  const { commands, problem } = parse(text, optionsOf(request));
  if (problem !== undefined) return refuse(text, problem, request);
  request.print(`${JSON.stringify({ commands }, null, 2)}\n`);
  return 0;
}

export function printTidied(text: string, request: TextRequest): number {
  const result = format(text, optionsOf(request));
  if (!('text' in result)) return refuse(text, result, request);
  request.print(result.text);
  return 0;
}

/** No part of it is printed: who writes the output back over the script keeps what was there. */
function refuse(text: string, problem: Problem, { name, tell }: TextRequest): number {
  tell(formatProblem(name, text, problem));
  return SYNTAX_ERROR;
}

function optionsOf({ grants, settings }: TextRequest): ParseOptions {
  const { maxNesting, maxWords } = grants.limits;
  const posix = settings.findLast(({ option }) => option === 'posix')?.on ?? false;
  return { maxNesting, maxParts: maxWords, posix };
}
