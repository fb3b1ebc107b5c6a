/** Event Timing has none that are shorter. */
const minEventMs = 16;

/**
 * Browsers buffer no events below 104 ms and no soft navigations, so an observer must be there from the start. It keeps
 * what comes and does nothing with it until the step has ended.
 */
export function startJourneyRecorder(): void {
  const key = Symbol.for('h2h3 journey');
  const page = globalThis as unknown as Record<symbol, Record<string, PerformanceEntryList>>;
  if (page[key] !== undefined) return;
  const kept: Record<string, PerformanceEntryList> = {};
  Object.defineProperty(page, key, { value: kept, enumerable: false });
  for (const type of ['event', 'first-input', 'soft-navigation', 'interaction-contentful-paint']) {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) continue;
    const entries: PerformanceEntryList = [];
    kept[type] = entries;
    new PerformanceObserver((list) => void entries.push(...list.getEntries())).observe({
      type,
      buffered: true,
      ...(type === 'event' ? { durationThreshold: minEventMs } : {}),
    });
  }
}
