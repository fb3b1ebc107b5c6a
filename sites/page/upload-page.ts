import { uploadBody, uploadForms } from './upload-body.ts';

/**
 * Uploads one body to `path` of the sink's host and resolves `globalThis.h2h3Session` with the raw times
 * (`uploadSessionSchema`). The body is made before the request begins.
 */
const parameters = new URLSearchParams(location.search);
const sizeBytes = Number(parameters.get('bytes'));
const form = uploadForms.find((name) => name === parameters.get('form')) ?? 'plain';
const url = `https://${location.host.replace(/^lab\./, 'sink.')}${parameters.get('path')}`;

/** How long Resource Timing may take to show an entry after the answer was read. */
const entryWaitMs = 2_000;

/** The entry of the upload; null when the browser shows none in time. */
async function timingOfUpload(): Promise<PerformanceResourceTiming | null> {
  const giveUpAtMs = performance.now() + entryWaitMs;
  for (;;) {
    const [entry] = performance.getEntriesByName(url, 'resource');
    if (entry instanceof PerformanceResourceTiming && entry.responseEnd > 0) return entry;
    if (performance.now() > giveUpAtMs) return null;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function upload(): Promise<unknown> {
  const { bytes, contentType } = uploadBody(form, sizeBytes);
  // Without a type of its own a body needs no preflight.
  const body = new Blob([bytes], { type: contentType });
  const response = await fetch(url, { method: 'POST', body, cache: 'no-store', credentials: 'omit' });
  const answer = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  const timing = await timingOfUpload();
  if (timing === null) throw new Error(`${url}: the browser kept no timing of it`);
  return {
    url,
    sentBytes: body.size,
    requestStartMs: timing.requestStart,
    connectStartMs: timing.connectStart,
    connectEndMs: timing.connectEnd,
    responseStartMs: timing.responseStart,
    responseEndMs: timing.responseEnd,
    answerBytes: answer.byteLength,
    protocol: timing.nextHopProtocol,
  };
}

async function run(): Promise<unknown> {
  const [result] = await Promise.allSettled([upload()]);
  const isDone = result.status === 'fulfilled';
  return {
    kind: 'upload',
    timeOriginEpochMs: performance.timeOrigin,
    uploads: isDone ? [result.value] : [],
    errors: isDone ? [] : [String(result.reason)],
  };
}

/** `sessionEndPath`. */
const endPath = '/h2h3-session-ended';
const session = run();
Object.assign(globalThis, { h2h3Session: session });
const tellEnd = (): void => void fetch(endPath, { cache: 'no-store' }).catch(() => undefined);
session.then(tellEnd, tellEnd);
