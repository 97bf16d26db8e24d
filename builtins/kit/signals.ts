/** Signals by name and number, as Linux has them (XBD `<signal.h>`). */

const NAMES = [
  'HUP',
  'INT',
  'QUIT',
  'ILL',
  'TRAP',
  'ABRT',
  'BUS',
  'FPE',
  'KILL',
  'USR1',
  'SEGV',
  'USR2',
  'PIPE',
  'ALRM',
  'TERM',
  'STKFLT',
  'CHLD',
  'CONT',
  'STOP',
  'TSTP',
  'TTIN',
  'TTOU',
  'URG',
  'XCPU',
  'XFSZ',
  'VTALRM',
  'PROF',
  'WINCH',
  'IO',
  'PWR',
  'SYS',
];

/** Signals that stop a process until it is told to go on. Jobs here are no processes, and cannot be stopped. */
export const STOPPING: ReadonlySet<string> = new Set(['STOP', 'TSTP', 'TTIN', 'TTOU']);

/** 1 to 31; 0 for `EXIT`, which is no signal, and for what is none. */
export function signalNumber(name: string): number {
  return NAMES.indexOf(name) + 1;
}

/** `TERM`, `SIGTERM`, `term` or `15` as `TERM`; `EXIT` and `0` as `EXIT`; undefined for what is none. */
export function conditionName(text: string): string | undefined {
  if (/^[0-9]+$/.test(text)) {
    const number = Number(text);
    return number === 0 ? 'EXIT' : NAMES[number - 1];
  }
  const upper = text.toUpperCase();
  const name = upper.startsWith('SIG') ? upper.slice(3) : upper;
  return name === 'EXIT' || NAMES.includes(name) ? name : undefined;
}

/** `trap -l`, `kill -l`: every number and name, as bash lays them out. */
export function signalRows(): string {
  const cells = NAMES.map((name, i) => `${String(i + 1).padStart(2)}) SIG${name}`);
  let text = '';
  for (let i = 0; i < cells.length; i += 5) text += `${cells.slice(i, i + 5).join('\t')}\n`;
  return text;
}
