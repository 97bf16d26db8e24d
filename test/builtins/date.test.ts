import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { date } from '../../builtins/date.js';
import { parseDate } from '../../builtins/kit/parse-date.js';
import { strftime } from '../../builtins/kit/strftime.js';
import { makeTree } from '../support/builtin-tree.js';
import { COREUTILS, gnuRows, withGnu } from '../support/gnu.js';
import { runBuiltin } from '../support/run-builtin.js';
import { oracleThere } from '../support/text-oracle.js';

const TEXTS: readonly string[] = [
  '2024-01-02',
  '2024-01-02 03:04:05',
  '2024-01-02T03:04:05',
  '2024-01-02T03:04:05Z',
  '2024-01-02 03:04:05 +0100',
  '2024-01-02 03:04:05.5 -0530',
  '2024-01-02 03:04:05+01',
  '2024-01-02T03:04:05+05:30',
  '@1700000000',
  '@1700000000.123456789123',
  '@-1.5',
  '20240102',
  '20240102 0304',
  '20240102T030405',
  '1/2/2024',
  '1/2',
  '2 Jan 2024',
  'Jan 2 2024',
  'Jan 2, 2024',
  '2-Jan-2024',
  '2 January',
  'Jan 2',
  'January 2024',
  'Tue Jan  2 03:04:05 CET 2024',
  'Tue, 02 Jan 2024 03:04:05 +0000',
  '2024-01-31 +1 month',
  '2024-03-31 -1 month',
  '2024-02-29 1 year ago',
  '2024-01-02 next day',
  '2024-01-02 tomorrow',
  '2024-01-02 yesterday',
  '2024-01-02 12:00 3 hours ago',
  '2024-01-02 +3 days',
  '2024-01-02 +3 days 4 hours',
  '2024-01-02 03:04 +3 hours',
  '2024-01-02 3pm',
  '2024-01-02 3:04 a.m.',
  '2024-01-02 12am',
  '2024-01-02 12pm',
  '2024-01-02 13pm',
  '2024-01-02 monday',
  '2024-01-02 next monday',
  '2024-01-02 last monday',
  '2024-01-02 this monday',
  '2024-01-02 tuesday',
  '2024-01-02 third friday',
  '2024-01-02 2 weeks ago',
  '2024-01-02 fortnight',
  '2024-01-02 1 fortnight ago',
  '2024-01-02 -1 week',
  '2024-01-02 noon',
  '2024-01-02 midnight',
  '2024-01-02 UTC',
  '2024-01-02 12:00 EST',
  '2024-01-02 12:00 EDT',
  '2024-01-02 12:00 CEST',
  '2024-07-02 12:00 CET',
  '2024-01-02 12:00 Z',
  '2024-01-02 12:00 A',
  '2024-01-02 12:00 UTC+3',
  '2024-01-02 12:00 GMT-2',
  '2024-03-31 02:30',
  '2024-10-27 02:30',
  '2024-10-27 02:30 CEST',
  '2024-03-30 02:30 tomorrow',
  '2024-02-30',
  '2024-1-2',
  '24-1-2',
  '69-1-2',
  '68-1-2',
  '0024-01-02',
  '12024-01-02',
  '2024-01-02 24:00',
  '2024-01-02 23:59:60',
  '2024-01-02 1:2:3',
  '2024-01-02 03',
  '2024-01-02 0304',
  '2024-01-02 (comment) 03:04',
  '2024-01-02,03:04',
  'TZ="America/New_York" 2024-01-02 03:04',
  'TZ="UTC0" 2024-07-02 03:04',
  '2024-01-02 +1 second',
  '2024-01-02 -90 minutes',
  '2024-01-02 +1.5 seconds',
  '2024-01-02 1 min ago 2 hours',
  '2024-01-02 ago',
  '2024-01-02 1 day 1 day',
  '2024-01-02 12:00 12:00',
  '2024-01-02 2024-01-03',
  '2024-01-02 foo',
  '2024-01-02 last year',
  '2024-01-02 next month',
  '2024-01-02 this month',
  '2024-01-02 now',
  '2024-01-02 today',
  '2024-01-02 12:00 today',
  '12/31/1999',
  '31/12/1999',
  '2024/01/02',
  '1999-12-31 23:59:59.999999999',
  '2024-06-15 12:00 dst',
  '2024-01-02 first day',
  '2024-01-02 second day',
  '2024-01-02 sept 5',
  '5 sept 2024',
  '2024-001',
  '2024-01-02 +1',
  '2024-01-02 12:00 +1',
  '2024-01-02 00:00 +1 day',
  '2024-01-02 00:00:00 +0100 +1 day',
  '2024-01-02 00:00 1day',
  '2024-01-02 1 d',
  '2024-01-02 1 h ago',
  '2024-01-02 5 mins',
  '2024-01-02 5 secs ago',
  '2024-01-02 5 sec',
  '2024-01-02 Tues',
  '2024-01-02 wednes',
  '2024-01-02 thurs',
  '2024-01-02 mon, ',
  '2024-01-02 monday next week',
  '-5 days 2024-01-02',
  '2024-01-02 twelfth day',
  '2024-01-02 12:00 PM',
  '2024-01-02 00:00 PM',
  '2024-01-02T12:00:00.5Z',
  '2024-01-02 12.30',
  '2024-01-02 120000',
  '01-Feb-2024',
  'Feb-01-2024',
  '2024-01-02 +12 days ago',
  '2024-01-02 -1 days ago',
  '@0 1 day',
  '1970-01-01 UTC 1700000000 sec',
  '1970-01-01 00:00:00 UTC +1700000000 seconds',
  '999999-01-01',
  '2024-01-02 999999999999 days',
  '2024-01-02 99999999999999999999 days',
  '2024W01',
  '2024-01-02 j',
  '2024-01-02 12:00 J',
  '2024-01-02 12:00 noon',
  '2024-01-02 12:00:00 MST',
  'Thu, 1 Jan 1970 00:00:00 GMT',
  '2024-01-02 12:00 BST',
  '2024-01-02 12:00 IST',
  '2024-01-02 12:00 JST',
  '2024-01-02 saturday this week',
  '2024-01-02 1 month 3 days ago',
  '2024-01-31 1 month',
  '2024-01-02 sat',
  '2024-01-02 12:00 tomorrow',
  '2024-06-30 12:00 next week',
  '2024-02-29 12 months',
  '2024-07-01 00:00 CEST',
  '2024-07-01 00:00 EDT',
  '2024-07-01 00:00 EST DST',
  '2024-01-02 e.s.t. 12:00',
  '2024-03-10 02:30',
  '2024-11-03 01:30',
  '2024-01-02 00:00 UTC -3 days',
  '20240102 12:00:00',
  '1970-01-01',
  '1900-01-01',
  '1800-06-01 UTC',
  '0001-01-01 UTC',
  '9999-12-31 UTC',
  '2024-01-02T03',
  '2024-01-02T0304',
  '2024-01-02T03+01',
  '2024-01-02 12:00:00.123456789 -1 second',
  '2024-01-02 3 hence',
  '2024-01-02 3 days hence',
  '2024-01-02 fri',
  '2024-01-02 Dec',
  'Dec 31 2024 23:59',
  '31 dec 2024 11:59 pm',
  '12am 2024-01-02',
  '2024-01-02 0:00:00 +1 year -1 day',
  '2024-01-02 ++1 day',
  '2024-01-02 - 1 day',
  '2024-01-02 (a (b) c) 5:00',
  '2024-01-02 (a',
  '2024-01-02 +0060',
  '2024-01-02 12:00 +2500',
  '2024-01-02 12:00 +24',
  '2024-01-02 12:00 +25',
  '2024-01-02 last second',
  '2024-01-02 next hour',
  '2024-01-02 next minute',
  '1 January 2024 12:00',
  '@5.',
  '@ 5',
  '@+5',
  '@5x',
  '@1,5',
  '2024-01-02 UTC+05:30 12:00',
  '2024-01-02 12:00 UTC 3 days',
  '2024-10-27 02:30 1 hour',
  '2024-10-26 12:00 24 hours',
  '2024-10-26 12:00 1 day',
  'TZ="Asia/Tokyo" 2024-01-02',
  'TZ="bad',
  'TZ="" 2024-01-02',
];

