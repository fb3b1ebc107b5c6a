import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageMessageGroup } from '../page-patterns.ts';
import { axis, lineLegend, numberTicks, pointLegend, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

type Arm = PageMessageGroup['arms'][number];

/** Told apart without colour: the baseline dashed with circles, the others by dash and point. */
const styles = [
  { tone: 'arm-a', dash: [6, 4], point: 'circle' },
  { tone: 'arm-b', dash: [], point: 'triangle' },
  { tone: 'worse', dash: [2, 3], point: 'rect' },
  { tone: 'better', dash: [10, 3, 2, 3], point: 'rectRot' },
] as const;

function styleOf(index: number): (typeof styles)[number] {
  return styles[index % styles.length] as (typeof styles)[number];
}

/** The baseline first, whatever the order of the summary. */
function inOrder({ arms }: PageMessageGroup, baselineArm: string): Arm[] {
  return arms.toSorted((a, b) => Number(b.arm === baselineArm) - Number(a.arm === baselineArm));
}

/** Lost messages never come: a curve ends below 100 % by their share. */
function curveOf({ quantilesMs, sent, lost }: Arm): { x: number; y: number }[] {
  const whole = (100 * (sent - lost)) / sent;
  return quantilesMs.map((ms, step) => ({ x: ms, y: (whole * step) / Math.max(1, quantilesMs.length - 1) }));
}

function spreadConfiguration(arms: readonly Arm[]): AnyConfiguration {
  return {
    type: 'line',
    data: {
      datasets: arms.map((arm, index) => ({
        label: arm.title,
        data: curveOf(arm),
        borderColor: colour(styleOf(index).tone),
        borderDash: styleOf(index).dash,
        borderWidth: 2,
        pointRadius: 0,
        pointHitRadius: 6,
      })),
    },
    options: {
      ...sharedOptions,
      plugins: {
        legend: lineLegend(),
        tooltip: {
          callbacks: {
            title: () => '',
            label: ({ dataset, parsed }: { dataset: { label: string }; parsed: { x: number; y: number } }) =>
              `${dataset.label}: ${formatNumber(parsed.y)} % within ${formatNumber(parsed.x)} ms`,
          },
        },
      },
      scales: {
        x: axis('time of a message, ms', { type: 'linear', ticks: numberTicks() }),
        y: axis('share of messages, %', { min: 0, max: 100 }),
      },
    },
  } as unknown as AnyConfiguration;
}

function lineConfiguration(arms: readonly Arm[]): AnyConfiguration {
  return {
    type: 'scatter',
    data: {
      datasets: arms.map((arm, index) => ({
        label: arm.title,
        data: arm.samples.flatMap(([sentMs, delayMs]) =>
          delayMs === null ? [] : [{ x: sentMs / 1000, y: delayMs }],
        ),
        borderColor: colour(styleOf(index).tone),
        backgroundColor: faded(styleOf(index).tone, 0.5),
        pointStyle: styleOf(index).point,
        pointRadius: 2.5,
      })),
    },
    options: {
      ...sharedOptions,
      plugins: { legend: pointLegend() },
      scales: { x: axis('sent, s'), y: axis('time of a message, ms', { min: 0 }) },
    },
  } as unknown as AnyConfiguration;
}

/** Quantiles stand at equal shares. */
function within({ quantilesMs }: Arm, share: number): number {
  return quantilesMs[Math.round(share * (quantilesMs.length - 1))] ?? NaN;
}

function spreadWords(arm: Arm): string {
  const lost = arm.lost === 0 ? '' : `, ${formatShare(arm.lost / arm.sent)} lost`;
  return `${arm.title}: half within ${formatNumber(within(arm, 0.5))} ms, 99 % within ${formatNumber(within(arm, 0.99))} ms${lost}`;
}

function lineWords({ title, samples, block }: Arm): string {
  const behind = samples.filter(([, , isBehind]) => isBehind).length;
  return `${title} (${block}): ${plural(behind, 'message')} behind another`;
}

/** The distribution of all messages of a condition, and one trial of each arm in the order of sending. */
export function messageFigures(group: PageMessageGroup, baselineArm: string): FigureSpec[] {
  const arms = inOrder(group, baselineArm);
  return [
    {
      title: 'How long messages took',
      takeaway: `${arms.map(spreadWords).join('. ')}.`,
      heightPx: 300,
      chartConfiguration: () => spreadConfiguration(arms),
      rows: [
        ['arm', 'share of messages (%)', 'within (ms)'],
        ...arms.flatMap((arm) => curveOf(arm).map(({ x, y }) => [arm.title, y, x])),
      ],
      fileName: `${group.fileName}-distribution`,
    },
    {
      title: 'One trial, message by message',
      takeaway: `${arms.map(lineWords).join('. ')}.`,
      heightPx: 260,
      chartConfiguration: () => lineConfiguration(arms),
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
