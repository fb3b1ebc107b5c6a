import { drawNormal, type SeededRandom } from '../../core/model/seeded-random.ts';

/** A value of the chi-squared distribution with so many degrees of freedom. */
export function drawChiSquared(random: SeededRandom, degreesOfFreedom: number): number {
  let sum = 0;
  for (let i = 0; i < degreesOfFreedom; i++) sum += drawNormal(random) ** 2;
  return sum;
}
