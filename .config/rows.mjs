/**
 * `node .config/rows.mjs [NAME]...`: how many rows each command has that the real tool is asked about too, and those that only ours
 * answers. Rows are the tests of test/builtins, by their titles, and the cases of test/cases whose script names the command.
 * Status 1 when a command has fewer rows beside the real tool than the table below wants.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a remediation cannot do without has 40, another 15; those that have neither options nor operands to speak of have what there is. */
const FIRST =
  'find xargs truncate tee df du ls stat cat head tail wc sort uniq cut tr grep sed expr basename dirname true false yes seq sleep date env printenv';
const FEW = new Map([
  ['rm', [40, 'refuses by design: what its rows show is ours, and mostly stands in test/cases/removal.cases']],
  ['logrotate', [40, 'a helper of our own: there is no real one']],
  ['true', [15, 'knows no option']],
  ['false', [15, 'knows no option']],
  ['hostname', [10, 'has one option, and an operand would set the name of the host']],
  ['yes', [15, 'has neither options nor an end']],
]);

const commands = commandNames();
const rows = new Map(commands.map((name) => [name, { real: 0, own: 0, cases: 0 }]));

for (const { name, file } of listed()) {
  const parts = name.split(' > ');
  const title = parts.at(-1) ?? '';
  const group = parts.slice(0, -1).join(' > ');
  const command = commandOf(title, group, basename(file, '.test.ts'));
  if (command === undefined) continue;
  // All but the last group of jq's file are rows beside the real one.
  const real = command === 'jq' || /as GNU|as gawk|as the real|cannot be read/.test(name);
  rows.get(command)[real ? 'real' : 'own'] += Number(/(\d+) rows/.exec(title)?.[1] ?? 1);
}

for (const file of readdirSync(`${root}test/cases`).filter((one) => one.endsWith('.cases'))) {
  for (const text of readFileSync(`${root}test/cases/${file}`, 'utf8')
    .split(/^=== .*\n/m)
    .slice(1)) {
    const script = text.split(/^--- /m)[0] ?? '';
    const alone = /^--- differs/m.test(text) && !/^--- shells/m.test(text);
    const named = new Set(
      script.match(
        /(?<=^|[;|&({`!]\s*|\b(?:do|then|else|if|while|until|exec|command|xargs(?: -\S+)*)\s+)[a-z][a-z0-9]*/gm,
      ),
    );
    for (const word of named) if (rows.has(word)) rows.get(word)[alone ? 'own' : 'cases']++;
  }
}

const wanted = process.argv.slice(2);
let thin = 0;
console.log('| command | beside the real tool | cases of shells | ours alone | wanted |');
console.log('|---|---|---|---|---|');
for (const [name, { real, own, cases }] of rows) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const [least, why] = FEW.get(name) ?? [FIRST.split(' ').includes(name) ? 40 : 15];
  const has = FEW.has(name) ? real + own + cases : real + cases;
  if (has < least) thin++;
  console.log(
    `| ${name} | ${real} | ${cases} | ${own} | ${least}${has < least ? ': thin' : ''}${why ? ` (${why})` : ''} |`,
  );
}
process.exit(thin === 0 ? 0 : 1);

function commandNames() {
  return readFileSync(`${root}README.md`, 'utf8')
    .split('<!-- commands -->')[1]
    .split('<!-- end -->')[0]
    .split('\n')
    .flatMap((line) => /^\| `([a-z0-9]+)`/.exec(line)?.[1] ?? []);
}

/** The titles of all tests of commands, without running them. */
function listed() {
  const words = ['--no-install', 'vitest', 'list', '--json', '--config', '.config/vitest.config.ts', 'test/builtins'];
  const { stdout, stderr } = spawnSync('npx', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (!stdout.startsWith('[')) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A row begins with its command; otherwise its group names it, or else its file. */
function commandOf(title, group, file) {
  const inGroup = group.match(/[a-z0-9]+/g)?.find((word) => rows.has(word));
  return [title.split(' ')[0], inGroup, file].find((word) => rows.has(word));
}
