/** What the policy grants, as `help` and the prompt say it. */
import { LIMITS, type LimitName } from '../limits.js';
import type { Scope } from './scope.js';

export function policyText(scope: Scope): string {
  const { grants, budget, store } = scope;
  const roots = store.roots.map(({ path, writable }) => `  ${writable ? 'rw' : 'ro'}  ${path}`);
  const changed = (Object.keys(LIMITS) as LimitName[]).filter((name) => scope.limits[name] !== LIMITS[name].value);
  const programs = (scope.programs?.all ?? []).map(({ path, readOnly }) => (readOnly ? `${path}:ro` : path));
  return [
    `Mode: ${grants.mode}${grants.mode === 'read-only' ? ' (no file is changed)' : ''}`,
    'Paths:',
    ...(roots.length === 0 ? ['  none'] : roots),
    `Removals: ${budget.used} made, ${budget.limit - budget.used} of ${budget.limit} left; at most ${scope.limits.maxRemoveOperands} files a command`,
    ...(grants.allowedCommands === undefined ? [] : [`Commands: only ${[...grants.allowedCommands].join(' ')}`]),
    ...(grants.allowHost ? ['Commands that look at the host: yes'] : []),
    ...(grants.timeoutMs === undefined ? [] : [`Time: ${grants.timeoutMs / 1000} s`]),
    ...(programs.length === 0 ? [] : [`Programs of the host, not confined: ${programs.join(' ')}`]),
    ...(changed.length === 0 ? [] : [`Limits: ${changed.map((name) => `${name}=${scope.limits[name]}`).join(' ')}`]),
    '',
  ].join('\n');
}
