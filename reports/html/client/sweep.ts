import type { Chart as ChartClass } from 'chart.js';
import { formatNumber, isNumber } from '../../format/numbers.ts';
import type { PageSpread, PageSweep, PageSweepAxis, PageSweepLine } from '../page-patterns.ts';
import { armStyle, axis, pointLegend, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour } from './theme.ts';

type Arm = 'baseline' | 'candidate';
const arms: readonly Arm[] = ['baseline', 'candidate'];
/** Half the width of a whisker's ends. */
const capPx = 6;
const valueAxisWidthPx = 62;

function medianOf([, median]: PageSpread): number {
  return median ?? NaN;
}

/** The middle half of each arm's blocks as a line through its median. */
function whiskerPlugin({ points }: PageSweepLine): object {
  return {
    id: 'whiskers',
    beforeDatasetsDraw: ({ ctx, scales }: ChartClass) => {
      const { x, y } = scales;
      if (!x || !y) return;
      ctx.save();
      ctx.lineWidth = 2;
      for (const arm of arms) {
        ctx.strokeStyle = colour(armStyle(arm === 'baseline').tone);
        points.forEach((point, index) => {
          const [low, , high] = point[arm];
          if (!isNumber(low) || !isNumber(high)) return;
          const at = x.getPixelForValue(index);
          const ends = [low, high].map((value) => y.getPixelForValue(value));
          ctx.beginPath();
          ctx.moveTo(at, ends[0] ?? 0);
          ctx.lineTo(at, ends[1] ?? 0);
          for (const end of ends) {
            ctx.moveTo(at - capPx, end);
            ctx.lineTo(at + capPx, end);
          }
          ctx.stroke();
        });
      }
      ctx.restore();
    },
  };
}

function chartConfiguration(sweep: PageSweep, line: PageSweepLine): AnyConfiguration {
  const { points } = line;
  return {
    type: 'line',
    data: {
      labels: points.map(({ at }) => formatNumber(at)),
      datasets: arms.map((arm) => {
        const { tone, dash, point } = armStyle(arm === 'baseline');
        return {
          label: sweep[arm],
          data: points.map((point) => medianOf(point[arm])),
          borderColor: colour(tone),
          backgroundColor: colour(tone),
          borderWidth: 2,
          borderDash: dash,
          pointStyle: point,
          pointRadius: 5,
        };
      }),
    },
    options: {
      ...sharedOptions,
      interaction: { mode: 'index', intersect: false },
      plugins: {
        legend: pointLegend(),
        tooltip: {
          callbacks: {
            title: ([item]: readonly { label: string }[]) => `${item?.label ?? ''} ${sweep.axis.unit}`,
            label: ({ datasetIndex, dataIndex }: { datasetIndex: number; dataIndex: number }) => {
              const arm = arms[datasetIndex] ?? 'baseline';
              const [low, median, high, n] = points[dataIndex]?.[arm] ?? [null, null, null, 0];
              return `${sweep[arm]}: median ${formatNumber(median)} ${line.unit} (middle half ${formatNumber(low)} to ${formatNumber(high)}), n = ${n}`;
            },
          },
        },
      },
      scales: {
        x: axis(axisTitle(sweep.axis), { ticks: { color: colour('text') } }),
        y: axis(line.unit, {
          beginAtZero: true,
          grace: '5%',
          afterFit: (scale: { width: number }) => {
            scale.width = valueAxisWidthPx;
          },
        }),
      },
    },
    plugins: [whiskerPlugin(line)],
  } as unknown as AnyConfiguration;
}

function axisTitle({ title, unit }: PageSweepAxis): string {
  return `${title}, ${unit}`;
}

/** A metric against what was varied, and its cost below on the same axis. */
export function sweepFigures(sweep: PageSweep): FigureSpec[] {
  return sweep.lines.map((line, index) => ({
    title: `${line.metric} against ${sweep.axis.title}: ${sweep.title}`,
    takeaway: line.words,
    heightPx: index === 0 ? 300 : 220,
    chartConfiguration: () => chartConfiguration(sweep, line),
    rows: [
      [
        `${sweep.axis.title} (${sweep.axis.unit})`,
        ...arms.flatMap((arm) => [
          `${sweep[arm]} lower quartile (${line.unit})`,
          'median',
          'upper quartile',
          'n',
        ]),
        'change',
        'interval',
        'verdict',
      ],
      ...line.points.map((point) => [
        point.at,
        ...arms.flatMap((arm) => [...point[arm]]),
        point.effect,
        point.interval,
        point.verdict,
      ]),
    ],
    fileName: `${sweep.fileName}-${index + 1}`,
  }));
}
