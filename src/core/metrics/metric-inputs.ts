import type { ChunkMetric } from '../model/metrics.ts';
import type { QueueCounts } from '../model/link-queue.ts';
import type { JourneyStep, PageTimings, RawTrial } from '../model/raw-trial.ts';
import type { DownloadSession, MessageSession, UploadSession, VideoSession } from '../model/session.ts';
import type { SinkLine } from '../model/sink-line.ts';
import type { MessageTimes } from './evidence/messages.ts';
import type { NetworkObject } from './evidence/network-object.ts';
import type { SegmentVmaf } from './evidence/picture-quality.ts';
import type { QoeCoefficients } from './evidence/qoe.ts';
import type { ShownFrames } from './evidence/shown-frames.ts';
import type { Stalls } from './evidence/stalls.ts';
import type { PlayedChunk } from './evidence/video-chunks.ts';

/** One cold navigation. */
export interface PageInput {
  readonly timings: PageTimings;
  readonly objects: readonly NetworkObject[];
  /** Null: the connection was open already, or the browser withholds the times. */
  readonly connectMs: number | null;
  /** Whether UDP came through, where the arm says so. */
  readonly udp?: RawTrial['udp'] | undefined;
  /** Of the path without queueing; absent where it is not known. */
  readonly roundTripMs?: number | undefined;
  /** How the client comes to HTTP/3, where the arm says so. */
  readonly discovery?: RawTrial['discovery'] | undefined;
}

/** The steps of a journey that was done to its end. */
export interface JourneyInput {
  readonly steps: readonly JourneyStep[];
}

/** How a client that was left to itself came to HTTP/3. */
export interface DiscoveryInput {
  readonly isFirstVisit: boolean;
  /** Connections to the server that carried no request; undefined where nothing counts connections. */
  readonly unusedConnections: number | undefined;
}

/** The objects of a page load that the page asked for. */
export interface ObjectsInput {
  readonly objects: readonly NetworkObject[];
  /** Those without a size in the HAR. */
  readonly unsized: readonly NetworkObject[];
  /** Names of the connections of those objects that name one. */
  readonly connections: readonly string[];
  /** Absent: the arm does not say how HTTP/3 is discovered. */
  readonly discovery?: DiscoveryInput | undefined;
}

/** The viewport's frames, compared with the last one by colour histograms. */
export interface VisualInput {
  readonly speedIndex: number;
  /** Moment (ms after navigation start) at which this percentage was reached first. */
  readonly firstReachingMs: (percent: number) => number | null;
}

/** The streams of a download; moments are null where a browser withholds one. */
export interface DownloadInput {
  readonly streams: DownloadSession['streams'];
  readonly bytes: number;
  /** Earliest request, ms on the page's clock. */
  readonly startMs: number | null;
  /** Earliest first byte. */
  readonly firstByteMs: number | null;
  /** From there to the latest last byte. */
  readonly totalMs: number | null;
  /** What connections that loaded at the same time got. */
  readonly contest: DownloadSession['contest'];
  /** Of the path without queueing; absent where it is not known. */
  readonly roundTripMs?: number | undefined;
}

/** What a client uploaded. */
export interface UploadInput {
  readonly uploads: UploadSession['uploads'];
  /** Of the requests' bodies. */
  readonly bytes: number;
  /** From the earliest request to the end of the last answer; null: a browser withholds it. */
  readonly totalMs: number | null;
  /** As they came to the sink; undefined where it left no account. */
  readonly arrived: readonly SinkLine[] | undefined;
}

/** The messages that a page exchanged. */
export interface MessageInput {
  readonly session: MessageSession;
  readonly times: MessageTimes;
}

/** One DASH session. */
export interface VideoInput {
  readonly session: VideoSession;
  readonly played: readonly PlayedChunk[];
  readonly chunks: readonly ChunkMetric[];
  /** Of those chunks whose times are known. */
  readonly throughputsMbps: readonly number[];
  /** Chunks of another representation than the one played before. */
  readonly switches: readonly PlayedChunk[];
  readonly stalls: Stalls;
  /** Undefined where pictures do not say their numbers. */
  readonly frames: ShownFrames | undefined;
  readonly qoe: QoeCoefficients;
  /** Undefined where it was not worked out. */
  readonly vmaf: SegmentVmaf | undefined;
}

