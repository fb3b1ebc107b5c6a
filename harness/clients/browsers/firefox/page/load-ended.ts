/** Resolves with true once the load event's handlers have ended; `navigate` may answer a moment earlier. */
export async function loadEnded(): Promise<boolean> {
  for (;;) {
    const navigation = performance.getEntriesByType('navigation')[0] as
      PerformanceNavigationTiming | undefined;
    if (navigation === undefined || navigation.loadEventEnd > 0) return navigation !== undefined;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
