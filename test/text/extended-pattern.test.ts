import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, escapePattern, type Pattern } from '../../src/text/pattern.js';
import { cpuSince } from '../support/cpu.js';

/** A pattern as a tree, and what it means in the plainest words: all lengths of `text` from `at` on that it can take. */
type Tree =
  | { kind: 'text'; text: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'row'; items: Tree[] }
  | { kind: 'group'; operator: string; alternatives: Tree[] };

function write(tree: Tree): string {
  switch (tree.kind) {
    case 'text':
      return escapePattern(tree.text);
    case 'any':
      return '?';
    case 'star':
      return '*';
    case 'row':
      return tree.items.map(write).join('');
    case 'group':
      return `${tree.operator}(${tree.alternatives.map(write).join('|')})`;
  }
}

function ends(tree: Tree, text: string, at: number): Set<number> {
  const all = places(text).filter((i) => i >= at);
  switch (tree.kind) {
    case 'text':
      return new Set(text.startsWith(tree.text, at) ? [at + tree.text.length] : []);
    case 'any':
      return new Set(all.slice(1, 2));
    case 'star':
      return new Set(all);
    case 'row': {
      let reached = new Set([at]);
      for (const item of tree.items) reached = new Set([...reached].flatMap((i) => [...ends(item, text, i)]));
      return reached;
    }
    case 'group': {
      const once = (i: number) => tree.alternatives.flatMap((one) => [...ends(one, text, i)]);
      if (tree.operator === '@') return new Set(once(at));
      if (tree.operator === '?') return new Set([at, ...once(at)]);
      if (tree.operator === '!') {
        const not = new Set(once(at));
        return new Set(all.filter((i) => !not.has(i)));
      }
      const reached = new Set(tree.operator === '*' ? [at, ...once(at)] : once(at));
      for (const i of reached) for (const next of once(i)) reached.add(next);
      return reached;
    }
  }
}

const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; row: Tree; group: Tree }>((tie) => ({
  leaf: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('a', 'b', 'ab', '', '\u{1f600}').map((text): Tree => ({ kind: 'text', text })),
    },
    { weight: 1, arbitrary: fc.constant<Tree>({ kind: 'star' }) },
  ),
  row: fc.array(tie('tree'), { maxLength: 3 }).map((items): Tree => ({ kind: 'row', items })),
  group: fc
    .tuple(fc.constantFrom('?', '*', '+', '@', '!'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
    .map(([operator, alternatives]): Tree => ({ kind: 'group', operator, alternatives })),
  tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('row'), tie('group')),
}));
const subject = fc.array(fc.constantFrom('a', 'b', 'c', '\u{1f600}'), { maxLength: 7 }).map((parts) => parts.join(''));

/** Places between characters. */
const places = (text: string): number[] => {
  const found = [0];
  for (const character of text) found.push((found.at(-1) as number) + character.length);
  return found;
};

const extended = (text: string): Pattern => compilePattern(text, 200);

describe('an extended pattern', () => {
  it('matches what its parts say, whole, at the start, at the end and inside', () => {
    fc.assert(
      fc.property(tree, subject, (shape, text) => {
        const pattern = extended(write(shape));
        const at = places(text);
        const from = (i: number) => [...ends(shape, text, i)].filter((end) => at.includes(end)).sort((a, b) => a - b);
        const starts = at.filter((i) => from(i).includes(text.length));
        expect(pattern.matches(text)).toBe(from(0).includes(text.length));
        expect(pattern.shortestPrefix(text)).toBe(from(0)[0] ?? -1);
        expect(pattern.longestPrefix(text)).toBe(from(0).at(-1) ?? -1);
        expect(pattern.shortestSuffix(text)).toBe(starts.at(-1) ?? -1);
        expect(pattern.longestSuffix(text)).toBe(starts[0] ?? -1);
        const found: { start: number; end: number }[] = [];
        for (let i = 0; i < text.length || (text === '' && i === 0); ) {
          const end = from(i).at(-1) ?? -1;
          if (end > i || (end === i && text === '')) found.push({ start: i, end });
          i = end > i ? end : (at.find((place) => place > i) ?? text.length + 1);
        }
        expect(pattern.matchesIn(text, true)).toEqual(found);
        expect(pattern.matchesIn(text, false)).toEqual(found.slice(0, 1));
      }),
      { numRuns: 3000 },
    );
  });

  it('is plain text where no group is closed, or where it is not asked for', () => {
    expect(extended('@(a').matches('@(a')).toBe(true);
    expect(extended('a)').matches('a)')).toBe(true);
    expect(compilePattern('@(a)').matches('@(a)')).toBe(true);
    expect(extended('@(a)').matches('@(a)')).toBe(false);
    // both are kept, and neither for the other
    expect(compilePattern('@(a)').matches('a')).toBe(false);
    expect(extended('@(@(@(').matches('@(@(@(')).toBe(true);
  });

  it('takes characters beyond the first plane, and invalid bytes, as one', () => {
    expect(extended('@(?)').matches('\u{1f600}')).toBe(true);
    expect(extended('!(??)').matches('\u{1f600}')).toBe(true);
    expect(extended('+([!x])').matches('\udcff\udc80')).toBe(true);
    expect(extended('@(?|x)').matches('\udcff')).toBe(true);
  });

  it.each<[string, (n: number) => string]>([
    ['*(*(a))', (n) => 'a'.repeat(n)],
    ['+(+(a|aa))b', (n) => 'a'.repeat(n)],
    ['!(*b)', (n) => 'a'.repeat(n)],
    ['*!(b)*!(c)d', (n) => 'a'.repeat(n)],
    ['!(!(!(a)))', (n) => 'ab'.repeat(n / 2)],
    ['@(a|+(a)b)', (n) => 'a'.repeat(n)],
    ['?(a)?(a)?(a)*(a|b)c', (n) => 'ab'.repeat(n / 2)],
    ['*@(a|b)*@(b|c)*@(c|d)', (n) => 'ab'.repeat(n / 2)],
  ])('%s: four times the text takes no more than some times the time', (text, make) => {
    const pattern = extended(text);
    const milliseconds = (n: number): number => {
      const subjectText = make(n);
      const start = process.cpuUsage();
      pattern.matches(subjectText);
      pattern.longestPrefix(subjectText);
      pattern.longestSuffix(subjectText);
      pattern.matchesIn(subjectText, true);
      return cpuSince(start);
    };
    const small = Math.min(milliseconds(20_000), milliseconds(20_000));
    const large = Math.min(milliseconds(80_000), milliseconds(80_000));
    // quadratic growth would be 16 times; what takes a few milliseconds is not to be measured
    expect(large).toBeLessThan(12 * small + 100);
  });

  it('meets a limit where every beginning of a !( ) has something else left', () => {
    // which of them is left depends on how long ago it began, by each of these lengths
    const lengths = [7, 11, 13, 17].map((length) => `*(${'a'.repeat(length)})`).join('|');
    expect(() => extended(`*!(${lengths})x`).matches('a'.repeat(20_000))).toThrow('limit reached');
    expect(() => extended('@('.repeat(300) + ')'.repeat(300)).matches('')).toThrow('maxNesting');
  });
});
