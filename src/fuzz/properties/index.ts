/** All properties, by name. */
import type { Property } from '../property.js';
import { linked, outside, unseen } from './boundary.js';
import { disk } from './disk.js';
import { bash, gnu, posix } from './oracles.js';
import { printing, quoting } from './printing.js';
import { operands, readOnly, removals } from './removals.js';
import { isolation, limits } from './runs.js';
import { verdicts } from './verdicts.js';

/** All properties that there are. */
export const properties: readonly Property[] = [
  removals,
  operands,
  outside,
  unseen,
  linked,
  readOnly,
  printing,
  verdicts,
  limits,
  isolation,
  disk,
  quoting,
  posix,
  bash,
  gnu,
];
