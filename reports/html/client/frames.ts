import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageFrameGroup } from '../page-patterns.ts';
import type { FigureSpec } from './figure.ts';
import { baselineFirst, curveOf, spreadFigures, within, type SpreadArm } from './spread-figures.ts';

type Arm = PageFrameGroup['arms'][number];

function curveWords({ title, quantilesMs, shown, lost }: Arm): string {
  const gone = lost === 0 ? '' : `, ${formatShare(lost / (shown + lost))} never seen`;
  return `${title}: half within ${formatNumber(within(quantilesMs, 0.5))} ms, 95 % within ${formatNumber(within(quantilesMs, 0.95))} ms${gone}`;
}

/** Frames that were skipped never came. */
function drawn(arm: Arm): SpreadArm {
  const { title, quantilesMs, shown, lost, samples, stalls, block } = arm;
  return {
    title,
    curve: curveOf(quantilesMs, shown, shown + lost),
    curveWords: curveWords(arm),
    line: samples.map(([shownMs, latencyMs]) => ({ x: shownMs / 1000, y: latencyMs })),
    lineWords: `${title} (${block}): ${plural(stalls.length, 'stall')}`,
    lineRows: samples,
  };
}

/** The latency of all frames of a condition, and one session of each arm as it was seen: a gap in its points is a stall. */
export function frameFigures({ arms, fileName }: PageFrameGroup, baselineArm: string): FigureSpec[] {
  return spreadFigures(baselineFirst(arms, baselineArm).map(drawn), {
    curveTitle: 'How late frames were on the screen',
    lineTitle: 'One session, frame by frame: a gap is a stall',
    share: 'share of frames',
    value: 'latency of a frame, ms',
    time: 'after the load call, s',
    lineHeads: ['seen (ms)', 'latency (ms)'],
    fileName,
  });
}
