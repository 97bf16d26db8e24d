/** The options of ls as one decision each: where several speak of the same thing the last one holds. */
import { compilePattern, type Pattern } from '../../src/text/pattern.js';
import { gnuQuoteValue } from '../../src/text/quote.js';
import { choose } from '../kit/choice.js';
import { BadValue } from '../kit/define.js';

export type Layout = 'long' | 'single' | 'down' | 'across' | 'commas';
export type SortBy = 'name' | 'time' | 'size' | 'extension' | 'version' | 'width' | 'none';
export type TimeOf = 'mtime' | 'atime' | 'ctime' | 'birth';
export type Indicator = 'none' | 'slash' | 'file-type' | 'classify';
/** How names are shown: as they are, with `?` for controls, as C strings with or without their quotes, or quoted for a shell. */
export type Naming = 'literal' | 'question' | 'c' | 'escape' | 'shell';

export interface Settings {
  readonly layout: Layout;
  readonly sortBy: SortBy;
  readonly time: TimeOf;
  readonly reverse: boolean;
  readonly directoriesFirst: boolean;
  readonly hidden: 'none' | 'almost' | 'all';
  /** Names that are left out: those that match one of these. */
  readonly ignored: readonly Pattern[];
  readonly indicator: Indicator;
  readonly naming: Naming;
  readonly color: boolean;
  readonly follow: boolean;
  /** Links that are operands are followed (`-H`). */
  readonly followOperands: boolean;
  readonly asFiles: boolean;
  readonly recursive: boolean;
  readonly inode: boolean;
  readonly blocks: boolean;
  readonly human: boolean;
  readonly numeric: boolean;
  readonly owner: boolean;
  readonly group: boolean;
  readonly width: number;
  /** Columns between tab stops; 0: blanks only. */
  readonly tab: number;
  /** strftime formats: of old and future files, and of recent ones. */
  readonly timeFormats: readonly [old: string, recent: string];
}

export interface Given {
  readonly flag: string;
  readonly value: unknown;
}

/** GNU's status of a value that is none of an option's. */
const WRONG_CHOICE = 1;

const SORT_CHOICES = [['none'], ['time'], ['size'], ['extension'], ['version'], ['width']] as const;
const TIME_CHOICES = [
  ['atime', 'access', 'use'],
  ['ctime', 'status'],
  ['birth', 'creation'],
] as const;
const INDICATOR_CHOICES = [['none'], ['slash'], ['file-type'], ['classify']] as const;
const COLOR_CHOICES = [
  ['always', 'yes', 'force'],
  ['never', 'no', 'none'],
  ['auto', 'tty', 'if-tty'],
] as const;

