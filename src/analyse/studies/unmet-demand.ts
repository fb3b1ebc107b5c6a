import { metricDefinition } from '../../metrics/registry.ts';
import type { PublishedFigure } from '../../model/published.ts';
import { equalityDemand } from '../comparison/equality-demands.ts';
import type { PublishedPlace } from './published-places.ts';
import { valuesOf } from './study-cells.ts';

const alpha = 0.05;

/**
 * Why two sides that look alike may not be called so, by what their metric demands of equality. Null where that is met, and of a place
 * that pools workloads or sets two comparisons against each other.
 */
export function unmetDemand(
  { metric }: PublishedFigure,
  { compare, against }: PublishedPlace,
): string | null {
  const definition = metricDefinition(metric);
  const [before, after] = compare.map(({ cells }) => (cells.length === 1 ? cells[0] : undefined));
  if (definition === undefined || against !== undefined || before === undefined || after === undefined)
    return null;
  const others = valuesOf(after, metric);
  const blocks = [...valuesOf(before, metric).keys()].filter((block) => others.has(block));
  const demand = equalityDemand(definition, (name) => {
    const baselines = valuesOf(before, name);
    const candidates = valuesOf(after, name);
    const known = blocks.flatMap((block) => {
      const baseline = baselines.get(block);
      const candidate = candidates.get(block);
      return baseline === undefined || candidate === undefined ? [] : [{ baseline, candidate }];
    });
    return known.length < blocks.length ? null : known;
  });
  return demand === null || demand.pEquivalent < alpha ? null : demand.reason;
}
