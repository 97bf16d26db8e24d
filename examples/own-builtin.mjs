// A command of your own, for your scripts: it gets what it declares to need, and nothing else. node own-builtin.mjs DIRECTORY
import { BadValue, createShell, defineBuiltin } from 'rmsh';

const percent = (text) => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 100) throw new BadValue(`invalid percentage: '${text}'`);
  return number;
};

const pressure = defineBuiltin({
  name: 'pressure',
  summary: 'say whether the disk is fuller than it should be',
  usage: 'pressure [-m PERCENT] USED',
  needs: [],
  flags: {
    most: { short: 'm', long: 'most', value: 'PERCENT', parse: percent, help: 'how full it may be (default 80)' },
  },
  statuses: { 0: 'it is fuller', 1: 'it is not' },
  run({ flags, operands, out }) {
    const used = percent(operands[0] ?? '');
    const most = flags.most ?? 80;
    out.write(`${used}% used, ${most}% allowed\n`);
    return used > most ? 0 : 1;
  },
});

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('which DIRECTORY is to be cleaned up?');
const shell = createShell({ mode: 'remediation', allowedPaths: [`${directory}:rw`] }, { builtins: [pressure] });
const run = await shell.run('if pressure -m 90 "$1"; then rm -v *.tmp; fi; pressure --help', {
  cwd: directory,
  args: ['97'],
});
process.stdout.write(run.stdout);
process.stderr.write(run.stderr);
process.exitCode = run.exitCode;
