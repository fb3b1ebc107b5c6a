import type { Diagnosis, FlameNode, TimeLine } from '../../src/core/model/diagnosis.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';

const interval = (ms: number): [number, number] => (ms > 0 ? [ms * 0.8, ms * 1.2] : [ms * 1.2, ms * 0.8]);

const flames: FlameNode = {
  name: 'all',
  baselineMs: 680,
  candidateMs: 2100,
  children: [
    {
      name: 'NetworkService',
      baselineMs: 600,
      candidateMs: 1900,
      children: [
        {
          name: 'quic_read',
          baselineMs: 0,
          candidateMs: 1200,
          children: [
            { name: 'aes_gcm_decrypt', baselineMs: 0, candidateMs: 700 },
            { name: '__sys_recvmmsg', baselineMs: 0, candidateMs: 400 },
          ],
        },
        { name: 'tcp_recvmsg', baselineMs: 450, candidateMs: 20 },
      ],
    },
    { name: 'idle_work', baselineMs: 60, candidateMs: 60 },
  ],
};

function timeLine(arm: string, transport: 'tcp' | 'quic'): TimeLine {
  return {
    arm,
    blockIndex: 2,
    connections: Array.from({ length: 6 }, (_, connection) => ({
      transport,
      side: 'server' as const,
      name: String(connection + 1),
      samples: Array.from({ length: 60 }, (__, i) => ({
        tMs: i * 20,
        rttMs: i === 0 ? null : 20 + (i % 7),
        congestionWindowBytes: 14_000 * (1 + i) * (connection + 1),
        inFlightBytes: transport === 'quic' && i < 2 ? null : 9000 * (1 + i) * (connection + 1),
        lostPackets: Math.floor(i / 20),
      })),
    })),
    sockets:
      transport === 'tcp'
        ? []
        : [
            {
              name: 'UDP port 50000',
              samples: [0, 400, 1200].map((tMs) => ({
                tMs,
                waitingBytes: tMs * 90,
                droppedDatagrams: tMs / 400,
              })),
            },
          ],
  };
}

type ComparedCondition = Pick<Comparison, 'workload' | 'client' | 'network' | 'server'>;

/** A difference of a download with everything that can be recorded of one: HTTP/3 takes longer, because its client is full. */
export function diagnosisFixture(place: ComparedCondition, changes: Partial<Diagnosis> = {}): Diagnosis {
  const { workload, client, network, server } = place;
  return {
    workload,
    client,
    network,
    server,
    metric: 'totalRequestTimeMs',
    baselineArm: 'h2',
    candidateArm: 'h3',
    differenceMs: 1240,
    timed: { differenceMs: 1100, interval: [900, 1300], blocks: 8 },
    unexplainedMs: 60,
    parts: [
      {
        cause: 'transfer while the client’s networking process was saturated',
        stage: 'receiverCpu',
        ms: 1200,
        interval: interval(1200),
        evidence: 'median 300 ms before, 1500 ms after',
        confirmed: true,
        interventions: [
          {
            id: 'half-cpu',
            title: 'half the CPU for the client',
            setting: 'cpu=50%',
            blocks: 6,
            differenceMs: 1240,
            alteredDifferenceMs: 2400,
            changeMs: 1160,
            interval: interval(1160),
            expectedMs: 1200,
            confirms: true,
          },
        ],
      },
      {
        cause: 'first byte',
        stage: 'firstByte',
        ms: -20,
        interval: interval(-20),
        evidence: 'median 30 ms before, 10 ms after',
        confirmed: false,
      },
    ],
    stages: [
      { stage: 'firstByte', title: 'first byte', baselineMs: 30, candidateMs: 10 },
      {
        stage: 'receiverCpu',
        title: 'transfer while the client’s networking process was saturated',
        baselineMs: 300,
        candidateMs: 1500,
      },
      {
        stage: 'windowWait',
        title: 'transfer while the server waited for its window or for lost packets',
        baselineMs: 340,
        candidateMs: 400,
      },
    ],
    causes: [
      {
        id: 'client-cpu',
        title: 'the client’s networking process is saturated for longer',
        stages: ['receiverCpu'],
        ms: 1200,
        evidence: '1500 ms instead of 300 ms, means of 6 blocks',
      },
    ],
    limits: [
      {
        id: 'receiver',
        title: 'limited by the client’s networking process',
        baselinePercent: 12,
        candidatePercent: 78,
        interval: [60, 72],
      },
      {
        id: 'network',
        title: 'limited by the link',
        baselinePercent: 3,
        candidatePercent: 2,
        interval: [-4, 2],
      },
    ],
    networkingCpu: [
      {
        by: 'symbol',
        blocks: 6,
        stages: [
          { id: 'socketRead', title: 'socket read', baselineMs: 200, candidateMs: 700, interval: [400, 600] },
          { id: 'decryption', title: 'decryption', baselineMs: 100, candidateMs: 800, interval: [600, 800] },
          { id: 'rest', title: 'rest', baselineMs: 300, candidateMs: 320, interval: [-20, 60] },
        ],
      },
    ],
    lateChunks: [
      {
        arm: 'h3',
        index: 4,
        trials: 3,
        stallMs: 420,
        bitrateKbps: 8000,
        throughputMbps: 6.5,
        firstByteMs: 30,
        transferMs: 1230,
        bufferAtRequestSeconds: 0.8,
        why: 'slower-than-playback',
      },
    ],
    flameGraphs: [{ side: 'client', baselineTrials: 6, candidateTrials: 6, minShare: 0.005, root: flames }],
    timeLines: [timeLine('h2', 'tcp'), timeLine('h3', 'quic')],
    ...changes,
  };
}

/** A summary whose first comparison is worse, explained with all that can be recorded. */
export function explainedSummary(summary: Summary, changes: Partial<Diagnosis> = {}): Summary {
  const [first, ...others] = summary.comparisons;
  if (first === undefined) return summary;
  const comparisons: Comparison[] = [{ ...first, verdict: 'worse' }, ...others];
  return { ...summary, comparisons, diagnosis: [diagnosisFixture(first, changes)] };
}
