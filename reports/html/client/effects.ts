import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import {
  effectText,
  formOf,
  intervalOf,
  intervalText,
  verdictOrder,
  verdictSigns,
} from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { referencePlugin } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import type { Page } from './read-page.ts';
import { colour } from './theme.ts';

/** Workloads from which on a distribution across them says something. */
export const leastForCurve = 5;

const marks = {
  better: { style: 'triangle', rotation: 0 },
  worse: { style: 'triangle', rotation: 180 },
  equivalent: { style: 'rect', rotation: 0 },
  inconclusive: { style: 'circle', rotation: 0 },
} as const;

function asShown(comparison: PageComparison, value: number): number {
  return formOf(comparison) === 'ratio' ? (value - 1) * 100 : value;
}

function estimateOf(comparison: PageComparison): number {
  return asShown(
    comparison,
    (formOf(comparison) === 'ratio' ? comparison.ratio : comparison.difference) ?? NaN,
  );
}

function marginEnds(comparison: PageComparison): [number, number] {
  const { margin } = comparison;
  return formOf(comparison) === 'ratio' ? [(1 / (1 + margin) - 1) * 100, margin * 100] : [-margin, margin];
}

function axisTitle(comparison: PageComparison, page: Page): string {
  const unit = formOf(comparison) === 'ratio' ? '%' : comparison.unit;
  const [left, right] = comparison.higherIsBetter
    ? [page.baseline.title, page.candidate.title]
    : [page.candidate.title, page.baseline.title];
  return `← ${left} better     change with ${page.candidate.title}, ${unit}     ${right} better →`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function forestConfiguration(shown: readonly PageComparison[], page: Page): AnyConfiguration {
  const first = shown[0] as PageComparison;
  const tones = shown.map(({ verdict }) => colour(verdict));
  const narrow = innerWidth < 700;
  return {
    type: 'bar',
    data: {
      labels: shown.map(
        ({ workload, verdict }) => `${verdictSigns[verdict]} ${cut(workload, narrow ? 16 : 34)}`,
      ),
      datasets: [
        {
          type: 'line',
          indexAxis: 'y',
          label: 'estimate',
          data: shown.map(estimateOf),
          showLine: false,
          pointStyle: shown.map(({ verdict }) => marks[verdict].style),
          pointRotation: shown.map(({ verdict }) => marks[verdict].rotation),
          pointRadius: shown.map(({ pooled }) => (pooled ? 8 : 5.5)),
          pointBackgroundColor: shown.map(({ verdict }, i) =>
            verdict === 'inconclusive' ? colour('surface') : tones[i],
          ),
          pointBorderColor: tones,
          pointBorderWidth: 2,
        },
        {
          label: '95 % interval',
          data: shown.map((one) => intervalOf(one)?.map((end) => asShown(one, end)) ?? null),
          backgroundColor: tones,
          barThickness: 3,
          minBarLength: 2,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: {
            label: ({ dataIndex }: { dataIndex: number }) => {
              const one = shown[dataIndex] as PageComparison;
              return `${effectText(one)}, 95 % interval ${intervalText(one)}, n = ${one.blocks}, ${one.verdict}`;
            },
          },
        },
      },
      scales: {
        x: {
          title: {
            display: true,
            text: narrow
              ? `change with ${page.candidate.title}, ${formOf(first) === 'ratio' ? '%' : first.unit}`
              : axisTitle(first, page),
          },
        },
        y: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
      },
    },
    plugins: [referencePlugin('margin', 0, ...marginEnds(first))],
  } as unknown as AnyConfiguration;
}

function countWords(shown: readonly PageComparison[]): string {
  return verdictOrder
    .map((verdict) => ({ verdict, count: shown.filter((one) => one.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${verdictSigns[verdict]} ${count} ${verdict}`)
    .join(', ');
}

/** Estimate and interval of every workload for one metric of one condition. */
export function forestFigure(comparisons: readonly PageComparison[], page: Page): FigureSpec | null {
  const shown = comparisons
    .filter((one) => isNumber(estimateOf(one)))
    .sort((a, b) => Number(b.pooled) - Number(a.pooled) || estimateOf(a) - estimateOf(b));
  const first = shown[0];
  if (first === undefined) return null;
  const without = comparisons.length - shown.length;
  return {
    title: `${first.metric}: change with ${page.candidate.title}`,
    takeaway: `Of ${plural(shown.length, 'comparison')}: ${countWords(shown)}. Lines are 95 % intervals, the band is the margin inside which a difference does not matter.${without > 0 ? ` ${plural(without, 'workload')} without an estimate ${without === 1 ? 'is' : 'are'} left out.` : ''}`,
    heightPx: 76 + shown.length * 26,
    configuration: () => forestConfiguration(shown, page),
    rows: [
      ['workload', 'change', 'low', 'high', 'n', 'verdict'],
      ...shown.map((one) => {
        const [low = null, high = null] = intervalOf(one)?.map((end) => asShown(one, end)) ?? [];
        return [one.workload, estimateOf(one), low, high, one.blocks, one.verdict];
      }),
    ],
    fileName: `effects-${first.metricName}`,
  };
}

function curveConfiguration(sorted: readonly PageComparison[], page: Page): AnyConfiguration {
  const first = sorted[0] as PageComparison;
  const points = sorted.map((one, i) => ({ x: estimateOf(one), y: (i + 1) / sorted.length }));
  return {
    type: 'line',
    data: {
      datasets: [
        {
          label: 'share of workloads',
          data: [{ x: points[0]?.x ?? 0, y: 0 }, ...points],
          stepped: 'after',
          borderColor: colour('arm-b'),
          backgroundColor: colour('arm-b'),
          borderWidth: 2,
          pointRadius: 2.5,
        },
      ],
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: {
            title: ([item]: readonly { dataIndex: number }[]) =>
              sorted[(item?.dataIndex ?? 1) - 1]?.workload ?? '',
            label: ({ parsed }: { parsed: { x: number; y: number } }) =>
              `${formatNumber(parsed.x)} or less in ${formatNumber(parsed.y * 100)} % of workloads`,
          },
        },
      },
      scales: {
        x: { type: 'linear', title: { display: true, text: axisTitle(first, page) } },
        y: { min: 0, max: 1, title: { display: true, text: 'share of workloads' } },
      },
    },
    plugins: [referencePlugin('margin', 0, ...marginEnds(first))],
  } as unknown as AnyConfiguration;
}

/** The cumulative distribution of the effect across single workloads, from five of them on. */
export function curveFigure(comparisons: readonly PageComparison[], page: Page): FigureSpec | null {
  const sorted = comparisons
    .filter((one) => !one.pooled && isNumber(estimateOf(one)))
    .sort((a, b) => estimateOf(a) - estimateOf(b));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || sorted.length < leastForCurve) return null;
  return {
    title: `${first.metric}: distribution across ${sorted.length} workloads`,
    takeaway: `From ${effectText(first)} (${first.workload}) to ${effectText(last)} (${last.workload}); each step is one workload’s estimate over ${first.blocks} blocks.`,
    heightPx: 300,
    configuration: () => curveConfiguration(sorted, page),
    rows: [
      ['workload', 'change', 'cumulative share'],
      ...sorted.map((one, i) => [one.workload, estimateOf(one), (i + 1) / sorted.length]),
    ],
    fileName: `curve-${first.metricName}`,
  };
}
