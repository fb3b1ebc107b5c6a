import { formatNumber, isNumber, plural } from '../../format/numbers.ts';
import type { PageSession, PageSessionBlock } from '../page-data.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import type { Page } from './read-page.ts';
import { colour, faded } from './theme.ts';

interface Series {
  readonly session: PageSession;
  readonly points: readonly { x: number; y: number }[];
}

interface Quantity {
  readonly title: string;
  readonly unit: string;
  readonly stepped: boolean;
  readonly dots: boolean;
  readonly pointsOf: (session: PageSession) => { x: number; y: number }[];
}

const quantities: readonly Quantity[] = [
  {
    title: 'Video bitrate',
    unit: 'Mbit/s',
    stepped: true,
    dots: false,
    pointsOf: ({ chunks }) => {
      const points = chunks.map(([startMs, , kbps]) => ({ x: startMs / 1000, y: kbps / 1000 }));
      const last = chunks.at(-1);
      return last ? [...points, { x: last[1] / 1000, y: last[2] / 1000 }] : points;
    },
  },
  {
    title: 'Buffer',
    unit: 's',
    stepped: false,
    dots: false,
    pointsOf: ({ buffer }) => buffer.map(([tMs, level]) => ({ x: tMs / 1000, y: level })),
  },
  {
    title: 'Chunk throughput',
    unit: 'Mbit/s',
    stepped: false,
    dots: true,
    pointsOf: ({ chunks }) => chunks.map(([, endMs, , mbps]) => ({ x: endMs / 1000, y: mbps })),
  },
];

function isCandidate(session: PageSession, page: Page): boolean {
  return session.arm !== page.baseline.label;
}

function dataset({ session, points }: Series, quantity: Quantity, page: Page): object {
  const candidate = isCandidate(session, page);
  const tone = candidate ? 'arm-b' : 'arm-a';
  return {
    label: armName(session, page),
    data: points,
    borderColor: colour(tone),
    backgroundColor: colour(tone),
    borderWidth: 2,
    borderDash: candidate ? [] : [6, 4],
    stepped: quantity.stepped ? 'after' : false,
    pointStyle: candidate ? 'triangle' : 'circle',
    pointRadius: quantity.dots ? 4 : 0,
    pointHitRadius: 8,
  };
}

/** Stalls as shaded stretches behind the lines. */
function stallPlugin(block: PageSessionBlock, page: Page): object {
  return {
    id: 'stalls',
    beforeDatasetsDraw: ({ ctx, chartArea, scales }: Drawn) => {
      for (const session of block.sessions) {
        ctx.fillStyle = faded(isCandidate(session, page) ? 'arm-b' : 'arm-a', 0.3);
        for (const [startMs, endMs] of session.stalls) {
          const left = scales.x.getPixelForValue(startMs / 1000);
          const width = Math.max(2, scales.x.getPixelForValue(endMs / 1000) - left);
          ctx.fillRect(left, chartArea.top, width, chartArea.height);
        }
      }
    },
  };
}

interface Drawn {
  readonly ctx: CanvasRenderingContext2D;
  readonly chartArea: { readonly top: number; readonly height: number };
  readonly scales: { readonly x: { getPixelForValue(value: number): number } };
}

function configuration(
  quantity: Quantity,
  block: PageSessionBlock,
  endSeconds: number,
  page: Page,
): AnyConfiguration {
  return {
    type: 'line',
    data: {
      datasets: block.sessions.map((session) =>
        dataset({ session, points: quantity.pointsOf(session) }, quantity, page),
      ),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      plugins: {
        legend: { labels: { usePointStyle: !quantity.stepped && quantity.dots, boxWidth: 30, boxHeight: 1 } },
      },
      scales: {
        x: {
          type: 'linear',
          min: 0,
          max: endSeconds,
          title: { display: true, text: 'seconds after the load call' },
        },
        y: { beginAtZero: true, title: { display: true, text: quantity.unit }, ticks: { maxTicksLimit: 6 } },
      },
    },
    plugins: [stallPlugin(block, page)],
  } as unknown as AnyConfiguration;
}

function armName(session: PageSession, page: Page): string {
  if (session.arm === page.baseline.label) return page.baseline.title;
  return session.arm === page.candidate.label ? page.candidate.title : session.arm;
}

function sessionWords(session: PageSession, page: Page): string {
  const startup = isNumber(session.startupDelayMs)
    ? `start-up ${formatNumber(session.startupDelayMs)} ms`
    : 'start-up not measured';
  const stalledMs = session.stalls.reduce((sum, [startMs, endMs]) => sum + endMs - startMs, 0);
  const stalls =
    session.stalls.length === 0
      ? 'no stall'
      : `${plural(session.stalls.length, 'stall')}, ${formatNumber(stalledMs)} ms (shaded)`;
  return `${armName(session, page)}: ${plural(session.chunks.length, 'chunk')}, ${startup}, ${stalls}.`;
}

/** Bitrate, buffer and chunk throughput over time, both arms of a block on one axis. */
export function sessionFigures(block: PageSessionBlock, page: Page): FigureSpec[] {
  const ends = block.sessions.flatMap((session) =>
    quantities.flatMap((quantity) => quantity.pointsOf(session).map(({ x }) => x)),
  );
  const endSeconds = Math.ceil(ends.reduce((most, end) => Math.max(most, end), 1));
  const words = block.sessions.map((session) => sessionWords(session, page)).join(' ');
  return quantities.flatMap((quantity) => {
    const series = block.sessions.map((session) => ({ session, points: quantity.pointsOf(session) }));
    if (series.every(({ points }) => points.length === 0)) return [];
    return {
      title: `${quantity.title}, ${quantity.unit}`,
      takeaway: words,
      heightPx: 220,
      configuration: () => configuration(quantity, block, endSeconds, page),
      rows: [
        ['arm', 'seconds', `${quantity.title} (${quantity.unit})`],
        ...series.flatMap(({ session, points }) => points.map(({ x, y }) => [session.arm, x, y])),
      ],
      fileName: `session-block-${block.blockIndex + 1}-${quantity.title.toLowerCase().replaceAll(' ', '-')}`,
    };
  });
}
