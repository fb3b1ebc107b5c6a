import type { Comparison } from '../../core/model/summary.ts';
import { percent } from '../figures/figures.ts';

/** Level of the F test of equal sites: below it a mean is told with the range of what it is a mean of. */
const differ = 0.05;

/** Whether the sites of a pool do not have one effect, so that their mean alone would hide how they differ. */
export function sitesDiffer({ heterogeneity }: Pick<Comparison, 'heterogeneity'>): boolean {
  return heterogeneity !== undefined && heterogeneity.pValue !== null && heterogeneity.pValue < differ;
}

export interface RangeWords {
  /** To which side more and less of it go: `slower`, `faster`. */
  readonly more: string;
  readonly less: string;
  /** What stands behind each end, such as the page's name; default nothing. */
  readonly behind?: (workload: string) => string;
}

/**
 * From the best to the worst site of these pools, `from 47 % faster to 4 % slower`; of both on one side `from 47 % to 12 % faster`.
 * Empty where no pool has sites that differ.
 */
export function rangeOfSites(pools: readonly Comparison[], words: RangeWords): string {
  if (!pools.some(sitesDiffer)) return '';
  const ends = pools
    .flatMap(({ heterogeneity, higherIsBetter }) =>
      heterogeneity === undefined
        ? []
        : [
            { ratio: heterogeneity.range[0], workload: heterogeneity.lowest, higherIsBetter },
            { ratio: heterogeneity.range[1], workload: heterogeneity.highest, higherIsBetter },
          ],
    )
    .sort((a, b) => (a.higherIsBetter ? b.ratio - a.ratio : a.ratio - b.ratio));
  const [best] = ends;
  const worst = ends.at(-1);
  if (best === undefined || worst === undefined) return '';
  const { more, less, behind } = words;
  const textOf = ({ ratio, workload }: typeof best, isWhole: boolean): string => {
    const text = isWhole ? `${percent(ratio - 1)} ${ratio > 1 ? more : less}` : percent(ratio - 1);
    return behind === undefined ? text : `${text} (${behind(workload)})`;
  };
  const isOneSided = best.ratio > 1 === worst.ratio > 1;
  return `from ${textOf(best, !isOneSided)} to ${textOf(worst, true)}`;
}
