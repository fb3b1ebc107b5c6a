import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import { formatBytes, formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageDiagnosis, PageLinkBand, PageTimeLine, PageTransportSample } from '../page-data.ts';
import { armStyle, axis, lineLegend, numberTicks, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { linkBandPlugin, linkBandWords } from './link-bands.ts';
import { colour, faded } from './theme.ts';

const bytesPerKilobyte = 1000;

/** One line of a plot: a value of each sample, of one connection or socket. */
interface Line {
  readonly label: string;
  readonly isBaseline: boolean;
  /** Drawn thinly: what bounds the line next to it. */
  readonly isBound: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

interface Series {
  readonly name: string;
  readonly isBound?: boolean;
  readonly of: (sample: PageTransportSample) => number | null;
}

interface Quantity {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** What the plot shows of one arm, without its name. */
  readonly words: (line: PageTimeLine) => string;
}

function valuesOf({ connections }: PageTimeLine, of: Series['of']): number[] {
  return connections.flatMap(({ samples }) => samples.map(of)).filter(isNumber);
}

function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value), 0);
}

const kilobytes = (bytes: number | null): number | null => (bytes === null ? null : bytes / bytesPerKilobyte);

function notRecorded({ probe }: PageTimeLine): string {
  return `not recorded (add --probe ${probe})`;
}

function flightWords(line: PageTimeLine): string {
  const flight = largest(valuesOf(line, ([, , , bytes]) => bytes));
  const window = largest(valuesOf(line, ([, , bytes]) => bytes));
  const parts = [
    ...(flight === null ? [] : [`at most ${formatBytes(flight)} in flight`]),
    ...(window === null ? [] : [`window up to ${formatBytes(window)}`]),
  ];
  return parts.length === 0 ? notRecorded(line) : parts.join(', ');
}

function tripWords(line: PageTimeLine): string {
  const trips = valuesOf(line, ([, rttMs]) => rttMs).toSorted((a, b) => a - b);
  if (trips.length === 0) return notRecorded(line);
  return `${formatNumber(trips[0])} to ${formatNumber(trips.at(-1))} ms`;
}

function lossWords(line: PageTimeLine): string {
  const { connections } = line;
  if (connections.length === 0) return notRecorded(line);
  const lost = connections.reduce((sum, { samples }) => sum + (samples.at(-1)?.[4] ?? 0), 0);
  return lost === 0 ? 'none' : plural(lost, 'packet');
}

const quantities: readonly Quantity[] = [
  {
    title: 'Bytes in flight and congestion window',
    unit: 'kB',
    series: [
      { name: 'in flight', of: ([, , , bytes]) => kilobytes(bytes) },
      { name: 'window', isBound: true, of: ([, , bytes]) => kilobytes(bytes) },
    ],
    words: flightWords,
  },
  { title: 'Round trip', unit: 'ms', series: [{ name: '', of: ([, rttMs]) => rttMs }], words: tripWords },
  {
    title: 'Packets lost so far',
    unit: 'packets',
    series: [{ name: '', of: ([, , , , lost]) => lost }],
    words: lossWords,
  },
];

const secondsOf = (tMs: number): number => tMs / 1000;

function linesOf({ series }: Quantity, timeLine: PageTimeLine, isBaseline: boolean): Line[] {
  return timeLine.connections.flatMap(({ samples }) =>
    series.map(({ name, isBound = false, of }) => ({
      label: [timeLine.title, name].filter(Boolean).join(', '),
      isBaseline,
      isBound,
      points: samples.flatMap((sample) => {
        const y = of(sample);
        return isNumber(y) ? [{ x: secondsOf(sample[0]), y }] : [];
      }),
    })),
  );
}

/** Dots of the baseline, dashes and dots of the candidate: told apart without colour, from each other and from what they bound. */
const boundDash = (isBaseline: boolean): number[] => (isBaseline ? [2, 3] : [8, 3, 2, 3]);

function dataset({ label, isBaseline, isBound, points }: Line): object {
  const { tone, dash, point } = armStyle(isBaseline);
  return {
    label,
    data: points,
    borderColor: isBound ? faded(tone, 0.75) : colour(tone),
    backgroundColor: colour(tone),
    borderWidth: isBound ? 1 : 2,
    borderDash: isBound ? boundDash(isBaseline) : dash,
    pointStyle: point,
    pointRadius: 0,
    pointHitRadius: 8,
    // The dashed line lies on top, so that both show where they coincide.
    order: isBaseline ? 0 : 1,
  };
}

