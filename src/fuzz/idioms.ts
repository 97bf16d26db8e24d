/** Remediation scripts as people and agents write them: the idioms of the trade, with their paths and numbers changed. */
import type { Arbitrary } from 'fast-check';
import fc from './fast-check.js';

const IDIOMS = `
find DIR -type f -name 'GLOB' -mtime +N -delete
find DIR -type f -name 'GLOB' -print0 | xargs -0 -n N rm
find DIR -type f -size +Nk -exec rm -v {} \\;
find DIR -name 'GLOB' -exec gzip {} +
ls -1t DIR | tail -n +N | while IFS= read -r f; do rm "DIR/$f"; done
for f in DIR/GLOB; do [ -e "$f" ] || continue; rm "$f"; done
for f in DIR/GLOB; do [ -f "$f" ] && : > "$f"; done
truncate -s 0 DIR/FILE
: > DIR/FILE
cp DIR/FILE DIR/FILE.bak && truncate -s N DIR/FILE
tail -n N DIR/FILE > DIR/FILE.tmp && mv DIR/FILE.tmp DIR/FILE
logrotate DIR/FILE
if [ -f DIR/FILE ]; then rm DIR/FILE; else echo missing >&2; fi
[ -s DIR/FILE ] || rm DIR/FILE
rm -rf DIR
rm -f DIR/GLOB
cd DIR && rm GLOB
cd DIR || exit 1; rm -- *
rm "\${PREFIX:-DIR}"/GLOB
test -n "$(ls DIR)" && rm DIR/FILE
used=$(wc -c < DIR/FILE); if [ "$used" -gt N ]; then : > DIR/FILE; fi
grep -c ERROR DIR/FILE || true
grep -l x DIR/* | xargs -r -n N rm
awk '/ERROR/ { n++ } END { print n + 0 }' DIR/FILE
sort DIR/FILE | uniq -c | sort -rn | head -n N
sed -i '/INFO/d' DIR/FILE
count=0; for f in DIR/*; do [ "$count" -ge N ] && break; rm "$f" && count=$((count + 1)); done
while read -r f; do rm "$f"; done < DIR/FILE
cleanup() { rm -f "$tmp"; }; tmp=$(mktemp); trap cleanup EXIT; ls DIR > "$tmp"; cat "$tmp"
set -eu; [ -d DIR ] && find DIR -type f | head -n N | xargs -r rm
mv DIR/GLOB archive/ 2>/dev/null || mkdir -p archive
tar -czf old.tar.gz DIR/GLOB && rm DIR/GLOB
find DIR -xdev -type f -links 1 -print | sort | head -n N
find DIR -type d -empty -exec rmdir {} \\;
printf '%s\\n' DIR/GLOB | sort -r | sed 'Nd' | xargs -n N rm
( cd DIR; rm GLOB ) & wait
yes | head -n N | rm -i DIR/FILE
cat DIR/FILE | tee DIR/FILE >/dev/null
ln -sf DIR/FILE current && rm current
cp -p DIR/FILE DIR/FILE.1 && gzip -f DIR/FILE.1
stat -c %s DIR/FILE && du -a DIR | sort -n | tail -n N
`
  .trim()
  .split('\n');

const HOLES: readonly (readonly [string, readonly string[]])[] = [
  [
    'DIR',
    ['.', 'd', 'odd', '../rw', '../ro', '../out', 'away', 'dirlink', 'missing', 'd/..', '/', '""', '"$HOME"', '$dir'],
  ],
  ['FILE', ['f', 'g', 'log', 'link', 'leak', 'hard', 'missing', 'a1', '"sp ace"', 'dangling', '*']],
  ['GLOB', ['*', 'a*', '*.log', '?', '[bc]*', 'x', '.*', 'log', '**']],
];

/** One statement. */
export const idiom: Arbitrary<string> = fc.constantFrom(...IDIOMS).chain((template) =>
  fc
    .tuple(...HOLES.map(([, texts]) => fc.constantFrom(...texts)), fc.constantFrom('0', '1', '2', '3', '9'))
    .map((parts) => {
      const filled = HOLES.reduce((text, [hole], i) => text.replaceAll(hole, parts[i] ?? ''), template);
      return filled.replaceAll(/\bN(?=[kd]?\b)|(?<=\+)N/g, parts.at(-1) ?? '1');
    }),
);

/** A script of several. */
export const remediations: Arbitrary<string> = fc
  .array(idiom, { minLength: 1, maxLength: 5 })
  .map((statements) => `${statements.join('\n')}\n`);
