import type { InterventionResult } from '../../core/model/diagnosis.ts';
import { meanInterval } from '../statistics/mean-interval.ts';

/**
 * The share of a difference that a change took away, with the interval of a ratio of paired means by its residuals
 * (Cochran, Sampling Techniques, 3rd edition 1977, section 6.4).
 */
export function goneShare(
  blocks: readonly { readonly before: number; readonly after: number }[],
  level: number,
): Pick<InterventionResult, 'goneShare' | 'goneInterval'> {
  const total = blocks.reduce((sum, { before }) => sum + before, 0);
  const left = blocks.reduce((sum, { after }) => sum + after, 0);
  const share = 1 - left / total;
  const residuals = meanInterval(
    blocks.map(({ before, after }) => before - after - share * before),
    level,
  );
  if (total === 0 || residuals?.interval === null || residuals === null) return {};
  const mean = Math.abs(total / blocks.length);
  const [low, high] = residuals.interval;
  return { goneShare: share, goneInterval: [share + low / mean, share + high / mean] };
}
