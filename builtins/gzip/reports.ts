/** What gzip tells about files: `-l` and `-v`. */
import type { Waiting } from '../../src/steps.js';
import type { Output } from '../kit/context.js';
import { noTotals, type Totals } from '../kit/gzip/pump.js';
import { formatFixed } from '../kit/number-format.js';
import { strftime } from '../kit/strftime.js';

/** Suffixes of compressed files, beside the one that is asked for. */
const SUFFIXES = ['.gz', '.z', '.taz', '.tgz', '-gz', '-z', '_z'];

/** The suffix that says a file is compressed, as it is written; a name must be left without it. */
export function suffixOf(path: string, own: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const found = [own.toLowerCase(), ...SUFFIXES].find((one) => name.length > one.length && name.endsWith(one));
  return found === undefined ? undefined : path.slice(-found.length);
}

/** What a file is called when it is expanded. */
export function plainName(path: string, own: string): string {
  const suffix = suffixOf(path, own);
  if (suffix === undefined) return path;
  const plain = path.slice(0, -suffix.length);
  return /^\.t[ag]z$/i.test(suffix) ? `${plain}.tar` : plain;
}

/** By how much compression made it smaller, headers apart. */
export function ratio({ packed, framing, plain }: Totals): string {
  const saved = plain === 0 ? 0 : (100 * (plain - (packed - framing))) / plain;
  return `${formatFixed(saved, 1).padStart(5)}%`;
}

/** The lines of `-l`. */
export class Reports {
  private readonly out: Output;
  private readonly zone: string;
  private readonly quiet: boolean;
  private readonly verbose: boolean;
  private begun = false;
  private readonly all = noTotals();

  constructor(out: Output, zone: string, quiet: boolean, verbose: boolean) {
    this.out = out;
    this.zone = zone;
    this.quiet = quiet;
    this.verbose = verbose;
  }

  /** `timeNs`: of the file. */
  one(totals: Totals, name: string, timeNs: bigint): Waiting {
    this.all.packed += totals.packed;
    this.all.plain += totals.plain;
    this.all.framing = totals.framing;
    let front = '';
    if (this.verbose) {
      const moment = { seconds: Number(timeNs / 1_000_000_000n), nanoseconds: 0 };
      const time = strftime('%b %e %H:%M', moment, this.zone);
      front = `defla ${totals.crc.toString(16).padStart(8, '0')} ${time} `;
    }
    return this.line(front, totals, name);
  }

  /** Of those that were told; `framing` of the last file only, as GNU has it. */
  total(): Waiting {
    if (this.quiet || !this.begun) return undefined;
    return this.line(this.verbose ? ' '.repeat(28) : '', this.all, '(totals)');
  }

  private line(front: string, totals: Totals, name: string): Waiting {
    let text = '';
    if (!this.begun && !this.quiet) {
      text += `${this.verbose ? 'method  crc     date  time  ' : ''}         compressed        uncompressed  ratio uncompressed_name\n`;
    }
    this.begun = true;
    text += `${front}${String(totals.packed).padStart(19)} ${String(totals.plain).padStart(19)} ${ratio(totals)} ${name}\n`;
    return this.out.write(text);
  }
}
