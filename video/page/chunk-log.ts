import type { VideoPlayer } from '../../src/core/model/session.ts';
import { splitCmcd } from '../../src/core/model/cmcd.ts';
import { placesOf } from './chunk-places.ts';
import { timingOfRequest } from './request-timing.ts';
import type { FinishedChunk, RequestedChunk } from './players/player.ts';

type Chunk = VideoPlayer['chunks'][number];

interface AskedChunk extends RequestedChunk {
  readonly bufferLevelSeconds: number;
  /** On the clock of Resource Timing. */
  readonly askedMs: number;
}

/** More than any session has: entries beyond the buffer would be dropped in silence. */
const resourceTimingEntries = 100_000;
const millisecondBits = 8;

/** Every media chunk of a session. Times come from Resource Timing: the end an XHR reports is up to 130 ms late. */
export class ChunkLog {
  /** Every request, also a second one for the same chunk, in their order. */
  private readonly requested: AskedChunk[] = [];
  private readonly finished: (AskedChunk & FinishedChunk)[] = [];

  constructor() {
    performance.setResourceTimingBufferSize(resourceTimingEntries);
  }

  requestStarted(chunk: RequestedChunk, bufferLevelSeconds: number): void {
    const { address: url } = splitCmcd(chunk.url);
    this.requested.push({ ...chunk, url, bufferLevelSeconds, askedMs: performance.now() });
  }

  requestFinished(chunk: FinishedChunk): void {
    const { address: url } = splitCmcd(chunk.url);
    const asked = this.requested.findLast((request) => request.url === url);
    if (asked !== undefined) this.finished.push({ ...asked, ...chunk, url });
  }

  lastRepresentation(): string | null {
    return this.requested.at(-1)?.representation ?? null;
  }

  /** Of the finished chunks whose timing the browser has recorded, oldest first. */
  throughputsKbps(): number[] {
    return this.finished.flatMap(({ url, askedMs, bytes }) => {
      const timing = timingOf(url, askedMs);
      if (timing === undefined) return [];
      return [(bytes * millisecondBits) / Math.max(timing.responseEnd - timing.requestStart, 0.1)];
    });
  }

  /** An address for each request that did not end with a whole chunk, in their order. */
  abandonedUrls(): string[] {
    const whole = Map.groupBy(this.finished, ({ url }) => url);
    // Of several requests for one chunk the last was let come.
    return [...Map.groupBy(this.requested, ({ url }) => url)].flatMap(([url, asked]) =>
      asked.slice(whole.get(url)?.length ?? 0).map(() => url),
    );
  }

  /** The chunks in order of play; what lacks a timing is told to `report` and left out. */
  chunks(report: (error: string) => void): Chunk[] {
    const inOrder = [...this.finished].sort(
      (left, other) => left.mediaStartSeconds - other.mediaStartSeconds,
    );
    const places = placesOf(inOrder);
    return inOrder.flatMap(({ askedMs, ...chunk }, order) => {
      const timing = timingOf(chunk.url, askedMs);
      if (timing === undefined) {
        report(`no Resource Timing entry for ${chunk.url}`);
        return [];
      }
      const { cmcd } = splitCmcd(timing.name);
      return [
        {
          index: places[order] ?? order,
          ...chunk,
          ...(cmcd === undefined ? {} : { cmcd }),
          requestStartMs: timing.requestStart,
          responseStartMs: timing.responseStart,
          responseEndMs: timing.responseEnd,
          protocol: timing.nextHopProtocol,
        },
      ];
    });
  }
}

/** The timing of this very request: a player may ask for a chunk again, and an address has an entry for each time. */
function timingOf(url: string, askedMs: number): PerformanceResourceTiming | undefined {
  const named = performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[];
  // A request that told the server of the player has another address.
  const entries = named.length > 0 ? named : entriesWithCmcd(url);
  return timingOfRequest(entries, askedMs);
}

function entriesWithCmcd(url: string): PerformanceResourceTiming[] {
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return all.filter(({ name }) => splitCmcd(name).address === url);
}
