import type { VideoPlayer } from '../../src/model/session.ts';
import type { MediaRequest } from './dash.ts';

type Chunk = VideoPlayer['chunks'][number];

interface RequestedChunk {
  readonly url: string;
  readonly representation: string;
  readonly bitrateKbps: number;
  readonly bufferLevelSeconds: number;
}

interface FinishedChunk extends RequestedChunk {
  readonly mediaStartSeconds: number;
  readonly durationSeconds: number;
  readonly bytes: number;
}

/** More than any session has: entries beyond the buffer would be dropped in silence. */
const resourceTimingEntries = 100_000;
const millisecondBits = 8;

/** Every media chunk of a session. Times come from Resource Timing: the end an XHR reports is up to 130 ms late. */
export class ChunkLog {
  private readonly requested = new Map<string, RequestedChunk>();
  private readonly finished: FinishedChunk[] = [];
  private lastRequested: RequestedChunk | null = null;

  constructor() {
    performance.setResourceTimingBufferSize(resourceTimingEntries);
  }

  requestStarted(request: MediaRequest, bufferLevelSeconds: number): void {
    const { url, representation } = request;
    const chunk = {
      url,
      representation: representation.id,
      bitrateKbps: representation.bitrateInKbit,
      bufferLevelSeconds,
    };
    this.requested.set(url, chunk);
    this.lastRequested = chunk;
  }

  requestFinished(request: MediaRequest, bytes: number): void {
    const requested = this.requested.get(request.url);
    if (requested === undefined) return;
    this.finished.push({
      ...requested,
      mediaStartSeconds: request.startTime,
      durationSeconds: request.duration,
      bytes,
    });
  }

  lastRepresentation(): string | null {
    return this.lastRequested?.representation ?? null;
  }

  /** Of the finished chunks whose timing the browser has recorded, oldest first. */
  throughputsKbps(): number[] {
    return this.finished.flatMap((chunk) => {
      const timing = timingOf(chunk.url);
      if (timing === undefined) return [];
      return [(chunk.bytes * millisecondBits) / Math.max(timing.responseEnd - timing.requestStart, 0.1)];
    });
  }

  /** The chunks in order of play; what lacks a timing is told to `report` and left out. */
  chunks(report: (error: string) => void): Chunk[] {
    const inOrder = [...this.finished].sort((one, other) => one.mediaStartSeconds - other.mediaStartSeconds);
    return inOrder.flatMap((chunk, index) => {
      const timing = timingOf(chunk.url);
      if (timing === undefined) {
        report(`no Resource Timing entry for ${chunk.url}`);
        return [];
      }
      return [
        {
          index,
          ...chunk,
          requestStartMs: timing.requestStart,
          responseStartMs: timing.responseStart,
          responseEndMs: timing.responseEnd,
          protocol: timing.nextHopProtocol,
        },
      ];
    });
  }
}

function timingOf(url: string): PerformanceResourceTiming | undefined {
  const entries = performance.getEntriesByName(url, 'resource') as PerformanceResourceTiming[];
  return entries.at(-1);
}
