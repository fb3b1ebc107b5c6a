import { noticeableMs, type AudienceAnswer } from '../../src/core/model/audience.ts';
import { formatShare, formatSigned } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';
import { partsOf, type AudiencePart } from '../format/audience-change.ts';
import { audiencePlot, axisRange, px, spaced } from './audience-bars.ts';

/** A workload of a segment with its change, and where it lies among the users: those who gain most first. */
interface Step {
  readonly part: AudiencePart;
  readonly change: number;
  readonly fromShare: number;
  readonly toShare: number;
}

const shareTicks = [0, 0.25, 0.5, 0.75, 1];

/** The workloads of all segments in the order of their gain, each as wide as its share of those that were measured. */
function stepsOf(answer: AudienceAnswer): Step[] {
  const measured = partsOf(answer).flatMap((part) =>
    part.difference === null ? [] : [{ part, change: part.difference }],
  );
  const whole = measured.reduce((sum, { part }) => sum + part.share, 0);
  let fromShare = 0;
  return measured
    .toSorted((a, b) => (answer.higherIsBetter ? b.change - a.change : a.change - b.change))
    .map(({ part, change }) => {
      const toShare = fromShare + part.share / whole;
      const step = { part, change, fromShare, toShare };
      fromShare = toShare;
      return step;
    });
}

/** Below this change the scale is linear, above it logarithmic: single slow links would hide all others. */
const linearTo = (steps: readonly Step[], unit: string): number =>
  unit === 'ms' ? noticeableMs : Math.max(...steps.map(({ change }) => Math.abs(change))) / 20 || 1;

function scaleOf(steps: readonly Step[], unit: string): (change: number) => number {
  const linear = linearTo(steps, unit);
  return (change) => Math.asinh(change / linear);
}

/** Powers of ten of what the scale is linear to, either way. */
function tickValues(unit: string, steps: readonly Step[]): number[] {
  const linear = linearTo(steps, unit);
  return [100, 10, 1].flatMap((power) => [-power * linear, power * linear]);
}

/**
 * How much each share of the users gains: users from left to right, those who gain most first; their change upwards, with its
 * interval as a band, on a scale that is logarithmic beyond what a user notices. Of times it has the limits of what a user notices. Empty where no segment has a change.
 */
export function audienceCurve(answer: AudienceAnswer): string {
  const steps = stepsOf(answer);
  if (steps.length === 0) return '';
  const { unit } = answer;
  const { widthPx, leftPx, plotPx, headPx, labelPx } = audiencePlot;
  const limits = unit === 'ms' ? [-noticeableMs, noticeableMs] : [];
  const scale = scaleOf(steps, unit);
  const [low, high] = axisRange(
    [...steps.map(({ change }) => change), ...limits].map(scale),
    steps.flatMap(({ part }) => (part.differenceInterval ?? []).map(scale)),
  );
  const y = (change: number): number =>
    headPx + (plotPx * (high - Math.min(high, Math.max(low, scale(change))))) / (high - low);
  const x = (share: number): number => leftPx + (widthPx - leftPx) * share;
  const band = ({ part: { differenceInterval }, fromShare, toShare }: Step): string =>
    differenceInterval === null
      ? ''
      : `<rect class="ac-band" x="${px(x(fromShare))}" y="${px(y(differenceInterval[1]))}" width="${px(x(toShare) - x(fromShare))}" height="${px(Math.max(1, y(differenceInterval[0]) - y(differenceInterval[1])))}"/>`;
  const path = steps
    .map(({ change }, i) =>
      i === 0
        ? ''
        : `M${px(x(steps[i]?.fromShare ?? 0))} ${px(y(steps[i - 1]?.change ?? 0))}V${px(y(change))}`,
    )
    .join('');
  const levels = steps.map(
    ({ change, fromShare, toShare }) =>
      `<line class="ac-level ${change < 0 === answer.higherIsBetter ? 'ac-bad' : 'ac-good'}" x1="${px(x(fromShare))}" x2="${px(x(toShare))}" y1="${px(y(change))}" y2="${px(y(change))}"/>`,
  );
  const titled = steps.map(
    (step) =>
      `<g><title>${attribute(`${formatShare(step.fromShare)} to ${formatShare(step.toShare)} of users, ${step.part.title}: ${formatSigned(step.change)} ${unit}`)}</title>${band(step)}<rect class="ac-reach" x="${px(x(step.fromShare))}" y="${headPx}" width="${px(x(step.toShare) - x(step.fromShare))}" height="${plotPx}"/></g>`,
  );
  const line = (value: number, name: string): string =>
    `<line class="${name}" x1="${leftPx}" x2="${widthPx}" y1="${px(y(value))}" y2="${px(y(value))}"/>`;
  const inside = (value: number): boolean => scale(value) >= low && scale(value) <= high;
  const ticks = spaced([0, ...tickValues(unit, steps)].filter(inside), y).map(
    (value) =>
      `<text class="ab-tick" x="${leftPx - 6}" y="${px(y(value) + 4)}" text-anchor="end">${formatSigned(Math.round(value))} ${unit}</text>`,
  );
  const shares = shareTicks.map(
    (share) =>
      `<text class="ab-tick" x="${px(x(share))}" y="${headPx + plotPx + 16}" text-anchor="${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}">${formatShare(share)}</text>`,
  );
  return `<svg class="audience-bars audience-curve" viewBox="0 0 ${widthPx} ${headPx + plotPx + labelPx}" role="img" aria-label="Change over the users, those who gain most first">${titled.join('')}${limits.map((limit) => line(limit, 'ac-limit')).join('')}${line(0, 'ab-axis')}<path class="ac-step" d="${path}"/>${levels.join('')}${ticks.join('')}${shares.join('')}</svg>`;
}
