/** Many scripts at once through one process of each shell, and what each script showed. */
import { createShell } from '../index.js';
import { CASE_ENVIRONMENT, runOracle, type ShellName } from '../sandbox/oracle-shells.js';
import { withScratch } from '../sandbox/scratch.js';
import { quoteAlways } from '../text/quote.js';
import type { Language } from './languages.js';

/** What a script showed: its output and status, whether it said anything on stderr, and the files it left. */
export type Shown = string | undefined;

/** How each script of a batch is run: as a subshell, which costs little, or as a shell of its own, with its own `$$` and `$0`. */
export type Manner = 'subshell' | 'process';

export interface Verdict {
  readonly script: string;
  /** What the judges agree on; undefined where they do not. */
  readonly wanted: Shown;
  readonly ours: Shown;
}

/** What came after the script in which a run was ended was not asked. */
export const fails = ({ wanted, ours }: Verdict): boolean =>
  wanted !== undefined && ours !== undefined && wanted !== ours;

/**
 * What bash alone does, where it is the only judge: `${x?}` and an unset variable under `set -u` end a shell of its own with 127, and a
 * subshell of it with 1; and the lines that its messages tell in an `eval` of several lines are counted from the last of them. What is wrong with `a` whose value is
 * `a b` it calls a recursion.
 */
const withoutLines = (shown: Shown): Shown =>
  shown
    ?.replaceAll('[status 127]\n[stderr]', '[status 1]\n[stderr]')
    .replaceAll(/\bline \d+:/g, 'line:')
    .replaceAll(/line: .* \(error token is .*\)/g, 'line: (arithmetic)');

/** A batch takes a tenth of that: a script that hangs costs its whole batch. */
const longest = (scripts: number): number => 3_000 + 200 * scripts;

/** Runs `scripts` in rmsh and in the language's judges. */
export async function compare(language: Language, scripts: readonly string[], manner: Manner): Promise<Verdict[]> {
  const texts = scripts.map((script) => language.prelude + script);
  const [ours, ...judges] = await Promise.all([
    ask(undefined, texts, manner),
    ...language.judges.map((name) => ask(name, texts, manner)),
  ]);
  return scripts.map((script, i) => {
    const plain = language.judges.length === 1 ? withoutLines : (shown: Shown): Shown => shown;
    const [first, ...others] = judges.map((shown) => plain(shown[i]));
    const agreed = others.every((other) => other === first);
    return { script, wanted: agreed ? first : undefined, ours: plain(ours[i]) };
  });
}

async function ask(judge: ShellName | undefined, texts: readonly string[], manner: Manner): Promise<Shown[]> {
  return withScratch(async (cwd) => {
    const script = together(texts, manner, judge ?? 'bash');
    if (judge !== undefined) {
      // A judge that does not end in time judges nothing.
      const result = await runOracle(judge, script, { cwd, timeoutMs: longest(texts.length) }).catch(() => undefined);
      return apart(result?.stdout ?? new Uint8Array(), texts.length, cwd);
    }
    const shell = createShell({
      mode: 'remediation',
      allowedPaths: [`${cwd}:rw`],
      env: CASE_ENVIRONMENT,
      limits: { maxRemovalsPerRun: 0 },
    });
    const result = await shell.run(script, { name: 'script', cwd, timeoutMs: longest(texts.length) });
    const shown = apart(result.stdoutBytes, texts.length, cwd);
    // The script in which the run was ended has not shown what it does.
    const lost = shown.indexOf(undefined);
    if (lost >= 0) shown[lost] = `(${result.status}: ${result.message ?? 'the end is lost'})`;
    return shown;
  });
}

/** Each script in a directory of its own; a line that no script prints tells where it ended, and how. */
function together(texts: readonly string[], manner: Manner, shell: ShellName): string {
  const run = manner === 'subshell' ? 'eval' : `exec ${shell} -c`;
  return texts
    .map(
      (text, i) =>
        `mkdir d${i}\n(cd d${i}; ${run} ${quoteAlways(text)}) 2>e${i} 3>&- 4>&-\necho "[status $?]"; [ -s e${i} ] && echo '[stderr]'\n` +
        `for f in d${i}/*; do echo "[file $f]"; cat "$f"; done; echo "[end ${i}]"\n`,
    )
    .join('');
}

/** What each script showed; undefined from where the output breaks off. */
function apart(output: Uint8Array, count: number, cwd: string): Shown[] {
  let rest = Buffer.from(output).toString('latin1').replaceAll(cwd, '/cwd');
  return Array.from({ length: count }, (_, i) => {
    const mark = `[end ${i}]\n`;
    const end = rest.indexOf(mark);
    if (end < 0) {
      rest = '';
      return undefined;
    }
    const shown = rest.slice(0, end);
    rest = rest.slice(end + mark.length);
    return shown.replaceAll(`[file d${i}/`, '[file ');
  });
}