const ZONES = [
  'UTC0',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'CET-1CEST,M3.5.0,M10.5.0/3',
  '<+03>-3',
  'EST5EDT',
  '',
];

/** What date -d prints for each, in one shell; an error is the text `invalid`. */
function theirs(texts: readonly string[], format: string, zone: string): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const script = texts.map((text) => `date -d ${quoted(text)} ${quoted(`+${format}`)} 2>/dev/null || echo invalid`);
  const { stdout } = spawnSync('/bin/sh', [], {
    input: script.join('\n'),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: zone },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return stdout.split('\n').slice(0, -1);
}

function ours(text: string, format: string, zone: string): string {
  const now = { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 };
  const moment = parseDate(text, now, zone);
  return moment === undefined ? 'invalid' : (strftime(format, moment, zone) ?? 'invalid');
}

describe.skipIf(!oracleThere())('dates as GNU date', () => {
  for (const zone of ZONES) {
    it(`reads them in ${zone || 'an empty zone'}`, () => {
      const format = '%Y-%m-%d %T.%N %z %Z';
      // What zones of the world did long ago they had other names for.
      const texts = TEXTS.filter((text) => !/^[A-Z]\w+\/|^EST/.test(zone) || !/^(0|1[89]00)/.test(text));
      const all = theirs(texts, format, zone);
      texts.forEach((text, i) => {
        expect(`${text}: ${ours(text, format, zone)}`).toBe(`${text}: ${all[i]}`);
      });
    });
  }

  it('prints every conversion with every flag', () => {
    const letters = [
      ...'aAbBcCdDeFgGhHIjklmMnNpPqrRsStTuUVwWxXyYzZ%',
      ':z',
      '::z',
      ':::z',
      'Ey',
      'Od',
      'f',
      'i',
      'L',
      ':',
      ':Y',
    ];
    const flags = ['', '-', '_', '0', '^', '#', '+', '5', '_5', '012', '-12', '^12', '+8'];
    const moments = [
      '2024-07-03 04:05:06.070',
      '2021-01-03 23:59:59.999999999',
      '1999-12-31 12:00',
      '@0',
      '0099-03-01 UTC',
    ];
    for (const zone of ['UTC0', 'America/St_Johns']) {
      for (const flag of flags) {
        const format = letters
          // A width of %% and of nothing known is GNU's own affair.
          .filter((letter) => !(/[0-9^]/.test(flag) && /^(%|f|i|L|:|:Y|n|t)$/.test(letter)))
          .map((letter) => `${letter}=%${flag}${letter}`)
          .join('|');
        for (const moment of moments) {
          const their = theirs([moment], format, zone).join('\n');
          expect(`${flag} ${ours(moment, format, zone)}`).toBe(`${flag} ${their}`);
        }
      }
    }
  });

  it('reads what it prints, at any time in any zone', () => {
    const seconds = fc.integer({ min: -2_000_000_000, max: 8_000_000_000 });
    const samples = fc.sample(seconds, { numRuns: 150, seed: 1 }).map((n) => `@${n}`);
    const format = '%s|%F %T|%a %j %U %V %W %G|%z %Z|%c';
    for (const zone of [
      'UTC0',
      'CET-1CEST,M3.5.0,M10.5.0/3',
      'AAA3BBB,J60,J300',
      'AAA-3BBB-5,59/1,299/26',
      'NZST-12NZDT,M9.5.0,M4.1.0/3',
    ]) {
      const all = theirs(samples, format, zone);
      samples.forEach((text, i) => {
        expect(`${zone} ${text}: ${ours(text, format, zone)}`).toBe(`${zone} ${text}: ${all[i]}`);
      });
    }
    // Names of zones are today's: years that zones have kept their names for.
    const recent = fc
      .sample(fc.integer({ min: 1_500_000_000, max: 2_000_000_000 }), { numRuns: 150, seed: 2 })
      .map((n) => `@${n}`);
    for (const zone of [
      'Europe/London',
      'Europe/Dublin',
      'America/St_Johns',
      'Australia/Sydney',
      'Asia/Tokyo',
      'America/Los_Angeles',
    ]) {
      const all = theirs(recent, format, zone);
      recent.forEach((text, i) => {
        expect(`${zone} ${text}: ${ours(text, format, zone)}`).toBe(`${zone} ${text}: ${all[i]}`);
      });
    }
  });
});

