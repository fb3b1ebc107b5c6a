import { formatBytes, formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageCorpusPoint } from '../page-patterns.ts';
import { axis, roundStep, sharedOptions, tooltipsAlone } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

/** Only round numbers of a logarithmic axis are written: 1, 2, 5, 10, 20 … */
function isRound(value: number): boolean {
  const first = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5].some((digit) => Math.abs(first - digit) < 1e-6);
}

/** The largest round number at or below a value above zero. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2].find((digit) => digit * power <= value) ?? 1);
}

/** From round number to round number, so that even a few pages that are alike stand on a scale. */
function logAxis(title: string, values: readonly number[], text: (value: number) => string): object {
  const above = values.filter((value) => value > 0);
  return axis(title, {
    type: 'logarithmic',
    suggestedMin: roundBelow(Math.min(...above) / 1.05),
    suggestedMax: roundStep(Math.max(...above) * 1.05),
    ticks: {
      autoSkip: false,
      callback: (value: number | string) => (isRound(Number(value)) ? text(Number(value)) : null),
    },
  });
}

function chartConfiguration(points: readonly PageCorpusPoint[]): AnyConfiguration {
  return {
    type: 'scatter',
    data: {
      datasets: [
        {
          label: 'page',
          data: points.map(({ objects, bytes }) => ({ x: objects, y: bytes })),
          pointRadius: points.map(({ hosts }) => 4 + Math.min(8, Math.sqrt(hosts ?? 1))),
          pointStyle: points.map(({ measured }) => (measured ? 'circle' : 'rectRot')),
          backgroundColor: faded('arm-b', 0.35),
          borderColor: colour('arm-b'),
          borderWidth: 1.5,
        },
      ],
    },
    options: {
      ...sharedOptions,
      plugins: tooltipsAlone({
        label: ({ dataIndex }: { dataIndex: number }) => pointWords(points[dataIndex]),
      }),
      scales: {
        x: logAxis(
          'objects',
          points.map(({ objects }) => objects),
          (value) => formatNumber(value),
        ),
        y: logAxis(
          'bytes on the wire',
          points.map(({ bytes }) => bytes),
          formatBytes,
        ),
      },
    },
  } as unknown as AnyConfiguration;
}

function pointWords(point: PageCorpusPoint | undefined): string {
  if (point === undefined) return '';
  const { title, objects, bytes, hosts } = point;
  const from = isNumber(hosts) ? ` from ${plural(hosts, 'host')}` : '';
  return `${title}: ${plural(objects, 'object')}, ${formatBytes(bytes)}${from}`;
}

function range(values: readonly number[], text: (value: number) => string): string {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const middle = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
  return `${text(sorted[0] ?? 0)} to ${text(sorted.at(-1) ?? 0)} (median ${text(middle)})`;
}

/** Objects against size of every page; null below two pages. */
export function corpusFigure(points: readonly PageCorpusPoint[]): FigureSpec | null {
  if (points.length < 2) return null;
  const objects = range(
    points.map((point) => point.objects),
    (value) => formatNumber(value),
  );
  const bytes = range(
    points.map((point) => point.bytes),
    formatBytes,
  );
  const beforehand = points.filter(({ measured }) => !measured).length;
  const known = beforehand > 0 ? ` Diamonds (${beforehand}) are known beforehand, not measured here.` : '';
  return {
    title: 'The pages: objects against size',
    takeaway: `${plural(points.length, 'page')} of ${objects} objects and ${bytes}. A larger mark has more hosts.${known}`,
    heightPx: 340,
    chartConfiguration: () => chartConfiguration(points),
    rows: [
      ['page', 'objects', 'bytes', 'hosts', 'measured'],
      ...points.map(({ title, objects: count, bytes: size, hosts, measured }) => [
        title,
        count,
        size,
        hosts,
        measured ? 'yes' : 'no',
      ]),
    ],
    fileName: 'corpus',
  };
}
