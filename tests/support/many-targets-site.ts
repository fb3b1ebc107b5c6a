import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SiteRoot } from '../../src/core/model/workload.ts';

/** A page whose objects are asked for by frames of two sites, a dedicated worker and a service worker. */
export interface ManyTargetsSite {
  readonly roots: readonly SiteRoot[];
  /** `host` + path with query of every object that a load asks for. */
  readonly objects: readonly string[];
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';

/**
 * Writes the site below `folder`; `port` is the server's. `lab.test/download.html?bytes=N` is a download session, and
 * `lab.test/until-h3.html` asks for one object after another until one comes over HTTP/3, however long a browser takes for that.
 */
export function writeManyTargetsSite(folder: string, port: number, bodyBytes: number): ManyTargetsSite {
  const lab = path.join(folder, 'lab');
  const other = path.join(folder, 'other');
  const write = (directory: string, name: string, content: string | Buffer): void => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, name), content);
  };
  const icon = '<!doctype html><link rel="icon" href="data:,">';
  write(
    lab,
    'index.html',
    `${icon}<h1>targets</h1><iframe src="https://other.test:${port}/inner.html"></iframe>
<iframe src="/inner.html?same"></iframe>
<script>new Worker('/worker.js'); navigator.serviceWorker.register('/service.js')</script>`,
  );
  for (const directory of [lab, other]) {
    write(directory, 'inner.html', '<!doctype html><img src="/image.svg?inner">');
    write(directory, 'image.svg', svg);
  }
  write(lab, 'worker.js', `importScripts('/part.js'); fetch('/image.svg?worker').then((r) => r.text())`);
  write(lab, 'part.js', '// imported');
  write(
    lab,
    'service.js',
    `addEventListener('install', (e) => e.waitUntil(fetch('/image.svg?service').then((r) => r.text())))`,
  );
  write(lab, 'body.bin', Buffer.alloc(bodyBytes));
  write(lab, 'download.html', `${icon}<script>${downloadScript}</script>`);
  write(lab, 'until-h3.html', `${icon}<script>${untilH3Script}</script>`);
  const inLab = ['/', '/inner.html?same', '/image.svg?inner', '/worker.js', '/part.js', '/image.svg?worker'];
  return {
    roots: [
      { host: 'lab.test', directory: lab },
      { host: 'other.test', directory: other },
    ],
    objects: [
      ...[...inLab, '/service.js', '/image.svg?service'].map((name) => `lab.test${name}`),
      'other.test/inner.html',
      'other.test/image.svg?inner',
    ],
  };
}

const untilH3Script = `
(async () => {
  for (let asked = 0, over = ''; over !== 'h3'; asked++) {
    const url = new URL('/image.svg?' + asked, location).href;
    await (await fetch(url)).text();
    do await new Promise((r) => setTimeout(r, 10));
    while (performance.getEntriesByName(url).length === 0);
    over = performance.getEntriesByName(url)[0].nextHopProtocol;
    performance.clearResourceTimings();
  }
})();`;

/** A download session as the project's own page makes it, in few words. */
const downloadScript = `
async function download() {
  const url = new URL('/body.bin', location).href;
  const response = await fetch(url);
  const reader = response.body.getReader();
  let bytes = 0;
  globalThis.h2h3SessionSoFar = () => session(bytes, { startTime: 0 }, performance.now(), url);
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
  const lastByteReadMs = performance.now();
  while (performance.getEntriesByName(url).length === 0) await new Promise((r) => setTimeout(r, 10));
  return session(bytes, performance.getEntriesByName(url)[0], lastByteReadMs, url);
}
function session(bytes, timing, lastByteReadMs, url) {
  const { requestStart = 0, connectStart = 0, connectEnd = 0, responseStart = 0, responseEnd = 0 } = timing;
  return { kind: 'download', timeOriginEpochMs: performance.timeOrigin, expectedBytes: bytes, errors: [], streams: [
    { url, bytes, requestStartMs: requestStart, connectStartMs: connectStart, connectEndMs: connectEnd,
      responseStartMs: responseStart, responseEndMs: responseEnd, lastByteReadMs,
      protocol: timing.nextHopProtocol ?? '' } ] };
}
globalThis.h2h3Session = download();`;
