import { realPages, type Quantiles } from '../../src/core/model/real-pages.ts';
import { seededBytes } from './seeded-bytes.ts';

/** Beyond the last known quantile nothing is published, so nothing is longer. */
const blockingTimeMs: Quantiles = [[0, 0], ...realPages.tbtMs.quantiles];
/** Length of long tasks on desktops in ms: Web Almanac 2024, chapter Performance, "Task duration, segmented by device" (RUMvision). */
const longTaskMs: Quantiles = [
  [0, 50],
  [0.25, 61],
  [0.5, 90],
  [0.75, 161],
  [0.9, 331],
];
/** What of a task blocks begins here (W3C Long Tasks). */
const blocksFromMs = 50;

/** Decoded bytes of JavaScript of the hundred shipped shapes: a page's place among them is its place in blocking time. */
const scriptBytes: Quantiles = [
  [0, 0],
  [0.1, 948_000],
  [0.25, 1_982_000],
  [0.5, 3_542_000],
  [0.75, 6_141_000],
  [0.9, 9_125_000],
];

export interface Script {
  readonly row: number;
  readonly rawBytes: number;
}

/**
 * How long each script of a page keeps the main thread of a whole CPU busy, in ms by row: the page's blocking time is drawn by how much
 * JavaScript it has, its tasks from the published lengths, and the longest go to the largest scripts. Scripts that are
 * not named do nothing but to ask for more.
 */
export function scriptWork(site: string, scripts: readonly Script[]): ReadonlyMap<number, number> {
  const bytes = scripts.reduce((sum, { rawBytes }) => sum + rawBytes, 0);
  const tasks = tasksOf(site, valueAt(blockingTimeMs, shareAt(scriptBytes, bytes)), scripts.length);
  const largestFirst = [...scripts].sort((a, b) => b.rawBytes - a.rawBytes || a.row - b.row);
  return new Map(
    tasks
      .sort((a, b) => b - a)
      .flatMap((ms, at) => {
        const script = largestFirst[at];
        return script === undefined ? [] : [[script.row, ms] as const];
      }),
  );
}

/** Tasks whose parts beyond 50 ms add up to `blockingMs`; the last of as many as there are scripts takes what is left. */
function tasksOf(site: string, blockingMs: number, most: number): number[] {
  const tasks: number[] = [];
  for (let leftMs = Math.round(blockingMs); leftMs > 0 && tasks.length < most;) {
    const share = seededBytes(`${site} task ${tasks.length}`, 4).readUInt32LE() / 2 ** 32;
    const drawnMs = Math.round(valueAt(longTaskMs, share)) - blocksFromMs;
    const ms = tasks.length === most - 1 ? leftMs : Math.min(leftMs, Math.max(1, drawnMs));
    tasks.push(blocksFromMs + ms);
    leftMs -= ms;
  }
  return tasks;
}

/** Between two known quantiles on the straight line; beyond the last its value. */
function valueAt(quantiles: Quantiles, share: number): number {
  return onLine(quantiles, share);
}

/** The share of pages with less than this. */
function shareAt(quantiles: Quantiles, value: number): number {
  return onLine(
    quantiles.map(([share, at]) => [at, share] as const),
    value,
  );
}

function onLine(points: Quantiles, x: number): number {
  const after = points.findIndex(([at]) => at > x);
  if (after < 0) return points.at(-1)?.[1] ?? 0;
  const [x0, y0] = points[after - 1] ?? [0, 0];
  const [x1, y1] = points[after] ?? [0, 0];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}
