import { isSilent, type Stretch } from '../../model/schedule-course.ts';
import type { CourseInput } from '../metric-inputs.ts';
import { sum } from './numbers.ts';

/** Loss from which on a stretch of a schedule disturbs what crosses the link, %. */
const disturbingLossPercent = 5;

const disturbs = (stretch: Stretch): boolean =>
  isSilent(stretch) || (stretch.lossPercent ?? 0) >= disturbingLossPercent;

/** What of a schedule disturbs, in order; stretches that meet are one. */
export function disturbancesOf(schedule: readonly Stretch[]): CourseInput['disturbances'] {
  const all: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of schedule.filter(disturbs)) {
    const last = all.at(-1);
    if (last === undefined || last.toMs < fromMs) all.push({ fromMs, toMs });
    else all[all.length - 1] = { fromMs: last.fromMs, toMs };
  }
  return all;
}

/** Bytes that left the link from a time on, until another; both are cut to whole stretches of its count, inwards. */
export function bytesWithin(
  { binMs, bytes }: Pick<CourseInput, 'binMs' | 'bytes'>,
  fromMs: number,
  toMs: number,
): number {
  return sum(bytes.slice(Math.ceil(fromMs / binMs), Math.max(0, Math.floor(toMs / binMs))));
}

/** When the last byte left the link. */
export function endMsOf({ binMs, bytes }: Pick<CourseInput, 'binMs' | 'bytes'>): number {
  return (bytes.findLastIndex((count) => count > 0) + 1) * binMs;
}