const tree = { f: { content: 'x', mtime: 1_700_000_000 } } as const;

withGnu('date', COREUTILS, () => {
  // No row may set the clock: no -s, and no operand of digits.
  gnuRows(
    date,
    [
      '-u -d @0',
      '-d @0 +%s',
      '-R -d @0',
      '--rfc-email -d @0',
      '--rfc-2822 -d @0',
      '-I -d @0',
      '-Idate -d @0',
      '-Ih -d @0',
      '-Iminutes -d @0',
      '-Iseconds -d @0',
      '-Ins -d @0.5',
      '-Ix',
      '--iso-8601 -d @0',
      '--iso-8601=hours -d @0',
      '--iso-8601=x',
      '--rfc-3339=date -d @0',
      '--rfc-3339=seconds -d @0',
      '--rfc-3339=ns -d @0',
      '--rfc-3339=x',
      '--rfc-3339=',
      '--rfc-3339=s -d @0',
      '--rfc-3339',
      '-uR -d @0',
      '-r f',
      '-r f +%F',
      '-u --reference=f',
      '-r gone',
      '-d foo',
      '-d',
      '-d @0 -r f',
      '-d @0 x',
      '-I -R',
      '-I -I',
      '-R +%Y',
      '+a +b',
      '+%Y x',
      '+',
      '+%',
      '-x',
      '--bad',
      '--utc -d @0 +%c',
      '--universal --date=@0',
      ['-d', '2024-01-02 03:04:05 +0100', '+%a %d%n%%'],
      ['-d', '', '+%T'],
      ['-d', "it's"],
    ],
    { tree, timeZone: 'CET-1CEST,M3.5.0,M10.5.0/3' },
  );
});

