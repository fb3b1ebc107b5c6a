import { metricDefinition } from '../../src/model/metric-catalogue.ts';

/** How a report speaks of a metric. */
export interface MetricWords {
  /** Title as in a heading. */
  readonly title: string;
  /** One sentence that says what is measured; empty for a metric that is not known here. */
  readonly meaning: string;
}

/** Meanings in short; the metrics document has them in full. */
const meanings: Readonly<Record<string, string>> = {
  pltMs: 'Navigation start to the end of the load event.',
  cdtMs: 'Navigation start to the last byte of the last object requested before the load event.',
  ttfbMs: 'Request of the main document sent to its first byte, connection set-up not counted.',
  ttfbWithConnectMs: 'Start of the connection to the first byte of the main document.',
  connectMs: 'Start of the connection to the end of the TLS or QUIC handshake.',
  fcpMs: 'Navigation start to the first text or image painted.',
  lcpMs: 'Navigation start to the paint of the largest text or image.',
  cls: 'How much the page’s content moved while it loaded.',
  tbtMs: 'Time in which long tasks kept the main thread from answering.',
  speedIndexMs: 'Mean time at which the parts of the viewport were visible: 3400 ms or less is fast.',
  visualComplete85Ms: 'Navigation start until 85 % of the viewport looked as in the end.',
  visualComplete99Ms: 'Navigation start until 99 % of the viewport looked as in the end.',
  objectCount: 'Objects requested in one load.',
  wireBytes: 'Encoded bytes of all objects of one load.',
  hostCount: 'Host names that objects came from.',
  connectionCount: 'Connections that objects came over.',
  averageChunkBitrateKbps: 'Mean encoded bitrate of the chunks that were played.',
  timeWeightedBitrateKbps: 'Encoded bitrate of what was played, weighted by its play time.',
  meanChunkThroughputMbps: 'Mean over media chunks of their bits over the time from request to last byte.',
  startupDelayMs: 'The player’s load call to the first presented frame.',
  stallCount: 'How often playback stopped on an empty buffer after it had begun.',
  stallTotalMs: 'Total time in which playback stood still on an empty buffer.',
  stallRatio: 'Share of the session spent in stalls.',
  switchCount: 'Changes of quality between chunks played in turn.',
  switchMagnitudeKbps: 'Mean absolute change of bitrate at a switch.',
  droppedFrames: 'Frames decoded too late to be shown.',
  decodedFrames: 'Frames that the decoder put out.',
  qoeScore: 'Bitrate utility less penalties for stalls and switches, linear form of Pensieve.',
  throughputMbps: 'Body bits over the time from request to last byte.',
  timeToFirstByteMs: 'Request sent to the first byte of the body.',
  networkServiceCpuPercent: 'CPU time of the browser process that does the networking, over wall time.',
  cpuSecondsPerGigabyte: 'CPU seconds of the whole browser for each gigabyte received.',
  packetsReceived: 'Packets that the client’s interface received.',
  packetsSent: 'Packets that the client’s interface sent.',
  smoothedRttMs: 'As the transport stack itself reports it.',
  totalRequestTimeMs: 'First request sent to the last byte of the last of the parallel streams.',
  cpuSeconds: 'CPU time of all processes of the browser during the trial.',
  browserCpuPercent: 'CPU time of all processes of the browser, over wall time.',
  netifReceiveSkbCalls: 'Packets handed up by the kernel’s receive path.',
  syscalls: 'System calls of the client.',
};

function fromName(name: string): string {
  const spaced = name
    .replace(/(Ms|Kbps|Mbps|Percent|Seconds|Bytes)$/, '')
    .replace(/[._-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  return spaced === '' ? name : spaced;
}

/** Words for a metric; one that the catalogue does not have is spelled out from its name. */
export function metricWords(name: string): MetricWords {
  const title = metricDefinition(name)?.title ?? fromName(name);
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    meaning: (Object.hasOwn(meanings, name) ? meanings[name] : undefined) ?? '',
  };
}
