/** How a run comes to have an audit trail: what is loaded only when somebody asks for one. */
import type { AuditRequest, AuditSink } from '../audit.js';
import { canonicalJson, sha256 } from './digest.js';
import { AuditTrail } from './trail.js';

export interface RequestFacts {
  /** The version of rmsh. */
  readonly version: string;
  /** The policy with everything filled in. */
  readonly grants: object;
  /** The script's bytes, where they are known before it runs. */
  readonly script: Uint8Array | undefined;
}

export function auditRequest(sink: AuditSink, { version, grants, script }: RequestFacts): AuditRequest {
  return {
    about: {
      rmsh: version,
      policy: sha256(canonicalJson(grants)),
      ...(script === undefined ? {} : { script: sha256(script) }),
      uid: process.getuid?.() ?? -1,
    },
    begin: (options) => new AuditTrail(sink, options),
  };
}

let runs = 0;

/** A sink that hands every record to a function of the caller's. */
export function listenerSink(listener: AuditSink['take']): AuditSink {
  runs += 1;
  return { run: `${process.pid}.${runs}`, take: listener };
}
