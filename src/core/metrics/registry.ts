import { acksPerPacket } from './acks-per-packet.ts';
import { appThinkMs } from './app-think-ms.ts';
import { averageChunkBitrateKbps } from './average-chunk-bitrate-kbps.ts';
import { blockedMessages } from './blocked-messages.ts';
import { browserCpuPercent } from './browser-cpu-percent.ts';
import { cdtMs } from './cdt-ms.ts';
import { cls } from './cls.ts';
import { connectMs } from './connect-ms.ts';
import { connectRoundTrips } from './connect-round-trips.ts';
import { connectionCount } from './connection-count.ts';
import { contextSwitches } from './context-switches.ts';
import { cpuSampledPercent } from './cpu-sampled-percent.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { cpuSecondsPerGigabyte } from './cpu-seconds-per-gigabyte.ts';
import { decodeStallCount } from './decode-stall-count.ts';
import { decodeStallTotalMs } from './decode-stall-total-ms.ts';
import { decodedFrames } from './decoded-frames.ts';
import { droppedFrames } from './dropped-frames.ts';
import { fairShare } from './fair-share.ts';
import { fairnessIndex } from './fairness-index.ts';
import { fallbackMs } from './fallback-ms.ts';
import { fcpMs } from './fcp-ms.ts';
import { firstFlightBytes } from './first-flight-bytes.ts';
import { firstVisitH3Share } from './first-visit-h3-share.ts';
import { frameLatencyMs } from './frame-latency-ms.ts';
import { frameLatencyP95Ms } from './frame-latency-p95-ms.ts';
import { hostCount } from './host-count.ts';
import { inpMs } from './inp-ms.ts';
import { journeyMs } from './journey-ms.ts';
import { lcpMs } from './lcp-ms.ts';
import { largestBurstBytes } from './largest-burst-bytes.ts';
import { lateFrames } from './late-frames.ts';
import { liveLatencyMs } from './live-latency-ms.ts';
import { lostFrames } from './lost-frames.ts';
import { lostMessages } from './lost-messages.ts';
import { loadedRttMs } from './loaded-rtt-ms.ts';
import { loadedRttP95Ms } from './loaded-rtt-p95-ms.ts';
import { meanVmaf } from './mean-vmaf.ts';
import { meanChunkThroughputMbps } from './mean-chunk-throughput-mbps.ts';
import { messageMeanMs } from './message-mean-ms.ts';
import { messageP50Ms } from './message-p50-ms.ts';
import { messageP90Ms } from './message-p90-ms.ts';
import { messageP99Ms } from './message-p99-ms.ts';
import { messageSetupMs } from './message-setup-ms.ts';
import type { Metric } from './metric.ts';
import type { WorkloadKind } from '../model/workload.ts';
import { netifReceiveSkbCalls } from './netif-receive-skb-calls.ts';
import { networkServiceCpuPercent } from './network-service-cpu-percent.ts';
import { networkingCpuSeconds } from './networking-cpu-seconds.ts';
import { objectCount } from './object-count.ts';
import { outageResumeMs } from './outage-resume-ms.ts';
import { packetToAckMs } from './packet-to-ack-ms.ts';
import { packetsReceived } from './packets-received.ts';
import { applicationLimitedPercent } from './application-limited-percent.ts';
import { transportPacketsReceived } from './transport-packets-received.ts';
import { packetsSent } from './packets-sent.ts';
import { pltMs } from './plt-ms.ts';
import { qoeScore } from './qoe-score.ts';
import { qoeVmaf } from './qoe-vmaf.ts';
import { rateDuringMbps } from './rate-during-mbps.ts';
import { rateRecoveryMs } from './rate-recovery-ms.ts';
import { receiveCallPercent } from './receive-call-percent.ts';
import { recoveryMs } from './recovery-ms.ts';
import { reorderedMessages } from './reordered-messages.ts';
import { responsivenessRpm } from './responsiveness-rpm.ts';
import { resumedTtfbMs } from './resumed-ttfb-ms.ts';
import { sendLateMs } from './send-late-ms.ts';
import { smoothedRttMs } from './smoothed-rtt-ms.ts';
import { softNavigationMs } from './soft-navigation-ms.ts';
import { speedIndexMs } from './speed-index-ms.ts';
import { stallCount } from './stall-count.ts';
import { stallLengthMs } from './stall-length-ms.ts';
import { stallRatio } from './stall-ratio.ts';
import { stallTotalMs } from './stall-total-ms.ts';
import { startupDelayMs } from './startup-delay-ms.ts';
import { stepMs } from './step-ms.ts';
import { switchCount } from './switch-count.ts';
import { switchMagnitudeKbps } from './switch-magnitude-kbps.ts';
import { syscalls } from './syscalls.ts';
import { tbtMs } from './tbt-ms.ts';
import { throughputMbps } from './throughput-mbps.ts';
import { timeToFirstByteMs } from './time-to-first-byte-ms.ts';
import { timeWeightedBitrateKbps } from './time-weighted-bitrate-kbps.ts';
import { totalRequestTimeMs } from './total-request-time-ms.ts';
import { totalWithConnectMs } from './total-with-connect-ms.ts';
import { ttfbMs } from './ttfb-ms.ts';
import { ttfbWithConnectMs } from './ttfb-with-connect-ms.ts';
import { unusedConnections } from './unused-connections.ts';
import { uploadMbps } from './upload-mbps.ts';
import { uploadMs } from './upload-ms.ts';
import { uploadStallCount } from './upload-stall-count.ts';
import { uploadStallMs } from './upload-stall-ms.ts';
import { visualComplete85Ms } from './visual-complete-85-ms.ts';
import { visualComplete99Ms } from './visual-complete-99-ms.ts';
import { wireBytes } from './wire-bytes.ts';

