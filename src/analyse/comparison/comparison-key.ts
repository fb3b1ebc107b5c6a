import type { Comparison } from '../../core/model/summary.ts';

type Named = Pick<
  Comparison,
  'workloadKind' | 'workload' | 'client' | 'network' | 'server' | 'metric' | 'baseline' | 'candidate'
>;

/** Names a comparison within its run. */
export function comparisonKey(comparison: Named): string {
  const { workloadKind, workload, client, network, server, metric, baseline, candidate } = comparison;
  return [workloadKind, workload, client, network, server, metric, baseline.arm, candidate.arm].join(
    '\u0000',
  );
}
