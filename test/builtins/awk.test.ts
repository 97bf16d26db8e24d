import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awk } from '../../builtins/awk.js';
import { isShellError } from '../../src/errors.js';
import type { DEFAULT_LIMITS } from '../../src/limits.js';
import { encode } from '../../src/text/bytes.js';
import { makeTree, snapshot, temporaryDirectory } from '../support/builtin-tree.js';
import { ORACLES_REQUIRED } from '../support/oracles.js';
import { type RunOptions, runBuiltin } from '../support/run-builtin.js';

const tree = {
  a: 'one 1\ntwo 2\nthree 3\n',
  b: 'x:y:z\n\na::c\n',
  table: 'ann  10 2.5\nbob  20 -1\ncal 30   1e2\ndan 040 0x10\n',
  paragraphs: '\n\nname a\nage 1\n\n\n\nname b\nage 2\n',
  cut: 'no end',
  empty: '',
  odd: 'caf\u00e9 \udcff\udc80 x\n\u65e5\u672c\u8a9e tab\there\n',
  csv: 'a,b,,d\n,\n',
  program: '# sums\nfunction add(x, y) {\n  return x + y\n}\n{ s = add(s, $2) }\nEND { print s }\n',
  d: { dir: true },
} as const;

/** Words after `awk`, or a program alone; run on these files. */
type Row = string | readonly [program: string, ...operands: string[]];

const EXPRESSIONS: readonly string[] = [
  '1, 1.0, 1e3, .5, 1e6, 1e-5, 100000, 1234567, 0.1, 1e300 * 10, 3.0',
  '2^53, 2^53 + 1, 1e30, -2^31, 1e19, 123456789012',
  '1 + 2 * 3, (1 + 2) * 3, 10 % 3, -10 % 3, 10 / 4, 7 - 2 - 1',
  '2^3^2, -2^2, 2^-1, 2**3, !1 + 1, 1 - -1, !0 !0',
  '1 " " -1, 1 -1, "a" "b" "c", 1 2, 1 + 1 "x"',
  '1 < 2, (2 < 10), ("2" < "10"), ("a" < "b"), ("a" < 1), ("" < "a")',
  '1 == 1.0, ("1" == 1), ("a" == "a"), ("abc" != "abd"), (x == 0), (x == "")',
  '!"", !"0", !0, !x, !"a", !!3, -"3x", +"3x", - -1',
  '1 && 0, 1 || 0, 0 || "", "0" && 1, 1 && 2 && 3',
  '1 ? "y" : "n", 0 ? 1 : 0 ? 2 : 3, (1 ? 2 : 3) 4',
  '"abc" ~ /b/, "abc" ~ "^b", "abc" !~ /b/, "a.c" ~ /a\\.c/, "abc" ~ "a" "b"',
  '"10" + 0, "3abc" + 1, "abc" + 1, " 12 " + 0, "1e3x" + 0, ".5." + 0, "+5" + 0, "-" + 0, "0x11" + 0, "1e" + 0',
  'x + 1, x "", length(x), x++ + ++x, x-- - --x, x',
  '(x = 3) + x, x += 2, x -= 1, x *= 3, x /= 4, x %= 2, x ^= 2',
  '1e300 * 1e300, -1e300 * 1e300, log(0)',
  '"\\t|\\n|\\\\|\\"|\\/|\\101|\\x"',
  'length("h\u00e9llo"), length(12345), length(""), length 1',
  'substr("hello", 2, 3), substr("hello", 0, 2), substr("hello", -1, 3), substr("hello", 4), substr("hello", 9) "|"',
  'substr("h\u00e9llo", 2, 1), substr("hello", 1.5, 1.5), substr("hello", 2, 0) "|", substr("hello", 5, 100), substr(12345, 2, 2)',
  'index("hello", "l"), index("hello", "z"), index("hello", ""), index("\u00e9\u00e9a", "a"), index("abc", "abc")',
  'toupper("abC1\u00e9"), tolower("ABc1\u00c9"), toupper(substr("abc", 1, 1)) substr("abc", 2)',
  'sin(0), cos(0), atan2(0, -1), exp(1), log(10), sqrt(16), int(3.9), int(-3.9), int("3x")',
  'match("foobar", /o+/), RSTART, RLENGTH, match("x", /y/), RSTART, RLENGTH, match("\u00e9ab", "b"), RSTART',
  'match("aaa", /a*$/), RLENGTH, match("abc", /$/), RSTART, RLENGTH, match("abc", //)',
  'split("a b  c", q), q[1], q[2], q[3], split("", q), length(q)',
  'split("a:b:c", q, ":"), q[3], split("a1b22c", q, /[0-9]+/), q[3], split("abc", q, ""), q[2], split(" a b ", q, / /), q[2]',
  'split("a.b.c", q, "."), q[2], split("a|b", q, "|"), q[2], split("10 9", q), (q[1] > q[2])',
  'sprintf("%d|%5d|%-5d|%05d|%+d|% d|%.3d", 42, 42, 42, 42, 42, 42, 42)',
  'sprintf("%s|%5s|%-5s|%.2s|%c|%c|%c", "abc", "abc", "abc", "abc", "abc", 65, 256)',
  'sprintf("%f|%.2f|%e|%g|%G|%10.3f|%-10.1f|", 3.14159, 2.5, 12345.678, 0.00001, 1e10, 3.14159, 3.14159)',
  'sprintf("%o|%x|%X|%#x|%#o|%u|%i", 8, 255, 255, 255, 8, 7, 3.99)',
  'sprintf("%*d|%-*d|%.*f", 5, 42, 5, 42, 2, 3.14159), sprintf("%%"), sprintf("%5%|"), sprintf("x")',
  'sprintf("%5s|%-5s|%.1s|%5c|", "\u00e9", "\u00e9", "\u00e9a", "\u00e9"), sprintf("%d", "12abc"), sprintf("%s", 0.1 + 0.2)',
  'sprintf("%d %d %d", 2^31, 2^53, -2^63), sprintf("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5), sprintf("%.1f %.2f", 0.25, 1.005)',
  'sprintf("%.3g|%g|%g|%g|%#g", 1234.5, 100000, 1000000, 0.0001, 1), sprintf("%.10g %.17g", 0.1, 0.1)',
  '("a", "b") in q, "a" in q, 1 in q, !("a" in q)',
  'q["x"] = 1, q["x"]++, q["x"], ("x" in q), ("y" in q), q["y"] "", ("y" in q)',
  'q[1] = "a", q["1"], q[1.0], q["01"] "|"',
  'q[1, 2] = 3, q[1 SUBSEP 2], ((1, 2) in q)',
  'q[0.1 + 0.2] = 5, q[0.3], q["0.3"]',
  '$0 = "a b c", NF, $2, $NF, $(NF - 1)',
  '1 in q ? "y" : "n", 2 " " 3 * 4, 1 + 2 " " 3 + 4',
  '1==1, 2<1, x = y = 5, x y',
  'x = 5; print x^2, -x^2, x % 3, x++ x',
  'substr("x", 1) > "/dev/stdout"',
  'length() length',
  'a["x"]; print length(a), ("x" in a)',
  '-0, 0 * -1, 1 / 3, 100 / 3, 1e6 / 3, 1e7 / 3, 22 / 7 * 1e5, 123456.5, 1234565.5, 0.00012345678',
  '"A" < "a", "a" < "\u00e9", "\u00e9" == "\u00e9", "abc" < "abcd", 10 < 9, "10" < 9',
  '1 - 1 - 1, 2 / 2 / 2, 2 ^ 2 ^ 3, 1 < 2 ? 3 : 4, 5 % 3 % 2, !x + 1, -x y 1',
  '1.5e3 2, 3 .5',
];

