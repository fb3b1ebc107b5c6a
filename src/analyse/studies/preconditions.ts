import { metricDefinition } from '../../core/metrics/registry.ts';
import type { PublishedFigure } from '../../core/model/published.ts';
import type { StudyCell } from '../../core/model/study-run.ts';
import { quantity } from '../figures/figures.ts';
import { describeSample } from '../statistics/quantile.ts';
import { sideAt, type PublishedPlace } from './published-places.ts';
import { valuesOf } from './study-cells.ts';

/**
 * Why the effect of the study cannot show here, as a clause: the set-up lacks at every place what it needs. Undefined where it has it, or
 * where that was not measured.
 */
export function absentPrecondition(
  { requires, metric }: PublishedFigure,
  places: readonly PublishedPlace[],
  cells: readonly StudyCell[],
): string | undefined {
  if (requires === undefined) return undefined;
  const { side, atLeast = -Infinity, atMost = Infinity, what } = requires;
  const medians = places.flatMap((place) => {
    const found = sideAt(side, metric, { cells, place });
    const values = found?.cells.flatMap((cell) => [...valuesOf(cell, found.metric).values()]) ?? [];
    return describeSample(values).median ?? [];
  });
  if (medians.length === 0 || medians.some((median) => median >= atLeast && median <= atMost))
    return undefined;
  const unit = metricDefinition(typeof side === 'string' ? metric : (side.metric ?? metric))?.unit ?? '';
  const nearest = atMost === Infinity ? Math.max(...medians) : Math.min(...medians);
  return `${what}, and here it is ${quantity(nearest, unit)}`;
}
