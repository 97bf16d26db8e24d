/** `--audit FILE` and `rmsh audit verify`: loaded only where they are asked for. */
import { type RecordKeeper, recordKeeper } from '../audit/file-sink.js';
import { auditRequest } from '../audit/request.js';
import { Verifier } from '../audit/verify.js';
import type { AuditRequest } from '../audit.js';
import { isFsError } from '../errors.js';
import type { Grants } from '../policy/policy.js';
import { openAuditFile, processStart, readPieces } from '../sandbox/audit-file.js';
import { encode } from '../text/bytes.js';
import { VERSION } from '../version.js';

/** A record that is kept in a file: a trail for each run that begins. */
export interface AuditRecordFile {
  readonly next: () => AuditRequest;
  readonly keeper: RecordKeeper;
}

/** Throws FsError or ChainError where the file cannot be gone on with. */
export function openAudit(path: string, grants: Grants, script: string | undefined): AuditRecordFile {
  const writable = grants.allowedPaths.flatMap((root) => (root.access === 'rw' ? [root.path] : []));
  const keeper = recordKeeper(openAuditFile(path, writable), path, processStart);
  const facts = { version: VERSION, grants, script: script === undefined ? undefined : encode(script) };
  return { keeper, next: () => auditRequest(keeper.sink(), facts) };
}

interface Out {
  print(text: string): void;
  complain(message: string): void;
}

const AUDIT_HELP = `Usage: rmsh audit verify FILE...
Say of each record that --audit kept whether it is whole, and if not, which line is the first that was changed,
removed, inserted or moved. Keep the last hash that it prints somewhere else: a whole record may be exchanged.

Exit status:
 0  every record is whole
 1  one is not
 2  one cannot be read
`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** `rmsh audit verify FILE...`: 0 when all are whole, 1 when one is not, 2 when one cannot be read. */
export function auditCommand([verb, ...files]: readonly string[], { print, complain }: Out): 0 | 1 | 2 {
  if (verb === '--help' || files.includes('--help')) {
    print(AUDIT_HELP);
    return 0;
  }
  if (verb !== 'verify' || files.length === 0) {
    complain('usage: rmsh audit verify FILE...');
    return 2;
  }
  let broken = false;
  let unread = false;
  for (const file of files) {
    const verifier = new Verifier();
    try {
      readPieces(file, (piece) => verifier.feed(piece));
    } catch (error) {
      if (!isFsError(error)) throw error;
      complain(`audit: ${file}: ${error.message}`);
      unread = true;
      continue;
    }
    const { problem, records, runs, unended, head } = verifier.end();
    for (const line of unended) print(`${file}: line ${line}: its run has no end\n`);
    const whole = `whole: ${counted(records, 'record')} of ${counted(runs, 'run')}, the last hash ${head}`;
    if (problem === undefined) print(`${file}: ${whole}\n`);
    else print(`${file}: line ${problem.line} ${problem.message}\n`);
    broken ||= problem !== undefined;
  }
  if (unread) return 2;
  return broken ? 1 : 0;
}