const PROGRAMS: readonly Row[] = [
  ['{ print }', 'a'],
  ['1', 'a'],
  ['/t/', 'a'],
  ['!/t/', 'a'],
  ['NR == 2', 'a'],
  ['NR > 1 { print $1 }', 'a'],
  ['NR == 2, NR == 3', 'a'],
  ['/one/, /two/', 'a'],
  ['/one/, /one/', 'a'],
  ['/two/, 0', 'a'],
  ['$2 > 1 && /o/', 'a'],
  ['END { print NR, $0, NF }', 'a'],
  ['BEGIN { print "b" } { print NR } END { print "e" }', 'a', 'b'],
  ['BEGIN { print "only" }', 'nofile'],
  ['BEGIN { print "a" } BEGIN { print "b" } END { print 1 } END { print 2 }', 'a'],
  ['{ print FILENAME, FNR, NR }', 'a', 'b'],
  ['{ print NF; print $1, $NF }', 'table'],
  ['{ s += $2 } END { print s, s / NR }', 'table'],
  ['{ s += $3 } END { printf "%.2f\\n", s }', 'table'],
  ['$2 > 15', 'table'],
  ['$2 == 40', 'table'],
  ['{ print ($9 == 0), ($9 == ""), $9 + 0, (x == 0) }', 'table'],
  ['$3 == "2.5"', 'table'],
  ['$3 < 2', 'table'],
  ['$1 < "c"', 'table'],
  ['{ $2 = "X" } 1', 'table'],
  ['{ $6 = "six"; print; print NF }', 'table'],
  ['{ NF = 2 } 1', 'table'],
  ['{ NF = 5; $1 = $1 } 1', 'table'],
  ['BEGIN { OFS = "-" } { $1 = $1 } 1', 'table'],
  ['BEGIN { OFS = "-" } { print $1, $2; print }', 'a'],
  ['BEGIN { ORS = ";" } 1', 'a'],
  ['{ $0 = "new line here"; print $2, NF }', 'a'],
  ['{ $3 = ""; print NF; print }', 'a'],
  ['{ $(NF + 2) = "z"; print; print NF }', 'a'],
  ['{ print $(1 + 1) }', 'a'],
  ['{ $2++; $2 += 1; print $2, $0 }', 'a'],
  ['{ $2 = 0.1 + 0.2 } 1', 'a'],
  ['{ print -$2, !$2, $2^2, $2 $1, $1$2 }', 'a'],
  ['{ print $NF-1, $NF++, $NF }', 'a'],
  ['BEGIN { FS = ":" } { print NF, $2 }', 'b'],
  ['BEGIN { FS = "," } { for (i = 1; i <= NF; i++) printf "[%s]", $i; print "" }', 'csv'],
  ['BEGIN { FS = "[:z]+" } { print NF, $1 "|" $2 }', 'b'],
  ['BEGIN { FS = "" } NR == 1 { print NF, $2 }', 'b'],
  ['{ FS = ":"; print $1 }', 'b'],
  ['BEGIN { RS = "" } { print NR ": " $1, $2, $3, NF }', 'paragraphs'],
  ['BEGIN { RS = ""; FS = "\\n" } { print $1 "|" $2, NF }', 'paragraphs'],
  ['BEGIN { RS = ""; FS = " " } END { print NR, $0 }', 'paragraphs'],
  ['BEGIN { RS = "" } { print }', 'cut'],
  ['BEGIN { RS = "e" } { print NR, $0 }', 'a'],
  ['BEGIN { RS = ":" } { print NR "=" $0 "." }', 'b'],
  ['{ print $0 "." }', 'cut'],
  ['END { print NR }', 'empty'],
  ['{ print length($0), length($1), length }', 'odd'],
  ['{ print substr($0, 2, 3) "|" index($0, "x") "|" toupper($1) }', 'odd'],
  ['{ gsub(/./, "x"); print }', 'odd'],
  ['{ print match($0, /x/), RSTART, RLENGTH }', 'odd'],
  ['{ n = gsub(/e/, "<&>"); print n, $0 }', 'a'],
  ['{ sub(/[0-9]/, "[&]"); print }', 'a'],
  ['{ gsub("o", "\\\\&"); print }', 'a'],
  ['{ gsub("o", "\\\\\\\\&"); print }', 'a'],
  ['{ gsub(/x*/, "-"); print }', 'a'],
  ['{ gsub(/$/, "!"); gsub(/^/, ">"); print }', 'a'],
  ['{ gsub(/e/, "", $1); print; print $1 }', 'a'],
  ['{ sub("e", "E", x); sub(/n/, "N", $1) } 1', 'a'],
  'BEGIN { s = "aaa"; print gsub(/a/, "b&b", s), s }',
  'BEGIN { s = "a.b.c"; gsub(".", "x", s); print s; s = "a.b"; gsub("\\\\.", "x", s); print s }',
  'BEGIN { s = "hello"; gsub(/l+/, "[&&]", s); print s; print gsub(/z/, "y", s) }',
  'BEGIN { while (i < 3) print i++; do print i--; while (i > 0); for (;;) { if (++n > 2) break; print "n" n } }',
  'BEGIN { for (i = 0; i < 5; i++) { if (i == 2) continue; if (i == 4) break; print i } }',
  'BEGIN { if (1) print "y"; else print "n"; if (0) print "y"\nelse print "n" }',
  'BEGIN { if (x) ; else if (y) print 1; else { print 2 } }',
  'BEGIN { a["x"] = 1; for (k in a) print k, a[k]; delete a["x"]; for (k in a) print "no"; print length(a) }',
  'BEGIN { n = split("c a b", q); for (i = 1; i <= n; i++) print i, q[i]; delete q; print length(q) }',
  'BEGIN { a[1, 2] = 3; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] } }',
  ['{ c[$1]++ } END { for (k in c) n++; print n, c["one"] }', 'a', 'a'],
  ['!seen[$1]++', 'a', 'a'],
  ['{ line[NR] = $0 } END { for (i = NR; i > 0; i--) print line[i] }', 'a'],
  'function f(x) { return x * 2 } BEGIN { print f(3), f(f(2)) + f(1), f("4x") }',
  'function f(a, i) { a[i] = i; i = 9 } BEGIN { j = 3; f(q, j); print q[3], j }',
  'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(15) }',
  'function g() { x = 5 } BEGIN { g(); print x, g() "" }',
  'function f(n,  loc) { loc[n] = n; if (n > 0) f(n - 1); n2 = 0; for (k in loc) n2++; return n2 } BEGIN { print f(3) }',
  'function f(s) { sub(/a/, "b", s); return s } BEGIN { t = "aa"; print f(t), t }',
  'function d(n) { return n == 0 ? 0 : 1 + d(n - 1) } BEGIN { print d(5000) }',
  'function a(x) { return b(x) }\nfunction b(x) {\n  x[1] = 7\n}\nBEGIN { a(z); print z[1] }',
  'function l(x) { return length(x) } BEGIN { m[1]; m[2]; print l(m) }',
  ['function f() { next } { if (NR == 2) f(); print }', 'a'],
  ['function f() { exit 3 } { if (NR == 2) f(); print } END { print "e" }', 'a'],
  ['{ if (NR == 2) next; print } END { print NR }', 'a'],
  ['FNR == 2 { nextfile } { print }', 'a', 'b'],
  ['{ print; exit 4 } END { print "end" }', 'a'],
  ['BEGIN { exit 2 } END { print "end" }', 'a'],
  ['BEGIN { exit } { print }', 'a'],
  ['END { exit 300 }', 'a'],
  ['{ exit 1 } END { exit }', 'a'],
  ['NR == 1 { getline; print "got", $0, NR } END { print NR }', 'a'],
  ['NR == 1 { getline x; print x, $0, NR, FNR }', 'a'],
  'BEGIN { while ((getline line < "a") > 0) print "<" line ">"; print NR, getline < "a" }',
  'BEGIN { while (getline < "a") n += $2; close("a"); getline < "a"; print n, $1, NF }',
  'BEGIN { print (getline x < "nofile"), x "|"; print close("nofile") }',
  'BEGIN { getline q[1] < "a"; getline $2 < "a"; print q[1]; print; print NF }',
  'BEGIN { while (("a" ~ "a") && (getline l < "a") > 0) n++; print n }',
  ['BEGIN { getline; print "first", $0 } { print }', 'a'],
  'BEGIN { "x" in ARGV; print ARGC, ARGV[0], ARGV[1] }',
  ['BEGIN { print ARGC; for (i = 1; i < ARGC; i++) print ARGV[i] }', 'x', 'y=1', '--', '-z'],
  ['{ print x, $1 }', 'x=5', 'a', 'x=a\\tb', 'b'],
  ['BEGIN { ARGV[1] = "b"; ARGC = 2 } { print }', 'a', 'nofile'],
  ['BEGIN { ARGV[1] = "" } { print }', 'nofile', 'b'],
  ['{ print }', 'FS=:'],
  'BEGIN { print ENVIRON["LC_ALL"], length(ENVIRON["none"]) }',
  'BEGIN { printf "%s %d\\n", "a", 5; printf("%s\\n", "b"); printf "no newline" }',
  'BEGIN { print("a", "b"); print("a")("b"); print (1)(2), 3; print (1, 2) in q }',
  'BEGIN { print "x" > "/dev/stdout"; printf "%s\\n", "y" >> "/dev/stdout" }',
  'BEGIN { print 1, 2 > "/dev/stdout"; print (1 > 2) ? "a" : "b" }',
  'BEGIN { a = "x"; b = a++; print a, b; c[1]++; print c[1]; $3 = "z"; print; print NF }',
  'BEGIN { i = 1; a[i++] = i; print a[1] a[2] }',
  'BEGIN { x["a"] = 1; if ("a" in x) print "in"; if (!("b" in x)) print "out" }',
  'BEGIN { print length("a" "b"), 1 " " 2, "x" > "/dev/stdout" }',
  'BEGIN { print substr("hello", 2) ; print toupper(substr("abc", 2)) }\n\n# comment\nBEGIN { print "c" } # more',
  'BEGIN {\n  x = 1 +\\\n    2\n  print x; if (x &&\n    1) print "and"\n  y["a",\n    "b"] = 1\n}',
  'BEGIN { print "a" "b" > "/dev/stdout"; { { print "nested" } } ; ; }',
  'BEGIN { print 1==1 ? "t" : "f"; print 1 + 1 == 2; x = 1; x += x += 2; print x }',
  'BEGIN { print /a/ ~ 1, !/a/, /a/ + 0 } ',
  ['/a/ || /e/ { n++ } END { print n + 0 }', 'a'],
  ['$1 ~ "^t" && $2 ~ /[23]$/', 'a'],
  ['$0 ~ x { print "all" }', 'x=o', 'a'],
  ['/^(one|three) [0-9]+$/', 'a'],
  ['/t{1,2}/ { print }', 'a'],
  ['/[[:digit:]]$/ && /[^[:alpha:]]/', 'a'],
  ['/\\/|[/]/ { print "slash" } /o\\|/ { print "bar" } /[]o]/', 'a'],
  ['{ print /e$/ ? "e" : "-", /[\\]x]/, /\\./ }', 'a'],
  ['BEGIN { OFMT = "%.2f"; CONVFMT = "%.3f"; x = 3.14159; print x, x ""; a[x] = 1; for (k in a) print k }'],
  ['BEGIN { printf "%s %s %s\\n", 1e6, 1e5 + 0.5, 1e16; print 1e6 "", 123456789 "" }'],
  'BEGIN { srand(5); x = rand(); srand(5); y = rand(); print (x == y), (x >= 0 && x < 1), srand(7), srand() }',
  'BEGIN { print length(sprintf("%1000s", "x")); printf "%c", ""; printf "%s", ""; print "" }',
  'BEGIN { $0 = "a b"; $5 = "e"; print; print NF; NF = 1; print; $0 = ""; print NF }',
  'BEGIN { $3 = "c"; print NF, $0 "|" $1 "|" $2 "|" $3 }',
  'BEGIN { print index("foobar", "bar") + length("x") * 2 ^ 2 }',
  'BEGIN { while (1) { if (n++ > 3) exit n; } }',
  'BEGIN { do { n++; if (n == 2) continue; if (n > 4) break } while (1); print n }',
  'BEGIN { for (k in none) print k; for (i = 3; i--;) print i; print "done" }',
  'BEGIN { close("x"); print fflush(), close("none") }',
  'BEGIN { print -1 " " -1; print 1 - 1, 1 -1, 2 * -3, 2^-2 }',
  'BEGIN { print 1 + 1; getline; print; exit }',
];

