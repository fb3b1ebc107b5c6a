import type { Chart as ChartClass } from 'chart.js';
import { formatNumber, formatShare, plural } from '../../format/numbers.ts';
import type { PageLadderSteps } from '../page-patterns.ts';
import { axis, cut, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

/** Narrower segments have no room for their share. */
const minTextWidthPx = 34;

type Bar = PageLadderSteps['bars'][number];

function nameOf({ arm, place }: Bar): string {
  return place === '' ? arm : `${arm}, ${place}`;
}

/** The lowest step palest, the highest fullest: the order reads without a colour scale. */
function shade(index: number, count: number): string {
  return faded('arm-b', 0.1 + 0.5 * (count < 2 ? 1 : index / (count - 1)));
}

function textPlugin({ bars, stepsMbps }: PageLadderSteps): object {
  return {
    id: 'segment-text',
    afterDatasetsDraw: ({ ctx, scales }: ChartClass) => {
      const { x, y } = scales;
      if (!x || !y) return;
      ctx.save();
      ctx.fillStyle = colour('text');
      ctx.font = `600 11px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      bars.forEach(({ shares }, row) => {
        let before = 0;
        stepsMbps.forEach((mbps, step) => {
          const percent = (shares[step] ?? 0) * 100;
          const left = x.getPixelForValue(before);
          const right = x.getPixelForValue(before + percent);
          before += percent;
          if (right - left < minTextWidthPx) return;
          ctx.fillText(formatNumber(mbps), (left + right) / 2, y.getPixelForValue(row));
        });
      });
      ctx.restore();
    },
  };
}

function chartConfiguration(steps: PageLadderSteps): AnyConfiguration {
  const { bars, stepsMbps } = steps;
  const most = innerWidth < 700 ? 16 : 60;
  return {
    type: 'bar',
    data: {
      labels: bars.map((bar) => cut(nameOf(bar), most)),
      datasets: stepsMbps.map((mbps, index) => ({
        label: `${formatNumber(mbps)} Mbit/s`,
        data: bars.map(({ shares }) => (shares[index] ?? 0) * 100),
        backgroundColor: shade(index, stepsMbps.length),
        borderColor: colour('surface'),
        borderWidth: 1.5,
        maxBarThickness: 26,
      })),
    },
    options: {
      ...sharedOptions,
      indexAxis: 'y',
      plugins: {
        legend: { align: 'start', labels: { boxWidth: 14, color: colour('text') } },
        tooltip: {
          callbacks: {
            label: ({ dataset, parsed }: { dataset: { label: string }; parsed: { x: number } }) =>
              `${dataset.label}: ${formatShare(parsed.x / 100)} of media time`,
          },
        },
      },
      scales: {
        x: axis('share of media time, %', { stacked: true, min: 0, max: 100 }),
        y: { stacked: true, grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
      },
    },
    plugins: [textPlugin(steps)],
  } as unknown as AnyConfiguration;
}

function barWords(bar: Bar, stepsMbps: readonly number[]): string {
  const top = stepsMbps.length - 1;
  return `${formatShare(bar.shares[top] ?? 0)} (${nameOf(bar)})`;
}

/** The bars with the most and the least time at the highest step. */
function extremesWords({ bars, stepsMbps }: PageLadderSteps): string {
  const top = stepsMbps.length - 1;
  const sorted = bars.toSorted((a, b) => (b.shares[top] ?? 0) - (a.shares[top] ?? 0));
  const most = sorted[0];
  const least = sorted.at(-1);
  if (!most || !least) return '';
  const rest = most === least ? '' : ` to ${barWords(least, stepsMbps)}`;
  return `Time at the highest step, ${formatNumber(stepsMbps[top] ?? 0)} Mbit/s: ${barWords(most, stepsMbps)}${rest}.`;
}

/** How long each step of the ladder was played, arm by arm. */
export function ladderStepsFigure(steps: PageLadderSteps): FigureSpec | null {
  const { bars, stepsMbps, fileName } = steps;
  if (bars.length === 0 || stepsMbps.length === 0) return null;
  const sessions = bars.reduce((sum, bar) => sum + bar.sessions, 0);
  return {
    title: 'Time at each step of the ladder',
    takeaway: `${extremesWords(steps)} Numbers in the bars are Mbit/s (n = ${plural(sessions, 'session')}).`,
    heightPx: 100 + bars.length * 34,
    chartConfiguration: () => chartConfiguration(steps),
    rows: [
      ['arm', 'condition', 'sessions', ...stepsMbps.map((mbps) => `${formatNumber(mbps)} Mbit/s (share)`)],
      ...bars.map(({ arm, place, sessions: n, shares }) => [arm, place, n, ...shares]),
    ],
    fileName,
  };
}
