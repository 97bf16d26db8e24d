/** Tilde expansion (POSIX 2.6.1). */
import type { ExpansionHost } from './host.js';

/** `~` is `$HOME`, `~user` that user's home directory; what cannot be resolved stays as it was written. */
export function expandTilde(host: ExpansionHost, user: string): string {
  return host.home(user) ?? `~${user}`;
}