/** Where gawk by itself and gawk --posix differ, these are as POSIX says; the rest is as gawk by itself. */
const STRICT: readonly Row[] = [
  'BEGIN { print 010, 010 + 1 }',
  ['{ gsub("o", "\\\\&"); print }', 'a'],
  ['{ gsub("o", "\\\\\\\\&"); print }', 'a'],
  ['{ gsub("o", "\\\\\\\\"); print }', 'a'],
  ['{ gsub("o", "\\\\q\\\\\\\\q"); print }', 'a'],
  ['{ sub(/e/, "[\\\\\\&]"); print }', 'a'],
];

const EXTENSIONS: readonly Row[] = [
  ['BEGIN { RS = "[0-9]\\n" } { print NR ":" $0 }', 'a'],
  ['BEGIN { RS = "e|o" } { print NR "=" $0 "." }', 'a'],
  ['BEGIN { RS = "\\n+" } { print NR "=" $0 "." }', 'b', 'cut'],
  ['/\\<t/ { print "word" } /e\\>/ { print "end" } /\\yone\\y/', 'a'],
  ['func f(x) { return x } { print f($1) }', 'a'],
];

const ENVIRONMENT = { LC_ALL: 'C.UTF-8' } as const;

function oracleMissing(): string | undefined {
  const { error, stdout } = spawnSync('gawk', ['--version'], { encoding: 'utf8' });
  return error === undefined && stdout.startsWith('GNU Awk') ? undefined : 'gawk is not installed';
}

