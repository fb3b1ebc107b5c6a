import { sentenceCase } from '../../../src/core/model/sentence-case.ts';
import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageSession, PageSessionBlock } from '../page-data.ts';
import { armStyle, axis, lineLegend, numberTicks, pointLegend, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { linkBandPlugin, linkBandWords } from './link-bands.ts';
import { colour, faded } from './theme.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Quantity {
  readonly title: string;
  readonly unit: string;
  readonly stepped: boolean;
  readonly dots: boolean;
  /** Whether what the link let through is drawn behind it. */
  readonly overLink: boolean;
  readonly pointsOf: (session: PageSession) => Point[];
  /** What the plot shows of one session, without its arm. */
  readonly words: (session: PageSession) => string;
}

function bitrateWords({ chunks, startupDelayMs }: PageSession): string {
  const last = chunks.at(-1);
  const switches = chunks.filter(([, , kbps], i) => i > 0 && kbps !== chunks[i - 1]?.[2]).length;
  const startup = isNumber(startupDelayMs)
    ? `starts after ${formatNumber(startupDelayMs)} ms`
    : 'start-up not measured';
  if (!last) return `no chunk, ${startup}`;
  return `${startup}, ends at ${formatNumber(last[2] / 1000)} Mbit/s after ${plural(chunks.length, 'chunk')} and ${plural(switches, 'switch', 'switches')}`;
}

function lengthWords(stalls: PageSession['stalls']): string {
  const stalledMs = stalls.reduce((sum, [startMs, endMs]) => sum + endMs - startMs, 0);
  return `${formatNumber(stalledMs)} ms in all`;
}

function stallWords({ stalls, decodeStalls }: PageSession): string {
  const words =
    stalls.length === 0 ? 'no stall' : `${plural(stalls.length, 'stall')}, ${lengthWords(stalls)} (shaded)`;
  if (decodeStalls.length === 0) return words;
  return `${words}, ${plural(decodeStalls.length, 'wait')} of the decoder, ${lengthWords(decodeStalls)} (outlined)`;
}

function throughputWords({ chunks }: PageSession): string {
  const rates = chunks.map(([, , , mbps]) => mbps).filter(isNumber);
  if (rates.length === 0) return 'no chunk';
  return `${formatNumber(Math.min(...rates))} to ${formatNumber(Math.max(...rates))} Mbit/s`;
}

const quantities: readonly Quantity[] = [
  {
    title: 'Video bitrate',
    unit: 'Mbit/s',
    stepped: true,
    dots: false,
    overLink: true,
    pointsOf: ({ chunks }) => {
      const points = chunks.map(([startMs, , kbps]) => ({ x: startMs / 1000, y: kbps / 1000 }));
      const last = chunks.at(-1);
      return last ? [...points, { x: last[1] / 1000, y: last[2] / 1000 }] : points;
    },
    words: bitrateWords,
  },
  {
    title: 'Buffer',
    unit: 's',
    stepped: false,
    dots: false,
    overLink: false,
    pointsOf: ({ buffer }) => buffer.map(([tMs, level]) => ({ x: tMs / 1000, y: level })),
    words: stallWords,
  },
  {
    title: 'Chunk throughput',
    unit: 'Mbit/s',
    stepped: false,
    dots: true,
    overLink: true,
    pointsOf: ({ chunks }) => chunks.map(([, endMs, , mbps]) => ({ x: endMs / 1000, y: mbps })),
    words: throughputWords,
  },
];

function dataset(session: PageSession, quantity: Quantity, baselineArm: string): object {
  const { tone, dash, point } = armStyle(session.arm === baselineArm);
  return {
    label: session.title,
    data: quantity.pointsOf(session),
    borderColor: colour(tone),
    backgroundColor: colour(tone),
    borderWidth: 2,
    borderDash: dash,
    // A chunk's bitrate holds from its request until the next one's.
    stepped: quantity.stepped ? 'before' : false,
    pointStyle: point,
    pointRadius: quantity.dots ? 4.5 : 0,
    pointHitRadius: 8,
    // The dashed line lies on top, so that both show where they coincide.
    order: session.arm === baselineArm ? 0 : 1,
  };
}

const linkTitle = 'Link (trace)';

function linkPoints({ linkRate }: PageSessionBlock, endSeconds: number): Point[] {
  const points = linkRate.map(([tMs, mbps]) => ({ x: tMs / 1000, y: mbps }));
  return points.filter(({ x }) => x <= endSeconds);
}

