import { createHash } from 'node:crypto';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { PublishedFigure } from '../../core/model/published.ts';

/**
 * Which rule judges claims (docs/studies.md, "How a claim is judged"): a run that is kept says by which it would have been. 1: a direction
 * needed an interval on its side of zero, and one comparison that agreed made a claim partly so. 2: a direction needs an interval beyond
 * the margin, a shown equivalence contradicts it, and most comparisons decide.
 */
export const judgingRule = 2;

/**
 * What makes a claim: where it holds, what is compared with what, what is expected, and by which size. Words for readers are left out, and so
 * is what can only take a claim out of a count (`unlike`, `overClients`).
 */
const claimFields = [
  'metric',
  'workloads',
  'networks',
  'servers',
  'clients',
  'compare',
  'against',
  'than',
  'pool',
  'atMost',
  'expects',
  'least',
  'size',
  'instead',
  'requires',
] as const satisfies readonly (keyof PublishedFigure)[];

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, inOrder(each)]),
  );
}

/**
 * A claim with the margin of its metric, as 16 hexadecimal digits (of SHA-256): another one is another claim.
 *
 * @param margin that of before, of a plan file of before
 */
export function claimDigest(
  figure: PublishedFigure,
  margin = metricDefinition(figure.metric)?.margin,
): string {
  const definition = metricDefinition(figure.metric);
  const claim = {
    ...Object.fromEntries(claimFields.map((name) => [name, figure[name]])),
    margin,
    form: definition?.form,
    higherIsBetter: definition?.higherIsBetter,
  };
  return createHash('sha256')
    .update(JSON.stringify(inOrder(claim)))
    .digest('hex')
    .slice(0, 16);
}
