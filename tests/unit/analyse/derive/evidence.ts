import type { TrialEvidence } from '../../../../src/core/model/derive.ts';
import type { Har, HarEntry } from '../../../../src/core/model/har.ts';
import type { PageTimings, RawTrial, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';
import type { DownloadSession, UploadSession, VideoSession } from '../../../../src/core/model/session.ts';
import type { SinkLine } from '../../../../src/core/model/sink-line.ts';

/** Navigation start of all hand-made evidence. */
export const originEpochMs = Date.parse('2026-01-01T12:00:00.000Z');

export interface EntryParts {
  readonly url?: string;
  readonly startMs?: number;
  readonly timeMs?: number;
  readonly httpVersion?: string;
  readonly status?: number;
  readonly bytes?: number;
  readonly entry?: Partial<HarEntry>;
  readonly response?: Partial<HarEntry['response']>;
}

/** A HAR entry as Chromium's look: no encoded body size over HTTP/2 and 3. */
export function harEntry(parts: EntryParts = {}): HarEntry {
  const {
    url = 'https://site.test/',
    startMs = 0,
    timeMs = 50,
    httpVersion = 'h2',
    status = 200,
    bytes = 1000,
  } = parts;
  return {
    startedDateTime: new Date(originEpochMs + startMs).toISOString(),
    time: timeMs,
    request: { method: 'GET', url, httpVersion, headers: [], headersSize: -1, bodySize: -1 },
    response: {
      status,
      statusText: '',
      httpVersion,
      headers: [],
      content: { size: bytes, mimeType: 'text/html' },
      headersSize: -1,
      bodySize: -1,
      _transferSize: bytes + 100,
      ...parts.response,
    },
    cache: {},
    timings: { send: 0, wait: timeMs, receive: 0 },
    connection: '1',
    ...parts.entry,
  };
}

export function harOf(entries: readonly HarEntry[], onLoadMs: number | null = 300): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'test', version: '1' },
      pages: [
        {
          id: 'page_1',
          startedDateTime: new Date(originEpochMs).toISOString(),
          title: '',
          pageTimings: { onContentLoad: null, onLoad: onLoadMs },
        },
      ],
      entries: [...entries],
    },
  };
}

export function pageTimings(parts: Partial<PageTimings> = {}): PageTimings {
  return {
    timeOriginEpochMs: originEpochMs,
    connectStartMs: 5,
    connectEndMs: 25,
    requestStartMs: 26,
    responseStartMs: 46,
    responseEndMs: 50,
    domContentLoadedMs: 200,
    loadEventStartMs: 298,
    loadEventEndMs: 300,
    nextHopProtocol: 'h2',
    fcpMs: 120,
    lcpMs: 180,
    cls: 0,
    longTasks: [],
    ...parts,
  };
}

export function rawTrial(parts: Partial<RawTrial> = {}): RawTrial {
  return {
    schemaVersion: 1,
    trialId: 'b000-c00-page-a-h2',
    instrumentation: 'instrumented',
    outcome: 'completed',
    browser: { name: 'Chrome', version: '150.0' },
    startedAt: '2026-01-01T12:00:00.000Z',
    durationMs: 1500,
    measuredMs: 1000,
    deadlineMs: 60_000,
    timings: pageTimings(),
    session: null,
    serverCpu: [{ pid: 70, role: 'server', userSeconds: 0.1, systemSeconds: 0.1 }],
    cpu: [
      { pid: 1, role: 'browser', userSeconds: 0.1, systemSeconds: 0.1 },
      { pid: 2, role: 'network', userSeconds: 0.03, systemSeconds: 0.02 },
      { pid: 3, role: 'renderer', userSeconds: 0.2, systemSeconds: 0.05 },
    ],
    serverLog: [],
    frames: null,
    counters: {},
    warnings: [],
    ...parts,
  };
}

/** A page trial that is `ok`, with whatever the test wants different. */
export function pageEvidence(parts: Partial<TrialEvidence> = {}): TrialEvidence {
  return {
    protocol: 'h2',
    workload: {
      id: 'page-a',
      kind: 'page',
      driver: 'load',
      entry: { host: 'site.test', path: '/' },
      loggedHosts: [],
    },
    raw: rawTrial(),
    har: harOf([harEntry()]),
    frameImages: [],
    ...parts,
  };
}

export function logEntry(parts: Partial<ServerLogEntry> = {}): ServerLogEntry {
  return {
    host: 'site.test',
    path: '/',
    method: 'GET',
    protocol: 'h2',
    status: 200,
    bytes: 1000,
    startEpochMs: originEpochMs,
    durationMs: 1,
    ...parts,
  };
}

type Chunk = VideoSession['chunks'][number];

/** Chunk `index` of 2 s, fetched in 100 ms, starting a second after the one before. */
export function chunk(index: number, bitrateKbps: number, parts: Partial<Chunk> = {}): Chunk {
  const requestStartMs = 1100 + index * 1000;
  return {
    index,
    representation: `v${bitrateKbps}`,
    bitrateKbps,
    mediaStartSeconds: index * 2,
    durationSeconds: 2,
    url: `https://media.test/v${bitrateKbps}/${index}.m4s`,
    bytes: bitrateKbps * 250,
    requestStartMs,
    responseStartMs: requestStartMs + 20,
    responseEndMs: requestStartMs + 100,
    protocol: 'h2',
    bufferLevelSeconds: 4,
    ...parts,
  };
}

/** The sound of as many chunks as `chunk` makes pictures of, each fetched while its pictures are. */
export function soundOf(count: number): NonNullable<VideoSession['sound']> {
  const chunks = Array.from({ length: count }, (_, index) =>
    chunk(index, 128, { representation: 'sound', url: `https://media.test/sound/${index}.m4s` }),
  );
  return { bitrateKbps: 128, chunks };
}

