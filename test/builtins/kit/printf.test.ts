import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPrintf } from '../../../builtins/kit/printf.js';
import { encode } from '../../../src/text/bytes.js';

const ORACLE = existsSync('/bin/bash');
const REQUIRED = (process.env['RMSH_REQUIRE_ORACLES'] ?? '') !== '';

/** Words of one printf, as shell strings. */
type Call = readonly [format: string, ...args: string[]];

/** What bash prints for each call: output bytes, messages without `printf: `, status. One bash for all. */
function bash(calls: readonly Call[]): { output: string; errors: string[]; status: number }[] {
  const words = (call: Call) =>
    call.map((word) => `$'${[...encode(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}'`);
  const script = calls.map((call) => `printf -- ${words(call).join(' ')}; echo "<$?>" >&2; echo "<END>"`).join('\n');
  const { stdout, stderr } = spawnSync('/bin/bash', ['-s'], {
    input: script,
    env: { LC_ALL: 'C.UTF-8', TZ: 'CET-1CEST,M3.5.0,M10.5.0/3' },
    maxBuffer: 1 << 28,
  });
  const outputs = stdout.toString('latin1').split('<END>\n').slice(0, -1);
  const errors = stderr.toString('latin1').split(/<(\d+)>\n/);
  return calls.map((_, i) => ({
    output: outputs[i] ?? '(nothing)',
    errors: (errors[2 * i] ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^.*?: line \d+: printf: /, '')),
    status: Number(errors[2 * i + 1]),
  }));
}

function ours([format, ...args]: Call): { output: string; errors: string[]; status: number } {
  const time = { now: () => 0, shellStart: () => 0, timeZone: 'CET-1CEST,M3.5.0,M10.5.0/3' };
  const { output, errors, status } = formatPrintf(format, args, { time });
  return {
    output: encode(output).toString('latin1'),
    errors: errors.map((error) => encode(error).toString('latin1')),
    status,
  };
}

const ROWS: { readonly [promise: string]: readonly Call[] } = {
  'text, reuse of the format, missing arguments': [
    ['%s-%s\\n', 'a', 'b', 'c'],
    ['%s\\n'],
    ['x\\n', 'a', 'b'],
    ['%i %s|', '1'],
    ['%s\\n', '%d', '\\n'],
    ['%%%s%%', 'a', 'b'],
  ],
  'escapes in the format': [
    ['\\a\\b\\e\\E\\f\\n\\r\\t\\v\\\\\\\'\\"\\?'],
    ['\\101\\0\\1234\\400\\8'],
    ['\\x41\\x4142\\xzz'],
    ['\\u00e9\\U0001F600\\ud800\\u7f\\U110000\\U7fffffff'],
    ['\\x\\u\\U'],
    ['\\c\\z\\'],
    ['\\303\\251|%s', 'x'],
  ],
  '%b': [
    ['%b', 'a\\cb', 'c'],
    ['%b|', '\\"', "\\'", '\\?', '\\1', '\\0101', '\\101', '\\00', '\\x', '\\x41', '\\u00e9', '\\'],
    ['%5b|%-5b|%.1b|', 'a\\n', 'x', 'ab'],
    ['[%s][%b]x', 'a', 'b\\c', 'c'],
  ],
  integers: [
    ['%d|%i|%u|%o|%x|%X|', '42', '-7', '42', '8', '255', '255'],
    ['%d\\n', '08', '0x', '0xg', '1a', ' 5', '5 ', '', '+5', '-', '+', '--5', '0b11', '1e3', 'abc'],
    ['%d\\n', '9223372036854775807', '-9223372036854775808', '-9223372036854775809', '99999999999999999999'],
    ['%u %o|', '-1', '-1', '18446744073709551615', '99999999999999999999', '-99999999999999999999'],
    ['%x', '-1'],
    ['%d ', "'é", "'a", '"', "'", '"ab', "'\udcff"],
    ['%5d|%-5d|%05d|%+d|% d|%+5d|%-05d|', '42', '42', '42', '42', '42', '7', '3'],
    ['%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%+.3d|', '5', '5', '5', '5', '0', '5'],
    ['%#x|%#o|%#X|%#x|%#o|%#08x|%#.5x|%#8o|%#08o|%#.3o|', '255', '8', '255', '0', '0', '255', '255', '8', '8', '8'],
    ['%*d|%-*d|%.*d|%*s|%.*d|', '5', '42', '5', '42', '5', '42', '-5', 'x', '-1', '3'],
    ["%'d %ld %hhd %jd %zd %td %Ld|", '1234567', '300', '300', '300', '300', '300', '300'],
    ['%*d|', 'x', '5'],
    ['%99999999999d|', '5'],
    ['%-+ #0d', '5'],
  ],
  characters: [
    ['%c|%c|%c|', 'é', 'ab', ''],
    ['%5c|%-5c|%c', 'a', 'b'],
  ],
  'strings count bytes': [['%.1s|%5s|%-5s|%.3s|%05s|%.s|', 'é', 'é', 'é', 'aéb', 'x', 'abc']],
  'real numbers': [
    ['%f %F %5.1f|%05f|%-8.2f|%+f|% f|%05f|%5f|', 'nan', 'INF', '3.14159', 'inf', '2.5', '1', '1', '-inf', 'nan'],
    [
      '%f|',
      'abc',
      '1x',
      '',
      '1e5000',
      '1e-6000',
      '0x1p4',
      "'a",
      '-0',
      '.5',
      '5.',
      '.',
      '1e',
      '1e+',
      'infinit',
      'nan(a)',
    ],
    ['%e|', '12345.678', '0', '-0', '1e-10', '1e100', '9.9999999', '0x.8', '1e4900', '1e-4940'],
    ['%.20f|%La|%a|%a|%a|', '0.1', '1', '0.1', '3.14', '1e-4950'],
    ['%.3g|%g|%g|%g|%.10g|%#g|%g|%G|%g|', '1234567', '1e5', '1e6', '1e-4', '123456.789', '1', '1e-5', '1e100', '0'],
    ['%.3a|%.0a|%A|%20a|%020a|%a|%.1a|%.20a|', '1.999', '1.5', '255', '1', '1', '0', '1e-4950', '1'],
    ['%.0f|%.0f|%.0f|%#.0f|%.1f|%.2f|', '0.5', '1.5', '2.5', '2.5', '0.25', '2.675'],
    ['%020.3f|%-20.3e|%+20.3g|', '-3.14159', '3.14159', '3.14159'],
    ['%.40f|%.30g|%.25e|', '0.1', '0.1', '1e23'],
    ['%f', '18446744073709551616.5'],
    ['%f', '0.000000000000000000000000000000000000000000000000000000000000000000000000000000001'],
  ],
  quoting: [
    ['%q|', 'a b', '', "it's", 'a\nb', 'é', '\udcff', '~x', 'x~', '#a', 'a#', '{a,b}', 'a=b', '\u200b', '!x', '^a'],
    [
      '%q|',
      ',a',
      '-n',
      '@%+:',
      'a=~b',
      'a:~b',
      '\x1b[0m',
      '\x01\x7f',
      '\\',
      '*?[]',
      '$`"',
      '<>|&;()',
      'tab\there',
      '\r',
    ],
    ['%Q|%.3Q|%.3q|%8q|%-8q|', 'a b', 'a bcd', 'a bcd', 'a b', 'a b'],
  ],
  times: [
    ['%(%Y)T|%(%F %T)T|%20(%F)T|%()T|%-12(%F)T|%.4(%F)T|', '0', '86400', '0', '0', '0', '0'],
    ['%(%a %A %b %B %c %C %d %D %e %g %G %h %H %I %j %k %l %m %M)T', '1700000000'],
    ['%(%p %P %r %R %s %S %T %u %U %V %w %W %x %X %y %Y %z %Z %% %n)T', '1700000000'],
    ['%(%N %:z %q %Q %E %5Y %_d %-d %010d %^a %#Z %Ey %Od)T', '1720000000'],
    ['%(%Y)T|', 'abc'],
    ['%(%Y)d|', '0'],
    ['%(%c%c%c%c%c%c)T|', '0'],
  ],
  'what is wrong': [
    ['%z'],
    ['ab%'],
    ['ab%5'],
    ['a%yb', 'x'],
    ['%C%S', 'ab', 'cd'],
    ['%5%|'],
    ['%d %d\\n', '1', '2x', '3y'],
    ['%s%y', 'a', 'b'],
  ],
};

