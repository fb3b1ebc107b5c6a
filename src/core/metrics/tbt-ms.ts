import { finiteOrNull, sum } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';
import type { PageInput } from './metric-inputs.ts';

/** The part of a long task beyond this blocks the user. */
const blockingThresholdMs = 50;

export const tbtMs: Metric = {
  name: 'tbtMs',
  title: 'total blocking time',
  meaning: 'Time in which long tasks kept the main thread from answering.',
  source: 'https://web.dev/articles/tbt',
  unit: 'ms',
  form: 'difference',
  margin: 20,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    page: totalBlockingMs,
  },
};

/**
 * What each long task takes beyond 50 ms, between First Contentful Paint and the end of the measurement (load and the
 * quiet time after it). A task under way at FCP counts from FCP, as in Lighthouse.
 */
function totalBlockingMs({ timings }: PageInput): number | null {
  const fcpMs = finiteOrNull(timings.fcpMs);
  if (fcpMs === null || !Array.isArray(timings.longTasks)) return null;
  return sum(
    timings.longTasks.map((task) => {
      const afterFcpMs = task.startMs + task.durationMs - Math.max(task.startMs, fcpMs);
      return Math.max(0, afterFcpMs - blockingThresholdMs);
    }),
  );
}
