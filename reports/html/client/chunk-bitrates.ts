import { formatNumber, formatRatioPercent, plural } from '../../format/numbers.ts';
import type { PageChunkBitrates } from '../page-patterns.ts';
import { armStyle, axis, cut, sharedOptions } from './chart-options.ts';
import type { AnyConfiguration, FigureSpec } from './figure.ts';
import { colour, faded } from './theme.ts';

type Box = PageChunkBitrates['boxes'][number];

function boxOf({ quantilesMbps, meanMbps }: Box): object {
  const [min, q1, median, q3, max] = quantilesMbps;
  return {
    min,
    whiskerMin: min,
    q1,
    median,
    q3,
    max,
    whiskerMax: max,
    mean: meanMbps,
    items: [],
    outliers: [],
  };
}

function chartConfiguration(
  { places, arms, boxes }: PageChunkBitrates,
  baselineArm: string,
): AnyConfiguration {
  const most = innerWidth < 700 ? 14 : 40;
  return {
    type: 'boxplot',
    data: {
      // Each part of a place on a line of its own.
      labels: places.map((place) => place.split(', ').map((part) => cut(part, most))),
      datasets: arms.map(({ arm, title }) => {
        const { tone } = armStyle(arm === baselineArm);
        return {
          label: title,
          data: places.map((place) => {
            const box = boxes.find((box) => box.place === place && box.arm === arm);
            return box === undefined ? null : boxOf(box);
          }),
          backgroundColor: faded(tone, 0.22),
          borderColor: colour(tone),
          medianColor: colour(tone),
          borderWidth: arm === baselineArm ? 1.5 : 2.5,
          meanRadius: 4,
          meanStyle: armStyle(arm === baselineArm).point,
          meanBackgroundColor: colour(tone),
          maxBarThickness: 36,
        };
      }),
    },
    options: {
      ...sharedOptions,
      plugins: {
        legend: { align: 'start', labels: { boxWidth: 14, color: colour('text') } },
        tooltip: { enabled: false },
      },
      scales: {
        x: { grid: { display: false }, ticks: { autoSkip: false, color: colour('text') } },
        y: axis('Mbit/s', { beginAtZero: true, grace: '5%' }),
      },
    },
  } as unknown as AnyConfiguration;
}

interface Gap {
  readonly place: string;
  readonly words: string;
  /** Candidate's mean over the baseline's, less one. */
  readonly change: number;
}

/** The means of both arms at each place that has both. */
function gapsOf({ places, arms, boxes }: PageChunkBitrates): Gap[] {
  const [baseline, candidate] = arms;
  return places.flatMap((place) => {
    const meanOf = (arm: string | undefined): number | undefined =>
      boxes.find((box) => box.place === place && box.arm === arm)?.meanMbps;
    const a = meanOf(baseline?.arm);
    const b = meanOf(candidate?.arm);
    if (a === undefined || b === undefined || a <= 0) return [];
    const words = `${formatNumber(b)} against ${formatNumber(a)} Mbit/s`;
    return [{ place, words, change: b / a - 1 }];
  });
}

/** In how many places the candidate's mean is lower, and where the means lie furthest apart. */
function gapWords(bitrates: PageChunkBitrates): string {
  const gaps = gapsOf(bitrates);
  const [widest] = gaps.toSorted((x, y) => Math.abs(y.change) - Math.abs(x.change));
  const candidate = bitrates.arms[1]?.title ?? '';
  if (widest === undefined) return 'No condition has chunks of two arms to compare.';
  const lower = gaps.filter(({ change }) => change < 0).length;
  if (gaps.length === 1)
    return `The mean bitrate of ${candidate} with ${widest.place} is ${widest.words} (${formatRatioPercent(1 + widest.change)}).`;
  return `The mean bitrate of ${candidate} is lower in ${lower} of ${plural(gaps.length, 'condition')}. The largest difference is with ${widest.place}: ${widest.words} (${formatRatioPercent(1 + widest.change)}).`;
}

/** Bitrates of all chunks by network and chunk length, arms side by side; null where no chunk was played. */
export function chunkBitratesFigure(bitrates: PageChunkBitrates, baselineArm: string): FigureSpec | null {
  const { title, arms, boxes, fileName } = bitrates;
  if (boxes.length === 0) return null;
  const chunks = boxes.reduce((sum, box) => sum + box.chunks, 0);
  return {
    title: `Bitrate of chunks: ${title}`,
    takeaway: `${gapWords(bitrates)} n = ${plural(chunks, 'chunk')}. Boxes are the middle half, whiskers all, marks the means. The comparisons have interval and test.`,
    heightPx: 300,
    chartConfiguration: () => chartConfiguration(bitrates, baselineArm),
    rows: [
      [
        'condition',
        'arm',
        'chunks',
        'mean (Mbit/s)',
        'minimum',
        'lower quartile',
        'median',
        'upper quartile',
        'maximum',
      ],
      ...boxes.map(({ place, arm, chunks: n, meanMbps, quantilesMbps }) => [
        place,
        arms.find((other) => other.arm === arm)?.title ?? arm,
        n,
        meanMbps,
        ...quantilesMbps,
      ]),
    ],
    fileName,
  };
}
