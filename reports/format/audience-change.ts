import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import { formatMeasured, formatRatioPercent, formatShare, formatSigned } from './numbers.ts';

/** A ratio as what is drawn of it: its distance from one. */
export const changeOnAxis = (ratio: number): number => ratio - 1;

/** What an interval of 95 % says, or that there is none. */
function range(interval: readonly [number, number] | null, text: (value: number) => string): string {
  return interval === null ? 'too few blocks' : `${text(interval[0])} to ${text(interval[1])}`;
}

/** A row a segment: what it is, its share, its change with interval, the same in the metric's unit, blocks. */
export function segmentRows({ segments, unit }: AudienceAnswer): string[][] {
  return segments.map(({ title, share, ratio, ratioInterval, difference, blocks }) => [
    title,
    formatShare(share),
    ratio === null ? '–' : `${formatRatioPercent(ratio)} (${range(ratioInterval, formatRatioPercent)})`,
    difference === null ? '–' : `${formatSigned(difference)} ${unit}`.trimEnd(),
    String(blocks),
  ]);
}

export const segmentColumns = ['Segment', 'Share', 'Change (95 % interval)', 'Change', 'Blocks'] as const;

/** A row a quantile of the whole audience: both arms, and the change with its interval. */
export function quantileRows({ quantiles, unit }: AudienceAnswer): string[][] {
  return quantiles.map(({ quantile, baseline, candidate, difference, interval }) => [
    `p${100 * quantile}`,
    formatMeasured(baseline, unit),
    formatMeasured(candidate, unit),
    difference === null
      ? 'too few loads'
      : `${formatSigned(difference)} ${unit} (${range(interval, (value) => formatSigned(value))})`,
  ]);
}

/** @param arms names of baseline and candidate */
export const quantileColumns = (...arms: readonly [string, string]): string[] => [
  'Of all loads',
  ...arms,
  'Change (95 % interval)',
];
