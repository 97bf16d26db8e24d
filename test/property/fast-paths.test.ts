/**
 * Where the shell takes a short way for what scripts do all the time, the long way gives the same: each is written so that only one of
 * its two forms is short.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createShell } from '../../src/index.js';

const VALUES = [
  '0',
  '7',
  '-7',
  '007',
  '+5',
  ' 5',
  '5 ',
  '-0',
  '-',
  '--1',
  '',
  'x',
  '10',
  '999999999999999',
  '9223372036854775807',
  '1e3',
  '*',
  '3 4',
];
const TEXTS = ['', 'a', 'abc', 'a/b/c', 'a.b.c', '*', 'a*b', 'ä/ü', '[x]', '\\', '-', 'a b', '12'];
const PATTERNS = ['', 'a', '*', '?', '*/', '/*', '.*', '[a-c]', '*[!a]', '\\*', 'ä', '??', '\\\\'];
const SEPARATORS = ['', ' ', '5', '-', 'a/', '0123456789', '\\'];

const quoted = (text: string) => `'${text}'`;
const value = fc.constantFrom(...VALUES);
const separators = fc.option(fc.constantFrom(...SEPARATORS), { nil: undefined });
const spelled = (name: string) => fc.constantFrom(`$${name}`, `"$${name}"`, `\${${name}}`);

/** Runs both forms, in one shell each, and compares all they print and end with. */
async function agree(setup: string, short: string, long: string): Promise<void> {
  const run = async (form: string) => {
    const { stdout, stderr, exitCode } = await createShell({}).run(`${setup}\n${form}\necho "status $?"`);
    return { setup, short, stdout, stderr: stderr.replace(/(^|: )(?:test|\[): /gm, '$1'), exitCode };
  };
  expect(await run(short)).toEqual(await run(long));
}

it('[ with integers is test with texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(value, value, separators),
      fc.tuple(spelled('x'), fc.oneof(spelled('y'), fc.constantFrom('5', '-7', '07', '"10"', '$1', '$#', '$((x))'))),
      fc.constantFrom('-lt', '-le', '-gt', '-ge', '-eq', '-ne', '=', '-zz'),
      fc.constantFrom(
        '',
        'x=$((4+3))',
        'unset x',
        'readonly x',
        'declare -i y',
        'x=(5 6)',
        '[() { echo mine; return 3; }; test() { echo mine; return 3; }',
      ),
      async ([x, y, ifs], [left, right], operator, change) => {
        const set = ifs === undefined ? '' : `IFS=${quoted(ifs)}`;
        await agree(
          `set -- ${quoted(y)}; x=${quoted(x)}; y=${quoted(y)}; ${change}\n${set}`,
          `[ ${left} ${operator} ${right} ]`,
          `test ${left} ${operator} ${right}`,
        );
      },
    ),
    { numRuns: 300 },
  );
});

it('the value of a variable without a prefix or suffix, and its length', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TEXTS),
      fc.constantFrom(...PATTERNS),
      fc.constantFrom('#', '##', '%', '%%'),
      separators,
      fc.constantFrom('word', 'quoted', 'assignment', 'length'),
      async (text, pattern, operator, ifs, where) => {
        const set = ifs === undefined ? '' : `IFS=${quoted(ifs)}`;
        const forms = (spelling: string, array: string) => {
          const one = where === 'length' ? `\${#${array}}` : `\${${array}${operator}${spelling}}`;
          if (where === 'assignment') return `v=${one}; printf '<%s>' "$v"`;
          return where === 'quoted' ? `set -f; printf '<%s>' "a${one}" "${one}"` : `set -f; printf '<%s>' ${one}`;
        };
        const setup = `t=${quoted(text)}; p=${quoted(pattern)}\n${set}`;
        const long = forms(`${pattern}''`, 't[0]');
        for (const spelling of [pattern, '$p']) await agree(setup, forms(spelling, 't'), long);
        // The pattern's quotes hold inside double quotes as well.
        await agree(setup, forms('"$p"', 't'), forms('"$p"\'\'', 't[0]'));
      },
    ),
    { numRuns: 150 },
  );
});

it('the fields of $x', async () => {
  const text = fc
    .array(fc.constantFrom('a', ' ', '\t', '\n', ',', '-', 'é', '𝄞', '*', '\\'), { maxLength: 9 })
    .map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.option(fc.constantFrom('', ' ', ',', ' ,', ',é', '𝄞', '-, '), { nil: undefined }),
      async (x, ifs) => {
        const set = ifs === undefined ? 'unset IFS' : `IFS=${quoted(ifs)}`;
        // A word of two parts is built field by field.
        await agree(`set -f; x=${quoted(x)}; unset y\n${set}`, `printf '<%s>' "$#" $x`, `printf '<%s>' "$#" $x$y`);
      },
    ),
    { numRuns: 300 },
  );
});

it('$((expression)) as a word of its own', async () => {
  await fc.assert(
    fc.asyncProperty(
      value,
      separators,
      fc.constantFrom('x+1', 'x++', 'x=5', '$x*2', '0-12', '1/0', '105', '$1+$#', 'y', 'x=7,$x'),
      async (x, ifs, expression) => {
        const set = ifs === undefined ? '' : `IFS=${quoted(ifs)}`;
        await agree(
          `set -f; x=${quoted(x)}; set -- 3 4; unset y\n${set}`,
          `printf '<%s>' $((${expression})); printf '<%s>' "$x"`,
          // A word of two parts is built field by field.
          `printf '<%s>' $((${expression}))$y; printf '<%s>' "$x"`,
        );
      },
    ),
    { numRuns: 200 },
  );
});
