/**
 * Runs in the page at the end of the measurement and reads what the browser kept: the navigation entry and,
 * through observers with `buffered`, the Web Vitals entries. Nothing runs in the page while it loads.
 * Returns the fields of `pageTimingsSchema`.
 */
interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

function buffered(type: string): PerformanceEntryList | null {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return null;
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type, buffered: true });
  const entries = observer.takeRecords();
  observer.disconnect();
  return entries;
}

/** Largest sum of a session window: shifts at most 1 s apart, 5 s long at the most (https://web.dev/articles/cls). */
function cumulativeLayoutShift(entries: PerformanceEntryList): number {
  let largest = 0;
  let sum = 0;
  let windowStartMs = -Infinity;
  let lastMs = -Infinity;
  for (const entry of entries as ShiftEntry[]) {
    if (entry.hadRecentInput) continue;
    const joins = entry.startTime - lastMs < 1000 && entry.startTime - windowStartMs < 5000;
    if (!joins) {
      sum = 0;
      windowStartMs = entry.startTime;
    }
    sum += entry.value;
    lastMs = entry.startTime;
    largest = Math.max(largest, sum);
  }
  return largest;
}

export function readPageTimings(): object | null {
  const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
  if (navigation === undefined) return null;
  const shifts = buffered('layout-shift');
  return {
    timeOriginEpochMs: performance.timeOrigin,
    connectStartMs: navigation.connectStart,
    connectEndMs: navigation.connectEnd,
    requestStartMs: navigation.requestStart,
    responseStartMs: navigation.responseStart,
    responseEndMs: navigation.responseEnd,
    domContentLoadedMs: navigation.domContentLoadedEventEnd,
    loadEventStartMs: navigation.loadEventStart,
    loadEventEndMs: navigation.loadEventEnd,
    nextHopProtocol: navigation.nextHopProtocol,
    fcpMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
    lcpMs: buffered('largest-contentful-paint')?.at(-1)?.startTime ?? null,
    cls: shifts === null ? null : cumulativeLayoutShift(shifts),
    longTasks:
      buffered('longtask')?.map((task) => ({ startMs: task.startTime, durationMs: task.duration })) ?? null,
  };
}