/** Three chunks of one track, played whole; the player was called at 1000 ms. */
export function videoSession(parts: Partial<VideoSession> = {}): VideoSession {
  return {
    kind: 'video',
    player: { name: 'dash.js', version: '5.2.1' },
    timeOriginEpochMs: originEpochMs,
    loadCallMs: 1000,
    firstFrameMs: 1400,
    endedMs: 7500,
    playedSeconds: 6,
    outcome: 'ended',
    ladder: [
      { representation: 'v1000', bitrateKbps: 1000 },
      { representation: 'v4000', bitrateKbps: 4000 },
    ],
    abr: 'buffer-based',
    chunkSeconds: 2,
    chunks: [chunk(0, 1000), chunk(1, 1000), chunk(2, 1000)],
    stalls: [],
    bufferSamples: [],
    decodedFrames: 180,
    droppedFrames: 0,
    decisions: [],
    errors: [],
    ...parts,
  };
}

/** A DASH trial that is `ok`: each chunk in the HAR and in the server's log. */
export function videoEvidence(session: VideoSession = videoSession()): TrialEvidence {
  const entries = session.chunks.map(({ url, bytes }) => harEntry({ url, bytes }));
  const serverLog = session.chunks.map(({ url, bytes }) =>
    logEntry({ host: 'media.test', path: new URL(url).pathname, bytes }),
  );
  return pageEvidence({
    workload: {
      id: 'video-a',
      kind: 'video',
      driver: 'session',
      entry: { host: 'player.test', path: '/' },
      loggedHosts: ['media.test'],
    },
    raw: rawTrial({ session, serverLog }),
    har: harOf([harEntry({ url: 'https://player.test/' }), ...entries]),
  });
}

type Stream = DownloadSession['streams'][number];

export function stream(parts: Partial<Stream> = {}): Stream {
  return {
    url: 'https://files.test/body.bin',
    bytes: 1_000_000,
    requestStartMs: 100,
    connectStartMs: 60,
    connectEndMs: 90,
    responseStartMs: 120,
    responseEndMs: 300,
    lastByteReadMs: 340,
    protocol: 'h2',
    ...parts,
  };
}

export function downloadSession(
  streams: readonly Stream[] = [stream()],
  expectedBytes?: number,
): DownloadSession {
  return {
    kind: 'download',
    timeOriginEpochMs: originEpochMs,
    expectedBytes: expectedBytes ?? streams.reduce((bytes, { bytes: more }) => bytes + more, 0),
    streams: [...streams],
    errors: [],
  };
}

/** A download trial that is `ok`. */
export function downloadEvidence(session: DownloadSession = downloadSession()): TrialEvidence {
  const parts = session.streams.map(({ url, bytes }) => ({ url: new URL(url), bytes }));
  return pageEvidence({
    workload: {
      id: 'download-a',
      kind: 'download',
      driver: 'session',
      entry: { host: 'lab.test', path: '/' },
      loggedHosts: ['files.test'],
    },
    raw: rawTrial({
      session,
      serverLog: parts.map(({ url, bytes }) =>
        logEntry({ host: 'files.test', path: url.pathname + url.search, bytes }),
      ),
    }),
    har: harOf([
      harEntry({ url: 'https://lab.test/' }),
      ...parts.map(({ url, bytes }) => harEntry({ url: url.href, bytes })),
    ]),
  });
}

const uploadUrl = new URL('https://sink.test/upload-a');
/** What the hand-made upload must bring to the sink. */
export const wantedUpload = {
  host: 'sink.test',
  path: '/upload-a',
  bytes: 1_000_000,
  sha256: 'ab'.repeat(32),
};

export function uploadSession(parts: Partial<UploadSession['uploads'][number]> = {}): UploadSession {
  return {
    kind: 'upload',
    timeOriginEpochMs: originEpochMs,
    uploads: [
      {
        url: uploadUrl.href,
        sentBytes: wantedUpload.bytes,
        requestStartMs: 100,
        connectStartMs: 60,
        connectEndMs: 90,
        responseStartMs: 890,
        responseEndMs: 900,
        answerBytes: 100,
        protocol: 'h2',
        ...parts,
      },
    ],
    errors: [],
  };
}

export function sinkLine(parts: Partial<SinkLine> = {}): SinkLine {
  const { host, path, bytes, sha256 } = wantedUpload;
  return {
    id: 'first',
    method: 'POST',
    host,
    path,
    atEpochMs: originEpochMs + 110,
    bytes,
    lastByteMs: 760,
    pauses: [],
    end: 'whole',
    sha256,
    ...parts,
  };
}

/** An upload trial that is `ok`. */
export function uploadEvidence(changes: Partial<RawTrial> = {}): TrialEvidence {
  const session = uploadSession();
  return pageEvidence({
    workload: {
      id: 'upload-a',
      kind: 'upload',
      driver: 'session',
      entry: { host: 'lab.test', path: '/' },
      loggedHosts: [uploadUrl.hostname],
      upload: wantedUpload,
    },
    raw: rawTrial({
      session,
      arrived: [sinkLine()],
      serverLog: [
        logEntry({ host: uploadUrl.hostname, path: uploadUrl.pathname, method: 'POST', bytes: 100 }),
      ],
      ...changes,
    }),
    har: harOf([
      harEntry({ url: 'https://lab.test/' }),
      harEntry({
        url: uploadUrl.href,
        bytes: 100,
        entry: {
          request: {
            method: 'POST',
            url: uploadUrl.href,
            httpVersion: 'h2',
            headers: [],
            headersSize: -1,
            bodySize: wantedUpload.bytes,
          },
        },
      }),
    ]),
  });
}
