/** Which key does what: Emacs's bindings, as bash, zsh and fish have them. */
import type { LineBuffer } from './buffer.js';

/** A key, as `readline.emitKeypressEvents` describes it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

/** What the editor does itself; everything else is done to the buffer. */
export type Action =
  | 'accept'
  | 'newline'
  | 'complete'
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'search'
  | 'clear'
  | 'interrupt'
  | 'end or delete'
  | 'forward'
  | 'forward word'
  | 'end of line'
  | 'paste'
  | 'cancel';

export type Binding = Action | ((buffer: LineBuffer) => unknown);

const BINDINGS: Readonly<Record<string, Binding>> = {
  return: 'accept',
  enter: 'accept',
  'M-return': 'newline',
  'M-enter': 'newline',
  tab: 'complete',
  'C-c': 'interrupt',
  'C-d': 'end or delete',
  'C-l': 'clear',
  'C-r': 'search',
  'C-g': 'cancel',
  escape: 'cancel',
  'paste-start': 'paste',

  up: 'previous',
  'C-p': 'previous',
  down: 'next',
  'C-n': 'next',
  'M-<': 'first',
  'M->': 'last',

  left: (buffer) => buffer.left(),
  'C-b': (buffer) => buffer.left(),
  right: 'forward',
  'C-f': 'forward',
  'M-b': (buffer) => buffer.wordLeft(),
  'M-left': (buffer) => buffer.wordLeft(),
  'C-left': (buffer) => buffer.wordLeft(),
  'M-f': 'forward word',
  'M-right': 'forward word',
  'C-right': 'forward word',
  home: (buffer) => buffer.home(),
  'C-a': (buffer) => buffer.home(),
  end: 'end of line',
  'C-e': 'end of line',
  'C-home': (buffer) => buffer.toStart(),
  'C-end': (buffer) => buffer.toEnd(),

  backspace: (buffer) => buffer.deleteLeft(),
  'C-h': (buffer) => buffer.deleteLeft(),
  delete: (buffer) => buffer.deleteRight(),
  'C-t': (buffer) => buffer.transpose(),
  'C-k': (buffer) => buffer.killToEnd(),
  'C-u': (buffer) => buffer.killToStart(),
  'C-w': (buffer) => buffer.killWordLeft(),
  'M-backspace': (buffer) => buffer.killPartLeft(),
  'M-d': (buffer) => buffer.killPartRight(),
  'C-y': (buffer) => buffer.yank(),
  'M-y': (buffer) => buffer.yankPop(),
  'C-_': (buffer) => buffer.undo(),
  'C-/': (buffer) => buffer.undo(),
};

/** Undefined for a key that stands for itself, or for nothing. */
export function bindingOf(key: Key): Binding | undefined {
  // Ctrl-_ has no name of its own.
  const name =
    key.sequence === '\x1f' ? 'C-_' : `${key.ctrl === true ? 'C-' : ''}${key.meta === true ? 'M-' : ''}${key.name}`;
  if (Object.hasOwn(BINDINGS, name)) return BINDINGS[name];
  // Some punctuation comes without a name: Alt-<.
  const last = key.sequence?.at(-1);
  return key.meta === true && last !== undefined ? BINDINGS[`M-${last}`] : undefined;
}
