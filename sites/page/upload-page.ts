import { uploadBody, uploadForms, uploadWays, type UploadWay } from './upload-body.ts';

/**
 * Uploads one body to `path` of the sink's host and resolves `globalThis.h2h3Session` with the raw times
 * (`uploadSessionSchema`). The body is made before the request begins.
 */
const parameters = new URLSearchParams(location.search);
const sizeBytes = Number(parameters.get('bytes'));
const form = uploadForms.find((name) => name === parameters.get('form')) ?? 'plain';
const way = uploadWays.find((name) => name === parameters.get('way')) ?? 'fetch';
const url = `https://${location.host.replace(/^upload\./, 'sink.')}${parameters.get('path')}`;

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

/** What is known of an upload besides its times. */
interface Sent {
  readonly answerBytes: number;
  /** When the browser first said that it had sent everything; absent: it says nothing of it. */
  readonly allSentMs?: number;
}

async function sendByFetch(body: Blob): Promise<Sent> {
  const response = await fetch(url, { method: 'POST', body, cache: 'no-store', credentials: 'omit' });
  const answer = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return { answerBytes: answer.byteLength };
}

/** With a listener of its progress up to the full bar, for which a browser asks the other host beforehand (a preflight). */
function sendByXhr(body: Blob): Promise<Sent> {
  const request = new XMLHttpRequest();
  let allSentMs: number | undefined;
  return new Promise((resolve, reject) => {
    request.upload.onload = () => {
      allSentMs = performance.now();
    };
    request.onerror = () => reject(new Error(`${url}: no answer`));
    request.onload = () => {
      const { byteLength: answerBytes } = request.response as ArrayBuffer;
      if (request.status === 200) resolve({ answerBytes, ...(allSentMs === undefined ? {} : { allSentMs }) });
      else reject(new Error(`${url}: status ${request.status}`));
    };
    request.responseType = 'arraybuffer';
    request.open('POST', url);
    request.send(body);
  });
}

const senders: Readonly<Record<UploadWay, (body: Blob) => Promise<Sent>>> = {
  fetch: sendByFetch,
  xhr: sendByXhr,
};

async function upload(): Promise<unknown> {
  const { bytes, contentType } = uploadBody(form, sizeBytes);
  // Without a type of its own a body needs no preflight.
  const body = new Blob([bytes], { type: contentType });
  const sent = await senders[way](body);
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
    ...sent,
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
