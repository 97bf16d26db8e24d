/** Whole scripts, by how they are meant. */
import type { Arbitrary } from 'fast-check';
import fc from './fast-check.js';
import { idiom, remediations } from './idioms.js';
import { LANGUAGES } from './languages.js';
import { lines } from './lines.js';
import { mutated, mutationsOf } from './mutations.js';
import { removals } from './removals.js';

/** What scripts are like: right ones, right ones with a mistake in them, and what asks for trouble. */
export type Profile = 'valid' | 'almost-valid' | 'hostile';

/** The whole language, without a thought of files: POSIX's and bash's. */
const language: Arbitrary<string> = fc.oneof(
  ...LANGUAGES.map(({ prelude, script }) => script.map((text) => prelude + text)),
);

const valid: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: lines.map((list) => `${list.join('\n')}\n`) },
  { weight: 3, arbitrary: removals },
  { weight: 2, arbitrary: remediations },
  { weight: 1, arbitrary: language },
);

/** What asks for more than there is: each ends at a limit, or soon by itself. */
const greedy: Arbitrary<string> = fc.constantFrom(
  'while :; do :; done',
  'f() { f; }; f',
  'f() { f | f; }; f',
  'f() { f & f; }; f',
  'x=a; while :; do x=$x$x; done',
  'while :; do set -- "$@" "$@" x; done',
  'yes',
  'while :; do echo xxxxxxxx; done',
  'yes | sleep 100',
  'x=$(yes)',
  'yes | head -n 100000 | sort | tail -n 1',
  'yes > f',
  'cat < /dev/zero > new',
  'echo {1..1000000}{1..1000000}',
  'echo $((1 << 62)) ${x:0:99999999}; printf "%1000000000s" x',
  'eval "$(printf "(%.0s" 1 2 3 4 5 6 7 8 9)"',
  'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done & wait',
  'trap "kill -TERM $$" TERM; kill -TERM $$',
  'trap "exit" EXIT; trap "f" ERR; f() { false; f; }; false; f',
  'exec 9<f; while read -r x <&9; do exec 9<f; done',
  'awk "BEGIN { while (1) x = x \\"a\\" }"',
  'awk "BEGIN { for (;;) i++ }"',
  'sed ":a;s/^/x/;ta" f',
  'seq 1 99999999 | wc -l',
  'find . -exec find . -exec find . -exec echo {} + \\; \\;',
  'cat f | tee f >> f',
  'sleep 1000',
  'sleep 1000 & wait',
  'read x; cat; wait',
  'jq -n "[range(1e9)]"',
  'jq -n "def f: f; f"',
  ': | { sleep 100; }',
  'sh -c "sh -c \\"while :; do :; done\\"" | cat',
  'a() { b; }; b() { a; }; a',
  'alias x="x "; x x x; eval "eval \\"eval :\\""',
  'while sh -c :; do :; done',
  'for i in $(seq 1 3000); do mkdir -p d/$i/$i/$i; done; find d | wc -l',
  'until false; do (:); done',
  'select x in a b; do :; done <<< 1',
  'while :; do x=$(echo $x x); done',
  'printf "%s" {1..99999} | fold -w 1 | sort -u',
  'grep -E "(a*)*(b*)*c" f; echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaa | grep -E "^(a+)+$"',
  '[[ aaaaaaaaaaaaaaaaaaaaaaaaaa == *a*a*a*a*a*a*a*b ]]',
);

const hostile: Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: greedy },
  { weight: 1, arbitrary: fc.tuple(lines, greedy).map(([list, end]) => `${list.join('\n')}\n${end}\n`) },
  { weight: 1, arbitrary: fc.tuple(greedy, idiom).map(([first, rest]) => `{ ${first}\n} | { ${rest}\n}\n`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map(lossless) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('(', '$(', '${x-', '"$(', '{ ', '$((', '`', 'if ', '[[ ( ', 'case x in x) '),
        fc.nat({ max: 400 }),
      )
      .map(([piece, count]) => piece.repeat(count)),
  },
);

/** Text that can be a script: an unpaired surrogate that stands for no byte cannot. */
function lossless(text: string): string {
  return text.toWellFormed();
}

/** `corpus`: scripts of the user, whose mutations are a third of all. */
export function scripts(profile: Profile, corpus: readonly string[] = []): Arbitrary<string> {
  const own = profile === 'valid' ? valid : profile === 'almost-valid' ? mutated(valid) : hostile;
  if (corpus.length === 0) return own;
  const theirs = profile === 'valid' ? fc.constantFrom(...corpus) : mutationsOf(corpus);
  return fc.oneof({ weight: 2, arbitrary: own }, { weight: 1, arbitrary: theirs });
}

/** All of them: mostly valid. */
export const anyScript = (corpus: readonly string[] = []): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: scripts('valid', corpus) },
    { weight: 3, arbitrary: scripts('almost-valid', corpus) },
  );
