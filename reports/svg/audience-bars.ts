import type { AudienceAnswer } from '../../src/core/model/audience.ts';
import { changeOnAxis } from '../format/audience-change.ts';
import { formatRatioPercent, formatShare } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';

type Segment = AudienceAnswer['segments'][number];

/** Of both pictures of an audience. */
export const audiencePlot = { widthPx: 720, leftPx: 56, plotPx: 160, headPx: 12, labelPx: 30 } as const;
const { widthPx, leftPx, plotPx, headPx, labelPx } = audiencePlot;
/** Narrower bars have their names in the table alone. */
const minNamedPx = 64;
const characterPx = 7.2;

export const px = (value: number): string => value.toFixed(1);

/** Top and bottom of the axis: the farthest end of any interval either way, and zero. */
function rangeOf(segments: readonly Segment[]): readonly [low: number, high: number] {
  const ends = segments.flatMap(({ ratio, ratioInterval }) =>
    ratio === null ? [] : [changeOnAxis(ratio), ...(ratioInterval ?? []).map(changeOnAxis)],
  );
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  return low === high ? [-1, 1] : [low, high];
}

interface Span {
  readonly fromPx: number;
  readonly toPx: number;
  readonly y: (change: number) => number;
}

function bar(segment: Segment, { fromPx, toPx, y }: Span, isGood: boolean): string {
  const { ratio, ratioInterval, title, share } = segment;
  if (ratio === null) return '';
  const change = changeOnAxis(ratio);
  const top = y(Math.max(0, change));
  const bottom = y(Math.min(0, change));
  const middle = (fromPx + toPx) / 2;
  const words = `${title}: ${formatShare(share)} of page views, ${formatRatioPercent(ratio)}`;
  const name = cutTo(title, (toPx - fromPx) / characterPx);
  return [
    `<g><title>${attribute(words)}</title>`,
    `<rect class="${isGood ? 'ab-good' : 'ab-bad'}" x="${px(fromPx)}" y="${px(top)}" width="${px(Math.max(1, toPx - fromPx - 1))}" height="${px(Math.max(1, bottom - top))}"/>`,
    ...(ratioInterval === null
      ? []
      : [
          `<line class="ab-interval" x1="${px(middle)}" x2="${px(middle)}" y1="${px(y(changeOnAxis(ratioInterval[0])))}" y2="${px(y(changeOnAxis(ratioInterval[1])))}"/>`,
        ]),
    ...(toPx - fromPx < minNamedPx
      ? []
      : [
          `<text class="ab-name" x="${px(middle)}" y="${headPx + plotPx + 14}" text-anchor="middle">${attribute(name)}</text>`,
        ]),
    '</g>',
  ].join('');
}

function cutTo(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, Math.max(1, Math.floor(characters) - 1))}…`;
}

/** A bar a segment: as wide as its share of the page views, as high as its change, with its interval. */
export function audienceBars({ segments, higherIsBetter }: AudienceAnswer): string {
  const [low, high] = rangeOf(segments);
  const y = (change: number): number => headPx + (plotPx * (high - change)) / (high - low);
  const whole = segments.reduce((sum, { share }) => sum + share, 0);
  let fromPx: number = leftPx;
  const bars = segments.map((segment) => {
    const toPx = fromPx + ((widthPx - leftPx) * segment.share) / whole;
    const drawn = bar(segment, { fromPx, toPx, y }, (segment.ratio ?? 1) > 1 === higherIsBetter);
    fromPx = toPx;
    return drawn;
  });
  const tick = (change: number): string =>
    `<text class="ab-tick" x="${leftPx - 6}" y="${px(y(change) + 4)}" text-anchor="end">${formatRatioPercent(1 + change)}</text>`;
  const ticks = [...new Set([low, 0, high])].map(tick).join('');
  return `<svg class="audience-bars" viewBox="0 0 ${widthPx} ${headPx + plotPx + labelPx}" role="img" aria-label="Change by segment of the audience, as wide as its share">${bars.join('')}<line class="ab-axis" x1="${leftPx}" x2="${widthPx}" y1="${px(y(0))}" y2="${px(y(0))}"/>${ticks}</svg>`;
}
