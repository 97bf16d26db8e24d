/** The colours of a command line as it is written. */
import type { Span } from '../line-editor/screen.js';
import { type PieceKind, piecesOf } from './pieces.js';

/** What a command's name means here: there is one, there is none, or the policy does not let it run. */
export type CommandState = 'known' | 'unknown' | 'refused';

/** Parameters of SGR sequences. */
const STYLES: Readonly<Record<PieceKind, string>> = {
  command: '32',
  keyword: '1;34',
  argument: '',
  assignment: '',
  target: '4',
  operator: '1',
  string: '33',
  expansion: '36',
  comment: '90',
};
const UNKNOWN = '31';
const REFUSED = '4;31';

export function highlight(text: string, stateOf: (name: string) => CommandState): Span[] {
  const { pieces } = piecesOf(text);
  const spans: Span[] = [];
  let at = 0;
  for (const { kind, start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    if (start > at) spans.push({ text: text.slice(at, start), style: '' });
    const piece = text.slice(start, end);
    spans.push({ text: piece, style: kind === 'command' ? commandStyle(piece, stateOf) : STYLES[kind] });
    at = end;
  }
  if (at < text.length) spans.push({ text: text.slice(at), style: '' });
  return spans;
}

function commandStyle(name: string, stateOf: (name: string) => CommandState): string {
  switch (stateOf(name)) {
    case 'known':
      return STYLES.command;
    case 'unknown':
      return UNKNOWN;
    case 'refused':
      return REFUSED;
  }
}
