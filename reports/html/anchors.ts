import type { Comparison } from '../../src/model/summary.ts';

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const conditionParts: readonly ((comparison: Comparison) => string)[] = [
  ({ client }) => client,
  ({ network }) => network,
  ({ server }) => server,
  ({ baseline, candidate }) => `${baseline.arm}-${candidate.arm}`,
];

/**
 * The anchor of each comparison, in their order: its workload and metric, and what else the run has several of. The
 * next report of the same plan has the same anchors. Equal names get a number.
 */
export function anchorsOf(comparisons: readonly Comparison[]): string[] {
  const telling = conditionParts.filter((part) => new Set(comparisons.map(part)).size > 1);
  const used = new Map<string, number>();
  return comparisons.map((comparison) => {
    const { workload, workloadKind, metric } = comparison;
    const name = workload === 'pooled' ? `pooled-${workloadKind}` : workload;
    const parts = [name, metric, ...telling.map((part) => part(comparison))];
    const base = `c-${parts.map(slug).join('-')}`;
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    return count === 1 ? base : `${base}-${count}`;
  });
}
