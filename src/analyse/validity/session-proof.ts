import type { PathFacts } from '../../core/model/network-spec.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { fetchedChunks, playersOf } from '../../core/model/session.ts';
import type { VideoPlayer, VideoSession } from '../../core/model/session.ts';
import { bitsPerByte } from '../../core/model/units.ts';
import { mean } from '../../core/metrics/evidence/numbers.ts';
import { keptChunks, playedChunks } from '../../core/metrics/evidence/video-chunks.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

export interface SessionProof {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  /** The bitrate by the log alone, and how far player and log were apart at most. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** A server's access log notes when it began to answer and when it had written its last byte. */
interface ChunkTiming {
  readonly name: string;
  /** Request seen by the server after the player had sent it (ms). */
  readonly requestLagMs: number;
  /** Last byte at the player after the server was done (ms). */
  readonly deliveryLagMs: number;
  /** How large the latter may be on this path: a round trip, 50 ms, and the time that the send buffer takes. */
  readonly deliveryAllowanceMs: number;
}

type Chunk = VideoPlayer['chunks'][number];

const clockAllowanceMs = 50;
/** Twice what Linux lets the send buffer of a connection grow to (net.ipv4.tcp_wmem): room for the server's own. */
const sendBufferBytes = 8_388_608;
/** A frame at 25 per second: the playhead stops on the last frame or behind it. */
const frameSeconds = 0.04;
const bitrateTolerance = 0.001;

/**
 * Holds what the players reported against the server's log, both on one clock. What cannot be by chance makes the trial
 * invalid: chunks that do not add up to what was played, a mean bitrate other than the log's by more than 0.1 %, and
 * times that most chunks disagree about. Single late chunks are named in a warning: on a busy machine a log line or a
 * timer is now and then late. On paths with loss or a trace requests are held up for as long as the path likes, so
 * there late ones prove nothing. (Bytes are proven for every request in `media-rules.ts`.)
 */
export function proveSession(
  session: VideoSession,
  log: readonly ServerLogEntry[],
  path: PathFacts | undefined,
): SessionProof {
  const players = playersOf(session);
  const bitrates = players.map((player) => loggedBitrateKbps(player, log));
  const timings = path === undefined ? [] : players.flatMap((player) => timingsOf(player, log, path));
  const late = path === undefined ? [] : timings.filter((timing) => isLate(timing, path));
  const steady = path?.steady === true;
  const [bitrate] = bitrates;
  return {
    findings: [
      ...players.flatMap(playedFindings),
      ...players.flatMap((player, index) => bitrateFindings(player, bitrates[index] ?? null)),
      ...(steady && late.length > timings.length / 2 ? late.slice(0, 1).map(lateFinding) : []),
    ],
    warnings: [...players.flatMap(abandonedWarnings), ...(steady ? lateWarnings(late, timings.length) : [])],
    metrics: {
      ...(bitrate === undefined || bitrate === null ? {} : { serverLogBitrateKbps: bitrate }),
      ...(timings.length === 0
        ? {}
        : {
            largestRequestLagMs: Math.max(...timings.map(({ requestLagMs }) => Math.abs(requestLagMs))),
            largestDeliveryLagMs: Math.max(...timings.map(({ deliveryLagMs }) => Math.abs(deliveryLagMs))),
          }),
    },
  };
}

function hostsOf(player: VideoPlayer): ReadonlySet<string> {
  return new Set(player.chunks.flatMap(({ url }) => URL.parse(url)?.hostname ?? []));
}

/** What the server sent of the chunks that the player kept: of one that was given up and asked for again the last. */
function segmentsOf(player: VideoPlayer, log: readonly ServerLogEntry[]): ServerLogEntry[] {
  const hosts = hostsOf(player);
  const whole = new Set(fetchedChunks(player).map(pathOf));
  const abandoned = new Set(
    (player.abandonedUrls ?? []).map((url) => pathOf({ url })).filter((path) => !whole.has(path)),
  );
  const kept = log.filter(
    ({ host, method, path }) =>
      hosts.has(host) && method === 'GET' && path.endsWith('.m4s') && !abandoned.has(path),
  );
  return [...new Map(kept.map((entry) => [entry.path, entry])).values()];
}

const pathOf = ({ url }: Pick<Chunk, 'url'>): string => URL.parse(url)?.pathname ?? '';

/** Of the pictures. The representation is the folder of a segment's path, and its name tells the bitrate through the ladder. */
function loggedBitrateKbps(player: VideoPlayer, log: readonly ServerLogEntry[]): number | null {
  const kbpsOf = new Map(player.ladder.map((track) => [track.representation, track.bitrateKbps]));
  const kept = new Set(keptChunks(player.chunks).map(pathOf));
  const besides = new Set(fetchedChunks(player).map(pathOf)).difference(kept);
  return mean(
    segmentsOf(player, log)
      .filter(({ path }) => !besides.has(path))
      .map(({ path }) => kbpsOf.get(path.split('/').at(-2) ?? '') ?? Number.NaN),
  );
}

function bitrateFindings(player: VideoPlayer, loggedKbps: number | null): readonly Finding[] {
  const reported = mean(playedChunks(player).map(({ bitrateKbps }) => bitrateKbps));
  if (player.outcome !== 'ended' || reported === null) return [];
  const logged = loggedKbps ?? Number.NaN;
  if (Math.abs(logged - reported) <= bitrateTolerance * reported) return [];
  return [
    invalid(
      'playback-differs',
      `the mean bitrate is ${logged} kbit/s by the server's log, ${reported} kbit/s by the player`,
    ),
  ];
}

function abandonedWarnings({ abandonedUrls = [], player }: VideoPlayer): string[] {
  const [first] = abandonedUrls;
  if (first === undefined) return [];
  return [`${player.name} gave up chunks under way, ${abandonedUrls.length} in all, such as ${first}`];
}

function playedFindings(player: VideoPlayer): readonly Finding[] {
  if (player.outcome !== 'ended') return [];
  const { chunks, sound, playedSeconds } = player;
  const streams = [
    ['chunks', chunks],
    ...(sound === undefined ? [] : [['chunks of sound', sound.chunks] as const]),
  ] as const;
  return streams.flatMap(([name, fetched]) => {
    const seconds = keptChunks(fetched).reduce((sum, chunk) => sum + chunk.durationSeconds, 0);
    if (Math.abs(seconds - playedSeconds) <= frameSeconds) return [];
    return [invalid('playback-differs', `the ${name} last ${seconds} s, but ${playedSeconds} s were played`)];
  });
}

function timingsOf(player: VideoPlayer, log: readonly ServerLogEntry[], path: PathFacts): ChunkTiming[] {
  const byPath = new Map(segmentsOf(player, log).map((entry) => [entry.path, entry]));
  return [player.chunks, player.sound?.chunks ?? []].flatMap(keptChunks).flatMap((chunk) => {
    const entry = byPath.get(pathOf(chunk));
    return entry === undefined ? [] : [timingOf(player, chunk, entry, path)];
  });
}

function timingOf(player: VideoPlayer, chunk: Chunk, entry: ServerLogEntry, path: PathFacts): ChunkTiming {
  const { timeOriginEpochMs } = player;
  const bitsPerMs = (chunk.bytes * bitsPerByte) / Math.max(1, chunk.responseEndMs - chunk.requestStartMs);
  return {
    name: entry.path,
    requestLagMs: entry.startEpochMs - (timeOriginEpochMs + chunk.requestStartMs),
    deliveryLagMs: timeOriginEpochMs + chunk.responseEndMs - (entry.startEpochMs + entry.durationMs),
    deliveryAllowanceMs:
      path.roundTripMs + clockAllowanceMs + (sendBufferBytes * bitsPerByte) / Math.max(bitsPerMs, 1e-9),
  };
}

function isLate(timing: ChunkTiming, path: PathFacts): boolean {
  return (
    Math.abs(timing.requestLagMs) > path.roundTripMs + clockAllowanceMs ||
    timing.deliveryLagMs > timing.deliveryAllowanceMs ||
    timing.deliveryLagMs < -clockAllowanceMs
  );
}

function lateWords({ name, requestLagMs, deliveryLagMs }: ChunkTiming): string {
  return `${name}: request at the server ${requestLagMs.toFixed(1)} ms after it was sent, last byte at the player ${deliveryLagMs.toFixed(1)} ms after the server was done`;
}

function lateFinding(timing: ChunkTiming): Finding {
  return invalid(
    'playback-differs',
    `player and server disagree about the times of most chunks, such as ${lateWords(timing)}`,
  );
}

function lateWarnings(late: readonly ChunkTiming[], count: number): string[] {
  const [first] = late;
  if (first === undefined) return [];
  return [
    `player and server disagree about the times of ${late.length} of ${count} chunks, such as ${lateWords(first)}`,
  ];
}
