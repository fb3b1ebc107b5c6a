import { formatNumber } from '../../format/numbers.ts';
import { axis, lineLegend, numberTicks, pointLegend, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

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
export function baselineFirst<Arm extends { readonly arm: string }>(
  arms: readonly Arm[],
  baselineArm: string,
): Arm[] {
  return arms.toSorted((a, b) => Number(b.arm === baselineArm) - Number(a.arm === baselineArm));
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface DrawnArm {
  readonly title: string;
  readonly points: readonly Point[];
}

/** An arm of a spread: its distribution, and its shown trial over time. */
export interface SpreadArm {
  readonly title: string;
  readonly curve: readonly Point[];
  /** What its distribution says. */
  readonly curveWords: string;
  readonly line: readonly Point[];
  /** What its trial says. */
  readonly lineWords: string;
  /** The numbers of the trial, without the arm. */
  readonly lineRows: readonly (readonly (string | number | null)[])[];
}

/** What is spread, in words. */
export interface SpreadWords {
  readonly curveTitle: string;
  readonly lineTitle: string;
  /** `share of messages`, without its unit. */
  readonly share: string;
  /** Titles of the axes of value and of time. */
  readonly value: string;
  readonly time: string;
  /** Heads of `lineRows`. */
  readonly lineHeads: readonly string[];
  readonly fileName: string;
}

/** The distribution of all trials of a condition, and one trial of each arm over time. */
export function spreadFigures(arms: readonly SpreadArm[], words: SpreadWords): FigureSpec[] {
  const { curveTitle, lineTitle, share, value, time, lineHeads, fileName } = words;
  return [
    {
      title: curveTitle,
      takeaway: `${arms.map(({ curveWords }) => curveWords).join('. ')}.`,
      heightPx: 300,
      chartConfiguration: () =>
        distributionConfiguration(
          arms.map(({ title, curve }) => ({ title, points: curve })),
          value,
          `${share}, %`,
        ),
      rows: [
        ['arm', `${share} (%)`, 'within (ms)'],
        ...arms.flatMap(({ title, curve }) => curve.map(({ x, y }) => [title, y, x])),
      ],
      fileName: `${fileName}-distribution`,
    },
    {
      title: lineTitle,
      takeaway: `${arms.map(({ lineWords }) => lineWords).join('. ')}.`,
      heightPx: 260,
      chartConfiguration: () =>
        timeLineConfiguration(
          arms.map(({ title, line }) => ({ title, points: line })),
          time,
          value,
        ),
      rows: [
        ['arm', ...lineHeads],
        ...arms.flatMap(({ title, lineRows }) => lineRows.map((row) => [title, ...row])),
      ],
      fileName: `${fileName}-time-line`,
    },
  ];
}

/**
 * The points of a distribution whose quantiles stand at equal shares. What never came has no place in it: the curve ends below
 * 100 % by its share.
 */
export function curveOf(quantilesMs: readonly number[], came: number, all: number): Point[] {
  const whole = (100 * came) / all;
  return quantilesMs.map((ms, step) => ({ x: ms, y: (whole * step) / Math.max(1, quantilesMs.length - 1) }));
}

/** The quantile at this share of equal shares. */
export function within(quantilesMs: readonly number[], share: number): number {
  return quantilesMs[Math.round(share * (quantilesMs.length - 1))] ?? NaN;
}

/** Cumulative distributions of the arms, with both axes named. */
function distributionConfiguration(
  arms: readonly DrawnArm[],
  xTitle: string,
  yTitle: string,
): AnyConfiguration {
  return {
    type: 'line',
    data: {
      datasets: arms.map(({ title, points }, index) => ({
        label: title,
        data: points,
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
        x: axis(xTitle, { type: 'linear', ticks: numberTicks() }),
        y: axis(yTitle, { min: 0, max: 100 }),
      },
    },
  } as unknown as AnyConfiguration;
}

/** One trial of each arm over time, a point each. */
function timeLineConfiguration(arms: readonly DrawnArm[], xTitle: string, yTitle: string): AnyConfiguration {
  return {
    type: 'scatter',
    data: {
      datasets: arms.map(({ title, points }, index) => ({
        label: title,
        data: points,
        borderColor: colour(styleOf(index).tone),
        backgroundColor: faded(styleOf(index).tone, 0.5),
        pointStyle: styleOf(index).point,
        pointRadius: 2.5,
      })),
    },
    options: {
      ...sharedOptions,
      plugins: { legend: pointLegend() },
      scales: { x: axis(xTitle), y: axis(yTitle, { min: 0 }) },
    },
  } as unknown as AnyConfiguration;
}
