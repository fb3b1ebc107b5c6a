import { chosenLossWords, isSilent, type Stretch } from '../../src/core/model/schedule-course.ts';
import type { LinkCourses } from '../../src/core/model/link-courses.ts';
import { formatNumber } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';

const widthPx = 720;
const leftPx = 46;
const plotPx = 70;
/** Of the strips of delay and loss below it, and what parts each from what is above. */
const stripPx = 26;
const stripGapPx = 18;
const belowPx = 10;
const axisPx = 22;
const titlePx = 24;
const tickStepsSeconds = [0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];
const maxTicks = 10;

type ArmCourse = LinkCourses['arms'][number];

/** One quantity of a link over time: what was measured in each step, and what the schedule planned. */
interface Panel {
  readonly name: string;
  readonly unit: string;
  readonly heightPx: number;
  /** Below the top of the arm's first panel. */
  readonly atPx: number;
  readonly measured: (arm: ArmCourse) => readonly (number | null)[];
  readonly planned: (stretch: Stretch) => number | undefined;
}

const panels: readonly Panel[] = [
  {
    name: 'rate',
    unit: 'Mbit/s',
    heightPx: plotPx,
    atPx: 0,
    measured: ({ mbps }) => mbps,
    planned: ({ rateMbps }) => rateMbps,
  },
  {
    name: 'delay',
    unit: 'ms',
    heightPx: stripPx,
    atPx: plotPx + stripGapPx,
    measured: ({ delayMs = [] }) => delayMs,
    planned: ({ delayMs }) => delayMs,
  },
  {
    name: 'loss',
    unit: '%',
    heightPx: stripPx,
    atPx: plotPx + 2 * stripGapPx + stripPx,
    measured: ({ lossPercent = [] }) => lossPercent,
    planned: (stretch) => (isSilent(stretch) ? 100 : stretch.lossPercent),
  },
];

interface Scale {
  readonly x: (ms: number) => number;
  readonly endMs: number;
  /** Highest value of each panel that has any, over all arms. */
  readonly tops: ReadonlyMap<Panel, number>;
}

function scaleOf({ arms }: Pick<LinkCourses, 'arms'>): Scale {
  const endMs = Math.max(...arms.map(({ stepMs, mbps }) => stepMs * mbps.length));
  const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';
  const tops = panels.flatMap((panel): [Panel, number][] => {
    const measured = arms.flatMap(panel.measured);
    if (measured.length === 0) return [];
    const planned = arms.flatMap(({ schedule }) => schedule.map(panel.planned));
    return [[panel, Math.max(...[...measured, ...planned].filter(isNumber), 0.001)]];
  });
  return {
    endMs,
    tops: new Map(tops),
    x: (ms) => leftPx + ((widthPx - leftPx) * Math.min(ms, endMs)) / endMs,
  };
}

const heightOfArm = ({ tops }: Scale): number => {
  const last = [...tops.keys()].at(-1);
  return titlePx + (last === undefined ? plotPx : last.atPx + last.heightPx) + belowPx;
};

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

function band(stretch: Stretch, heightPx: number, { x }: Scale): string {
  const from = x(stretch.fromMs);
  return `<rect class="${isSilent(stretch) ? 'lc-out' : 'lc-set'}" x="${px(from)}" y="0" width="${px(Math.max(1, x(stretch.toMs) - from))}" height="${heightPx}"><title>${attribute(stretchWords(stretch))}</title></rect>`;
}

/** What was measured: a line that holds through each step, down to the axis where there was nothing. */
function course(arm: ArmCourse, { measured, heightPx }: Panel, topValue: number, { x }: Scale): string {
  const points = measured(arm).map((value, step) => {
    const y = heightPx * (1 - (value ?? 0) / topValue);
    return `H${px(x(step * arm.stepMs))}V${px(y)}H${px(x((step + 1) * arm.stepMs))}`;
  });
  return `<path class="lc-rate" d="M${px(x(0))} ${heightPx}${points.join('')}V${heightPx}Z"/>`;
}

/** What the schedule set, as far as it says this quantity. */
function plan({ schedule }: ArmCourse, { planned, heightPx }: Panel, topValue: number, { x }: Scale): string {
  const lines = schedule.flatMap((stretch) => {
    const value = planned(stretch);
    if (value === undefined) return [];
    return `M${px(x(stretch.fromMs))} ${px(heightPx * (1 - value / topValue))}H${px(x(stretch.toMs))}`;
  });
  return lines.length === 0 ? '' : `<path class="lc-plan" d="${lines.join('')}"/>`;
}

function panelOf(arm: ArmCourse, panel: Panel, topValue: number, scale: Scale): string {
  const { name, unit, heightPx, atPx } = panel;
  return [
    `<g transform="translate(0 ${atPx})">`,
    atPx === 0 ? '' : `<text class="lc-tick" x="${leftPx}" y="-4">${name}, ${unit}</text>`,
    ...arm.schedule.map((stretch) => band(stretch, heightPx, scale)),
    course(arm, panel, topValue, scale),
    plan(arm, panel, topValue, scale),
    `<text class="lc-tick" x="${leftPx - 6}" y="9" text-anchor="end">${formatNumber(topValue)}</text>`,
    `<text class="lc-tick" x="${leftPx - 6}" y="${heightPx}" text-anchor="end">0</text>`,
    `<line class="lc-axis" x1="${leftPx}" x2="${widthPx}" y1="${heightPx}" y2="${heightPx}"/>`,
    '</g>',
  ].join('');
}

function row(arm: ArmCourse, title: string, index: number, scale: Scale): string {
  return [
    `<g class="lc-${index % 2}" transform="translate(0 ${index * heightOfArm(scale) + titlePx})">`,
    `<text class="lc-arm" x="${leftPx}" y="-7">${attribute(title)}</text>`,
    ...[...scale.tops].map(([panel, topValue]) => panelOf(arm, panel, topValue, scale)),
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

/** What the link did in one block, a row for each arm: rate, delay and loss, measured and as the schedule planned them. */
export function linkCourseSvg(courses: Pick<LinkCourses, 'arms'>, titleOf: (arm: string) => string): string {
  const scale = scaleOf(courses);
  const heightPx = courses.arms.length * heightOfArm(scale) + axisPx;
  const rows = courses.arms.map((arm, index) => row(arm, titleOf(arm.arm), index, scale));
  return `<svg class="link-course" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="Rate, delay and loss of the link over time">${rows.join('')}${ticks(scale, heightPx - axisPx)}</svg>`;
}
