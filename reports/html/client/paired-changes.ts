import type { Chart as ChartClass } from 'chart.js';
import { formatRatioPercent, formatSigned, isNumber, plural } from '../../format/numbers.ts';
import { formOf, intervalOf, intervalText, effectText, levelText } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { axis, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { asPlotted, estimateOf, marginEnds } from './forest.ts';
import { colour, faded } from './theme.ts';

interface Change {
  readonly block: number;
  /** Percent for ratios, the metric's unit for differences. */
  readonly change: number;
}

/** The change in each block that has a value in both arms, in the order in which blocks ran. */
function changesOf(comparison: PageComparison): Change[] {
  const ratio = formOf(comparison) === 'ratio';
  return comparison.values
    .flatMap(([block, a, b]) => {
      if (!isNumber(a) || !isNumber(b)) return [];
      const change = ratio ? (b / a - 1) * 100 : b - a;
      return isNumber(change) ? [{ block, change }] : [];
    })
    .sort((a, b) => a.block - b.block);
}

/** The margin as a band, the interval as another, no change and the estimate as lines; all across the plot. */
function backgroundPlugin(comparison: PageComparison): object {
  const interval = intervalOf(comparison)?.map((end) => asPlotted(comparison, end));
  return {
    id: 'change-bands',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }: ChartClass) => {
      const y = scales['y'];
      if (!y) return;
      const clamp = (value: number): number =>
        Math.max(chartArea.top, Math.min(chartArea.bottom, y.getPixelForValue(value)));
      const band = (low: number, high: number, fill: string): void => {
        ctx.fillStyle = fill;
        ctx.fillRect(chartArea.left, clamp(high), chartArea.width, Math.max(1, clamp(low) - clamp(high)));
      };
      const line = (at: number, stroke: string, dash: number[]): void => {
        ctx.strokeStyle = stroke;
        ctx.setLineDash(dash);
        ctx.beginPath();
        ctx.moveTo(chartArea.left, clamp(at));
        ctx.lineTo(chartArea.right, clamp(at));
        ctx.stroke();
      };
      ctx.save();
      band(...marginEnds(comparison), colour('band'));
      const [low, high] = interval ?? [];
      if (low !== undefined && high !== undefined) band(low, high, faded(comparison.verdict, 0.22));
      line(0, colour('soft'), [4, 3]);
      line(estimateOf(comparison), colour(comparison.verdict), []);
      ctx.restore();
    },
  };
}

function chartConfiguration(comparison: PageComparison, changes: readonly Change[]): AnyConfiguration {
  const { unit } = comparison;
  const ratio = formOf(comparison) === 'ratio';
  const ends = [...(intervalOf(comparison) ?? [])].map((end) => asPlotted(comparison, end));
  const all = [...changes.map(({ change }) => change), ...ends, ...marginEnds(comparison)];
  return {
    type: 'line',
    data: {
      labels: changes.map(({ block }) => String(block + 1)),
      datasets: [
        {
          label: 'change',
          data: changes.map(({ change }) => change),
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
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: {
            title: ([item]: readonly { label: string }[]) =>
              `${comparison.recorded ? 'recorded ' : ''}block ${item?.label ?? ''}`,
            label: ({ parsed }: { parsed: { y: number } }) =>
              ratio ? formatRatioPercent(1 + parsed.y / 100) : `${formatSigned(parsed.y)} ${unit}`,
          },
        },
      },
      scales: {
        x: axis(comparison.recorded ? 'recorded block' : 'block', {
          grid: { display: false },
          ticks: { maxTicksLimit: 20, maxRotation: 0 },
        }),
        y: axis(`change, ${ratio ? '%' : unit || 'count'}`, {
          grace: '8%',
          suggestedMin: Math.min(...all, 0),
          suggestedMax: Math.max(...all, 0),
        }),
      },
    },
    plugins: [backgroundPlugin(comparison)],
  } as unknown as AnyConfiguration;
}

/** The change block by block, with estimate, interval and margin behind it; null with fewer than two blocks. */
export function pairedChangesFigure(comparison: PageComparison): FigureSpec | null {
  const changes = changesOf(comparison);
  if (changes.length < 2 || !isNumber(estimateOf(comparison))) return null;
  const { candidate } = comparison;
  const higher = changes.filter(({ change }) => change > 0).length;
  const lower = changes.filter(({ change }) => change < 0).length;
  const interval =
    intervalOf(comparison) === null
      ? 'no interval'
      : `shaded: ${levelText(comparison)} interval ${intervalText(comparison)}`;
  return {
    title: `${comparison.metric}: change in each block`,
    takeaway: `Higher with ${candidate.title} in ${higher}, lower in ${lower} of ${plural(changes.length, 'block')}. Line: estimate ${effectText(comparison)}, ${interval}. Grey: differences that do not matter.`,
    heightPx: 230,
    chartConfiguration: () => chartConfiguration(comparison, changes),
    rows: [
      ['block', formOf(comparison) === 'ratio' ? 'change (%)' : `change (${comparison.unit})`],
      ...changes.map(({ block, change }) => [block + 1, change]),
    ],
    fileName: `${comparison.id}-changes`,
  };
}
