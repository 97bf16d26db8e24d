/** Makes a failing script small: pieces are left out as long as it still fails. */

type Fails = (script: string) => Promise<boolean>;

/** Lines first, then commands, then what a shell would call tokens, then single characters. */
const CUTS: readonly RegExp[] = [/(?<=\n)/, /(?<=[;\n]\s?)|(?= [&|]+ )/, /(?<=\s)|(?=\s)|\b|(?=[$"'`(){}])/, /(?:)/];

/** No longer than this, in milliseconds: a script that fails only at times would never become small. */
const LONGEST_MS = 8_000;

export async function shrink(script: string, fails: Fails): Promise<string> {
  let smallest = script;
  const until = performance.now() + LONGEST_MS;
  const stillFails = async (text: string): Promise<boolean> => {
    if (text === smallest || performance.now() > until) return false;
    return fails(text);
  };
  for (let before = ''; before !== smallest; ) {
    before = smallest;
    for (const cut of CUTS) {
      let pieces = smallest.split(cut);
      for (let size = pieces.length >> 1; size >= 1; size >>= 1) {
        for (let at = 0; at < pieces.length; ) {
          const fewer = [...pieces.slice(0, at), ...pieces.slice(at + size)];
          const text = fewer.join('');
          if (await stillFails(text)) {
            smallest = text;
            pieces = fewer;
          } else at += size;
        }
      }
    }
  }
  return smallest;
}
