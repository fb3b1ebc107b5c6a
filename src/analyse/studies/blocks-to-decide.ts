import type { PublishedFigure } from '../../model/published.ts';
import { normalQuantile } from '../statistics/normal-distribution.ts';
import { momentsOf } from '../statistics/student-t.ts';

const power = 0.8;
/** Blocks that the signed-rank test needs for each that the normal approximation does (asymptotic efficiency 3/π). */
const signedRankCost = Math.PI / 3;

/**
 * Blocks with which 80 % of runs would decide, if effect and noise stayed as they are: a forecast, by the normal
 * approximation. Null where more blocks bring no decision, because the effect has no size or lies at a margin.
 */
export function blocksToDecide(
  effects: readonly number[],
  expects: PublishedFigure['expects'],
  margin: number,
): number | null {
  if (effects.length < 2) return null;
  const { mean, variance } = momentsOf(effects);
  const isEquivalence = expects === 'equivalent';
  const away = isEquivalence ? Math.abs(margin - Math.abs(mean)) : Math.abs(mean);
  const tail = isEquivalence && Math.abs(mean) < margin ? 0.05 : 0.025;
  if (away === 0 || variance === 0) return null;
  const reach = normalQuantile(1 - tail) + normalQuantile(power);
  return Math.max(effects.length + 1, Math.ceil((signedRankCost * reach ** 2 * variance) / away ** 2));
}
