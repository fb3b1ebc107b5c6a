import type { CorpusPage, RealPagesFigure } from '../../core/model/corpus.ts';
import { realPages, type RealPages } from '../../core/model/real-pages.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';

const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
/** Of fewer pages the outer shares say nothing. */
const minPages = 5;

/** How the pages of a run are distributed, next to what is published of real ones. */
export function nextToRealPages(corpus: readonly CorpusPage[]): RealPagesFigure[] {
  return Object.entries<RealPages>(realPages).flatMap(([name, { source, quantiles }]) => {
    const figure = name as RealPagesFigure['figure'];
    const values = corpus.flatMap((page) => page[figure] ?? []).sort((a, b) => a - b);
    if (values.length < minPages) return [];
    return {
      figure,
      source,
      pages: values.length,
      spread: shares.map((share) => ({
        share,
        ours: quantileOfSorted(values, share) ?? null,
        published: quantiles.find(([of]) => of === share)?.[1] ?? null,
      })),
    };
  });
}