/** What an app of the user's was asked. */
export interface AppInput {
  readonly waits: readonly { readonly atEpochMs: number; readonly thinkMs: number }[];
  /** The end of the load; of a journey, of all. */
  readonly untilEpochMs: number;
}

/** What the client's packets met in the queues of its link. */
export interface QueueInput {
  /** Of the link without queueing. */
  readonly roundTripMs: number;
  readonly up: QueueCounts;
  readonly down: QueueCounts;
}

/** What crossed the client's link while its schedule changed it, in the direction that carried more. */
export interface CourseInput {
  readonly binMs: number;
  /** IP bytes that left the link in each such time from navigation on. */
  readonly bytes: readonly number[];
  /** Packets that came to the link in each, lost ones too. */
  readonly packetsIn: readonly number[];
  /** From their coming to their leaving, mean of those that left in each, ms. */
  readonly delaysMs: readonly number[];
  /** The same of the other direction, mean of all that left, ms. */
  readonly backDelayMs: number;
  /** Since when a schedule lost so many packets in a row; absent: none did. */
  readonly countedLossMs?: number | undefined;
  /** Times in which the link was out, stood still, or lost much. */
  readonly disturbances: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** When playback waited on an empty buffer; absent: nothing was played. */
  readonly stalls?: readonly { readonly fromMs: number; readonly toMs: number }[] | undefined;
}

/** How the server began to send on its main connection, as the client's link saw it. */
export interface FlightsInput {
  /** Null: not known. */
  readonly firstFlight: { readonly bytes: number; readonly isLeast: boolean } | null;
  /** Null: not known. */
  readonly largestBurstBytes: number | null;
  /** How late the client answered data, median, ms; undefined: not known. */
  readonly ackDelayMs?: number | undefined;
  /** Undefined: the server never rested. */
  readonly rested?:
    | {
        readonly bytes: number;
        readonly packets: number;
        readonly largestPacketBytes: number;
        readonly largestBurstBytes: number;
        readonly acknowledgedPackets?: number | undefined;
      }
    | undefined;
  readonly transport?: 'tcp' | 'udp' | undefined;
  /** Of QUIC: bytes of datagrams before the client had answered; undefined: not known. */
  readonly unproven?: { readonly upBytes: number; readonly downBytes: number } | undefined;
  /** Of the whole connection. */
  readonly upPackets: number;
  readonly downPackets: number;
}

/** How a client chose between an address of IPv4 and one of IPv6. */
export interface RaceInput {
  /** When the first packet over IPv4 and over IPv6 came to the link, ms; undefined: none did. */
  readonly firstMs: readonly [v4: number | undefined, v6: number | undefined];
}

/** The operating system's accounting of the client's processes. */
export interface CpuInput {
  readonly allSeconds: number;
  /** Null: no process of the client did the networking, or too little to be counted. */
  readonly networkingSeconds: number | null;
  /** Between start and stop of the probes. */
  readonly wallMs: number;
  /** Body bytes that the client received, or uploaded. */
  readonly carriedBytes: number;
}

/** The operating system's accounting of the server that the client speaks with. */
export interface ServerCpuInput {
  readonly seconds: number;
  /** Body bytes that it sent to the client, or got. */
  readonly carriedBytes: number;
}

/** What formulas are given, by the kind of evidence they start from. */
export interface MetricInputs {
  readonly page: PageInput;
  readonly journey: JourneyInput;
  readonly step: JourneyStep;
  readonly objects: ObjectsInput;
  readonly visual: VisualInput;
  readonly download: DownloadInput;
  readonly upload: UploadInput;
  readonly video: VideoInput;
  readonly messages: MessageInput;
  readonly cpu: CpuInput;
  readonly serverCpu: ServerCpuInput;
  readonly app: AppInput;
  readonly queue: QueueInput;
  readonly course: CourseInput;
  readonly flights: FlightsInput;
  readonly race: RaceInput;
  /** Numbers that probes and paths left, by name. */
  readonly counters: Readonly<Record<string, unknown>>;
}
