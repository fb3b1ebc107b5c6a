import { audienceNetwork } from '../../core/model/audience-network.ts';
import { audienceSeries } from '../../core/model/audience-series.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import type { MatchedComparison } from './contrast.ts';

export interface Matches {
  readonly matched: readonly MatchedComparison[];
  /** Comparisons that only one of the runs has. */
  readonly onlyA: number;
  readonly onlyB: number;
}

type Part = 'client' | 'server';

/** Ids that are alone in their run: there the other run's id means the same side, a newer browser for one. */
function alone({ comparisons }: Summary, part: Part): boolean {
  return new Set(comparisons.map((comparison) => comparison[part])).size <= 1;
}

/** Pairs the comparisons of two runs by workload, place, metric and arms. */
export function matchComparisons(a: Summary, b: Summary): Matches {
  const ignored = (['client', 'server'] as const).filter((part) => alone(a, part) && alone(b, part));
  const comparisonKey = (comparison: Comparison): string => {
    const { workload, workloadKind, network, metric, baseline, candidate } = comparison;
    const parts = (['client', 'server'] as const).map((part) =>
      ignored.includes(part) ? '' : comparison[part],
    );
    return JSON.stringify([workload, workloadKind, network, metric, baseline.arm, candidate.arm, ...parts]);
  };
  const [ofA, ofB] = [a, b].map(({ audience }) =>
    audience === undefined ? '' : audienceSeries(audience).id,
  );
  const audiences = ({ network }: Comparison): Pick<MatchedComparison, 'audience'> =>
    network === audienceNetwork ? { audience: ofA === ofB ? (ofB ?? '') : null } : {};
  const left = new Map(a.comparisons.map((comparison) => [comparisonKey(comparison), comparison]));
  const matched: MatchedComparison[] = [];
  for (const comparison of b.comparisons) {
    const partner = left.get(comparisonKey(comparison));
    if (partner) matched.push({ a: partner, b: comparison, ...audiences(comparison) });
    left.delete(comparisonKey(comparison));
  }
  return { matched, onlyA: left.size, onlyB: b.comparisons.length - matched.length };
}
