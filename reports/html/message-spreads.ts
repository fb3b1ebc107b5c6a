import { blockName } from '../../src/core/model/block-name.ts';
import { armTitle } from '../format/labels.ts';
import type { PageMessageGroup } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';
import { spreadsByCondition } from './spreads-by-condition.ts';

/** Messages of one condition by arm, as the page draws them. */
export function messageGroups(context: ReportContext): PageMessageGroup[] {
  const { summary } = context;
  return [...spreadsByCondition(context, summary.messages ?? [], 'messages')].map(
    ([title, members], index) => ({
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
    }),
  );
}