/** Output and status as gawk's, whether reads and writes wait or not, and however the input is cut. */
async function expectLikeGawk(words: readonly string[], stdin: string, strict = true): Promise<void> {
  const cwd = makeTree(tree);
  const theirs = spawnSync('gawk', [...(strict ? ['--posix'] : []), ...words], {
    cwd,
    input: encode(stdin),
    env: { PATH: '/usr/bin:/bin', ...ENVIRONMENT },
    argv0: 'awk',
  });
  const expected = { words, stdout: theirs.stdout.toString('latin1'), status: theirs.status };
  const bytes = encode(stdin);
  const cuts = [bytes, [...bytes].map((byte) => Uint8Array.of(byte))];
  for (const [i, input] of cuts.entries()) {
    const ours = await runBuiltin(awk, words, { cwd, stdin: input, environment: ENVIRONMENT, slow: i === 1 });
    expect({ words, stdout: ours.stdoutBytes.toString('latin1'), status: ours.status }).toEqual(expected);
  }
}

const missing = oracleMissing();

function rows(title: string, list: readonly Row[], strict: boolean): void {
  describe(title, () => {
    if (missing !== undefined && !ORACLES_REQUIRED) {
      it.skip(`SKIPPED: ${missing}`, () => {});
      return;
    }
    for (const row of list) {
      const words = typeof row === 'string' ? [row] : row;
      it(words.join(' '), () => expectLikeGawk(words, 'in 1\nin 2\n', strict));
    }
  });
}

