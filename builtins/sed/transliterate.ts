/** The `y` command. */
import { fromByteString, isAscii, toByteString } from '../../src/text/bytes.js';
import { mapParts } from '../../src/text/work.js';
import { replaceEscapes } from './escapes.js';

/** Undefined: the two are not of one length. */
export function transliteration(from: string, to: string): ((text: string) => string) | undefined {
  const sources = characters(from);
  const targets = characters(to);
  if (sources.length !== targets.length) return undefined;
  const map = new Map<string, string>();
  sources.forEach((source, i) => {
    if (!map.has(source)) map.set(source, targets[i] as string);
  });
  const bytewise = isAscii(sources.join(''));
  return (text) => {
    // Bytes above ASCII are never part of an ASCII character, so they need not be decoded to be left alone.
    if (bytewise) {
      return mapParts(text, (part) => {
        let out = '';
        for (const byte of part) {
          const target = map.get(byte);
          out += target === undefined ? byte : toByteString(target);
        }
        return out;
      });
    }
    const changed = mapParts(fromByteString(text), (part) => {
      let out = '';
      for (const character of part) out += map.get(character) ?? character;
      return out;
    });
    return toByteString(changed);
  };
}

function characters(source: string): string[] {
  const text = replaceEscapes(source, (character) => (character === '\\' ? '\\\\' : character));
  return Array.from(fromByteString(text.replace(/\\([\\\n&])/g, '$1')));
}
