import type { HarEntry } from '../../src/core/model/har.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import type { PageLoadEvidence } from '../../reports/html/page-loads.ts';

/** What a made-up page load should hold. */
export interface PageLoadFixtureOptions {
  readonly arm: string;
  readonly workload?: string;
  readonly requests?: number;
  /** Put before each path, to try hostile addresses. */
  readonly pathPrefix?: string;
  /** Block of the load; default 2. */
  readonly blockIndex?: number;
  /** Whether it has two frames and a curve of visual progress. */
  readonly frames?: boolean;
}

/** Two frames, each one grey pixel, and the curve that a browser's frames would give. */
const filmed: Pick<PageLoadEvidence, 'frames' | 'progress'> = {
  frames: [120, 460].map((tMs) => ({ tMs, jpeg: new Uint8Array(300) })),
  progress: () => [
    [120, 40],
    [460, 100],
  ],
};

const startMs = Date.UTC(2026, 0, 5, 8, 30);

function entry(index: number, atMs: number, options: PageLoadFixtureOptions): HarEntry {
  const protocol = options.arm.slice(0, 2);
  return {
    startedDateTime: new Date(startMs + atMs).toISOString(),
    time: 60,
    request: {
      method: 'GET',
      url: `https://static.site.test/${options.pathPrefix ?? ''}object-${index}.css`,
      httpVersion: protocol,
      headers: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: protocol,
      headers: [],
      content: { size: 2000, mimeType: 'text/css' },
      headersSize: -1,
      bodySize: 1000,
    },
    cache: {},
    timings: { blocked: 5, dns: -1, connect: index === 0 ? 12 : -1, send: 1, wait: 20, receive: 25 },
    connection: String(index % 2),
    _priority: 'High',
  };
}

/** One page load of a page of `summaryFixture`; the picture is no JPEG, but as long as one. */
export function pageLoadFixture(options: PageLoadFixtureOptions): PageLoadEvidence {
  const random = seededRandom(options.arm.length);
  const entries = Array.from({ length: options.requests ?? 30 }, (_, i) =>
    entry(i, i * 15 + random.next() * 10, options),
  );
  return {
    trialId: `trial-${options.workload ?? 'page-1'}-${options.blockIndex ?? 2}-${options.arm}`,
    workload: options.workload ?? 'page-1',
    client: 'chromium',
    network: 'none',
    server: 'caddy',
    blockIndex: options.blockIndex ?? 2,
    arm: options.arm,
    ...(options.frames === true ? filmed : {}),
    har: {
      log: {
        version: '1.2',
        creator: { name: 'fixture', version: '1' },
        pages: [
          {
            id: 'page_1',
            startedDateTime: new Date(startMs).toISOString(),
            title: 'fixture',
            pageTimings: { onContentLoad: 300, onLoad: options.arm === 'h2' ? 480 : 520 },
          },
        ],
        entries,
      },
    },
  };
}
