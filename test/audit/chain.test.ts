/** Records in a file: bound to each other, gone on with, and looked at. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEGINNING, seal, unseal } from '../../src/audit/chain.js';
import { canonicalJson } from '../../src/audit/digest.js';
import { type RecordFile, recordKeeper } from '../../src/audit/file-sink.js';
import { AuditTrail } from '../../src/audit/trail.js';
import { type Verdict, Verifier } from '../../src/audit/verify.js';
import type { AuditEvent, AuditRecord } from '../../src/audit.js';
import { decode, encode } from '../../src/text/bytes.js';

const end: AuditEvent = {
  event: 'run-end',
  status: 0,
  kind: 'exited',
  removals: { made: 0, left: 100 },
  counts: {},
};
const limit: AuditEvent = { event: 'limit', limit: 'maxJobs', value: 1 };
const refusal = (argv: readonly string[]): AuditEvent => ({
  event: 'refusal',
  action: 'run',
  argv,
  command: 'x',
  source: 's',
  line: 1,
  outcome: 'refused',
  rule: 'command',
});
const start = { event: 'run-start' } as AuditEvent;

/** A file in memory, with what is done to it in order. */
function memoryFile(text = ''): RecordFile & { text: string; readonly done: string[] } {
  const lines = text.split('\n');
  return {
    text,
    done: [],
    lastLine: text === '' ? undefined : encode(lines.at(text.endsWith('\n') ? -2 : -1) ?? ''),
    whole: text === '' || text.endsWith('\n'),
    append(data) {
      this.text += decode(data);
      this.done.push('append');
    },
    sync() {
      this.done.push('sync');
    },
  };
}

/** A file of these runs; the process that wrote them is gone, but where `alive` says so. */
let alive = false;

function written(...runs: readonly (readonly AuditEvent[])[]): string {
  let text = '';
  for (const events of runs) {
    const file = memoryFile(text);
    const sink = recordKeeper(file, 'f', () => (alive ? '7' : undefined)).sink();
    events.forEach((event, i) => {
      sink.take({ seq: i + 1, time: 't', run: sink.run, ...event } as AuditRecord, false);
    });
    text = file.text;
  }
  return text;
}

function verdict(text: string | Uint8Array, piece = 1000): Verdict {
  const verifier = new Verifier();
  const bytes = typeof text === 'string' ? encode(text) : text;
  for (let i = 0; i < bytes.length; i += piece) if (!verifier.feed(bytes.subarray(i, i + piece))) break;
  return verifier.end();
}

const text = written([start, refusal(['a']), refusal(['b']), limit, end], [start, refusal(['c']), end]);
const lines = text.trimEnd().split('\n');
const joined = (some: readonly string[]): string => `${some.join('\n')}\n`;

describe('a chain', () => {
  it('binds each line to the one before, by hashes that sha256sum can check', () => {
    let prev = BEGINNING;
    for (const line of lines) {
      const record = JSON.parse(line);
      expect(record.prev).toBe(prev);
      const body = line.slice(0, line.lastIndexOf(',"hash":"'));
      expect(record.hash).toBe(createHash('sha256').update(body).digest('hex'));
      prev = record.hash;
    }
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const piece of [1, 7, 64, 100_000]) {
      expect(verdict(text, piece)).toEqual({ records: 8, runs: 2, unended: [], head: prev, problem: undefined });
    }
  });

  it('keeps any words', () => {
    const bytes = fc.uint8Array({ maxLength: 30 });
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 4 }), (words) => {
        const argv = words.map(decode);
        const { line, hash } = seal({ seq: 1, time: 't', run: '1.2.3', ...refusal(argv) } as AuditRecord, BEGINNING);
        expect(line).toMatch(/^[^\n]*$/);
        expect(unseal(encode(line))).toMatchObject({ hash, sound: true, seq: 1, run: '1.2.3' });
        expect(JSON.parse(line).argv.map((word: string) => [...encode(word)])).toEqual(words.map((word) => [...word]));
      }),
    );
  });

  const swap = (i: number, j: number): string[] => {
    const other = [...lines];
    [other[i], other[j]] = [lines[j] as string, lines[i] as string];
    return other;
  };
  const edited = (i: number, from: string, to: string): string =>
    joined(lines.map((line, at) => (at === i ? line.replace(from, to) : line)));
  it.each([
    ['an edited word', edited(1, '"a"', '"x"'), 2, 'was changed'],
    ['an edited number', edited(3, '"value":1', '"value":2'), 4, 'was changed'],
    ['an edited hash', edited(1, '"hash":"', '"hash":"0').replace(/0([0-9a-f]{63})[0-9a-f]"\}/, '0$1"}'), 2, ''],
    ['a removed line', joined(lines.filter((_, i) => i !== 2)), 3, 'is record 4, and not the one after record 2'],
    ['a removed beginning', joined(lines.slice(1)), 1, 'is record 2, and not the first'],
    ['two lines exchanged', joined(swap(1, 2)), 2, 'is record 3'],
    ['a line inserted twice', joined([...lines.slice(0, 2), ...lines.slice(1)]), 3, 'is record 2'],
    ['a line of somebody else', joined([...lines.slice(0, 2), '{}', ...lines.slice(2)]), 3, 'is no record'],
    ['an empty line', joined([...lines.slice(0, 2), '', ...lines.slice(2)]), 3, 'is no record'],
    [
      'another chain in its middle',
      joined([...lines.slice(0, 5), ...written([start, end]).trimEnd().split('\n')]),
      6,
      'is record 1',
    ],
    ['half a line at the end', text.slice(0, -20), 8, 'is cut short'],
    ['no last newline', text.slice(0, -1), 8, 'is cut short'],
    ['an end that was taken away', joined(lines.slice(0, -1)), 7, 'its run has no end'],
    ['nothing', '', 1, 'the file is empty'],
  ])('shows %s', (_what, broken, line, message) => {
    const { problem } = verdict(broken);
    expect(problem?.line).toBe(line);
    expect(problem?.message).toContain(message);
  });

  it('shows any change of any byte, and any cut', () => {
    const bytes = encode(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = Uint8Array.from(bytes);
        other[at] = (other[at] as number) ^ by;
        expect(verdict(other).problem).toBeDefined();
        // Cut behind the end of a run it is what it was then: only the last hash, kept elsewhere, tells.
        const cut = verdict(bytes.subarray(0, at));
        if (cut.problem === undefined) expect(cut.head).not.toBe(verdict(bytes).head);
      }),
      { numRuns: 500 },
    );
  });

  it('names runs that were killed, and goes on behind them', () => {
    const killed = written([start, limit], [start, end]);
    expect(verdict(killed)).toMatchObject({ problem: undefined, unended: [2], runs: 2 });
  });
});