rows(
  'expressions as gawk',
  EXPRESSIONS.map((expression) => `BEGIN { print ${expression} }`),
  false,
);
rows('programs as gawk', PROGRAMS, false);
rows('as gawk --posix', STRICT, true);
rows('what gawk adds', EXTENSIONS, false);
rows(
  'options as gawk',
  [
    ['-F:', '{ print $2 }', 'b'],
    ['-F', ',', '{ print $2 "|" NF }', 'csv'],
    ['-Ft', '{ print $1 }', 'odd'],
    ['-F\\t', '{ print $2 }', 'odd'],
    ['-F ', '{ print $2 }', 'table'],
    ['-F[ :]+', '{ print $2 }', 'b', 'a'],
    ['-v', 'x=1', '-vy=a\\tb', 'BEGIN { print x + 1, y }'],
    ['-v', 'n=010', 'BEGIN { print n, n == 10, n "" }'],
    ['-f', 'program', 'a'],
    ['-f', 'program', '-v', 's=10', '--', 'a', 'a'],
    ['--', '{ print $1 }', 'a'],
    ['-v', 'OFS=-', '-F:', '{ $1 = $1; print }', 'b'],
    ['-v', 'NR=10', '{ print NR }', 'a'],
    ['-v', 'RS=', 'END { print NR }', 'paragraphs'],
    ['{ print }', '-', 'a'],
    ['{ print }', 'd', 'a'],
  ],
  false,
);

