/** Text and tree: what is printed is read back as it was; and what is quoted is read back by every shell. */
import { isDeepStrictEqual } from 'node:util';
import type { Arbitrary } from 'fast-check';
import { parse, print } from '../../../grammar/index.js';
import { missing, runOracle } from '../../sandbox/oracle-shells.js';
import { decode, encode } from '../../text/bytes.js';
import { quote } from '../../text/quote.js';
import fc from '../fast-check.js';
import { inMemory, type Property, usual } from '../property.js';
import type { Scenario } from '../scenario.js';
import { anyScript } from '../scripts.js';
import { withoutOffsets } from '../syntax.js';
import { fileNames } from '../trees.js';

export const printing: Property = {
  name: 'print',
  summary: 'a script that is parsed, printed and parsed again has the same syntax tree',
  needs: 'memory',
  arbitrary: (given) => anyScript(given.corpus).map((script) => usual(script, {})),
  async check({ script: whole }, given) {
    // The last line of a here-document that breaks off is a line when it is printed.
    const script = whole.includes('<<') && !whole.endsWith('\n') ? `${whole}\n` : whole;
    const { commands, problem } = parse(script);
    if (commands.length === 0) return undefined;
    if (problem === undefined) given.tally('valid scripts');
    const printed = commands.map(print).join('');
    const again = parse(printed);
    if (again.problem !== undefined) return `printed as ${JSON.stringify(printed)}: ${again.problem.message}`;
    if (!isDeepStrictEqual(withoutOffsets(again.commands), withoutOffsets(commands))) {
      return `printed as ${JSON.stringify(printed)}, which is another tree`;
    }
    const twice = again.commands.map(print).join('');
    return twice === printed
      ? undefined
      : `printed as ${JSON.stringify(printed)}, and then as ${JSON.stringify(twice)}`;
  },
};

const texts: Arbitrary<string> = fc.oneof(
  fileNames,
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
);

export const quoting: Property = {
  name: 'quote',
  whole: true,
  summary: 'what quote() makes of a text, rmsh and the real shells read as that text',
  needs: 'shells',
  arbitrary: () =>
    fc.array(texts, { minLength: 1, maxLength: 30 }).map((list): Scenario => {
      return {
        ...usual(`printf '<%s>\\n' ${list.map(quote).join(' ')}`, {}),
        expected: list.map((text) => `<${text}>\n`).join(''),
      };
    }),
  async check(scenario, given) {
    const { result } = await inMemory(scenario, given);
    if (result.stdout !== scenario.expected) return `rmsh reads ${JSON.stringify(result.stdout)}`;
    for (const name of given.oracles) {
      if (missing(name) !== undefined) continue;
      const { stdout } = await runOracle(name, 'eval "$(cat)"', { cwd: '/', stdin: encode(scenario.script) });
      if (decode(stdout) !== scenario.expected) return `${name} reads ${JSON.stringify(decode(stdout))}`;
      given.tally(`asked of ${name}`);
    }
    return undefined;
  },
};
