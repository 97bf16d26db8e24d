/** The workers of a campaign, each with its part, and what they tell put together. */

import { isFsError } from '../errors.js';
import { startWorker } from '../sandbox/fuzz-workers.js';
import { readHostFile, replaceHostFile } from '../sandbox/host-files.js';
import { decode, encode } from '../text/bytes.js';
import { type Find, kindOf } from './campaign.js';
import { addCoverage, type Coverage, type CoverageData, coverageData, coverageLine, newCoverage } from './coverage.js';
import { fromJson, toJson } from './find-json.js';
import { type FuzzPort, findText } from './main.js';
import type { FuzzRequest } from './options.js';
import type { Progress } from './rounds.js';

interface Campaign {
  readonly request: FuzzRequest;
  readonly args: readonly string[];
  readonly workers: number;
  readonly port: FuzzPort;
}

/** What a `--resume` file holds. */
interface Saved {
  readonly version: 1;
  readonly seed: number;
  /** Rounds that are over, by worker. */
  readonly rounds: number[];
  readonly runs: Record<string, number>;
  readonly tally: Record<string, Record<string, number>>;
  readonly coverage: CoverageData;
  readonly finds: Find[];
}

/** A worker that says nothing for so long is ended: what it was at has no end. Making a find small takes a tenth of that. */
const SILENCE_MS = 120_000;
const TELL_MS = 5_000;

export async function runCampaign({
  request,
  args,
  workers,
  port,
}: Campaign): Promise<{ finds: readonly Find[]; broken: boolean }> {
  const saved = request.resume === undefined ? undefined : readSaved(request.resume);
  const seed = saved?.seed ?? request.seed;
  const count = saved?.rounds.length ?? workers;
  const state: Saved = saved ?? {
    version: 1,
    seed,
    rounds: Array.from({ length: count }, () => 0),
    runs: {},
    tally: {},
    coverage: { rules: {}, options: {} },
    finds: [],
  };
  const coverage: Coverage = newCoverage();
  addCoverage(coverage, state.coverage);
  const kinds = new Set(state.finds.map(kindOfFind));
  const started = performance.now();
  const before = total(state.runs);
  let broken = false;
  let toldAt = started;

  const save = (): void => {
    if (request.resume === undefined) return;
    replaceHostFile(request.resume, encode(`${toJson({ ...state, coverage: coverageData(coverage) })}\n`));
  };
  const statusLine = (): string => {
    const rate = (total(state.runs) - before) / ((performance.now() - started) / 1000);
    return `${counted(total(state.runs), 'scenario')}, ${Math.round(rate)} a second; ${coverageLine(coverage)}; ${counted(state.finds.length, 'find')}`;
  };
  const take = (worker: number, progress: Progress): void => {
    if (progress.last) state.rounds[worker] = progress.rounds;
    state.runs[progress.property] = (state.runs[progress.property] ?? 0) + progress.runs;
    const tally = (state.tally[progress.property] ??= {});
    for (const [what, times] of Object.entries(progress.tally)) tally[what] = (tally[what] ?? 0) + times;
    addCoverage(coverage, progress.coverage);
    const { find } = progress;
    if (find !== undefined && !kinds.has(kindOfFind(find))) {
      kinds.add(kindOfFind(find));
      state.finds.push(find);
      void port.print(request.json ? `${toJson({ find })}\n` : findText(find, request));
    }
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    save();
    if (!request.json) void port.print(`${statusLine()}\n`);
  };

  const shared = withoutOwn(args);
  await Promise.all(
    Array.from({ length: count }, async (_, worker) => {
      // Parts of a part: worker 2 of 4 of shard 3/16 is shard 10/64.
      const shard = `${(request.shard.index - 1) * count + worker + 1}/${request.shard.count * count}`;
      const words = [
        'fuzz',
        ...shared,
        '--worker',
        '--seed',
        String(seed),
        '--shard',
        shard,
        '--from',
        String(state.rounds[worker]),
      ];
      let heard = performance.now();
      let at = 'its start';
      const child = startWorker(
        words,
        (line) => {
          heard = performance.now();
          const progress = fromJson(line) as Progress;
          at = `round ${progress.rounds}, after ${progress.property}`;
          take(worker, progress);
        },
        (text) => port.complain(`fuzz: worker ${shard}: ${text.trimEnd()}`),
      );
      const watch = setInterval(() => {
        if (performance.now() - heard > SILENCE_MS) child.kill();
      }, 1000);
      const status = await child.ended;
      clearInterval(watch);
      if (status === 0) return;
      broken = true;
      port.complain(
        status === null
          ? `fuzz: worker ${shard} had no end, or was ended, in ${at} (seed ${seed})`
          : `fuzz: worker ${shard} ended with status ${status} in ${at} (seed ${seed})`,
      );
    }),
  );
  save();
  await port.print(
    request.json
      ? `${toJson({ ...state, coverage: coverageData(coverage) })}\n`
      : `${report(state)}${statusLine()}; seed ${seed}\n`,
  );
  return { finds: state.finds, broken };
}

const kindOfFind = (find: Find): string => `${find.property} ${kindOf(find.why)}`;

const total = (runs: Readonly<Record<string, number>>): number =>
  Object.values(runs).reduce((sum, one) => sum + one, 0);

/** `1 find`, `2 finds`. */
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function report({ runs, tally, finds }: Saved): string {
  return Object.entries(runs)
    .map(([name, count]) => {
      const found = finds.filter(({ property }) => property === name).length;
      const seen = Object.entries(tally[name] ?? {}).map(([what, times]) => `${times} ${what}`);
      const more = seen.length === 0 ? '' : ` (${seen.join(', ')})`;
      return `${name.padEnd(10)} ${found === 0 ? 'holds' : `does not hold: ${counted(found, 'find')}`} for ${counted(count, 'scenario')}${more}\n`;
    })
    .join('');
}

/** The words that a worker gets as they are: without those that are the campaign's own. */
function withoutOwn(args: readonly string[]): string[] {
  const own = /^--(?:seed|shard|workers|resume|from|out)(=|$)/;
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? '';
    const match = own.exec(word);
    if (match === null) {
      if (word !== '--json') kept.push(word);
    } else if (match[1] === '') i += 1;
  }
  return kept;
}

function readSaved(path: string): Saved | undefined {
  try {
    return fromJson(decode(readHostFile(path))) as Saved;
  } catch (error) {
    if (isFsError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
