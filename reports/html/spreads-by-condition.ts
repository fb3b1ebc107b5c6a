import type { ArmSpread } from '../../src/core/model/arm-spread.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import { formatNumber } from '../format/numbers.ts';
import type { ReportContext } from './report-context.ts';

/** Of a broadcast also how far behind its player was told to stay, ms, which its title may not say. */
type Spread = Pick<ArmSpread, 'workload' | 'client' | 'network'> & { readonly delayTargetMs?: number };

/** Spreads by the title of their condition: client and network are named where the run has several. */
export function spreadsByCondition<Of extends Spread>(
  { labels }: ReportContext,
  spreads: readonly Of[],
  kind: WorkloadKind,
): Map<string, Of[]> {
  const several = (key: 'client' | 'network'): boolean =>
    new Set(spreads.map((spread) => spread[key])).size > 1;
  return Map.groupBy(spreads, (spread) => {
    const title = labels.workload(spread.workload, kind);
    const behind =
      spread.delayTargetMs === undefined ? '' : `${formatNumber(spread.delayTargetMs)} ms behind`;
    return [
      title,
      title.includes(behind) ? '' : behind,
      several('client') ? labels.client(spread.client) : '',
      several('network') ? labels.network(spread.network) : '',
    ]
      .filter(Boolean)
      .join(', ');
  });
}
