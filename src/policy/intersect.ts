/** What two policies both allow: a host's and a caller's, a team's and a tool's. */
import type { Limits } from '../limits.js';
import { type Access, type AllowedPath, allowsCommand, type Grants, HOST_COMMANDS, type Policy } from './policy.js';

/** Every key, so that one that is new must be thought of here. */
type Whole = { readonly [Key in keyof Required<Policy>]: Policy[Key] };

/** `physical` resolves the symlinks of a path: the roots are compared as the directories that they are. */
export function intersectGrants(a: Grants, b: Grants, physical: (path: string) => string): Policy {
  const lists = a.allowedCommands !== undefined || b.allowedCommands !== undefined;
  const whole: Whole = {
    version: undefined,
    mode: a.mode === 'remediation' && b.mode === 'remediation' ? 'remediation' : 'read-only',
    allowedPaths: commonPaths(resolved(a, physical), resolved(b, physical)),
    allowedCommands: lists ? commonCommands(a, b) : undefined,
    // Where commands are listed those of the host are among them.
    allowHost: !lists && a.allowHost && b.allowHost,
    external: commonPrograms(a, b),
    env: Object.fromEntries([...a.env].filter(([name, value]) => b.env.get(name) === value)),
    timeoutMs: least(a.timeoutMs, b.timeoutMs),
    limits: leastOfEach(a.limits, b.limits),
    audit: { onFailure: a.audit.onFailure === 'continue' && b.audit.onFailure === 'continue' ? 'continue' : 'end' },
  };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}

function resolved(grants: Grants, physical: (path: string) => string): readonly AllowedPath[] {
  return grants.allowedPaths.map(({ path, access }) => ({ path: physical(path), access }));
}

/** Each root of either, with the less of what it is in both; none where it is nothing in one of them. */
function commonPaths(a: readonly AllowedPath[], b: readonly AllowedPath[]): readonly AllowedPath[] {
  const common = new Map<string, Access>();
  for (const { path } of [...a, ...b]) {
    const [one, other] = [accessTo(path, a), accessTo(path, b)];
    if (one !== undefined && other !== undefined) common.set(path, one === 'rw' && other === 'rw' ? 'rw' : 'ro');
  }
  return [...common].map(([path, access]) => ({ path, access }));
}

/** The most specific root decides; where it is granted twice, read-only does. */
function accessTo(path: string, roots: readonly AllowedPath[]): Access | undefined {
  let best: AllowedPath | undefined;
  for (const root of roots) {
    const within = path === root.path || root.path === '/' || path.startsWith(`${root.path}/`);
    if (!within || (best !== undefined && root.path.length < best.path.length)) continue;
    if (best?.path !== root.path || root.access === 'ro') best = root;
  }
  return best?.access;
}

function commonCommands(a: Grants, b: Grants): readonly string[] {
  const named = [a, b].flatMap(({ allowedCommands, allowHost }) => [
    ...(allowedCommands ?? []),
    ...(allowHost ? HOST_COMMANDS : []),
  ]);
  return [...new Set(named)].filter((name) => allowsCommand(a, name) && allowsCommand(b, name));
}

function commonPrograms(a: Grants, b: Grants): readonly string[] {
  return [...a.external.values()].flatMap(({ name, path, readOnly }) => {
    const other = b.external.get(name);
    if (other === undefined || other.path !== path) return [];
    return [`${path ?? name}${readOnly && other.readOnly ? ':ro' : ''}`];
  });
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

function leastOfEach(a: Limits, b: Limits): Limits {
  const names = Object.keys(a) as (keyof Limits)[];
  return Object.fromEntries(names.map((name) => [name, Math.min(a[name], b[name])])) as {
    [Name in keyof Limits]: number;
  };
}
