/** How a report speaks of a metric. Meanings are those of the metrics document. */
export interface MetricWords {
  /** Title as in a heading. */
  readonly title: string;
  /** One sentence that says what is measured. */
  readonly meaning: string;
}

const known: Readonly<Record<string, MetricWords>> = {
  pltMs: { title: 'Page load time', meaning: 'Navigation start to the end of the load event.' },
  cdtMs: {
    title: 'Content download time',
    meaning: 'Navigation start to the last byte of the last object requested before the load event.',
  },
  ttfbMs: {
    title: 'Time to first byte',
    meaning: 'Request of the main document sent to its first byte, connection set-up not counted.',
  },
  ttfbWithConnectMs: {
    title: 'Time to first byte with connect',
    meaning: 'Start of the connection to the first byte of the main document.',
  },
  connectMs: {
    title: 'Connect time',
    meaning: 'Start of the connection to the end of the TLS or QUIC handshake.',
  },
  fcpMs: { title: 'First contentful paint', meaning: 'Navigation start to the first text or image painted.' },
  lcpMs: {
    title: 'Largest contentful paint',
    meaning: 'Navigation start to the paint of the largest text or image.',
  },
  cls: { title: 'Cumulative layout shift', meaning: 'How much the page’s content moved while it loaded.' },
  tbtMs: {
    title: 'Total blocking time',
    meaning: 'Time in which long tasks kept the main thread from answering.',
  },
  speedIndexMs: {
    title: 'Speed Index',
    meaning: 'Mean time at which the parts of the viewport were visible: 3400 ms or less is fast.',
  },
  visualComplete85Ms: {
    title: 'Visually 85 % complete',
    meaning: 'Navigation start until 85 % of the viewport looked as in the end.',
  },
  visualComplete99Ms: {
    title: 'Visually 99 % complete',
    meaning: 'Navigation start until 99 % of the viewport looked as in the end.',
  },
  objectCount: { title: 'Objects', meaning: 'Objects requested in one load.' },
  wireBytes: { title: 'Bytes on the wire', meaning: 'Encoded bytes of all objects of one load.' },
  hostCount: { title: 'Hosts', meaning: 'Host names that objects came from.' },
  connectionCount: { title: 'Connections', meaning: 'Connections that objects came over.' },
  averageChunkBitrateKbps: {
    title: 'Average video bitrate',
    meaning: 'Mean encoded bitrate of the chunks that were played.',
  },
  timeWeightedBitrateKbps: {
    title: 'Bitrate by play time',
    meaning: 'Encoded bitrate of what was played, weighted by its play time.',
  },
  meanChunkThroughputMbps: {
    title: 'Chunk throughput',
    meaning: 'Mean over media chunks of their bits over the time from request to last byte.',
  },
  startupDelayMs: {
    title: 'Start-up delay',
    meaning: 'The player’s load call to the first presented frame.',
  },
  stallCount: {
    title: 'Stalls',
    meaning: 'How often playback stopped on an empty buffer after it had begun.',
  },
  stallTotalMs: {
    title: 'Stall time',
    meaning: 'Total time in which playback stood still on an empty buffer.',
  },
  stallRatio: { title: 'Stall ratio', meaning: 'Share of the session spent in stalls.' },
  switchCount: { title: 'Quality switches', meaning: 'Changes of quality between chunks played in turn.' },
  switchMagnitudeKbps: { title: 'Switch size', meaning: 'Mean absolute change of bitrate at a switch.' },
  droppedFrames: { title: 'Dropped frames', meaning: 'Frames decoded too late to be shown.' },
  decodedFrames: { title: 'Decoded frames', meaning: 'Frames that the decoder put out.' },
  qoeScore: {
    title: 'Quality of experience',
    meaning: 'Bitrate utility less penalties for stalls and switches, linear form of Pensieve.',
  },
  throughputMbps: {
    title: 'Download throughput',
    meaning: 'Body bits over the time from request to last byte.',
  },
  timeToFirstByteMs: { title: 'Time to first byte', meaning: 'Request sent to the first byte of the body.' },
  networkServiceCpuPercent: {
    title: 'CPU of networking',
    meaning: 'CPU time of the browser process that does the networking, over wall time.',
  },
  cpuSecondsPerGigabyte: {
    title: 'CPU per gigabyte',
    meaning: 'CPU seconds of the whole browser for each gigabyte received.',
  },
  packetsReceived: { title: 'Packets received', meaning: 'Packets that the client’s interface received.' },
  packetsSent: { title: 'Packets sent', meaning: 'Packets that the client’s interface sent.' },
  smoothedRttMs: { title: 'Smoothed round-trip time', meaning: 'As the transport stack itself reports it.' },
};

function fromName(name: string): string {
  const spaced = name
    .replace(/(Ms|Kbps|Mbps|Percent|Seconds|Bytes)$/, '')
    .replace(/[._-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Words for a metric; an unknown one is spelled out from its name. */
export function metricWords(name: string): MetricWords {
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? { title: fromName(name), meaning: '' };
}
