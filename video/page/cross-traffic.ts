import type { VideoSession } from '../../src/core/model/session.ts';

type Download = NonNullable<VideoSession['crossTraffic']>[number];

/**
 * Downloads `url` again and again until `over` says so; the last one is finished, not cut off, so that every object on
 * the path is whole. Each request has an address of its own. @throws TypeError when a download fails
 */
export async function downloadUntil(url: string, over: () => boolean): Promise<Download[]> {
  const downloads: Download[] = [];
  while (!over()) {
    const address = `${url}?n=${downloads.length}`;
    const response = await fetch(address, { cache: 'no-store' });
    const bytes = await drain(response);
    const timing = performance.getEntriesByName(address, 'resource').at(-1) as
      PerformanceResourceTiming | undefined;
    downloads.push({
      url: address,
      bytes,
      requestStartMs: timing?.requestStart ?? 0,
      responseEndMs: timing?.responseEnd ?? 0,
      protocol: timing?.nextHopProtocol ?? '',
    });
  }
  return downloads;
}

async function drain(response: Response): Promise<number> {
  if (!response.ok || response.body === null)
    throw new TypeError(`${response.url}: status ${response.status}`);
  const reader = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.byteLength;
  }
}
