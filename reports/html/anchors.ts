import type { Comparison } from '../../src/model/summary.ts';

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * The anchor of each comparison, in their order: made of its names, so that a link stays the same in the next report
 * of the same plan. Equal names get a number.
 */
export function anchorsOf(comparisons: readonly Comparison[]): string[] {
  const used = new Map<string, number>();
  return comparisons.map(
    ({ workload, workloadKind, metric, client, network, server, baseline, candidate }) => {
      const name = workload === 'pooled' ? `pooled-${workloadKind}` : workload;
      const arms = `${baseline.arm}-${candidate.arm}`;
      const base = `c-${[name, metric, client, network, server, arms].map(slug).join('-')}`;
      const count = (used.get(base) ?? 0) + 1;
      used.set(base, count);
      return count === 1 ? base : `${base}-${count}`;
    },
  );
}
