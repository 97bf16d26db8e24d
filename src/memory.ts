/**
 * `rmsh/memory`: a file system in memory, under the same rules as the real one.
 *
 * ```ts
 * const files = memoryFs({ '/logs/app.log.1': 'old' });
 * const shell = createShell({ mode: 'remediation', allowedPaths: ['/logs:rw'] }, { files });
 * await shell.run('rm /logs/app.log.1', { cwd: '/logs' });
 * files.snapshot().has('/logs/app.log.1'); // false
 * ```
 */
export { type MemoryEntry, type MemoryFs, type MemorySnapshot, type MemoryTree, memoryFs } from './files/memory.js';
