import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import { metricWords } from './metric-words.ts';
import { formatMeasured, formatRatioPercent, formatShare, formatSigned } from './numbers.ts';

type Segment = AudienceAnswer['segments'][number];
type Change = AudienceAnswer['whole'] & Pick<Segment, 'share'>;

/** A ratio as what is drawn of it: its distance from one. */
export const changeOnAxis = (ratio: number): number => ratio - 1;

/** One workload of a segment, or the segment where it has one alone: what a user meets. */
export interface AudiencePart extends Change {
  readonly title: string;
}

/** The workloads of a segment that has several; of one alone the segment says all. */
export const workloadsApart = ({ workloads }: Segment): Segment['workloads'] =>
  workloads.length < 2 ? [] : workloads;

/** What users meet, in the order of the segments. */
export function partsOf({ segments }: Pick<AudienceAnswer, 'segments'>): AudiencePart[] {
  return segments.flatMap((segment): readonly AudiencePart[] => {
    const parts = workloadsApart(segment);
    return parts.length === 0
      ? [segment]
      : parts.map((part) => ({ ...part, title: `${part.title}, ${segment.title}` }));
  });
}

/** What an interval says, or that there is none. */
function range(interval: readonly [number, number] | null, text: (value: number) => string): string {
  return interval === null ? 'too few blocks' : `${text(interval[0])} to ${text(interval[1])}`;
}

function changeCells(
  { share, ratio, ratioInterval, difference, differenceInterval }: Change,
  unit: string,
): string[] {
  const signed = (value: number): string => formatSigned(value);
  const inUnit = unit === '' ? '' : ` ${unit}`;
  return [
    formatShare(share),
    ratio === null ? '–' : `${formatRatioPercent(ratio)} (${range(ratioInterval, formatRatioPercent)})`,
    difference === null ? '–' : `${formatSigned(difference)}${inUnit} (${range(differenceInterval, signed)})`,
  ];
}

/**
 * A row for all, and one a segment with its workloads below it: share, change with interval, the same of the mean in the metric's
 * unit, blocks.
 */
export function segmentRows({ segments, whole, measuredShare, blocks, unit }: AudienceAnswer): string[][] {
  return [
    ['All', ...changeCells({ ...whole, share: measuredShare }, unit), String(blocks)],
    ...segments.flatMap((segment) => [
      [segment.title, ...changeCells(segment, unit), String(segment.blocks)],
      ...workloadsApart(segment).map((part) => [`– ${part.title}`, ...changeCells(part, unit), '']),
    ]),
  ];
}

/** @param level of the intervals, each for itself */
export const segmentColumns = ({ level, metric }: Pick<AudienceAnswer, 'level' | 'metric'>): string[] => [
  metricWords(metric).title,
  'Share',
  `Change (${formatShare(level)} interval each)`,
  'Mean change',
  'Blocks',
];

/** A row a quantile of the whole audience: both arms, and the change with its interval. */
export function quantileRows({ quantiles, unit }: AudienceAnswer): string[][] {
  return quantiles.map(({ quantile, baseline, candidate, difference, interval }) => [
    `p${100 * quantile}`,
    formatMeasured(baseline, unit),
    formatMeasured(candidate, unit),
    difference === null
      ? `too few ${baseline === null ? 'loads' : 'blocks'}`
      : `${formatSigned(difference)} ${unit} (${range(interval, (value) => formatSigned(value))})`,
  ]);
}

/** @param arms names of baseline and candidate */
export const quantileColumns = (
  { level, metric }: Pick<AudienceAnswer, 'level' | 'metric'>,
  ...arms: readonly [string, string]
): string[] => [
  `${metricWords(metric).title} of all loads`,
  ...arms,
  `Change (${formatShare(level)} interval)`,
];
