import { blockName } from '../../src/model/block-name.ts';
import type { Summary } from '../../src/model/summary.ts';
import { armTitle } from '../format/labels.ts';
import type { PageMessageGroup } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';

type Spread = NonNullable<Summary['messages']>[number];

/** Messages of one condition by arm, as the page draws them. */
export function messageGroups({ summary, labels }: ReportContext): PageMessageGroup[] {
  const all = summary.messages ?? [];
  const several = (key: 'client' | 'network'): boolean => new Set(all.map((spread) => spread[key])).size > 1;
  const titleOf = (spread: Spread): string =>
    [
      labels.workload(spread.workload, 'messages'),
      several('client') ? labels.client(spread.client) : '',
      several('network') ? labels.network(spread.network) : '',
    ]
      .filter(Boolean)
      .join(', ');
  return [...Map.groupBy(all, titleOf)].map(([title, members], index) => ({
    title,
    arms: members.map(({ arm, trials, sent, lost, behind, quantilesMs, samples, blockIndex }) => ({
      arm,
      title: armTitle(arm),
      trials,
      sent,
      lost,
      behind,
      quantilesMs,
      samples,
      block: blockName(blockIndex, summary.run.repetitions),
    })),
    fileName: `messages-${index + 1}`,
  }));
}
