/** Process substitution (bash): `<(list)` is the name of a descriptor that reads what the list prints. */
import type { ProcessSubstitution } from '../../grammar/ast.js';
import { createDescription } from '../io/descriptors.js';
import { NO_FACTS } from '../io/output.js';
import { createPipe } from '../io/pipe.js';
import { limitReached } from '../limits.js';
import { runList } from './lists.js';
import type { ShellState } from './state.js';
import { runForked } from './subshells.js';

/** Descriptors lent to commands begin here, as in bash, out of the way of scripts. */
const FIRST_DESCRIPTOR = 63;

/** Starts the list, and answers `/dev/fd/N`. The descriptor is open until the command that was given the name has ended. */
export function substituteProcess(shell: ShellState, node: ProcessSubstitution): string {
  const { counters, limits, jobs, substitutions } = shell.scope;
  if (counters.runningJobs >= limits.maxJobs) throw limitReached('maxJobs', limits.maxJobs);
  const pipe = createPipe(shell.tick);
  const child = shell.fork();
  const reads = node.direction === '<';
  if (reads) child.descriptors.set(1, createDescription(undefined, pipe.sink, NO_FACTS));
  else child.descriptors.set(0, createDescription(pipe.source, undefined, NO_FACTS));
  const descriptor = shell.descriptors.lowestFree(FIRST_DESCRIPTOR);
  const ours = reads
    ? createDescription(pipe.source, undefined, NO_FACTS)
    : createDescription(undefined, pipe.sink, NO_FACTS);
  shell.descriptors.set(descriptor, ours);
  shell.lent.push(descriptor);
  counters.runningJobs += 1;
  const ended = Promise.resolve()
    .then(() => runForked(child, (inner) => runList(inner, node.body)))
    .finally(() => {
      counters.runningJobs -= 1;
    });
  jobs.add(ended);
  substitutions.set(ended, ours);
  ended.then(
    () => jobs.delete(ended),
    () => {},
  );
  return `/dev/fd/${descriptor}`;
}

/** Closes the descriptors that were lent since there were `count` of them. */
export function takeBack(shell: ShellState, count: number): void {
  while (shell.lent.length > count) {
    const descriptor = shell.lent.pop() as number;
    const waiting = shell.descriptors.close(descriptor);
    waiting?.catch(() => {});
  }
}