/** Every plain numeric metric that is compared between arms, in the order in which reports list them. */
export const metrics: readonly Metric[] = Object.freeze([
  journeyMs,
  stepMs,
  softNavigationMs,
  inpMs,
  pltMs,
  cdtMs,
  ttfbMs,
  ttfbWithConnectMs,
  fallbackMs,
  fcpMs,
  lcpMs,
  cls,
  tbtMs,
  speedIndexMs,
  visualComplete85Ms,
  visualComplete99Ms,
  objectCount,
  wireBytes,
  hostCount,
  connectionCount,
  firstVisitH3Share,
  unusedConnections,
  appThinkMs,
  averageChunkBitrateKbps,
  timeWeightedBitrateKbps,
  meanChunkThroughputMbps,
  startupDelayMs,
  stallCount,
  stallTotalMs,
  stallLengthMs,
  stallRatio,
  switchCount,
  switchMagnitudeKbps,
  qoeScore,
  meanVmaf,
  qoeVmaf,
  decodeStallCount,
  decodeStallTotalMs,
  fairnessIndex,
  liveLatencyMs,
  frameLatencyMs,
  frameLatencyP95Ms,
  lateFrames,
  lostFrames,
  droppedFrames,
  decodedFrames,
  throughputMbps,
  timeToFirstByteMs,
  totalRequestTimeMs,
  totalWithConnectMs,
  connectMs,
  connectRoundTrips,
  recoveryMs,
  rateRecoveryMs,
  outageResumeMs,
  rateDuringMbps,
  resumedTtfbMs,
  fairShare,
  uploadMs,
  uploadMbps,
  uploadStallCount,
  uploadStallMs,
  messageP50Ms,
  messageP90Ms,
  messageP99Ms,
  messageMeanMs,
  lostMessages,
  reorderedMessages,
  blockedMessages,
  messageSetupMs,
  sendLateMs,
  loadedRttMs,
  loadedRttP95Ms,
  responsivenessRpm,
  firstFlightBytes,
  largestBurstBytes,
  acksPerPacket,
  cpuSeconds,
  browserCpuPercent,
  networkingCpuSeconds,
  networkServiceCpuPercent,
  cpuSampledPercent,
  cpuSecondsPerGigabyte,
  packetsReceived,
  transportPacketsReceived,
  applicationLimitedPercent,
  packetsSent,
  netifReceiveSkbCalls,
  syscalls,
  receiveCallPercent,
  contextSwitches,
  smoothedRttMs,
  packetToAckMs,
]);

const byName: ReadonlyMap<string, Metric> = new Map(
  metrics.map((definition) => [definition.name, definition]),
);

/** Titles that are plurals. */
const pluralTitles: ReadonlySet<string> = new Set(
  metrics.flatMap(({ title, isPlural }) => (isPlural === true ? [title] : [])),
);

/** Whether verbs about this title of a metric are those of a plural. */
export function isPluralTitle(title: string): boolean {
  return pluralTitles.has(title);
}

/** Names of all of them. */
export const metricNames: readonly string[] = metrics.map(({ name }) => name);

/** The definition of a metric, or undefined for a name that METRICS does not know. */
export function metricDefinition(name: string): Metric | undefined {
  return byName.get(name);
}

/** The metrics that a workload of this kind can have, in catalogue order. */
export function metricsOfKind(kind: WorkloadKind): readonly Metric[] {
  return metrics.filter((definition) => definition.kinds.includes(kind));
}

export interface PrimaryMetric {
  readonly metric: string;
  /** Whether the comparison pooled over all workloads of the kind is the primary one, not each single workload. */
  readonly pooled: boolean;
}

/** The primary metric of a kind where a preset names none. */
export const defaultPrimaries: Readonly<Record<WorkloadKind, PrimaryMetric>> = Object.freeze({
  page: { metric: 'pltMs', pooled: true },
  journey: { metric: 'journeyMs', pooled: false },
  video: { metric: 'meanChunkThroughputMbps', pooled: false },
  download: { metric: 'throughputMbps', pooled: false },
  upload: { metric: 'uploadMs', pooled: false },
  messages: { metric: 'messageP99Ms', pooled: false },
});