describe.skipIf(!ORACLE && !REQUIRED)('printf as bash prints', () => {
  for (const [promise, calls] of Object.entries(ROWS)) {
    test(promise, () => {
      const theirs = bash(calls);
      calls.forEach((call, i) => {
        expect(ours(call), JSON.stringify(call)).toEqual(theirs[i]);
      });
    });
  }

  test('any number in any format', () => {
    const flags = fc.stringMatching(/^[-+ 0#]{0,3}$/);
    const size = fc.option(fc.integer({ min: 0, max: 30 }), { nil: '' });
    const precision = fc.oneof(
      fc.constant(''),
      fc.integer({ min: 0, max: 25 }).map((n) => `.${n}`),
    );
    const number = fc.oneof(
      fc.double().map(String),
      fc.maxSafeInteger().map(String),
      fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
      fc.tuple(fc.integer(), fc.integer({ min: -5000, max: 5000 })).map(([m, e]) => `${m}e${e}`),
      fc.stringMatching(/^[-+]?(0x)?[0-9a-f]{0,20}(\.[0-9a-f]{0,5})?(p-?[0-9]{1,3})?$/),
    );
    const call = fc
      .tuple(flags, size, precision, fc.constantFrom(...'diuoxXeEfFgGaA'), number)
      .map(([f, w, p, c, n]): Call => [`%${f}${w}${p}${c}|`, n]);
    fc.assert(
      fc.property(fc.array(call, { minLength: 100, maxLength: 100 }), (calls) => {
        const theirs = bash(calls);
        calls.forEach((one, i) => {
          expect(ours(one), JSON.stringify(one)).toEqual(theirs[i]);
        });
      }),
      { numRuns: 8 },
    );
  });
});

test('a format of many arguments is linear', () => {
  const args = Array.from({ length: 200_000 }, (_, i) => String(i));
  const began = performance.now();
  expect(formatPrintf('%s\n', args).output).toHaveLength(args.join('\n').length + 1);
  expect(performance.now() - began).toBeLessThan(2000);
});

test('a width beyond the longest string ends the run', () => {
  expect(() => formatPrintf('%1000000d', ['1'], { maxBytes: 1000 })).toThrow('maxStringBytes');
});

test('\\c ends the output', () => {
  expect(formatPrintf('%b|', ['a\\cb', 'c'])).toMatchObject({ output: 'a', stop: true, status: 0 });
});
