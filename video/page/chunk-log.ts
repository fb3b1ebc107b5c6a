import type { VideoPlayer } from '../../src/core/model/session.ts';
import { splitCmcd } from '../../src/core/model/cmcd.ts';
import { placesOf } from './chunk-places.ts';
import { timingOfRequest } from './request-timing.ts';
import type { FinishedChunk, RequestedChunk } from './players/player.ts';

type Chunk = VideoPlayer['chunks'][number];

interface AskedChunk extends RequestedChunk {
  readonly bufferLevelSeconds: number;
}

/** A request that its record holds, and when the player made it, on the clock of Resource Timing. */
interface Asked {
  readonly chunk: AskedChunk;
  readonly askedMs: number;
}

interface Finished extends Asked {
  readonly chunk: AskedChunk & FinishedChunk;
}

/** More than any session has: entries beyond the buffer would be dropped in silence. */
const resourceTimingEntries = 100_000;
const millisecondBits = 8;

/** Every media chunk of a session. Times come from Resource Timing: the end an XHR reports is up to 130 ms late. */
export class ChunkLog {
  /** Every request, also a second one for the same chunk, in their order. */
  private readonly requested: Asked[] = [];
  private readonly finished: Finished[] = [];

  constructor() {
    performance.setResourceTimingBufferSize(resourceTimingEntries);
  }

  requestStarted(chunk: RequestedChunk, bufferLevelSeconds: number): void {
    const { address: url } = splitCmcd(chunk.url);
    this.requested.push({ chunk: { ...chunk, url, bufferLevelSeconds }, askedMs: performance.now() });
  }

  requestFinished(chunk: FinishedChunk): void {
    const { address: url } = splitCmcd(chunk.url);
    const asked = this.requested.findLast((request) => request.chunk.url === url);
    if (asked === undefined) return;
    this.finished.push({ ...asked, chunk: { ...asked.chunk, ...chunk, url } });
  }

  lastRepresentation(): string | null {
    return this.requested.at(-1)?.chunk.representation ?? null;
  }

  /** Of the finished chunks whose timing the browser has recorded, oldest first. */
  throughputsKbps(): number[] {
    return this.finished.flatMap((finished) => {
      const timing = timingOf(finished);
      if (timing === undefined) return [];
      const { chunk } = finished;
      return [(chunk.bytes * millisecondBits) / Math.max(timing.responseEnd - timing.requestStart, 0.1)];
    });
  }

  /** An address for each request that did not end with a whole chunk, in their order. */
  abandonedUrls(): string[] {
    const whole = Map.groupBy(this.finished, ({ chunk }) => chunk.url);
    // Of several requests for one chunk the last was let come.
    return [...Map.groupBy(this.requested, ({ chunk }) => chunk.url)].flatMap(([url, asked]) =>
      asked.slice(whole.get(url)?.length ?? 0).map(() => url),
    );
  }

  /** The chunks in order of play; what lacks a timing is told to `report` and left out. */
  chunks(report: (error: string) => void): Chunk[] {
    const inOrder = [...this.finished].sort(
      (left, other) => left.chunk.mediaStartSeconds - other.chunk.mediaStartSeconds,
    );
    const places = placesOf(inOrder.map(({ chunk }) => chunk));
    return inOrder.flatMap((finished, order) => {
      const { chunk } = finished;
      const timing = timingOf(finished);
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
function timingOf({ chunk, askedMs }: Finished): PerformanceResourceTiming | undefined {
  const named = performance.getEntriesByName(chunk.url, 'resource') as PerformanceResourceTiming[];
  // A request that told the server of the player has another address.
  const entries = named.length > 0 ? named : entriesWithCmcd(chunk.url);
  return timingOfRequest(entries, askedMs);
}

function entriesWithCmcd(url: string): PerformanceResourceTiming[] {
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return all.filter(({ name }) => splitCmcd(name).address === url);
}
