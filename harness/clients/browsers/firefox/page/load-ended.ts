/** Resolves with the document's time origin once the load event's handlers have ended; `navigate` may answer a moment earlier. */
export async function loadEnded(): Promise<number> {
  for (;;) {
    const navigation = performance.getEntriesByType('navigation')[0] as
      PerformanceNavigationTiming | undefined;
    if (navigation === undefined || navigation.loadEventEnd > 0) return performance.timeOrigin;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