const LEAVES = [
  '0',
  '1',
  '2.5',
  '1e6',
  '"10"',
  '"9"',
  '"a"',
  '""',
  '"1x"',
  'x',
  'n',
  '$1',
  '$2',
  '$3',
  'a[1]',
  'a["k"]',
  'length($1)',
];
const BINARY = ['+', '-', '*', '<', '<=', '==', '!=', '>', '>=', '&&', '||', ' ', ' in a ? "in" : '];

const expressions = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...LEAVES),
    fc
      .tuple(tie('node'), fc.constantFrom(...BINARY), tie('node'))
      .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
    fc.tuple(fc.constantFrom('-', '!', '+'), tie('node')).map(([operator, operand]) => `(${operator} (${operand}))`),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([test, yes, no]) => `((${test}) ? (${yes}) : (${no}))`),
    fc
      .tuple(fc.constantFrom('x', 'n', '$2', 'a[1]'), fc.constantFrom('=', '+=', '-='), tie('node'))
      .map(([place, operator, value]) => `(${place} ${operator} (${value}))`),
    fc.tuple(tie('node'), fc.nat(4), fc.nat(4)).map(([text, from, count]) => `substr(${text}, ${from}, ${count})`),
    fc.constantFrom('x++', '++n', '$2--', 'same(x)', 'same($3)', 'same(1 + same(n))'),
  ),
})).node;

describe('random expressions', () => {
  if (missing !== undefined && !ORACLES_REQUIRED) {
    it.skip(`SKIPPED: ${missing}`, () => {});
    return;
  }
  it('have the values they have to gawk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(expressions, { minLength: 1, maxLength: 20 }), async (list) => {
        const program = `function same(v) { return v }\nBEGIN { a[1] = 0; a["k"] = "k" }\n{ ${list.map((one) => `print (${one})`).join('\n')} }`;
        await expectLikeGawk([program], '10 9 a\n 2.50 abc\n', false);
      }),
      { numRuns: 40 },
    );
  });
});

async function run(words: readonly string[], options: Partial<RunOptions> = {}) {
  const { stdout, stderr, status } = await runBuiltin(awk, words, { cwd: makeTree(tree), ...options });
  return { stdout, stderr, status };
}

