import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageMessageGroup } from '../page-patterns.ts';
import type { FigureSpec } from './figure.ts';
import {
  baselineFirst,
  curveOf,
  distributionConfiguration,
  timeLineConfiguration,
  within,
} from './spread-figures.ts';

type Arm = PageMessageGroup['arms'][number];

/** Lost messages never come. */
const pointsOf = ({ quantilesMs, sent, lost }: Arm): ReturnType<typeof curveOf> =>
  curveOf(quantilesMs, sent - lost, sent);

function spreadWords({ title, quantilesMs, sent, lost }: Arm): string {
  const gone = lost === 0 ? '' : `, ${formatShare(lost / sent)} lost`;
  return `${title}: half within ${formatNumber(within(quantilesMs, 0.5))} ms, 99 % within ${formatNumber(within(quantilesMs, 0.99))} ms${gone}`;
}

function lineWords({ title, samples, block }: Arm): string {
  const behind = samples.filter(([, , isBehind]) => isBehind).length;
  return `${title} (${block}): ${plural(behind, 'message')} behind another`;
}

const timeAxis = 'time of a message, ms';

/** The distribution of all messages of a condition, and one trial of each arm in the order of sending. */
export function messageFigures(group: PageMessageGroup, baselineArm: string): FigureSpec[] {
  const arms = baselineFirst(group.arms, baselineArm);
  return [
    {
      title: 'How long messages took',
      takeaway: `${arms.map(spreadWords).join('. ')}.`,
      heightPx: 300,
      chartConfiguration: () =>
        distributionConfiguration(
          arms.map((arm) => ({ title: arm.title, points: pointsOf(arm) })),
          timeAxis,
          'share of messages, %',
        ),
      rows: [
        ['arm', 'share of messages (%)', 'within (ms)'],
        ...arms.flatMap((arm) => pointsOf(arm).map(({ x, y }) => [arm.title, y, x])),
      ],
      fileName: `${group.fileName}-distribution`,
    },
    {
      title: 'One trial, message by message',
      takeaway: `${arms.map(lineWords).join('. ')}.`,
      heightPx: 260,
      chartConfiguration: () =>
        timeLineConfiguration(
          arms.map(({ title, samples }) => ({
            title,
            points: samples.flatMap(([sentMs, delayMs]) =>
              delayMs === null ? [] : [{ x: sentMs / 1000, y: delayMs }],
            ),
          })),
          'sent, s',
          timeAxis,
        ),
      rows: [
        ['arm', 'sent (ms)', 'time (ms)', 'behind another'],
        ...arms.flatMap(({ title, samples }) =>
          samples.map(([sentMs, delayMs, isBehind]) => [title, sentMs, delayMs, isBehind ? 'yes' : 'no']),
        ),
      ],
      fileName: `${group.fileName}-time-line`,
    },
  ];
}
