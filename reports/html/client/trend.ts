import type { TrendPoint, TrendSeries } from '../../../src/core/model/history.ts';
import { armTitle } from '../../format/labels.ts';
import { formatNumber, plural } from '../../format/numbers.ts';
import type { TrendChart, TrendPageData } from '../history/trend-page-data.ts';
import { chosen, remember, startAddress } from './address.ts';
import { axis, cut, sharedOptions } from './chart-options.ts';
import { figure, removeFigures, startFigures } from './figure.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { element } from './read-page.ts';
import { colour, faded, startTheme } from './theme.ts';

type By = 'nights' | 'versions';

/** More charts than this are cut off; the filter brings the others. */
const maxCharts = 24;

function labelOf(point: TrendPoint, by: By): string {
  return by === 'nights' ? point.night : point.version;
}

function labelsOf(lines: readonly TrendSeries[], by: By): string[] {
  const labels = [...new Set(lines.flatMap((line) => line[by].map((point) => labelOf(point, by))))];
  return by === 'nights' ? labels.sort() : labels;
}

function lineSets(line: TrendSeries, index: number, labels: readonly string[], by: By): object[] {
  const name = index % 2 === 0 ? 'arm-a' : 'arm-b';
  const byLabel = new Map(line[by].map((point) => [labelOf(point, by), point]));
  const at = (pick: (point: TrendPoint) => number | null): (number | null)[] =>
    labels.map((label) => {
      const point = byLabel.get(label);
      return point === undefined ? null : pick(point);
    });
  const changed = new Set(by === 'nights' ? line.changes.map(({ night }) => night) : []);
  const bound = { borderWidth: 0, pointRadius: 0, spanGaps: true };
  return [
    {
      label: armTitle(line.protocol),
      data: at(({ median }) => median),
      borderColor: colour(name),
      backgroundColor: colour(name),
      borderWidth: 2,
      borderDash: index < 2 ? [] : [5, 3],
      spanGaps: true,
      pointRadius: labels.map((label) => (changed.has(label) ? 7 : 3)),
      pointStyle: labels.map((label) => (changed.has(label) ? 'triangle' : 'circle')),
    },
    { ...bound, label: 'low', data: at(({ interval }) => interval?.[0] ?? null) },
    {
      ...bound,
      label: 'high',
      data: at(({ interval }) => interval?.[1] ?? null),
      fill: '-1',
      backgroundColor: faded(name, 0.16),
    },
  ];
}

function chartConfiguration(chart: TrendChart, by: By): AnyConfiguration {
  const labels = labelsOf(chart.lines, by);
  return {
    type: 'line',
    data: { labels, datasets: chart.lines.flatMap((line, index) => lineSets(line, index, labels, by)) },
    options: {
      ...sharedOptions,
      plugins: {
        legend: { labels: { filter: ({ text }: { text: string }) => text !== 'low' && text !== 'high' } },
        tooltip: {
          filter: ({ dataset }: { dataset: { label?: string } }) =>
            dataset.label !== 'low' && dataset.label !== 'high',
        },
      },
      scales: {
        x: {
          ticks: { maxTicksLimit: 10, callback: (_: unknown, index: number) => cut(labels[index] ?? '', 14) },
        },
        y: axis(chart.unit, { grace: '10%' }),
      },
    },
  } as unknown as AnyConfiguration;
}

function takeaway(chart: TrendChart, by: By): string {
  const lines = chart.lines.map((line) => {
    const first = line[by][0];
    const last = line[by].at(-1);
    const name = armTitle(line.protocol);
    if (first === undefined || last === undefined) return `${name}: nothing`;
    const what =
      line[by].length === 1
        ? `${formatNumber(last.median)} ${chart.unit}`
        : `${formatNumber(first.median)} to ${formatNumber(last.median)} ${chart.unit}`;
    const changes = line.changes.map(({ night, version }) => `${night} (${version})`).join(', ');
    return `${name}: ${what}${changes === '' ? '' : `, changed on ${changes}`}`;
  });
  return `${lines.join('. ')}. ${chart.place}.`;
}

function spec(chart: TrendChart, by: By): FigureSpec {
  return {
    title: chart.title,
    takeaway: takeaway(chart, by),
    heightPx: 260,
    chartConfiguration: () => chartConfiguration(chart, by),
    rows: [
      ['protocol', 'night', 'version', 'n', 'median', 'low', 'high'],
      ...chart.lines.flatMap((line) =>
        line[by].map(({ night, version, n, median, interval }) => [
          line.protocol,
          night,
          version,
          n,
          median,
          ...(interval ?? [null, null]),
        ]),
      ),
    ],
    fileName: `trend-${chart.title.replace(/[^\w]+/g, '-')}-${by}`,
  };
}

const { charts } = JSON.parse(element('page-data').textContent) as TrendPageData;
const holder = element('trend-charts');
const choice = element('trend-by') as HTMLSelectElement;
const filter = element('trend-filter') as HTMLInputElement;

function show(): void {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = charts.filter(({ title, place }) => {
    const text = `${title} ${place}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  removeFigures(holder);
  const by: By = choice.value === 'versions' ? 'versions' : 'nights';
  holder.append(...found.slice(0, maxCharts).map((chart) => figure(spec(chart, by))));
  const rest = found.length - maxCharts;
  element('trend-shown').textContent =
    `${plural(found.length, 'series', 'series')}${rest > 0 ? `, the first ${maxCharts} shown` : ''}.`;
}

document.documentElement.classList.add('scripted');
startTheme();
startFigures();
choice.value = chosen('by') ?? choice.value;
filter.value = chosen('show') ?? '';
choice.addEventListener('change', () => {
  remember({ by: choice.value });
  show();
});
filter.addEventListener('input', () => {
  remember({ show: filter.value });
  show();
});
show();
startAddress();
