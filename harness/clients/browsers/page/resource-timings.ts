/** What Resource Timing kept of one object; times in ms on the page's clock, 0 where the browser withholds them. */
export interface ResourceTimingRow {
  url: string;
  startMs: number;
  domainLookupStartMs: number;
  connectStartMs: number;
  secureConnectionStartMs: number;
  connectEndMs: number;
  requestStartMs: number;
  responseStartMs: number;
  responseEndMs: number;
  protocol: string;
  /** 0: no answer; null: this browser does not tell. */
  status: number | null;
  transferBytes: number;
  encodedBytes: number;
  decodedBytes: number;
  initiator: string;
}

export function readResourceTimings(types: readonly string[] = ['resource']): ResourceTimingRow[] {
  const entries = types.flatMap((type) => performance.getEntriesByType(type)) as PerformanceResourceTiming[];
  return entries
    .filter((entry) => entry.name.startsWith('http'))
    .map((entry) => ({
      url: entry.name,
      startMs: entry.startTime,
      domainLookupStartMs: entry.domainLookupStart,
      connectStartMs: entry.connectStart,
      secureConnectionStartMs: entry.secureConnectionStart,
      connectEndMs: entry.connectEnd,
      requestStartMs: entry.requestStart,
      responseStartMs: entry.responseStart,
      responseEndMs: entry.responseEnd,
      protocol: entry.nextHopProtocol,
      status: (entry as { responseStatus?: number }).responseStatus ?? null,
      transferBytes: entry.transferSize,
      encodedBytes: entry.encodedBodySize,
      decodedBytes: entry.decodedBodySize,
      initiator: entry.initiatorType,
    }));
}
