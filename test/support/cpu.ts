/**
 * CPU time of this process since `start` (an answer of `process.cpuUsage()`), in milliseconds. Tests of how a time grows ask for this: on a
 * machine that is busy with something else the clock goes on while the process waits.
 */
export function cpuSince(start: NodeJS.CpuUsage): number {
  return process.cpuUsage(start).user / 1000;
}
