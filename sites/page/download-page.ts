/**
 * Downloads `bytes` in each of `streams` parallel requests and resolves `globalThis.h2h3Session` with the raw times
 * (`downloadSessionSchema`). Every request has an address of its own: browsers let equal ones wait for each other.
 */
interface StreamTimes {
  url: string;
  bytes: number;
  requestStartMs: number;
  connectStartMs: number;
  connectEndMs: number;
  responseStartMs: number;
  responseEndMs: number;
  lastByteReadMs: number;
  protocol: string;
  resumption?: typeof resumption;
}

/** Set where the bodies' host is asked once before, so long that it ends the connection: what is measured connects again. */
const parameters = new URLSearchParams(location.search);
const againAfterMs = parameters.has('again') ? Number(parameters.get('again')) : null;

/** Set where a body is read before, and after so long the measured ones on the same connection. */
const restMs = parameters.has('rest') ? Number(parameters.get('rest')) : null;

/** Set where another body of this name is asked for before on the same connection, and not read. */
const unreadName = parameters.get('unread');

/** How long the browser may take of it before the measured ones are asked for, and after which time from then it is given up. */
const unreadFirstMs = Number(parameters.get('unreadFirst'));
const unreadAtMostMs = Number(parameters.get('unreadAtMost'));

/** How long Resource Timing may take to show an entry after the last byte was read. */
const entryWaitMs = 2_000;

const sizeBytes = Number(parameters.get('bytes'));
const streamCount = Number(parameters.get('streams'));
const bodyHost = location.host.replace(/^lab\./, 'files.');

async function readWhole(url: string): Promise<{ bytes: number; lastByteReadMs: number }> {
  const response = await fetch(url, { cache: 'no-store', credentials: 'omit' });
  if (!response.ok || response.body === null) throw new Error(`${url}: status ${response.status}`);
  const reader = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes, lastByteReadMs: performance.now() };
    bytes += value.byteLength;
  }
}

/** The entry of `url` from this moment on; null when the browser shows none in time. */
async function timingOf(url: string, fromMs: number): Promise<PerformanceResourceTiming | null> {
  const giveUpAtMs = performance.now() + entryWaitMs;
  for (;;) {
    const entry = performance.getEntriesByName(url, 'resource').find(({ startTime }) => startTime >= fromMs);
    if (entry instanceof PerformanceResourceTiming && entry.responseEnd > 0) return entry;
    if (performance.now() > giveUpAtMs) return null;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function downloadOne(index: number): Promise<StreamTimes> {
  const url = `https://${bodyHost}/${sizeBytes}.bin?stream=${index}`;
  const startMs = performance.now();
  const { bytes, lastByteReadMs } = await readWhole(url);
  const timing = await timingOf(url, startMs);
  if (timing === null) throw new Error(`${url}: the browser kept no timing of it`);
  return {
    url,
    bytes,
    requestStartMs: timing.requestStart,
    connectStartMs: timing.connectStart,
    connectEndMs: timing.connectEnd,
    responseStartMs: timing.responseStart,
    responseEndMs: timing.responseEnd,
    lastByteReadMs,
    protocol: timing.nextHopProtocol,
    ...(againAfterMs !== null && index === 0 ? { resumption } : {}),
  };
}

/** No page is told of it; a HEAD brings the ticket and no byte of a body. */
const resumption = { resumed: null, earlyData: null, ticketBytes: 0, isRecorded: true };

async function visitBefore(pauseMs: number): Promise<void> {
  const response = await fetch(`https://${bodyHost}/${sizeBytes}.bin?stream=0`, {
    method: 'HEAD',
    cache: 'no-store',
    credentials: 'omit',
  });
  // An answer whose body is not read to its end counts as aborted.
  await response.arrayBuffer();
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

async function readAndRest(pauseMs: number): Promise<void> {
  await readWhole(`https://${bodyHost}/${sizeBytes}.bin?stream=rest`);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

interface Unread {
  readonly url: string;
  /** Until then it is held: browsers read on for an answer that no script can reach any more. */
  readonly giveUp: () => void;
}

async function leaveUnread(name: string): Promise<Unread> {
  const url = `https://${bodyHost}/${name}?stream=unread`;
  const { ok, status, body } = await fetch(url, { cache: 'no-store', credentials: 'omit' });
  if (!ok || body === null) throw new Error(`${url}: status ${status}`);
  await new Promise((resolve) => setTimeout(resolve, unreadFirstMs));
  const giveUp = (): void => void body.cancel().catch(() => undefined);
  // A server that lets the others wait for it goes on then, so that the time says how long they would have waited at least.
  setTimeout(giveUp, unreadAtMostMs);
  return { url, giveUp };
}

async function run(): Promise<unknown> {
  performance.setResourceTimingBufferSize(10_000);
  if (againAfterMs !== null) await visitBefore(againAfterMs);
  if (restMs !== null) await readAndRest(restMs);
  const unread = unreadName === null ? undefined : await leaveUnread(unreadName);
  const results = await Promise.allSettled(
    Array.from({ length: streamCount }, (_, index) => downloadOne(index)),
  );
  unread?.giveUp();
  const streams = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  return {
    kind: 'download',
    timeOriginEpochMs: performance.timeOrigin,
    expectedBytes: sizeBytes * streamCount,
    streams,
    ...(unread === undefined ? {} : { abandonedUrls: [unread.url] }),
    errors,
  };
}

/** `sessionEndPath`. */
const endPath = '/h2h3-session-ended';
const session = run();
Object.assign(globalThis, { h2h3Session: session });
const tellEnd = (): void => void fetch(endPath, { cache: 'no-store' }).catch(() => undefined);
session.then(tellEnd, tellEnd);

export {};
