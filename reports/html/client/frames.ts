import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageFrameGroup } from '../page-patterns.ts';
import type { FigureSpec } from './figure.ts';
import {
  baselineFirst,
  curveOf,
  distributionConfiguration,
  timeLineConfiguration,
  within,
} from './spread-figures.ts';

type Arm = PageFrameGroup['arms'][number];

/** Frames that were skipped never came. */
const pointsOf = ({ quantilesMs, shown, lost }: Arm): ReturnType<typeof curveOf> =>
  curveOf(quantilesMs, shown, shown + lost);

function spreadWords({ title, quantilesMs, shown, lost }: Arm): string {
  const gone = lost === 0 ? '' : `, ${formatShare(lost / (shown + lost))} never seen`;
  return `${title}: half within ${formatNumber(within(quantilesMs, 0.5))} ms, 95 % within ${formatNumber(within(quantilesMs, 0.95))} ms${gone}`;
}

function lineWords({ title, stalls, block }: Arm): string {
  return `${title} (${block}): ${plural(stalls.length, 'stall')}`;
}

const latencyAxis = 'latency of a frame, ms';

/** The latency of all frames of a condition, and one session of each arm as it was seen: a gap in its points is a stall. */
export function frameFigures(group: PageFrameGroup, baselineArm: string): FigureSpec[] {
  const arms = baselineFirst(group.arms, baselineArm);
  return [
    {
      title: 'How late frames were on the screen',
      takeaway: `${arms.map(spreadWords).join('. ')}.`,
      heightPx: 300,
      chartConfiguration: () =>
        distributionConfiguration(
          arms.map((arm) => ({ title: arm.title, points: pointsOf(arm) })),
          latencyAxis,
          'share of frames, %',
        ),
      rows: [
        ['arm', 'share of frames (%)', 'within (ms)'],
        ...arms.flatMap((arm) => pointsOf(arm).map(({ x, y }) => [arm.title, y, x])),
      ],
      fileName: `${group.fileName}-distribution`,
    },
    {
      title: 'One session, frame by frame: a gap is a stall',
      takeaway: `${arms.map(lineWords).join('. ')}.`,
      heightPx: 260,
      chartConfiguration: () =>
        timeLineConfiguration(
          arms.map(({ title, samples }) => ({
            title,
            points: samples.map(([shownMs, latencyMs]) => ({ x: shownMs / 1000, y: latencyMs })),
          })),
          'after the load call, s',
          latencyAxis,
        ),
      rows: [
        ['arm', 'seen (ms)', 'latency (ms)'],
        ...arms.flatMap(({ title, samples }) =>
          samples.map(([shownMs, latencyMs]) => [title, shownMs, latencyMs]),
        ),
      ],
      fileName: `${group.fileName}-time-line`,
    },
  ];
}
