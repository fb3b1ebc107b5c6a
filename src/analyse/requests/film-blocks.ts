import type { Comparison, Summary } from '../../core/model/summary.ts';

/** A block of a page that is worth a film. */
export interface FilmChoice {
  readonly page: Comparison;
  readonly blockIndex: number;
  readonly which: 'typical' | 'best' | 'worst';
}

/** What a viewer sees of a load, the first that the run has. */
const visualMetrics: readonly string[] = ['speedIndexMs', 'visualComplete85Ms'];

/**
 * The blocks to film: of the page whose picture changed most those closest to its overall result, best and worst for the
 * candidate, by the visual metric; a block is filmed once.
 */
export function filmBlocks({ comparisons }: Summary): FilmChoice[] {
  const pages = visualMetrics
    .map((metric) =>
      comparisons.filter(
        (comparison) =>
          comparison.metric === metric &&
          comparison.workloadKind === 'page' &&
          comparison.workload !== 'pooled' &&
          comparison.ratio !== null &&
          comparison.ratio > 0,
      ),
    )
    .find(({ length }) => length > 0);
  const [page] = (pages ?? []).toSorted((a, b) => change(b) - change(a));
  if (page?.ratio === null || page?.ratio === undefined) return [];
  const middle = Math.log(page.ratio);
  const effects = page.values
    .flatMap(([blockIndex, a, b]) =>
      a !== null && b !== null && a > 0 && b > 0 ? [{ blockIndex, effect: Math.log(b / a) }] : [],
    )
    .sort((x, y) => x.effect - y.effect);
  const typical = effects.toSorted((x, y) => Math.abs(x.effect - middle) - Math.abs(y.effect - middle))[0];
  const choices = [
    { which: 'typical', blockIndex: typical?.blockIndex },
    { which: 'best', blockIndex: effects[0]?.blockIndex },
    { which: 'worst', blockIndex: effects.at(-1)?.blockIndex },
  ] as const;
  const seen = new Set<number>();
  return choices.flatMap(({ which, blockIndex }) => {
    if (blockIndex === undefined || seen.has(blockIndex)) return [];
    seen.add(blockIndex);
    return [{ page, blockIndex, which }];
  });
}

function change({ ratio }: Comparison): number {
  return Math.abs(Math.log(ratio ?? 1));
}
