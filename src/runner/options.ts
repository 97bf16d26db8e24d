/** The options of `set` (POSIX 2.15 set), as bits: a subshell copies one number. */

interface OptionRow {
  readonly bit: number;
  /** The letter of `set -x`; undefined for one that has only a name. */
  readonly letter: string | undefined;
}

export const OPTIONS = {
  allexport: { bit: 1 << 0, letter: 'a' },
  errexit: { bit: 1 << 1, letter: 'e' },
  ignoreeof: { bit: 1 << 2, letter: undefined },
  monitor: { bit: 1 << 3, letter: 'm' },
  noclobber: { bit: 1 << 4, letter: 'C' },
  noexec: { bit: 1 << 5, letter: 'n' },
  noglob: { bit: 1 << 6, letter: 'f' },
  nolog: { bit: 1 << 7, letter: undefined },
  notify: { bit: 1 << 8, letter: 'b' },
  nounset: { bit: 1 << 9, letter: 'u' },
  pipefail: { bit: 1 << 10, letter: undefined },
  verbose: { bit: 1 << 11, letter: 'v' },
  xtrace: { bit: 1 << 12, letter: 'x' },
  interactive: { bit: 1 << 13, letter: 'i' },
  posix: { bit: 1 << 14, letter: undefined },
  errtrace: { bit: 1 << 15, letter: 'E' },
  functrace: { bit: 1 << 16, letter: 'T' },
  emacs: { bit: 1 << 17, letter: undefined },
  vi: { bit: 1 << 18, letter: undefined },
  // Changes nothing: where a command is, is not looked for at each call anyway.
  hashall: { bit: 1 << 19, letter: 'h' },
  braceexpand: { bit: 1 << 20, letter: 'B' },
} as const satisfies Record<string, OptionRow>;

/** What a shell begins with. */
export const INITIAL_OPTIONS = OPTIONS.braceexpand.bit;

export type OptionName = keyof typeof OPTIONS;

export function optionByLetter(letter: string): OptionName | undefined {
  return optionNames().find((name) => OPTIONS[name].letter === letter);
}

/** `interactive` is not for `set`: it says how the shell was started. */
export function isSettable(name: string): name is OptionName {
  return name !== 'interactive' && Object.hasOwn(OPTIONS, name);
}

export function optionNames(): OptionName[] {
  return Object.keys(OPTIONS) as OptionName[];
}

/** `$-`: the letters of the options that are on. */
export function optionLetters(bits: number): string {
  let letters = '';
  for (const name of optionNames()) {
    const { bit, letter } = OPTIONS[name];
    if (letter !== undefined && (bits & bit) !== 0) letters += letter;
  }
  return letters;
}

const NOT_RUN = OPTIONS.noexec.bit | OPTIONS.interactive.bit;

/** Whether commands are read and not run: `set -n`, which is not for prompts, where nobody could turn it off again. */
export function isNotRun({ options }: { readonly options: number }): boolean {
  return (options & NOT_RUN) === OPTIONS.noexec.bit;
}
