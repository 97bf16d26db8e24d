/** What can be said of a command before it runs. */

export type Verdict =
  | { readonly verdict: 'allowed' }
  /** `instead`: what to grant or to write, where there is something. */
  | { readonly verdict: 'refused'; readonly reason: string; readonly instead: string | undefined }
  | { readonly verdict: 'unknown'; readonly reason: string };

export const ALLOWED: Verdict = { verdict: 'allowed' };

export function refused(reason: string, instead?: string): Verdict {
  return { verdict: 'refused', reason, instead };
}

export function unknown(reason: string): Verdict {
  return { verdict: 'unknown', reason };
}

/** Of things that all are looked at: one refusal is enough, and one doubt is, else. */
export function together(verdicts: Iterable<Verdict>): Verdict {
  let all: Verdict = ALLOWED;
  for (const one of verdicts) {
    if (one.verdict === 'refused') return one;
    if (one.verdict === 'unknown' && all.verdict === 'allowed') all = one;
  }
  return all;
}
