import type { Chart as ChartClass } from 'chart.js';
import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageHeatCell, PageHeatMap } from '../page-patterns.ts';
import { cut, sharedOptions, tooltipsAlone } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

const rowHeightPx = 34;
/** Narrower cells have room for the sign alone; the table of values has the number. */
const minTextWidthPx = 46;
/** Narrower cells have smaller text. */
const roomyWidthPx = 62;

/** Whether a cell is filled: a difference that is known and significant. */
function isFilled({ betterPercent, significant }: PageHeatCell): boolean {
  return significant && isNumber(betterPercent) && betterPercent !== 0;
}

function toneOf({ betterPercent }: PageHeatCell): 'better' | 'worse' {
  return (betterPercent ?? 0) > 0 ? 'better' : 'worse';
}

/** `▲ 12 %`: better or worse by so much, told apart without colour. */
function cellText(cell: PageHeatCell, narrow: boolean): string {
  if (!isNumber(cell.betterPercent)) return '–';
  if (!isFilled(cell)) return '';
  const sign = cell.betterPercent > 0 ? '▲' : '▼';
  return narrow ? sign : `${sign} ${formatNumber(Math.abs(cell.betterPercent), 2)} %`;
}

/** Writes each cell's number into it. */
function textPlugin(map: PageHeatMap): object {
  return {
    id: 'cell-text',
    afterDatasetsDraw: ({ ctx, chartArea, scales }: ChartClass) => {
      const { x, y } = scales;
      if (!x || !y) return;
      const cellWidthPx = chartArea.width / map.columns.length;
      const narrow = cellWidthPx < minTextWidthPx;
      const fontPx = cellWidthPx < roomyWidthPx ? 10 : 12;
      ctx.save();
      ctx.fillStyle = colour('text');
      ctx.font = `600 ${fontPx}px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      for (const cell of map.cells) {
        ctx.fillText(cellText(cell, narrow), x.getPixelForValue(cell.column), y.getPixelForValue(cell.row));
      }
      ctx.restore();
    },
  };
}

function axesOf(map: PageHeatMap): object {
  const narrow = innerWidth < 700;
  const shared = { type: 'category', offset: true, grid: { display: false } };
  const ticks = { color: colour('text'), autoSkip: false };
  return {
    x: {
      ...shared,
      labels: map.columns,
      position: 'top',
      title: { display: true, text: map.columnTitle },
      ticks: {
        ...ticks,
        minRotation: narrow ? 90 : 0,
        maxRotation: narrow ? 90 : 30,
        callback: (_: unknown, index: number) => cut(map.columns[index] ?? '', narrow ? 22 : 40),
      },
    },
    y: {
      ...shared,
      labels: map.rows,
      title: { display: !narrow, text: map.rowTitle },
      ticks: {
        ...ticks,
        callback: (_: unknown, index: number) => cut(map.rows[index] ?? '', narrow ? 22 : 40),
      },
    },
  };
}

function chartConfiguration(map: PageHeatMap): AnyConfiguration {
  const most = map.cells
    .filter(isFilled)
    .reduce((high, { betterPercent }) => Math.max(high, Math.abs(betterPercent ?? 0)), 1);
  const side =
    (count: number) =>
    (context: { chart: ChartClass }, key: 'width' | 'height'): number =>
      Math.max(
        1,
        ((context.chart.chartArea as { width: number; height: number } | undefined)?.[key] ?? 0) / count - 3,
      );
  const width = side(map.columns.length);
  const height = side(map.rows.length);
  return {
    type: 'matrix',
    data: {
      datasets: [
        {
          label: map.metric,
          data: map.cells.map(({ column, row }) => ({ x: map.columns[column], y: map.rows[row] })),
          backgroundColor: map.cells.map((cell) =>
            isFilled(cell)
              ? faded(toneOf(cell), 0.12 + 0.38 * (Math.abs(cell.betterPercent ?? 0) / most))
              : colour('surface'),
          ),
          borderColor: map.cells.map((cell) => (isFilled(cell) ? colour(toneOf(cell)) : colour('line'))),
          borderWidth: 1,
          width: (context: { chart: ChartClass }) => width(context, 'width'),
          height: (context: { chart: ChartClass }) => height(context, 'height'),
        },
      ],
    },
    options: {
      ...sharedOptions,
      plugins: tooltipsAlone({
        title: () => '',
        label: ({ dataIndex }: { dataIndex: number }) => tooltipLines(map, dataIndex),
      }),
      scales: axesOf(map),
    },
    plugins: [textPlugin(map)],
  } as unknown as AnyConfiguration;
}

function tooltipLines(map: PageHeatMap, index: number): string[] {
  const cell = map.cells[index];
  if (!cell) return [];
  const { column, row, effect, interval, n, significant } = cell;
  return [
    `${map.rows[row] ?? ''}, ${map.columns[column] ?? ''}`,
    `${effect} (${interval}), n = ${plural(n, 'block')}${significant ? '' : ', not significant'}`,
  ];
}

function placeName(map: PageHeatMap, { row, column }: PageHeatCell): string {
  return [map.rows[row], map.columns[column]].filter(Boolean).join(' with ');
}

/** The largest difference in words, or nothing where there is none. */
function largest(map: PageHeatMap, cells: readonly PageHeatCell[]): string {
  const [top] = cells.toSorted((a, b) => Math.abs(b.betterPercent ?? 0) - Math.abs(a.betterPercent ?? 0));
  return top === undefined
    ? ''
    : ` (most: ${formatNumber(Math.abs(top.betterPercent ?? 0), 2)} % at ${placeName(map, top)})`;
}

/** What the map says, in one sentence. */
export function heatMapWords(map: PageHeatMap): string {
  const better = map.cells.filter((cell) => isFilled(cell) && toneOf(cell) === 'better');
  const worse = map.cells.filter((cell) => isFilled(cell) && toneOf(cell) === 'worse');
  const unknown = map.cells.filter(({ betterPercent }) => !isNumber(betterPercent)).length;
  const blank = map.cells.length - better.length - worse.length - unknown;
  const blocks = map.cells.map(({ n }) => n);
  const n =
    new Set(blocks).size === 1
      ? `n = ${blocks[0] ?? 0}`
      : `n = ${Math.min(...blocks)} to ${Math.max(...blocks)}`;
  const parts = [
    `▲ better in ${better.length}${largest(map, better)}`,
    `▼ worse in ${worse.length}${largest(map, worse)}`,
    `${blank} without a significant difference stay blank`,
    ...(unknown > 0 ? [`${unknown} have no estimate (–)`] : []),
  ];
  return `Of ${plural(map.cells.length, 'point')} ${map.candidate} is ${parts.join(', ')} (${n} blocks each).`;
}

/** The percent difference at every point of a grid; cells without a significant one are blank. */
export function heatMapFigure(map: PageHeatMap): FigureSpec {
  return {
    title: `${map.metric}: ${map.candidate} against ${map.baseline}, percent${map.place === '' ? '' : `, ${map.place}`}`,
    takeaway: heatMapWords(map),
    heightPx: 110 + map.rows.length * rowHeightPx,
    chartConfiguration: () => chartConfiguration(map),
    rows: [
      [map.rowTitle, map.columnTitle, 'better (%)', 'change', 'interval', 'n', 'significant'],
      ...map.cells.map(({ row, column, betterPercent, effect, interval, n, significant }) => [
        map.rows[row] ?? '',
        map.columns[column] ?? '',
        betterPercent,
        effect,
        interval,
        n,
        significant ? 'yes' : 'no',
      ]),
    ],
    fileName: map.fileName,
  };
}
