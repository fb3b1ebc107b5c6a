import { formatNumber, isNumber } from '../../format/numbers.ts';
import { effectText } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { changeAxis, placeOfEstimate, placesOfMargin } from './change-axis.ts';
import { axis, pointLegend, sharedOptions } from './chart-options.ts';
import { referencePlugin } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { estimateOf } from './forest.ts';
import { minWorkloads } from './ratio-curve.ts';
import { colour } from './theme.ts';

/** The curves that the study draws, told apart by dash and point as well as by colour. */
const curves = [
  { metricName: 'pltMs', tone: 'arm-b', dash: [], point: 'triangle' },
  { metricName: 'cdtMs', tone: 'worse', dash: [8, 4], point: 'rect' },
  { metricName: 'ttfbMs', tone: 'arm-a', dash: [2, 3], point: 'circle' },
] as const;

/** Whether a metric is one of the three whose curves stand in one plot. */
export function isSiteCurve(metricName: string): boolean {
  return curves.some((curve) => curve.metricName === metricName);
}

interface Curve {
  readonly style: (typeof curves)[number];
  readonly title: string;
  /** By rising change. */
  readonly sites: readonly PageComparison[];
}

function curvesOf(comparisons: readonly PageComparison[]): Curve[] {
  return curves.flatMap((style) => {
    const sites = comparisons
      .filter(
        (comparison) =>
          comparison.metricName === style.metricName &&
          !comparison.pooled &&
          isNumber(estimateOf(comparison)),
      )
      .sort((a, b) => estimateOf(a) - estimateOf(b));
    const [first] = sites;
    return first && sites.length >= minWorkloads ? [{ style, title: first.metric, sites }] : [];
  });
}

function share(index: number, count: number): number {
  return ((index + 1) / count) * 100;
}

function chartConfiguration(shown: readonly Curve[]): AnyConfiguration {
  const first = shown[0]?.sites[0] as PageComparison;
  return {
    type: 'line',
    data: {
      datasets: shown.map(({ style, title, sites }) => ({
        label: title,
        data: [
          { x: placeOfEstimate(sites[0] as PageComparison), y: 0 },
          ...sites.map((comparison, i) => ({ x: placeOfEstimate(comparison), y: share(i, sites.length) })),
        ],
        stepped: 'after',
        clip: 8,
        borderColor: colour(style.tone),
        backgroundColor: colour(style.tone),
        borderWidth: 2,
        borderDash: style.dash,
        pointStyle: style.point,
        pointRadius: sites.length > 40 ? 0 : 3,
        pointHitRadius: 6,
      })),
    },
    options: {
      ...sharedOptions,
      plugins: {
        legend: pointLegend(),
        tooltip: {
          callbacks: {
            title: () => '',
            label: ({ datasetIndex, dataIndex }: { datasetIndex: number; dataIndex: number }) => {
              const curve = shown[datasetIndex];
              const index = Math.max(0, dataIndex - 1);
              const site = curve?.sites[index];
              if (!curve || !site) return '';
              return `${site.workload}, ${curve.title}: ${effectText(site)} or less in ${formatNumber(share(index, curve.sites.length))} % of sites`;
            },
          },
        },
      },
      scales: {
        x: changeAxis(
          first,
          shown.flatMap(({ sites }) => sites.map(placeOfEstimate)),
          { type: 'linear' },
        ),
        y: axis('share of sites, %', { min: 0, max: 100 }),
      },
    },
    plugins: [referencePlugin('margin', 0, ...placesOfMargin(first))],
  } as unknown as AnyConfiguration;
}

function curveWords({ title, sites }: Curve): string {
  const middle = sites[Math.floor((sites.length - 1) / 2)] as PageComparison;
  const slower = sites.filter((comparison) => estimateOf(comparison) > 0).length;
  return `${title} is longer on ${slower} of ${sites.length} sites, half of them change by ${effectText(middle)} or less (largest ${effectText(sites.at(-1) as PageComparison)})`;
}

/**
 * Cumulative distributions across sites of the change in page load time, content download time and time to first byte
 * (as in Zhang et al. 2024, figure 11); null below five sites or two of the metrics.
 */
export function siteCurvesFigure(comparisons: readonly PageComparison[]): FigureSpec | null {
  const shown = curvesOf(comparisons);
  const [first] = shown;
  if (first === undefined || shown.length < 2) return null;
  const blocks = first.sites.map((comparison) => comparison.blocks);
  return {
    title: `Change across ${first.sites.length} sites`,
    takeaway: `${shown.map(curveWords).join('. ')}. Each step is one site’s estimate from up to ${Math.max(...blocks)} blocks. The table of comparisons has their intervals.`,
    heightPx: 320,
    chartConfiguration: () => chartConfiguration(shown),
    rows: [
      ['metric', 'site', 'change (%)', 'cumulative share (%)'],
      ...shown.flatMap(({ title, sites }) =>
        sites.map((comparison, i) => [
          title,
          comparison.workload,
          estimateOf(comparison),
          share(i, sites.length),
        ]),
      ),
    ],
    fileName: 'curves-across-sites',
  };
}
