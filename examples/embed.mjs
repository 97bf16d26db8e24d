// rmsh in ten lines: node embed.mjs DIRECTORY
import { createShell } from 'rmsh';

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('which DIRECTORY is to be cleaned up?');
const shell = createShell({ mode: 'remediation', allowedPaths: [`${directory}:rw`] });
const run = await shell.run('find . -name "*.old" -exec rm -v {} \\;', { cwd: directory, timeoutMs: 10_000 });

process.stdout.write(run.stdout);
process.stderr.write(run.stderr);
console.log(`status ${run.exitCode}, ${run.removals.made} removed, ${run.removals.left} left of the budget`);
process.exitCode = run.exitCode;
