import { metricDefinition } from '../../core/metrics/registry.ts';
import type { PublishedFigure } from '../../core/model/published.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import { equalityDemand, numbersOfBlocks } from '../comparison/equality-demands.ts';
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
): Reason | null {
  const definition = metricDefinition(metric);
  const [before, after] = compare.map(({ cells }) => (cells.length === 1 ? cells[0] : undefined));
  if (definition === undefined || against !== undefined || before === undefined || after === undefined)
    return null;
  const cells = { baseline: before, candidate: after };
  const others = valuesOf(after, metric);
  const blocks = [...valuesOf(before, metric).keys()].filter((block) => others.has(block));
  const demand = equalityDemand(
    definition,
    numbersOfBlocks(blocks, (arm, block, name) => valuesOf(cells[arm], name).get(block)),
    blocks.length > 0 && blocks.every((block) => before.unrisked?.includes(block) === true)
      ? reasonOf('nothing-at-risk')
      : null,
  );
  return demand === null || demand.pEquivalent < alpha ? null : demand.reason;
}