describe('what is wrong with a program is said before it runs, with status 2', () => {
  const errors: readonly (readonly [program: string, message: string])[] = [
    ['BEGIN { system("ls") }', 'cmd. line:1: system() is not supported: awk runs no commands here'],
    ['{ print | "sort" }', 'cmd. line:1: pipes to and from commands are not supported: awk runs no commands here'],
    [
      'BEGIN { "date" | getline }',
      'cmd. line:1: pipes to and from commands are not supported: awk runs no commands here',
    ],
    [
      'BEGIN {\n  while (("date" | getline x) > 0) n++ }',
      'cmd. line:2: pipes to and from commands are not supported: awk runs no commands here',
    ],
    ['BEGIN { print 1', 'cmd. line:1: syntax error at or near end of program'],
    ['BEGIN { print ) }', "cmd. line:1: syntax error at or near `)'"],
    ['BEGIN { x = "a }', 'cmd. line:1: unterminated string'],
    ['/a', 'cmd. line:1: unterminated regexp'],
    ['/(/', 'cmd. line:1: invalid regexp: Unmatched ( or \\(: /(/'],
    ['BEGIN { foo(1) }', "cmd. line:1: function `foo' not defined"],
    ['function f(f) { }', "cmd. line:1: function `f': cannot use function name as parameter name"],
    ['function f(a, a) { }', "cmd. line:1: function `f': parameter `a' duplicates an earlier one"],
    ['function f(a) { } BEGIN { f(1, 2) }', "cmd. line:1: function `f' called with more arguments than declared"],
    ['BEGIN { next }', "cmd. line:1: `next' used in BEGIN action"],
    ['{ return 1 }', "cmd. line:1: `return' used outside function context"],
    ['{ break }', "cmd. line:1: `break' is not allowed outside a loop"],
    ['BEGIN { a[1] = 1; a = 2 }', "attempt to use array `a' in a scalar context"],
    ['BEGIN', 'cmd. line:1: BEGIN blocks must have an action part'],
    ['BEGIN { substr("a") }', 'cmd. line:1: 1 is invalid as number of arguments for substr'],
    ['BEGIN { 1 = 2 }', "cmd. line:1: syntax error at or near `='"],
    ['BEGIN { print @x }', "cmd. line:1: syntax error at or near `@'"],
  ];
  for (const [program, message] of errors) {
    it(message, async () => {
      const program2 = program.startsWith('BEGIN {') ? `BEGIN { print "ran" }\n${program}` : program;
      const shifted = program2 === program ? message : message.replace(/line:(\d+)/, (_, n) => `line:${Number(n) + 1}`);
      expect(await run([program2])).toEqual({ stdout: '', stderr: `awk: ${shifted}\n`, status: 2 });
    });
  }
});

describe('what goes wrong while it runs ends it with status 2, after what it printed', () => {
  const errors: readonly (readonly [words: readonly string[], stdout: string, message: string])[] = [
    [['BEGIN { print 1; print 1 / 0 }'], '1\n', 'division by zero attempted'],
    [['BEGIN { print 1 % x }'], '', "division by zero attempted in `%'"],
    [['BEGIN { print $-1 }'], '', 'attempt to access field -1'],
    [['BEGIN { NF = -1 }'], '', 'NF set to negative value'],
    [['BEGIN { printf "%d %d", 1 }'], '', 'not enough arguments to satisfy format string'],
    [['BEGIN { print "a" ~ "(" }'], '', 'invalid regexp: Unmatched ( or \\(: /(/'],
    [
      ['{ print }', 'a', 'nofile'],
      'one 1\ntwo 2\nthree 3\n',
      "cannot open file `nofile' for reading: No such file or directory",
    ],
    [['-f', 'nofile'], '', "cannot open source file `nofile' for reading: No such file or directory"],
    [['-v', 'x', 'BEGIN { }'], '', "`x' argument to `-v' not in `var=value' form"],
    [['BEGIN { print > "" }'], '', "expression for `>' redirection has null string value"],
    [['BEGIN { print > "d" }'], '', "cannot redirect to `d': Is a directory"],
  ];
  for (const [words, stdout, message] of errors) {
    it(message, async () => expect(await run(words)).toEqual({ stdout, stderr: `awk: ${message}\n`, status: 2 }));
  }
  it('a directory is passed over with a warning, as gawk does', async () => {
    const stderr = "awk: warning: command line argument `d' is a directory: skipped\n";
    expect(await run(['{ print }', 'd', 'cut'])).toEqual({ stdout: 'no end\n', stderr, status: 0 });
  });
  it('no program', async () => {
    expect((await run([])).status).toBe(2);
    expect((await run(['-x', '1'])).stderr).toMatch(/^awk: invalid option -- 'x'\n/);
  });
});