interface LegendItem {
  readonly text: string;
  readonly datasetIndex: number;
}

/** Connections of an arm look alike, so one entry tells of all. */
function firstOfName(
  { text, datasetIndex }: LegendItem,
  { datasets }: { datasets: { label?: string }[] },
): boolean {
  return datasets.findIndex(({ label }) => label === text) === datasetIndex;
}

function chartConfiguration({ lines, unit }: Plot, bands: readonly PageLinkBand[]): AnyConfiguration {
  return {
    type: 'line',
    data: { datasets: lines.map(dataset) },
    options: {
      ...sharedOptions,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: { legend: lineLegend({ filter: firstOfName }) },
      scales: {
        x: axis('seconds after navigation start', {
          type: 'linear',
          min: 0,
          max: endOf(lines),
          ticks: numberTicks({ maxTicksLimit: 12 }),
        }),
        y: axis(unit, { beginAtZero: true, grace: '6%' }),
      },
    },
    plugins: [linkBandPlugin(bands)],
  } as unknown as AnyConfiguration;
}

function endOf(lines: readonly Line[]): number {
  return lines.reduce((most, { points }) => Math.max(most, points.at(-1)?.x ?? 0), 0.01);
}

interface Plot {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly words: string;
}

function figureOf(plot: Plot, block: string, all: readonly PageLinkBand[]): FigureSpec | null {
  const { title, unit, lines, words } = plot;
  if (lines.every(({ points }) => points.length === 0)) return null;
  const bands = all.filter(([fromMs]) => secondsOf(fromMs) < endOf(lines));
  return {
    title,
    takeaway: `${sentenceCase(block)}, one trial of each arm. ${words}${linkBandWords(bands)}`,
    heightPx: 230,
    chartConfiguration: () => chartConfiguration(plot, bands),
    rows: [
      ['line', 'seconds after navigation start', `${title} (${unit})`],
      ...lines.flatMap(({ label, points }) => points.map(({ x, y }) => [label, x, y])),
    ],
    fileName: `why-${title.toLowerCase().replaceAll(' ', '-')}`,
  };
}

function socketsPlot(timeLines: readonly PageTimeLine[]): Plot {
  const lines = timeLines.flatMap(({ title, sockets }, arm) =>
    sockets.map(({ samples }) => ({
      label: title,
      isBaseline: arm === 0,
      isBound: false,
      points: samples.map(([tMs, bytes]) => ({ x: secondsOf(tMs), y: bytes / bytesPerKilobyte })),
    })),
  );
  const words = timeLines
    .filter(({ sockets }) => sockets.length > 0)
    .map(({ title, sockets }) => {
      const dropped = sockets.reduce((sum, { samples }) => sum + (samples.at(-1)?.[2] ?? 0), 0);
      return `${title}: ${dropped === 0 ? 'none dropped' : `${plural(dropped, 'datagram')} dropped for want of room`}.`;
    });
  return { title: 'Waiting in the client’s UDP sockets', unit: 'kB', lines, words: words.join(' ') };
}

function leftOutWords(timeLines: readonly PageTimeLine[]): string {
  const left = timeLines.reduce((sum, { connectionsLeftOut }) => sum + connectionsLeftOut, 0);
  return left === 0 ? '' : ` ${plural(left, 'connection')} that carried less left out.`;
}

/** Window, bytes in flight, round trip, losses and socket of both arms of a block over time, on the axis of page or session. */
export function timeLineFigures({ timeLines, block, linkBands }: PageDiagnosis): FigureSpec[] {
  const plots = quantities.map((quantity): Plot => {
    const words = timeLines.map((line) => `${line.title}: ${quantity.words(line)}.`).join(' ');
    return {
      title: quantity.title,
      unit: quantity.unit,
      words: words + leftOutWords(timeLines),
      lines: timeLines.flatMap((line, arm) => linesOf(quantity, line, arm === 0)),
    };
  });
  return [...plots, socketsPlot(timeLines)]
    .map((plot) => figureOf(plot, block, linkBands))
    .filter((spec) => spec !== null);
}