describe('a file that is gone on with', () => {
  const open = (content: string, alive?: string) => () => recordKeeper(memoryFile(content), 'f', () => alive);
  it('must end in a whole record, of a run that is over', () => {
    expect(open(text.slice(0, -1))).toThrow('its last line is no whole record');
    expect(open('something else\n')).toThrow('its last line is no whole record');
    expect(open(edited(7, '"status":0', '"status":1'))).toThrow('its last record was changed');
    alive = true;
    const running = written([start]);
    alive = false;
    expect(open(running, '7')).toThrow(`process ${process.pid} writes to it`);
    // Another process has the number by now, or none.
    expect(open(running, '8')).not.toThrow();
    expect(open(running, undefined)).not.toThrow();
    expect(open(text, '7')).not.toThrow();
  });

  function edited(i: number, from: string, to: string): string {
    return joined(lines.map((line, at) => (at === i ? line.replace(from, to) : line)));
  }
});

describe('what is flushed', () => {
  it('is each record after which something is lost, before the answer', () => {
    const file = memoryFile();
    const trail = new AuditTrail(recordKeeper(file, 'f', () => '7').sink(), {
      onFailure: 'end',
      stop: () => {},
      onStop: () => () => {},
      stopped: () => undefined,
      warn: () => {},
    });
    const intent = { action: 'remove', given: 'a', path: '/a', command: 'rm', source: 's', line: 1 } as const;
    const of = (size: number) => ({ kind: 'file', device: '1', inode: '1', size, mtimeNs: '1' }) as const;
    const flushed = (event: AuditEvent): boolean => {
      file.done.length = 0;
      expect(trail.emit(event)).toBeUndefined();
      expect(file.done[0]).toBe('append');
      return file.done[1] === 'sync';
    };
    expect(flushed({ event: 'intent', ...intent, file: of(1), budget: { before: 2, after: 1 } })).toBe(true);
    expect(flushed({ event: 'intent', ...intent, action: 'rename', budget: { before: 1, after: 0 } })).toBe(true);
    expect(flushed({ event: 'intent', ...intent, action: 'truncate', file: of(1) })).toBe(true);
    expect(flushed({ event: 'intent', ...intent, action: 'truncate', file: of(0) })).toBe(false);
    expect(flushed({ event: 'intent', ...intent, action: 'create' })).toBe(false);
    expect(flushed({ event: 'outcome', ...intent, outcome: 'done' })).toBe(false);
    expect(flushed(limit)).toBe(false);
  });
});

describe('canonical JSON', () => {
  it('is the same for the same data', () => {
    const value = { b: [2, { d: 1, c: undefined }], a: new Set(['y', 'x']), m: new Map([['k', 'v']]) };
    expect(canonicalJson(value)).toBe('{"a":["x","y"],"b":[2,{"d":1}],"m":{"k":"v"}}');
  });
});
