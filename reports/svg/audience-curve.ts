import { noticeableMs, type AudienceAnswer } from '../../src/core/model/audience.ts';
import { formatShare, formatSigned } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';
import { audiencePlot, px } from './audience-bars.ts';

type Segment = AudienceAnswer['segments'][number];

/** A segment with its change, and where it lies among the users: those who gain most first. */
interface Step {
  readonly segment: Segment;
  readonly change: number;
  readonly fromShare: number;
  readonly toShare: number;
}

const shareTicks = [0, 0.25, 0.5, 0.75, 1];
/** Closer ticks of the axis would lie on one another. */
const minTickGapPx = 24;

/** The segments in the order of their gain, each as wide as its share of those that were measured. */
function stepsOf({ segments, higherIsBetter }: AudienceAnswer): Step[] {
  const measured = segments.flatMap((segment) =>
    segment.difference === null ? [] : [{ segment, change: segment.difference }],
  );
  const whole = measured.reduce((sum, { segment }) => sum + segment.share, 0);
  let fromShare = 0;
  return measured
    .toSorted((a, b) => (higherIsBetter ? b.change - a.change : a.change - b.change))
    .map(({ segment, change }) => {
      const toShare = fromShare + segment.share / whole;
      const step = { segment, change, fromShare, toShare };
      fromShare = toShare;
      return step;
    });
}

/** Ticks of which none lies on an earlier one. */
function spaced(values: readonly number[], y: (value: number) => number): number[] {
  return values.reduce<number[]>(
    (kept, value) =>
      kept.every((other) => Math.abs(y(other) - y(value)) >= minTickGapPx) ? [...kept, value] : kept,
    [],
  );
}

/**
 * How much each share of the users gains: users from left to right, those who gain most first; their change upwards, with the
 * intervals of 95 % as a band. Of times it has the limits of what a user notices. Empty where no segment has a change.
 */
export function audienceCurve(answer: AudienceAnswer): string {
  const steps = stepsOf(answer);
  if (steps.length === 0) return '';
  const { unit } = answer;
  const { widthPx, leftPx, plotPx, headPx, labelPx } = audiencePlot;
  const limits = unit === 'ms' ? [-noticeableMs, noticeableMs] : [];
  const ends = [
    0,
    ...limits,
    ...steps.flatMap(({ change, segment }) => [change, ...(segment.differenceInterval ?? [])]),
  ];
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const y = (change: number): number => headPx + (plotPx * (high - change)) / (high - low || 1);
  const x = (share: number): number => leftPx + (widthPx - leftPx) * share;
  const band = ({ segment: { differenceInterval }, fromShare, toShare }: Step): string =>
    differenceInterval === null
      ? ''
      : `<rect class="ac-band" x="${px(x(fromShare))}" y="${px(y(differenceInterval[1]))}" width="${px(x(toShare) - x(fromShare))}" height="${px(Math.max(1, y(differenceInterval[0]) - y(differenceInterval[1])))}"/>`;
  const path = steps
    .map(
      ({ change, fromShare, toShare }, i) =>
        `${i === 0 ? 'M' : 'L'}${px(x(fromShare))} ${px(y(change))}H${px(x(toShare))}`,
    )
    .join('');
  const titled = steps.map(
    (step) =>
      `<g><title>${attribute(`${formatShare(step.fromShare)} to ${formatShare(step.toShare)} of users, ${step.segment.title}: ${formatSigned(step.change)} ${unit}`)}</title>${band(step)}<rect class="ac-reach" x="${px(x(step.fromShare))}" y="${headPx}" width="${px(x(step.toShare) - x(step.fromShare))}" height="${plotPx}"/></g>`,
  );
  const line = (value: number, name: string): string =>
    `<line class="${name}" x1="${leftPx}" x2="${widthPx}" y1="${px(y(value))}" y2="${px(y(value))}"/>`;
  const ticks = spaced([0, low, high, ...limits], y).map(
    (value) =>
      `<text class="ab-tick" x="${leftPx - 6}" y="${px(y(value) + 4)}" text-anchor="end">${formatSigned(value)}</text>`,
  );
  const shares = shareTicks.map(
    (share) =>
      `<text class="ab-tick" x="${px(x(share))}" y="${headPx + plotPx + 16}" text-anchor="${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}">${formatShare(share)}</text>`,
  );
  return `<svg class="audience-bars audience-curve" viewBox="0 0 ${widthPx} ${headPx + plotPx + labelPx}" role="img" aria-label="Change over the users, those who gain most first">${titled.join('')}${limits.map((limit) => line(limit, 'ac-limit')).join('')}${line(0, 'ab-axis')}<path class="ac-step" d="${path}"/>${ticks.join('')}${shares.join('')}</svg>`;
}
