import type { Chart as ChartClass } from 'chart.js';
import { formatRatioPercent, formatSigned, isNumber, plural } from '../../format/numbers.ts';
import { formOf, intervalOf, intervalText, effectText, levelText } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { axisPlace, changeAxis, placeOfEstimate, placesOfMargin } from './change-axis.ts';
import { axis, sharedOptions, tooltipsAlone } from './chart-options.ts';
import { referencePlugin } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { asPlotted, estimateOf } from './forest.ts';
import { colour, faded } from './theme.ts';

interface Change {
  readonly block: number;
  /** The candidate's value by the baseline's for ratios, the difference in the metric's unit for others. */
  readonly change: number;
}

/** The change in each block that has a value in both arms, in the order in which blocks ran. */
function changesOf(comparison: PageComparison): Change[] {
  const ratio = formOf(comparison) === 'ratio';
  return comparison.values
    .flatMap(([block, a, b]) => {
      if (!isNumber(a) || !isNumber(b)) return [];
      const change = ratio ? b / a : b - a;
      return isNumber(axisPlace(comparison, change)) ? [{ block, change }] : [];
    })
    .sort((a, b) => a.block - b.block);
}

/** The interval as a band, the estimate as a line; both across the plot. */
function estimatePlugin(comparison: PageComparison): object {
  const ends = intervalOf(comparison)?.map((end) => axisPlace(comparison, end));
  return {
    id: 'estimate',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }: ChartClass) => {
      const x = scales['x'];
      if (!x) return;
      const pixelOf = (place: number): number =>
        Math.max(chartArea.left, Math.min(chartArea.right, x.getPixelForValue(place)));
      ctx.save();
      if (ends !== undefined) {
        const [from = 0, to = 0] = ends.map(pixelOf);
        ctx.fillStyle = faded(comparison.verdict, 0.22);
        ctx.fillRect(Math.min(from, to), chartArea.top, Math.max(1, Math.abs(to - from)), chartArea.height);
      }
      const estimate = pixelOf(placeOfEstimate(comparison));
      ctx.strokeStyle = colour(comparison.verdict);
      ctx.beginPath();
      ctx.moveTo(estimate, chartArea.top);
      ctx.lineTo(estimate, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
}

function chartConfiguration(comparison: PageComparison, changes: readonly Change[]): AnyConfiguration {
  const { unit } = comparison;
  const ratio = formOf(comparison) === 'ratio';
  const places = changes.map(({ change }) => axisPlace(comparison, change));
  const ends = intervalOf(comparison)?.map((end) => axisPlace(comparison, end)) ?? [];
  return {
    type: 'line',
    data: {
      labels: changes.map(({ block }) => String(block + 1)),
      datasets: [
        {
          label: 'change',
          data: places,
          indexAxis: 'y',
          showLine: false,
          pointStyle: 'rectRot',
          pointRadius: changes.length > 60 ? 3 : 5,
          borderColor: colour('text'),
          backgroundColor: colour('text'),
        },
      ],
    },
    options: {
      ...sharedOptions,
      indexAxis: 'y',
      plugins: tooltipsAlone({
        title: ([item]: readonly { label: string }[]) =>
          `${comparison.recorded ? 'recorded ' : ''}block ${item?.label ?? ''}`,
        label: ({ dataIndex }: { dataIndex: number }) => {
          const { change } = changes[dataIndex] as Change;
          return ratio ? formatRatioPercent(change) : `${formatSigned(change)} ${unit}`;
        },
      }),
      scales: {
        x: changeAxis(comparison, [...places, ...ends], { type: 'linear' }),
        y: axis(comparison.recorded ? 'recorded block' : 'block', {
          type: 'category',
          offset: true,
          grid: { display: false },
          ticks: { maxTicksLimit: 20, maxRotation: 0 },
        }),
      },
    },
    plugins: [referencePlugin('margin', 0, ...placesOfMargin(comparison)), estimatePlugin(comparison)],
  } as unknown as AnyConfiguration;
}

/** Room for a row of each block, as far as a screen has it. */
function heightPx(blocks: number): number {
  return Math.min(480, Math.max(230, 90 + 13 * blocks));
}

/** The change block by block, with estimate, interval and margin behind it; null with fewer than two blocks. */
export function pairedChangesFigure(comparison: PageComparison): FigureSpec | null {
  const changes = changesOf(comparison);
  if (changes.length < 2 || !isNumber(estimateOf(comparison))) return null;
  const { candidate } = comparison;
  const ratio = formOf(comparison) === 'ratio';
  const none = ratio ? 1 : 0;
  const higher = changes.filter(({ change }) => change > none).length;
  const lower = changes.filter(({ change }) => change < none).length;
  const interval =
    intervalOf(comparison) === null
      ? 'no interval'
      : `shaded: ${levelText(comparison)} interval ${intervalText(comparison)}`;
  return {
    title: `${comparison.metric}: change in each block`,
    takeaway: `Higher with ${candidate.title} in ${higher}, lower in ${lower} of ${plural(changes.length, 'block')}. Line: estimate ${effectText(comparison)}, ${interval}. Grey: differences that do not matter.`,
    heightPx: heightPx(changes.length),
    chartConfiguration: () => chartConfiguration(comparison, changes),
    rows: [
      ['block', ratio ? 'change (%)' : `change (${comparison.unit})`],
      ...changes.map(({ block, change }) => [block + 1, asPlotted(comparison, change)]),
    ],
    fileName: `${comparison.id}-changes`,
  };
}