/** What a trace let through, behind the lines of the arms. */
function linkDataset(block: PageSessionBlock, endSeconds: number): object[] {
  const data = linkPoints(block, endSeconds);
  if (data.length === 0) return [];
  return [
    {
      label: linkTitle,
      data,
      borderColor: colour('soft'),
      backgroundColor: faded('soft', 0.15),
      borderWidth: 1,
      stepped: 'before',
      fill: 'origin',
      pointStyle: 'line',
      pointRadius: 0,
      pointHitRadius: 4,
      order: 2,
    },
  ];
}

interface Drawn {
  readonly ctx: CanvasRenderingContext2D;
  readonly chartArea: { readonly top: number; readonly height: number };
  readonly scales: { readonly x: { getPixelForValue(value: number): number } };
}

/** Stalls as shaded stretches behind the lines, waits of the decoder as outlined ones. */
function stallPlugin(block: PageSessionBlock, baselineArm: string): object {
  return {
    id: 'stalls',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }: Drawn) => {
      for (const session of block.sessions) {
        const { tone } = armStyle(session.arm === baselineArm);
        const { top, height } = chartArea;
        const place = ([startMs, endMs]: readonly [number, number]): [number, number] => {
          const left = scales.x.getPixelForValue(startMs / 1000);
          return [left, Math.max(2, scales.x.getPixelForValue(endMs / 1000) - left)];
        };
        ctx.fillStyle = faded(tone, 0.3);
        ctx.strokeStyle = colour(tone);
        for (const [left, width] of session.stalls.map(place)) ctx.fillRect(left, top, width, height);
        for (const [left, width] of session.decodeStalls.map(place)) ctx.strokeRect(left, top, width, height);
      }
    },
  };
}

/** The same width for every value axis, so that the time axes of the plots stand below each other. */
const valueAxisWidthPx = 62;

function chartConfiguration(
  quantity: Quantity,
  block: PageSessionBlock,
  endSeconds: number,
  baselineArm: string,
): AnyConfiguration {
  const alignWidth = (scale: { width: number }): void => {
    scale.width = valueAxisWidthPx;
  };
  return {
    type: 'line',
    data: {
      datasets: [
        ...block.sessions.map((session) => dataset(session, quantity, baselineArm)),
        ...(quantity.overLink ? linkDataset(block, endSeconds) : []),
      ],
    },
    options: {
      ...sharedOptions,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: { legend: quantity.dots ? pointLegend() : lineLegend() },
      scales: {
        x: axis('seconds after the load call', {
          type: 'linear',
          min: 0,
          max: endSeconds,
          ticks: numberTicks({ maxTicksLimit: 12 }),
        }),
        y: axis(quantity.unit, { beginAtZero: true, grace: '6%', afterFit: alignWidth }),
      },
    },
    plugins: [linkBandPlugin(block.linkBands), stallPlugin(block, baselineArm)],
  } as unknown as AnyConfiguration;
}

/** What the marks behind the lines are, in the plots whose words do not tell of stalls. */
function markWords({ sessions }: PageSessionBlock, { words }: Quantity): string {
  if (words === stallWords) return '';
  const shaded = sessions.some(({ stalls }) => stalls.length > 0) ? ' Shaded: stalls.' : '';
  const outlined = sessions.some(({ decodeStalls }) => decodeStalls.length > 0)
    ? ' Outlined: waits of the decoder.'
    : '';
  return shaded + outlined;
}

/** Bitrate, buffer and chunk throughput over time, all arms of a block on one axis. */
export function sessionFigures(block: PageSessionBlock, baselineArm: string): FigureSpec[] {
  const ends = block.sessions.flatMap((session) =>
    quantities.flatMap((quantity) => quantity.pointsOf(session).map(({ x }) => x)),
  );
  const endSeconds = Math.ceil(ends.reduce((most, end) => Math.max(most, end), 1));
  return quantities.flatMap((quantity) => {
    const series = block.sessions.map((session) => ({ session, points: quantity.pointsOf(session) }));
    if (series.every(({ points }) => points.length === 0)) return [];
    return {
      title: `${quantity.title} over time`,
      takeaway: `${sentenceCase(block.block)}. ${block.sessions.map((session) => `${session.title}: ${quantity.words(session)}.`).join(' ')}${markWords(block, quantity)}${linkBandWords(block.linkBands)}`,
      heightPx: 230,
      chartConfiguration: () => chartConfiguration(quantity, block, endSeconds, baselineArm),
      rows: [
        ['arm', 'seconds', `${quantity.title} (${quantity.unit})`],
        ...series.flatMap(({ session, points }) => points.map(({ x, y }) => [session.title, x, y])),
        ...(quantity.overLink ? linkPoints(block, endSeconds).map(({ x, y }) => [linkTitle, x, y]) : []),
      ],
      fileName: `session-${block.block.replaceAll(' ', '-')}-${quantity.title.toLowerCase().replaceAll(' ', '-')}`,
    };
  });
}
