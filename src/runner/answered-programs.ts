/** The programs of a run whose caller answers for them: whatever the policy grants is there, and nothing is looked for on the host. */
import type { ExternalHandler, Program, Programs } from '../io/programs.js';
import type { ProgramSearch } from './start.js';

export function answeredPrograms({ wanted }: ProgramSearch, answer: ExternalHandler): Programs {
  const all = wanted.map(({ name, path, readOnly }): Program => ({ name, path: path ?? name, readOnly }));
  const never = (): never => {
    throw new Error('a program that is answered for is not started');
  };
  return {
    all,
    warnings: [],
    answer,
    find: (name) => all.find((program) => program.name === name),
    findPath: (path) => all.find((program) => program.path === path),
    inputPipe: never,
    outputPipe: never,
    start: never,
    end: () => Promise.resolve(),
  };
}
