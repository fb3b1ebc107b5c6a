import type { PageTimings, ShownDocument } from '../../../src/core/model/raw-trial.ts';

/**
 * The times of the page that shows in the end, counted from the first document on, as the user who asked for it waits. A page that was one
 * document keeps its own times, which are exact; those of a chain are exact to the message that began it.
 */
export function timesFromStart(timings: PageTimings, documents: readonly ShownDocument[]): PageTimings {
  const [first, second] = documents;
  if (first === undefined || second === undefined) return timings;
  const laterMs = Math.max(0, timings.timeOriginEpochMs - first.askedEpochMs);
  // 0: it never was.
  const shifted = (ms: number): number => (ms === 0 ? 0 : ms + laterMs);
  const { loadEventStartMs, fcpMs, lcpMs, longTasks } = timings;
  return {
    ...timings,
    timeOriginEpochMs: timings.timeOriginEpochMs - laterMs,
    connectStartMs: timings.connectStartMs + laterMs,
    connectEndMs: timings.connectEndMs + laterMs,
    requestStartMs: shifted(timings.requestStartMs),
    responseStartMs: shifted(timings.responseStartMs),
    responseEndMs: shifted(timings.responseEndMs),
    domContentLoadedMs: shifted(timings.domContentLoadedMs),
    ...(loadEventStartMs === undefined ? {} : { loadEventStartMs: shifted(loadEventStartMs) }),
    loadEventEndMs: shifted(timings.loadEventEndMs),
    fcpMs: fcpMs === null ? null : shifted(fcpMs),
    lcpMs: lcpMs === null ? null : shifted(lcpMs),
    longTasks: longTasks?.map((task) => ({ ...task, startMs: task.startMs + laterMs })) ?? null,
  };
}
