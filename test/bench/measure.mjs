/**
 * One run of one command line, measured.
 *
 * CPU time is that of the whole process and its children, user and system, as bash's `time` reads it from the kernel's
 * rusage: a shell that starts a `cat` pays for the `cat`. It comes in whole milliseconds, so a workload should take a shell
 * some tens of them.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const STOPWATCH = 'TIMEFORMAT="%3U %3S %3R"; { time "$@" >"$0.out" 2>"$0.err"; status=$?; } 2>"$0.time"; exit $status';

/**
 * Runs `command` with nothing to read. `cpu` and `wall` are in ms, `peak` is the most memory, in MiB, that the process itself
 * held (not its children), `digest` is of its output and its status. Undefined when it took longer than `patience` ms.
 */
export function measure(command, folder, patience, locale = 'C') {
  const base = join(folder, 'run');
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', STOPWATCH, base, ...command], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: locale },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      // A group of its own: what takes too long is ended with all that it started.
      detached: true,
    });
    let peak = 0;
    let late = false;
    const watching = setInterval(() => {
      peak = Math.max(peak, peakOfChild(child.pid));
    }, 10);
    const ending = setTimeout(() => {
      late = true;
      process.kill(-child.pid, 'SIGKILL');
    }, patience);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(watching);
      clearTimeout(ending);
      if (late) return resolve(undefined);
      const [user, system, wall] = readFileSync(`${base}.time`, 'utf8').trim().split(' ').map(Number);
      if (!(wall >= 0)) return reject(new Error(`no time for ${command.join(' ')}`));
      resolve({
        cpu: (user + system) * 1000,
        wall: wall * 1000,
        peak,
        digest: `${status} ${digestOf(`${base}.out`)}`,
        errors: readFileSync(`${base}.err`, 'utf8').slice(0, 300),
      });
    });
  });
}

/** VmHWM of the stopwatch's one child, in MiB; 0 when it has just ended. */
function peakOfChild(pid) {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function digestOf(file) {
  const digest = createHash('sha256');
  digest.update(readFileSync(file));
  return digest.digest('hex');
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
