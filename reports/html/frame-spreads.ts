import { blockName } from '../../src/core/model/block-name.ts';
import { armTitle } from '../format/labels.ts';
import type { PageFrameGroup } from './page-patterns.ts';
import type { ReportContext } from './report-context.ts';
import { spreadsByCondition } from './spreads-by-condition.ts';

/** Frames of the broadcasts of one condition by arm, as the page draws them. */
export function frameGroups(context: ReportContext): PageFrameGroup[] {
  const { summary } = context;
  return [...spreadsByCondition(context, summary.frames ?? [], 'video')].map(([title, members], index) => ({
    title,
    arms: members.map(({ arm, shown, lost, quantilesMs, samples, stalls, blockIndex }) => ({
      arm,
      title: armTitle(arm),
      shown,
      lost,
      quantilesMs,
      samples,
      stalls,
      block: blockName(blockIndex, summary.run.repetitions),
    })),
    fileName: `frames-${index + 1}`,
  }));
}
