import type { SeededRandom } from '../../src/core/model/seeded-random.ts';
import { gaussian } from '../support/generated-run.ts';

export type Noise = 'normal' | 'heavy' | 'outliers' | 'bimodal';

/** Draws of mean zero and standard deviation one (heavy tails: before they are cut). */
export function drawNoise(noise: Noise, random: SeededRandom): number {
  const z = gaussian(random);
  if (noise === 'heavy') {
    const chi = gaussian(random) ** 2 + gaussian(random) ** 2 + gaussian(random) ** 2;
    return Math.max(-8, Math.min(8, z / Math.sqrt(chi / 3) / Math.sqrt(3)));
  }
  if (noise === 'outliers') return (random.next() < 0.05 ? 5 * z : z) / Math.sqrt(0.95 + 0.05 * 25);
  if (noise === 'bimodal') return ((random.next() < 0.3 ? 2 : -0.857) + 0.4 * z) / 1.37;
  return z;
}
