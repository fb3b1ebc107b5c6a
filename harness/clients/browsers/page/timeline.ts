/** Runs in a document or worker once its load has come to rest, and reads what the browser kept of its requests. */

interface RequestTiming extends Omit<PerformanceResourceTiming, 'responseStatus'> {
  readonly responseStatus?: number;
  readonly deliveryType?: string;
}

/** Fields of `timelineEntrySchema`. */
interface Entry {
  readonly url: string;
  readonly startMs: number;
  readonly [field: string]: string | number | null;
}

/** An observer is told of entries that are there already within a task of its own. */
const observerLimitMs = 200;

function entryOf(timing: RequestTiming): Entry {
  return {
    url: timing.name,
    startMs: timing.startTime,
    redirectEndMs: timing.redirectEnd,
    workerStartMs: timing.workerStart,
    domainLookupStartMs: timing.domainLookupStart,
    connectStartMs: timing.connectStart,
    secureConnectionStartMs: timing.secureConnectionStart,
    connectEndMs: timing.connectEnd,
    requestStartMs: timing.requestStart,
    responseStartMs: timing.responseStart,
    responseEndMs: timing.responseEnd,
    protocol: timing.nextHopProtocol,
    status: timing.responseStatus ?? null,
    delivery: timing.deliveryType ?? '',
    transferBytes: timing.transferSize,
    encodedBytes: timing.encodedBodySize,
    decodedBytes: timing.decodedBodySize,
    initiator: timing.initiatorType,
  };
}

/** The entries of these types, in order of their starts. */
export function readEntries(types: readonly string[] = ['resource']): Entry[] {
  const entries = types.flatMap((type) => performance.getEntriesByType(type)) as RequestTiming[];
  return entries.filter(({ name }) => name.startsWith('http')).map(entryOf);
}

/** How many requests found no room in the buffer; null where this browser does not say. */
function droppedEntries(): Promise<number | null> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver(
      (_, self, details?: { readonly droppedEntriesCount?: number }) => {
        self.disconnect();
        resolve(details?.droppedEntriesCount ?? null);
      },
    );
    observer.observe({ type: 'resource', buffered: true });
    // Without any entry it is never called.
    setTimeout(() => {
      observer.disconnect();
      resolve(performance.getEntriesByType('resource').length === 0 ? 0 : null);
    }, observerLimitMs);
  });
}

/** A timeline (`timelineSchema`) as a string of JSON. */
export async function readTimeline(scope: 'page' | 'frame' | 'worker'): Promise<string> {
  const entries = readEntries(scope === 'page' ? ['navigation', 'resource'] : ['resource']);
  return JSON.stringify({
    scope,
    url: location.href,
    timeOriginEpochMs: performance.timeOrigin,
    droppedEntries: await droppedEntries(),
    entries,
  });
}
