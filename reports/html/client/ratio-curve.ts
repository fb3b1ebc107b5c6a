import { formatNumber, isNumber } from '../../format/numbers.ts';
import { effectText } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { changeAxis, placeOfEstimate, placesOfMargin } from './change-axis.ts';
import { axis, sharedOptions, tooltipsAlone } from './chart-options.ts';
import { referencePlugin } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { estimateOf } from './forest.ts';
import { colour } from './theme.ts';

/** Workloads from which on a distribution across them says something. */
export const minWorkloads = 5;

function chartConfiguration(sorted: readonly PageComparison[]): AnyConfiguration {
  const first = sorted[0] as PageComparison;
  const points = sorted.map((comparison, i) => ({
    x: placeOfEstimate(comparison),
    y: ((i + 1) / sorted.length) * 100,
  }));
  return {
    type: 'line',
    data: {
      datasets: [
        {
          data: [{ x: points[0]?.x ?? 0, y: 0 }, ...points],
          stepped: 'after',
          clip: 8,
          borderColor: colour('arm-b'),
          backgroundColor: colour('arm-b'),
          borderWidth: 2,
          pointRadius: sorted.length > 40 ? 0 : 2.5,
          pointHitRadius: 6,
        },
      ],
    },
    options: {
      ...sharedOptions,
      plugins: tooltipsAlone({
        title: ([item]: readonly { dataIndex: number }[]) =>
          sorted[Math.max(0, (item?.dataIndex ?? 1) - 1)]?.workload ?? '',
        label: ({ dataIndex, parsed }: { dataIndex: number; parsed: { y: number } }) =>
          `${effectText(sorted[Math.max(0, dataIndex - 1)] ?? first)} or less in ${formatNumber(parsed.y)} % of workloads`,
      }),
      scales: {
        x: changeAxis(first, sorted.map(placeOfEstimate), { type: 'linear' }),
        y: axis('share of workloads, %', { min: 0, max: 100 }),
      },
    },
    plugins: [referencePlugin('margin', 0, ...placesOfMargin(first))],
  } as unknown as AnyConfiguration;
}

/** The cumulative distribution of the change across single workloads (as in Zhang et al. 2024, figure 11), from five on. */
export function curveFigure(comparisons: readonly PageComparison[]): FigureSpec | null {
  const sorted = comparisons
    .filter((comparison) => !comparison.pooled && isNumber(estimateOf(comparison)))
    .sort((a, b) => estimateOf(a) - estimateOf(b));
  const first = sorted[0];
  const last = sorted.at(-1);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (!first || !last || !middle || sorted.length < minWorkloads) return null;
  return {
    title: `${first.metric}: change across ${sorted.length} workloads`,
    takeaway: `From ${effectText(first)} (${first.workload}) to ${effectText(last)} (${last.workload}). Half of the workloads change by ${effectText(middle)} or less. Each step is one workload’s estimate.`,
    heightPx: 300,
    chartConfiguration: () => chartConfiguration(sorted),
    rows: [
      ['workload', 'change', 'cumulative share (%)'],
      ...sorted.map((comparison, i) => [
        comparison.workload,
        estimateOf(comparison),
        ((i + 1) / sorted.length) * 100,
      ]),
    ],
    fileName: `curve-${first.metricName}`,
  };
}
