/** Real shells and tools as judges. */
import type { Arbitrary } from 'fast-check';
import { builtins } from '../../../builtins/index.js';
import { missing } from '../../sandbox/oracle-shells.js';
import { quote } from '../../text/quote.js';
import { wordsFor } from '../commands.js';
import { compare, fails, type Manner, type Verdict } from '../differential.js';
import fc from '../fast-check.js';
import { LANGUAGES, type Language } from '../languages.js';
import { type Given, type Property, usual } from '../property.js';
import type { Scenario } from '../scenario.js';

/** A job that nobody waits for prints when it likes, and no two shells have one number. */
const UNSTEADY = /[^&|<>]&(?![&>\d-]| *wait)|\$[$!]/;

/** Scripts of one process: starting a shell is what costs, and what it is started with may not be too long. */
const TOGETHER = 40;

/**
 * Asked as subshells, which cost little; every eighth batch as shells of their own, where bash is not the only judge: in one, and not in
 * an `eval`, an error of expansion ends the line for it, and not the script.
 */
function mannerOf(scenarios: readonly Scenario[], { judges }: Language): Manner {
  if (judges.length === 1) return 'subshell';
  const length = scenarios.reduce((sum, { script }) => sum + script.length, 0);
  return scenarios.length > 1 && length % 8 === 0 ? 'process' : 'subshell';
}

function against(language: Language): Pick<Property, 'needs' | 'arbitrary' | 'check' | 'checkAll'> {
  const judged = (given: Given): Language => ({
    ...language,
    judges: (language.name === 'posix' ? given.oracles : language.judges).filter((name) => missing(name) === undefined),
  });
  const checkAll = async (scenarios: readonly Scenario[], given: Given): Promise<(string | undefined)[]> => {
    const asked = judged(given);
    if (asked.judges.length === 0) throw new Error(`none of the judges is installed: ${language.judges.join(', ')}`);
    const all: (string | undefined)[] = [];
    for (let i = 0; i < scenarios.length; i += TOGETHER) {
      const some = scenarios.slice(i, i + TOGETHER);
      const texts = some.map(({ script }) => script);
      const verdicts = await compare(asked, texts, mannerOf(some, language));
      all.push(...verdicts.map((verdict) => told(verdict, asked, given)));
    }
    return all;
  };
  return {
    needs: 'shells',
    arbitrary: () => language.script.filter((script) => !UNSTEADY.test(script)).map((script) => usual(script, {})),
    check: async (scenario, given) =>
      // A script that was made smaller may have left the language.
      UNSTEADY.test(scenario.script) || !language.isJudged(scenario.script)
        ? undefined
        : (await checkAll([scenario], given))[0],
    checkAll,
  };
}

function told(verdict: Verdict, { judges }: Language, given: Given): string | undefined {
  given.tally(verdict.wanted === undefined ? 'judges of two minds' : 'agreed');
  if (!fails(verdict)) return undefined;
  const [wanted, ours] = different(verdict.wanted ?? '', verdict.ours ?? '');
  return `${judges.join(' and ')}: ${JSON.stringify(wanted)}, rmsh: ${JSON.stringify(ours)}`;
}

/** What was printed, and of the files those that differ. */
function different(wanted: string, ours: string): [string, string] {
  const parts = [wanted, ours].map((shown) => shown.split(/(?=^\[file )/m)) as [string[], string[]];
  const only = (here: string[], there: string[]): string =>
    here.filter((part, i) => i === 0 || !there.includes(part)).join('');
  return [only(...parts), only(parts[1], parts[0])];
}

const languageOf = (name: Language['name']): Language => {
  const found = LANGUAGES.find((language) => language.name === name);
  if (found === undefined) throw new Error(`no language '${name}'`);
  return found;
};

export const posix: Property = {
  name: 'posix',
  summary: 'where the oracle shells agree on a script of POSIX’s language, rmsh does that too',
  ...against(languageOf('posix')),
};

export const bash: Property = {
  name: 'bash',
  summary: 'a script of bash’s language does what it does in bash',
  ...against(languageOf('bash')),
};

/**
 * Filters whose output is theirs alone: nothing of the host, of time or of chance is in it. Without tac: GNU's reads a standard input that is
 * a file once more where `-` comes again; without rev, which is not GNU's.
 */
const FILTERS: readonly (readonly [name: string, without: readonly string[]])[] = [
  ['basename', []],
  ['base64', []],
  ['cat', []],
  ['cksum', ['a', 'algorithm', 'debug']],
  ['comm', []],
  ['cut', []],
  ['dirname', []],
  ['expand', []],
  ['fold', []],
  ['head', []],
  ['join', []],
  ['nl', []],
  ['od', []],
  ['paste', []],
  ['seq', []],
  ['sha1sum', []],
  ['sort', ['R', 'random', 'o', 'output', 'sort', 'T', 'S', 'parallel', 'compress', 'batch', 'debug', 'files0']],
  ['strings', []],
  ['tail', ['f', 'F', 'follow', 'pid', 'retry', 's', 'sleep']],
  ['tr', []],
  ['unexpand', []],
  ['uniq', []],
  ['wc', []],
];

const TOOL_PRELUDE = `printf 'b 2\\na 1\\n\\nb 2\\nc\\t3\\n' > f; printf '1,2,3\\n10,x\\n9\\n' > g; : > empty; printf 'no newline' > n\n`;
const OPERANDS = ['f', 'f', 'g', 'empty', 'n', 'missing', '2', '1', 'a', '-x'];

/** A length of -1 is for GNU's strings one of 4294967295. */
const ODD = /^strings .*(?:-n|--bytes=)-/;

const toolLine: Arbitrary<string> = fc.oneof(
  ...FILTERS.map(([name, without]) => {
    const builtin = builtins.find((one) => one.name === name);
    if (builtin === undefined) throw new Error(`no command '${name}'`);
    return wordsFor(builtin, { operands: OPERANDS, without: [...without, 'help', 'version'], valid: true })
      .map((words) => `${[name, ...words.map(quote)].join(' ')} < f`)
      .filter((line) => !ODD.test(line.replaceAll("'", '')));
  }),
);

const tools: Language = {
  name: 'tools',
  judges: ['bash'],
  prelude: TOOL_PRELUDE,
  script: fc
    .array(toolLine, { minLength: 1, maxLength: 3 })
    .map((lines) => `${lines.map((line) => `${line}; echo "[$?]"`).join('\n')}\n`),
  isJudged: () => true,
};

export const gnu: Property = {
  name: 'gnu',
  summary: 'a filter with valid options prints what the real tool prints, and ends as it does',
  // Cut anywhere it would be a line of other commands, which nobody promised.
  whole: true,
  ...against(tools),
};