it('does not set the clock', async () => {
  const cwd = makeTree({});
  expect(await runBuiltin(date, ['-s', 'x'], { cwd })).toMatchObject({ status: 1, stdout: '' });
  expect(await runBuiltin(date, ['01020304'], { cwd })).toMatchObject({
    status: 1,
    stderr: 'date: cannot set date: Operation not permitted\n',
  });
});

it('prints now in the zone of the clock', async () => {
  const options = { cwd: makeTree({}), now: 1_700_000_000_123_456_789n, timeZone: 'Europe/Berlin' };
  expect((await runBuiltin(date, [], options)).stdout).toBe('Tue Nov 14 23:13:20 CET 2023\n');
  expect((await runBuiltin(date, ['+%s.%N %3N'], options)).stdout).toBe('1700000000.123456789 123\n');
  expect((await runBuiltin(date, ['-d', 'yesterday', '+%F %T.%N'], options)).stdout).toBe(
    '2023-11-13 23:13:20.123456789\n',
  );
  expect((await runBuiltin(date, ['-d', 'next monday', '+%F %T'], options)).stdout).toBe('2023-11-20 00:00:00\n');
  expect((await runBuiltin(date, ['-d', '2 weeks ago', '+%F'], options)).stdout).toBe('2023-10-31\n');
  expect((await runBuiltin(date, ['-d', '12:00', '+%F %T'], options)).stdout).toBe('2023-11-14 12:00:00\n');
});
