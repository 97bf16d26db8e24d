/**
 * The middle of a shortest way from one sequence to another (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section
 * 4b), searched from both ends in linear space, step by step.
 */

/** A part of both sequences: x[left..right) and y[top..bottom). `exact`: the cost must not end the search. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly exact: boolean;
}

/** Where a way is cut in two, and whether each half has to be searched to the end. */
export interface Cut {
  readonly x: number;
  readonly y: number;
  readonly exactBefore: boolean;
  readonly exactAfter: boolean;
}

export interface Sequences {
  readonly x: Int32Array;
  readonly y: Int32Array;
}

/** Furthest points on each diagonal, from the start and from the end; shared by all searches of one comparison. */
export interface Frontiers {
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Index of diagonal 0. */
  readonly origin: number;
}

export function frontiersFor({ x, y }: Sequences): Frontiers {
  const size = x.length + y.length + 3;
  return { forward: new Int32Array(size), backward: new Int32Array(size), origin: y.length + 1 };
}

const FAR = 0x7fffffff;

export class Middle {
  private readonly x: Int32Array;
  private readonly y: Int32Array;
  private readonly box: Box;
  private readonly ahead: Int32Array;
  private readonly behind: Int32Array;
  private readonly origin: number;
  private readonly mostCost: number;
  private readonly odd: boolean;
  private aheadLow: number;
  private aheadHigh: number;
  private behindLow: number;
  private behindHigh: number;
  private cost = 0;

  constructor({ x, y }: Sequences, frontiers: Frontiers, box: Box, mostCost: number) {
    this.x = x;
    this.y = y;
    this.box = box;
    this.ahead = frontiers.forward;
    this.behind = frontiers.backward;
    this.origin = frontiers.origin;
    this.mostCost = mostCost;
    const start = box.left - box.top;
    const end = box.right - box.bottom;
    this.odd = ((start - end) & 1) !== 0;
    this.aheadLow = this.aheadHigh = start;
    this.behindLow = this.behindHigh = end;
    this.ahead[start + this.origin] = box.left;
    this.behind[end + this.origin] = box.right;
  }

  /** One more edit from each end; the cut when they have met, or when it has cost too much. */
  step(): Cut | undefined {
    this.cost++;
    const met = this.stepAhead() ?? this.stepBehind();
    if (met !== undefined) return met;
    return !this.box.exact && this.cost >= this.mostCost ? this.giveUp() : undefined;
  }

  private stepAhead(): Cut | undefined {
    const { x, y, ahead, behind, origin, box } = this;
    const { right, bottom } = box;
    if (this.aheadLow > box.left - bottom) {
      this.aheadLow--;
      ahead[this.aheadLow - 1 + origin] = -1;
    } else this.aheadLow++;
    if (this.aheadHigh < right - box.top) {
      this.aheadHigh++;
      ahead[this.aheadHigh + 1 + origin] = -1;
    } else this.aheadHigh--;
    for (let d = this.aheadHigh; d >= this.aheadLow; d -= 2) {
      const below = ahead[d - 1 + origin] as number;
      const above = ahead[d + 1 + origin] as number;
      let i = below < above ? above : below + 1;
      let j = i - d;
      while (i < right && j < bottom && x[i] === y[j]) {
        i++;
        j++;
      }
      ahead[d + origin] = i;
      if (this.odd && this.behindLow <= d && d <= this.behindHigh && (behind[d + origin] as number) <= i) {
        return { x: i, y: j, exactBefore: true, exactAfter: true };
      }
    }
    return undefined;
  }

  private stepBehind(): Cut | undefined {
    const { x, y, ahead, behind, origin, box } = this;
    const { left, top } = box;
    if (this.behindLow > left - box.bottom) {
      this.behindLow--;
      behind[this.behindLow - 1 + origin] = FAR;
    } else this.behindLow++;
    if (this.behindHigh < box.right - top) {
      this.behindHigh++;
      behind[this.behindHigh + 1 + origin] = FAR;
    } else this.behindHigh--;
    for (let d = this.behindHigh; d >= this.behindLow; d -= 2) {
      const below = behind[d - 1 + origin] as number;
      const above = behind[d + 1 + origin] as number;
      let i = below < above ? below : above - 1;
      let j = i - d;
      while (i > left && j > top && x[i - 1] === y[j - 1]) {
        i--;
        j--;
      }
      behind[d + origin] = i;
      if (!this.odd && this.aheadLow <= d && d <= this.aheadHigh && i <= (ahead[d + origin] as number)) {
        return { x: i, y: j, exactBefore: true, exactAfter: true };
      }
    }
    return undefined;
  }

  /** The point that came furthest, from whichever end. */
  private giveUp(): Cut {
    const { box, origin } = this;
    let bestAhead = -1;
    let aheadX = 0;
    for (let d = this.aheadHigh; d >= this.aheadLow; d -= 2) {
      let i = Math.min(this.ahead[d + origin] as number, box.right);
      let j = i - d;
      if (j > box.bottom) {
        i = box.bottom + d;
        j = box.bottom;
      }
      if (i + j > bestAhead) {
        bestAhead = i + j;
        aheadX = i;
      }
    }
    let bestBehind = Number.POSITIVE_INFINITY;
    let behindX = 0;
    for (let d = this.behindHigh; d >= this.behindLow; d -= 2) {
      let i = Math.max(this.behind[d + origin] as number, box.left);
      let j = i - d;
      if (j < box.top) {
        i = box.top + d;
        j = box.top;
      }
      if (i + j < bestBehind) {
        bestBehind = i + j;
        behindX = i;
      }
    }
    return box.right + box.bottom - bestBehind < bestAhead - (box.left + box.top)
      ? { x: aheadX, y: bestAhead - aheadX, exactBefore: true, exactAfter: false }
      : { x: behindX, y: bestBehind - behindX, exactBefore: false, exactAfter: true };
  }
}
