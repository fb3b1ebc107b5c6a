import { changePoints } from '../../src/analyse/history/e-divisive.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import { gaussian } from '../support/generated-run.ts';

/** A series of nights: their count, how much each keeps of the deviation before it, and one step in the middle. */
export interface NightCell {
  readonly nights: number;
  /** First-order autocorrelation, 0 to below 1. */
  readonly memory: number;
  /** In standard deviations of the nights around their level; 0 for none. */
  readonly step: number;
}

export interface NightRates {
  /** Series with any change. */
  readonly found: number;
  /** Series with a change within one night of the step. */
  readonly placed: number;
}

/** Nights of standard deviation one around their level. */
export function nightValues({ nights, memory, step }: NightCell, seed: number): number[] {
  const random = seededRandom(seed);
  let deviation = gaussian(random);
  return Array.from({ length: nights }, (_, night) => {
    if (night > 0) deviation = memory * deviation + Math.sqrt(1 - memory * memory) * gaussian(random);
    return deviation + (night >= Math.floor(nights / 2) ? step : 0);
  });
}

/** Looks for changes in so many series, with the level and the code of the history. */
export function simulateNights(cell: NightCell, series: number, seed: number): NightRates {
  let found = 0;
  let placed = 0;
  for (let i = 0; i < series; i++) {
    const changes = changePoints(nightValues(cell, seed + i), { random: seededRandom(i), permutations: 199 });
    if (changes.length > 0) found++;
    if (changes.some(({ index }) => Math.abs(index - Math.floor(cell.nights / 2)) <= 1)) placed++;
  }
  return { found, placed };
}
