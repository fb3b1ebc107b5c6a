import type { Plan } from '../../core/model/plan.ts';
import type { Comparison, GridCell } from '../../core/model/summary.ts';

/** The primary comparisons of a plan's grid, each at its point; undefined for a plan without one. */
export function gridCells(
  plan: Plan,
  comparisons: readonly Comparison[],
  alpha: number,
): GridCell[] | undefined {
  const { grid } = plan;
  if (grid === undefined) return undefined;
  const networks = new Map(grid.networks.map((point) => [point.network, point]));
  const workloads = new Map(grid.workloads.map((point) => [point.workload, point]));
  return comparisons.flatMap((comparison) => {
    const network = networks.get(comparison.network);
    const workload = workloads.get(comparison.workload);
    if (!comparison.primary || network === undefined || workload === undefined) return [];
    const { client, server, metric, ratio, higherIsBetter, adjustedPValue, welchPValue } = comparison;
    const change = ratio === null ? null : (ratio - 1) * 100;
    return [
      {
        ...network,
        ...workload,
        client,
        server,
        baselineArm: comparison.baseline.arm,
        candidateArm: comparison.candidate.arm,
        metric,
        betterPercent: change === null || higherIsBetter ? change : -change,
        significant: adjustedPValue !== null && adjustedPValue < alpha,
        ...(welchPValue !== undefined && {
          significantByWelch: welchPValue !== null && welchPValue < alpha,
        }),
      },
    ];
  });
}
