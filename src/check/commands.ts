/** What is known of the commands inside without running them: which touch no file, and which operands are files. */

/** They look at no file, whatever their operands are: only their redirections can be refused. */
export const TOUCH_NO_FILE: ReadonlySet<string> = new Set(
  (
    ': true false test [ echo printf pwd seq sleep expr basename dirname yes printenv id whoami hostname uname nproc umask wait jobs ' +
    'getopts let shift local declare typeset export readonly unset set return break continue exit times read ' +
    'eval trap unalias caller tr'
  ).split(' '),
);

/** Changes files by their nature: in read-only mode refused before their words are read. A test compares with the commands. */
export const REMEDIATION_ONLY: ReadonlySet<string> = new Set(
  'chmod cp ln mkdir mktemp mv rm rmdir split touch truncate'.split(' '),
);

export interface FileOperands {
  readonly purpose: 'read' | 'write';
  /** Letters of options that take no value and name no file. */
  readonly switches: string;
  /** How many operands come before the files. */
  readonly skip: number;
  /** The first that cannot be opened is the last that is tried. */
  readonly stops?: boolean;
  /** It opens nothing: it makes or takes away names. */
  readonly names?: boolean;
}

const read = (switches: string, skip = 0): FileOperands => ({ purpose: 'read', switches, skip });
const write = (switches: string): FileOperands => ({ purpose: 'write', switches, skip: 0 });
const sum = read('b');
/** Not `-q`: with the first match the rest is not opened. */
const grep = (matchers: string): FileOperands => read(`${matchers}ivclLnsowxhHba`, 1);

/** Commands that open each of their operands, and no other file. With any other option nothing is said of them. */
export const FILE_OPERANDS: ReadonlyMap<string, FileOperands> = new Map([
  ['cat', read('AbeEnstTuv')],
  ['tac', read('')],
  ['head', read('qv')],
  ['tail', read('qv')],
  ['wc', read('cmlLw')],
  ['nl', read('')],
  ['rev', read('')],
  ['sort', { ...read('bdfghinrRuV'), stops: true }],
  ['cksum', read('')],
  ['md5sum', sum],
  ['sha1sum', sum],
  ['sha256sum', sum],
  ['sha512sum', sum],
  // Two matchers are a conflict, and these two have one.
  ['grep', grep('E')],
  ['egrep', grep('')],
  ['fgrep', grep('')],
  ['tee', write('ai')],
  ['mkdir', { ...write(''), names: true }],
  ['rmdir', { ...write('v'), names: true }],
  // `-c` makes nothing, and says nothing of what is missing.
  ['touch', { ...write('am'), names: true }],
  ['rm', { ...write('v'), names: true }],
]);

/** Wrappers that have no meaning here: what they run is run without them. */
export const WRAPPERS: ReadonlySet<string> = new Set(['sudo', 'doas', 'nice', 'ionice', 'nohup', 'setsid']);
