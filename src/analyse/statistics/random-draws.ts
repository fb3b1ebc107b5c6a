import type { SeededRandom } from '../../core/model/seeded-random.ts';

/** A standard normal value (Box & Muller 1958). */
export function drawNormal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A value of the chi-squared distribution with so many degrees of freedom. */
export function drawChiSquared(random: SeededRandom, degreesOfFreedom: number): number {
  let sum = 0;
  for (let i = 0; i < degreesOfFreedom; i++) sum += drawNormal(random) ** 2;
  return sum;
}
