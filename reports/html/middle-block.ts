import type { Comparison } from '../../src/model/summary.ts';
import { isNumber } from '../format/numbers.ts';

/** How far a block's own ratio lies from the estimate over all blocks, as a logarithm; infinite without a ratio. */
export function distanceFromMiddle(comparison: Comparison | undefined, blockIndex: number): number {
  const row = comparison?.values.find(([block]) => block === blockIndex);
  if (!row || !isNumber(row[1]) || !isNumber(row[2]) || !isNumber(comparison?.ratio)) return Infinity;
  const distance = Math.abs(Math.log(row[2] / row[1] / comparison.ratio));
  return isNumber(distance) ? distance : Infinity;
}