export function settingsOf(
  given: readonly Given[],
  terminal: boolean,
  environment: ReadonlyMap<string, string>,
): Settings | BadValue {
  let layout: Layout = terminal ? 'down' : 'single';
  let naming: Naming = terminal ? 'shell' : 'literal';
  let sortBy: SortBy | undefined;
  let time: TimeOf = 'mtime';
  let hidden: Settings['hidden'] = 'none';
  let indicator: Indicator = 'none';
  let human = false;
  let color = 'never';
  let style: string | undefined;
  let width = widthOf(environment.get('COLUMNS'));
  let tab = 8;
  let blocks = false;
  let questions = false;
  const ignored: string[] = [];
  const hiding: string[] = [];
  const has = new Set(given.map(({ flag }) => flag));
  for (const { flag, value } of given) {
    if (flag === 'long' || flag === 'noGroupLong' || flag === 'noOwner' || flag === 'numeric' || flag === 'fullTime') {
      layout = 'long';
      if (flag === 'fullTime') style = 'full-iso';
    } else if (flag === 'single') layout = isLong(layout) ? 'long' : 'single';
    else if (flag === 'down' || flag === 'across' || flag === 'commas') layout = flag;
    else if (flag === 'width') width = Number(value);
    else if (flag === 'ignore') ignored.push(String(value));
    else if (flag === 'hide') hiding.push(String(value));
    else if (flag === 'ignoreBackups') ignored.push('*~', '.*~');
    else if (flag === 'question') questions = true;
    else if (flag === 'quote') naming = 'c';
    else if (flag === 'escape') naming = 'escape';
    else if (flag === 'literal') naming = 'literal';
    else if (flag === 'tab') tab = Number(value);
    else if (flag === 'blocks') blocks = true;
    else if (flag === 'asIs') {
      hidden = 'all';
      sortBy = 'none';
      if (layout === 'long') layout = terminal ? 'down' : 'single';
      blocks = false;
      color = 'never';
    } else if (flag === 'byTime') sortBy = 'time';
    else if (flag === 'bySize') sortBy = 'size';
    else if (flag === 'byExtension') sortBy = 'extension';
    else if (flag === 'byVersion') sortBy = 'version';
    else if (flag === 'unsorted') sortBy = 'none';
    else if (flag === 'atime' || flag === 'ctime') time = flag;
    else if (flag === 'all') hidden = 'all';
    else if (flag === 'almostAll') hidden = 'almost';
    else if (flag === 'classify') indicator = 'classify';
    else if (flag === 'slash') indicator = 'slash';
    else if (flag === 'fileType') indicator = 'file-type';
    else if (flag === 'indicator') {
      const choice = choose(String(value), INDICATOR_CHOICES, '--indicator-style', WRONG_CHOICE);
      if (choice instanceof BadValue) return choice;
      indicator = choice;
    } else if (flag === 'human') human = true;
    else if (flag === 'timeStyle') style = String(value);
    else if (flag === 'sort') {
      const choice = choose(String(value), SORT_CHOICES, '--sort', WRONG_CHOICE);
      if (choice instanceof BadValue) return choice;
      sortBy = choice;
    } else if (flag === 'timeOf') {
      const choice = choose(String(value), TIME_CHOICES, '--time', WRONG_CHOICE);
      if (choice instanceof BadValue) return choice;
      time = choice;
    } else if (flag === 'color') {
      const word = value === true ? 'always' : String(value);
      const choice = choose(word, COLOR_CHOICES, '--color', WRONG_CHOICE);
      if (choice instanceof BadValue) return choice;
      color = choice;
    }
  }
  const timeFormats = style === undefined ? LOCALE : formatsOf(style);
  if (timeFormats instanceof BadValue) return timeFormats;
  return {
    layout,
    sortBy: sortBy ?? (layout !== 'long' && time !== 'mtime' ? 'time' : 'name'),
    time,
    reverse: has.has('reverse'),
    directoriesFirst: has.has('directoriesFirst'),
    hidden,
    ignored: [...ignored, ...(hidden === 'none' ? hiding : [])].map(compileName),
    indicator,
    naming: questions && (naming === 'shell' || naming === 'literal') ? 'question' : naming,
    color: color === 'always' || (color === 'auto' && terminal),
    follow: has.has('follow'),
    followOperands: has.has('followOperands'),
    asFiles: has.has('directory'),
    recursive: has.has('recursive') && !has.has('directory'),
    inode: has.has('inode'),
    blocks,
    human,
    numeric: has.has('numeric'),
    owner: !has.has('noOwner'),
    group: !has.has('noGroup') && !has.has('noGroupLong'),
    width,
    tab,
    timeFormats,
  };
}

/** A function, so that the compiler does not take what it knew before the loop for true. */
function isLong(layout: Layout): boolean {
  return layout === 'long';
}

function widthOf(columns: string | undefined): number {
  return columns !== undefined && /^[1-9][0-9]{0,5}$/.test(columns) ? Number(columns) : 80;
}

const LOCALE = ['%b %e  %Y', '%b %e %H:%M'] as const;
const FULL = '%Y-%m-%d %H:%M:%S.%N %z';

const STYLES: { readonly [style: string]: readonly [string, string] } = {
  'full-iso': [FULL, FULL],
  'long-iso': ['%Y-%m-%d %H:%M', '%Y-%m-%d %H:%M'],
  iso: ['%Y-%m-%d ', '%m-%d %H:%M'],
  locale: LOCALE,
};

function formatsOf(style: string): readonly [string, string] | BadValue {
  if (style.startsWith('+')) {
    const [old = '', recent = old] = style.slice(1).split('\n', 2);
    return [old, recent];
  }
  const name = style.startsWith('posix-') ? style.slice(6) : style;
  const formats = Object.hasOwn(STYLES, name) ? STYLES[name] : undefined;
  return (
    formats ??
    new BadValue(
      `invalid argument ${gnuQuoteValue(style)} for ${gnuQuoteValue('time style')}
Valid arguments are:
  - [posix-]full-iso
  - [posix-]long-iso
  - [posix-]iso
  - [posix-]locale
  - +FORMAT (e.g., +%H:%M) for a 'date'-style format`,
      true,
    )
  );
}

/** A pattern for names: a dot at the start has to be written. */
function compileName(text: string): Pattern {
  const pattern = compilePattern(text);
  if (/^\\?\./.test(text)) return pattern;
  return { ...pattern, matches: (name) => !name.startsWith('.') && pattern.matches(name) };
}
