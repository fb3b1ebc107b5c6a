import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageMessageGroup } from '../page-patterns.ts';
import type { FigureSpec } from './figure.ts';
import { baselineFirst, curveOf, spreadFigures, within, type SpreadArm } from './spread-figures.ts';

type Arm = PageMessageGroup['arms'][number];

function curveWords({ title, quantilesMs, sent, lost }: Arm): string {
  const gone = lost === 0 ? '' : `, ${formatShare(lost / sent)} lost`;
  return `${title}: half within ${formatNumber(within(quantilesMs, 0.5))} ms, 99 % within ${formatNumber(within(quantilesMs, 0.99))} ms${gone}`;
}

function lineWords({ title, samples, block }: Arm): string {
  const behind = samples.filter(([, , isBehind]) => isBehind).length;
  return `${title} (${block}): ${plural(behind, 'message')} behind another`;
}

/** Lost messages never come. */
function drawn(arm: Arm): SpreadArm {
  const { title, quantilesMs, sent, lost, samples } = arm;
  return {
    title,
    curve: curveOf(quantilesMs, sent - lost, sent),
    curveWords: curveWords(arm),
    line: samples.flatMap(([sentMs, delayMs]) =>
      delayMs === null ? [] : [{ x: sentMs / 1000, y: delayMs }],
    ),
    lineWords: lineWords(arm),
    lineRows: samples.map(([sentMs, delayMs, isBehind]) => [sentMs, delayMs, isBehind ? 'yes' : 'no']),
  };
}

/** The distribution of all messages of a condition, and one trial of each arm in the order of sending. */
export function messageFigures({ arms, fileName }: PageMessageGroup, baselineArm: string): FigureSpec[] {
  return spreadFigures(baselineFirst(arms, baselineArm).map(drawn), {
    curveTitle: 'How long messages took',
    lineTitle: 'One trial, message by message',
    share: 'share of messages',
    value: 'time of a message, ms',
    time: 'sent, s',
    lineHeads: ['sent (ms)', 'time (ms)', 'behind another'],
    fileName,
  });
}
