/** Which items make one command. */

export interface Shape {
  readonly replace: string | undefined;
  readonly lines: number | undefined;
  readonly args: number | undefined;
  readonly end: string | undefined;
  /** `-x`, which `-I` and `-L` imply: what does not fit is an error, and what came before it is not run. */
  readonly strict: boolean;
}

/** `-I`, `-L` and `-n` shut each other out: the last one holds, and xargs says so. */
export function shapeOf(
  given: readonly { readonly flag: string; readonly value: unknown }[],
  complain: (message: string) => void,
): Shape {
  let replace: string | undefined;
  let lines: number | undefined;
  let args: number | undefined;
  let end: string | undefined;
  const ignore = (option: string, by: string): undefined => {
    complain(`warning: options ${option} and ${by} are mutually exclusive, ignoring previous ${option} value`);
    return undefined;
  };
  for (const { flag, value } of given) {
    if (flag === 'end' || flag === 'endOptional') end = value === true || value === '' ? undefined : String(value);
    else if (flag === 'replace' || flag === 'replaceOptional') {
      replace = value === true ? '{}' : String(value);
      if (args !== undefined) args = ignore('--max-args', '--replace/-I/-i');
      if (lines !== undefined) lines = ignore('--max-lines', '--replace/-I/-i');
    } else if (flag === 'lines' || flag === 'linesOptional') {
      lines = value === true ? 1 : Number(value);
      const by = flag === 'lines' ? '-L' : '--max-lines/-l';
      if (args !== undefined) args = ignore('--max-args', by);
      if (replace !== undefined) replace = ignore('--replace', by);
    } else if (flag === 'args') {
      if (Number(value) === 1 && replace !== undefined) continue; // `-I{} -n1` is what `-I{}` does
      args = Number(value);
      if (lines !== undefined) lines = ignore('--max-lines', '--max-args/-n');
      if (replace !== undefined) replace = ignore('--replace', '--max-args/-n');
    }
  }
  const strict = lines !== undefined || replace !== undefined || given.some(({ flag }) => flag === 'exact');
  return { replace, lines, args, end, strict };
}
