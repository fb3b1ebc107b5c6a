import { chosenLossWords, isSilent, type Stretch } from '../../src/core/model/schedule-course.ts';
import type { LinkCourses } from '../../src/core/model/link-courses.ts';
import { formatNumber } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';

const widthPx = 720;
const leftPx = 46;
const plotPx = 70;
const rowPx = 104;
const axisPx = 22;
const titlePx = 24;
const tickStepsSeconds = [0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];
const maxTicks = 10;

interface Scale {
  readonly x: (ms: number) => number;
  readonly y: (mbps: number) => number;
  readonly endMs: number;
  readonly topMbps: number;
}

function scaleOf({ arms }: Pick<LinkCourses, 'arms'>): Scale {
  const endMs = Math.max(...arms.map(({ stepMs, mbps }) => stepMs * mbps.length));
  const topMbps = Math.max(...arms.flatMap(({ mbps }) => mbps), 0.001);
  return {
    endMs,
    topMbps,
    x: (ms) => leftPx + ((widthPx - leftPx) * Math.min(ms, endMs)) / endMs,
    y: (mbps) => plotPx * (1 - mbps / topMbps),
  };
}

const px = (value: number): string => value.toFixed(1);

/** What a stretch sets, for people. */
export function stretchWords(stretch: Stretch): string {
  const { fromMs, toMs, rateMbps, delayMs, jitterMs, lossPercent } = stretch;
  const chosen = chosenLossWords(stretch);
  const figures = [
    ...(rateMbps === undefined ? [] : [`${formatNumber(rateMbps)} Mbit/s`]),
    ...(delayMs === undefined ? [] : [`${formatNumber(delayMs)} ms one way`]),
    ...(jitterMs === undefined ? [] : [`± ${formatNumber(jitterMs)} ms`]),
    ...(lossPercent === undefined ? [] : [`${formatNumber(lossPercent)} % loss`]),
    ...(chosen === undefined ? [] : [chosen]),
  ];
  const what = isSilent(stretch) ? 'nothing passes' : figures.join(', ');
  return `${formatNumber(fromMs / 1000)} to ${formatNumber(toMs / 1000)} s: ${what}`;
}

function band(stretch: Stretch, { x }: Scale): string {
  const from = x(stretch.fromMs);
  return `<rect class="${isSilent(stretch) ? 'lc-out' : 'lc-set'}" x="${px(from)}" y="0" width="${px(Math.max(1, x(stretch.toMs) - from))}" height="${plotPx}"><title>${attribute(stretchWords(stretch))}</title></rect>`;
}

/** A line that holds through each step. */
function course({ stepMs, mbps }: LinkCourses['arms'][number], { x, y }: Scale): string {
  const points = mbps.map(
    (rate, step) => `H${px(x(step * stepMs))}V${px(y(rate))}H${px(x((step + 1) * stepMs))}`,
  );
  return `<path class="lc-rate" d="M${px(x(0))} ${plotPx}${points.join('')}V${plotPx}Z"/>`;
}

function row(arm: LinkCourses['arms'][number], title: string, index: number, scale: Scale): string {
  return [
    `<g class="lc-${index % 2}" transform="translate(0 ${index * rowPx + titlePx})">`,
    `<text class="lc-arm" x="${leftPx}" y="-7">${attribute(title)}</text>`,
    ...arm.schedule.map((stretch) => band(stretch, scale)),
    course(arm, scale),
    `<text class="lc-tick" x="${leftPx - 6}" y="9" text-anchor="end">${formatNumber(scale.topMbps)}</text>`,
    `<text class="lc-tick" x="${leftPx - 6}" y="${plotPx}" text-anchor="end">0</text>`,
    `<line class="lc-axis" x1="${leftPx}" x2="${widthPx}" y1="${plotPx}" y2="${plotPx}"/>`,
    '</g>',
  ].join('');
}

function ticks({ x, endMs }: Scale, yPx: number): string {
  const endSeconds = endMs / 1000;
  const step = tickStepsSeconds.find((seconds) => endSeconds / seconds <= maxTicks) ?? endSeconds;
  return Array.from({ length: Math.floor(endSeconds / step) + 1 }, (_, tick) => {
    const seconds = tick * step;
    const anchor = tick === 0 ? 'start' : x(seconds * 1000) > widthPx - 20 ? 'end' : 'middle';
    return `<text class="lc-tick" x="${px(x(seconds * 1000))}" y="${yPx}" text-anchor="${anchor}">${formatNumber(seconds)} s</text>`;
  }).join('');
}

/** Rates that left the link in one block, a row for each arm, over what the schedule set. */
export function linkCourseSvg(courses: Pick<LinkCourses, 'arms'>, titleOf: (arm: string) => string): string {
  const scale = scaleOf(courses);
  const heightPx = courses.arms.length * rowPx + axisPx;
  const rows = courses.arms.map((arm, index) => row(arm, titleOf(arm.arm), index, scale));
  return `<svg class="link-course" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="Rate over the link in Mbit/s, over time">${rows.join('')}${ticks(scale, heightPx - axisPx)}</svg>`;
}
