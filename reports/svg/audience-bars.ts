import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import { changeOnAxis, partsOf, type AudiencePart } from '../format/audience-change.ts';
import { formatRatioPercent, formatShare } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';

type Segment = AudienceAnswer['segments'][number];

/** Of both pictures of an audience. */
export const audiencePlot = { widthPx: 720, leftPx: 76, plotPx: 160, headPx: 14, labelPx: 30 } as const;
const { widthPx, leftPx, plotPx, headPx } = audiencePlot;
const characterPx = 6.6;
const linePx = 14;
/** Names are broken into as many lines at most. */
const maxLines = 4;
/** Narrower segments have their names in the table alone. */
const minNamedPx = 40;

export const px = (value: number): string => value.toFixed(1);

/** Intervals reach beyond the bars by so much of their span at most; what is longer is cut at the edge. */
const reach = 0.35;

/** Top and bottom of the axis: zero, all bars, and the ends of intervals as far as they leave the bars legible. */
export function axisRange(
  changes: readonly number[],
  ends: readonly number[],
): readonly [low: number, high: number] {
  const least = Math.min(0, ...changes);
  const most = Math.max(0, ...changes);
  const room = reach * (most - least);
  const low = Math.max(Math.min(least, ...ends), least - room);
  const high = Math.min(Math.max(most, ...ends), most + room);
  return low === high ? [-1, 1] : [low, high];
}

function rangeOf(parts: readonly AudiencePart[]): readonly [low: number, high: number] {
  const measured = parts.flatMap(({ ratio }) => (ratio === null ? [] : [changeOnAxis(ratio)]));
  return axisRange(
    measured,
    parts.flatMap(({ ratioInterval }) => (ratioInterval ?? []).map(changeOnAxis)),
  );
}

interface Span {
  readonly fromPx: number;
  readonly toPx: number;
  readonly y: (change: number) => number;
}

function bar(part: AudiencePart, { fromPx, toPx, y }: Span, isGood: boolean): string {
  const { ratio, ratioInterval, title, share } = part;
  if (ratio === null) return '';
  const change = changeOnAxis(ratio);
  const top = y(Math.max(0, change));
  const bottom = y(Math.min(0, change));
  const middle = (fromPx + toPx) / 2;
  const words = `${title}: ${formatShare(share)} of page views, ${formatRatioPercent(ratio)}`;
  return [
    `<g><title>${attribute(words)}</title>`,
    `<rect class="${isGood ? 'ab-good' : 'ab-bad'}" x="${px(fromPx)}" y="${px(top)}" width="${px(Math.max(1, toPx - fromPx - 1))}" height="${px(Math.max(1, bottom - top))}"/>`,
    ...(ratioInterval === null
      ? []
      : [
          `<line class="ab-interval" x1="${px(middle)}" x2="${px(middle)}" y1="${px(y(changeOnAxis(ratioInterval[0])))}" y2="${px(y(changeOnAxis(ratioInterval[1])))}"/>`,
        ]),
    '</g>',
  ].join('');
}

/** Words in lines of so many characters; what is longer is cut. */
function linesOf(text: string, characters: number): string[] {
  const lines = text.split(' ').reduce<string[]>((all, word) => {
    const last = all.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    return last !== undefined && longer.length <= characters ? [...all.slice(0, -1), longer] : [...all, word];
  }, []);
  const shown = lines.slice(0, maxLines).map((line) => cutTo(line, characters));
  return lines.length > maxLines ? [...shown.slice(0, -1), `${shown.at(-1)}…`] : shown;
}

function cutTo(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, Math.max(1, Math.floor(characters) - 1))}…`;
}

function nameOf({ title, share }: Segment, fromPx: number, toPx: number): string {
  if (toPx - fromPx < minNamedPx) return '';
  const lines = [...linesOf(title, (toPx - fromPx) / characterPx), formatShare(share)];
  return lines
    .map(
      (line, index) =>
        `<text class="ab-name" x="${px((fromPx + toPx) / 2)}" y="${headPx + plotPx + linePx * (index + 1)}" text-anchor="middle">${attribute(line)}</text>`,
    )
    .join('');
}

/**
 * A group of bars a segment, as wide as its share of the page views: a bar for each of its workloads, as high as its change, with its
 * interval.
 */
export function audienceBars(answer: AudienceAnswer): string {
  const { segments, higherIsBetter } = answer;
  const [low, high] = rangeOf(partsOf(answer));
  const y = (change: number): number =>
    headPx + (plotPx * (high - Math.min(high, Math.max(low, change)))) / (high - low);
  const whole = segments.reduce((sum, { share }) => sum + share, 0);
  let fromPx: number = leftPx;
  const groups = segments.map((segment) => {
    const parts = partsOf({ segments: [segment] });
    const widthOfSegmentPx = ((widthPx - leftPx) * segment.share) / whole;
    const each = widthOfSegmentPx / parts.length;
    const bars = parts.map((part, index) => {
      const span = { fromPx: fromPx + each * index, toPx: fromPx + each * (index + 1), y };
      return bar(part, span, (part.ratio ?? 1) > 1 === higherIsBetter);
    });
    const name = nameOf(segment, fromPx, fromPx + widthOfSegmentPx);
    const edge = `<line class="ab-edge" x1="${px(fromPx)}" x2="${px(fromPx)}" y1="${headPx}" y2="${headPx + plotPx}"/>`;
    fromPx += widthOfSegmentPx;
    return `${edge}${bars.join('')}${name}`;
  });
  const tick = (change: number): string =>
    `<text class="ab-tick" x="${leftPx - 6}" y="${px(y(change) + 4)}" text-anchor="end">${formatRatioPercent(1 + change)}</text>`;
  const ticks = spaced([0, low, high], y).map(tick).join('');
  const heightPx = headPx + plotPx + linePx * (maxLines + 1) + 6;
  return `<svg class="audience-bars" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="Change by segment of the audience, as wide as its share">${groups.join('')}<line class="ab-axis" x1="${leftPx}" x2="${widthPx}" y1="${px(y(0))}" y2="${px(y(0))}"/>${ticks}</svg>`;
}

/** Closer ticks of the axis would lie on one another. */
const minTickGapPx = 24;

/** Values of which none lies on an earlier one. */
export function spaced(values: readonly number[], y: (value: number) => number): number[] {
  return values.reduce<number[]>(
    (kept, value) =>
      kept.every((other) => Math.abs(y(other) - y(value)) >= minTickGapPx) ? [...kept, value] : kept,
    [],
  );
}