describe('files it writes', () => {
  it('> cuts once, >> adds, close begins anew', async () => {
    const cwd = makeTree({ old: 'old\n', more: 'more\n' });
    const program =
      'BEGIN { print 1 > "old"; print 2 > "old"; print 3 >> "more"; close("old"); while ((getline l < "old") > 0) print l; printf "x" > "new"; print "err" > "/dev/stderr" }';
    expect(await runBuiltin(awk, [program], { cwd })).toMatchObject({ stdout: '1\n2\n', stderr: 'err\n', status: 0 });
    expect(snapshot(cwd)).toHaveLength(3);
    const of = (name: string) => readFileSync(join(cwd, name), 'utf8');
    expect([of('old'), of('more'), of('new')]).toEqual(['1\n2\n', 'more\n3\n', 'x']);
  });
  it('not in read-only mode, and not before it is reached', async () => {
    const { stdout, stderr, status } = await run(['{ print; print > "out" }', 'a'], { remediation: false });
    expect(stdout).toBe('one 1\n');
    expect(stderr).toBe("awk: cannot redirect to `out': remediation mode required\n");
    expect(status).toBe(2);
  });
  it('one file for each key', async () => {
    const cwd = makeTree(tree);
    await runBuiltin(awk, ['{ print $2 > ($1 ".txt") }', 'a'], { cwd, slow: true });
    expect(readFileSync(join(cwd, 'three.txt'), 'utf8')).toBe('3\n');
  });
});

describe('bounds', () => {
  const limited = (program: string, limits: Partial<typeof DEFAULT_LIMITS>) =>
    runBuiltin(awk, [program], { cwd: temporaryDirectory(), limits }).then(
      () => 'ended',
      (error: unknown) => (isShellError(error) ? error.limit : String(error)),
    );
  it('a loop without an end can be stopped', async () => {
    const stop = new Error('stopped');
    for (const program of [
      'BEGIN { while (1); }',
      'BEGIN { for (;;) x++ }',
      'BEGIN { do ; while (1) }',
      'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { f(99) }',
      'function f() { while (1); } BEGIN { x = 1 + f() }',
    ]) {
      let left = 1000;
      const stopping: typeof awk = {
        ...awk,
        invoke: (context, argv) =>
          awk.invoke(
            Object.create(context, {
              tick: {
                value: () => {
                  if (left-- < 0) throw stop;
                  return left % 2 === 0 ? Promise.resolve() : undefined;
                },
              },
            }),
            argv,
          ),
      };
      await expect(runBuiltin(stopping, [program], { cwd: temporaryDirectory() })).rejects.toBe(stop);
    }
  });
  it('a string, an array, fields', async () => {
    expect(await limited('BEGIN { s = "x"; while (1) s = s s }', { maxStringBytes: 100_000 })).toBe('maxStringBytes');
    expect(await limited('BEGIN { while (1) a[i++] = "some text" }', { maxVariableBytes: 100_000 })).toBe(
      'maxVariableBytes',
    );
    expect(await limited('BEGIN { $1e9 = 1 }', {})).toBe('maxFields');
    expect(await limited('BEGIN { x = sprintf("%1000000000d", 1) }', {})).toBe('maxStringBytes');
    expect(
      await limited('BEGIN { for (;;) { a["x" i] = i; delete a["x" i]; if (i++ > 9999) exit } }', {
        maxVariableBytes: 10_000,
      }),
    ).toBe('ended');
    expect(
      await limited('function f(a, b) { b[a] = a; return b[a] } BEGIN { while (i < 9999) f(i++) }', {
        maxVariableBytes: 10_000,
      }),
    ).toBe('ended');
  });
  it('calls nest as deep as the limit says, and no deeper', async () => {
    const program = 'function d(n) { return n == 0 ? 0 : 1 + d(n - 1) } BEGIN { print d(depth) }';
    expect(await run(['-v', 'depth=50000', program])).toMatchObject({ stdout: '50000\n', status: 0 });
    // The limit ends the run, as every limit does: no `||` of the script goes on after it.
    await expect(run(['-v', 'depth=1e9', program])).rejects.toThrow('maxCallDepth is 100000');
    await expect(run([`BEGIN { print ${'('.repeat(300)}1${')'.repeat(300)} }`])).rejects.toThrow('maxNesting is 200');
  });
  it('what was not read is left for the next command', async () => {
    const { left } = await runBuiltin(awk, ['NR == 2 { exit }'], { cwd: temporaryDirectory(), stdin: 'a\nb\nc\nd\n' });
    expect(left).toBe('c\nd\n');
  });
  it('ticks in loops and for each chunk', async () => {
    const { ticks } = await runBuiltin(awk, ['BEGIN { while (i++ < 100000); }'], { cwd: temporaryDirectory() });
    expect(ticks).toBeGreaterThan(500);
  });
});
