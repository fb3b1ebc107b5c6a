import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

/** A metric that a probe counts under the metric's own name: of every kind of workload, and less of it is better. */
function countedMetric(
  told: Pick<Metric, 'name' | 'title' | 'isPlural' | 'meaning' | 'source' | 'unit' | 'needsInstrumentation'>,
): Metric {
  return {
    ...told,
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download', 'upload', 'messages'],
    onDeadline: 'missing',
    formulas: { counters: (counters) => finiteOrNull(counters[told.name]) ?? undefined },
  };
}

/** What probes count: packets, system calls, and what a transport says of itself. */
export const counterMetrics: readonly Metric[] = [
  countedMetric({
    name: 'cpuSampledPercent',
    title: 'CPU use in samples',
    meaning:
      'All processes of the client, percent of one CPU: mean of samples of 500 ms. Missing for loads below 250 ms.',
    source: 'Shreedhar et al. 2022, §VI',
    unit: '%',
  }),
  countedMetric({
    name: 'packetsReceived',
    title: 'packets received',
    isPlural: true,
    meaning: 'Packets that the client’s interface received.',
    source: 'Zhang et al. 2024, §5.2',
    unit: 'packets',
  }),
  countedMetric({
    name: 'transportPacketsReceived',
    title: 'packets handed to the transport',
    isPlural: true,
    meaning:
      'Packets that TCP or QUIC in the client handled; what segmentation offload joined counts as one for TCP.',
    source: 'Zhang et al. 2024, §5.2',
    unit: 'packets',
  }),
  {
    name: 'applicationLimitedPercent',
    title: 'time in which the server waited for more to send',
    meaning:
      'Share of the QUIC connections’ time in which the server called itself application limited: neither window nor loss held it back.',
    source: 'Kakhki et al. 2017, §4.2',
    unit: '%',
    form: 'difference',
    margin: 5,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    needsInstrumentation: true,
    formulas: {
      counters: (counters) => {
        const total = [
          'quicSlowStartMs',
          'quicCongestionAvoidanceMs',
          'quicRecoveryMs',
          'quicApplicationLimitedMs',
        ].reduce((sum, name) => sum + (finiteOrNull(counters[name]) ?? 0), 0);
        return total === 0
          ? undefined
          : (100 * (finiteOrNull(counters['quicApplicationLimitedMs']) ?? 0)) / total;
      },
    },
  },
  countedMetric({
    name: 'packetsSent',
    title: 'packets sent',
    isPlural: true,
    meaning: 'Packets that the client’s interface sent.',
    source: 'Zhang et al. 2024, §5.2',
    unit: 'packets',
  }),
  countedMetric({
    name: 'netifReceiveSkbCalls',
    title: 'netif_receive_skb calls',
    isPlural: true,
    meaning: 'Packets handed up by the kernel’s receive path.',
    source: 'Zhang et al. 2024, §5.3, Table 3',
    unit: 'calls',
    needsInstrumentation: true,
  }),
  countedMetric({
    name: 'syscalls',
    title: 'system calls',
    isPlural: true,
    meaning: 'System calls of the client.',
    source: 'Zhang et al. 2024, §5.3',
    unit: 'calls',
    needsInstrumentation: true,
  }),
  countedMetric({
    name: 'receiveCallPercent',
    title: 'share of receive calls in the time of system calls',
    meaning:
      'Share of reading and receiving in the time of the client’s system calls, but for those that wait.',
    source: 'Shreedhar et al. 2022, §VI-B, table II',
    unit: '%',
    needsInstrumentation: true,
  }),
  countedMetric({
    name: 'contextSwitches',
    title: 'context switches',
    isPlural: true,
    meaning: 'How often the client’s threads that lived to the end gave up or lost the CPU.',
    source: 'Linux, proc_pid_status(5)',
    unit: 'switches',
  }),
  countedMetric({
    name: 'smoothedRttMs',
    title: 'smoothed round-trip time',
    meaning: 'As the transport stack itself reports it.',
    source: 'Zhang et al. 2024, §5.2',
    unit: 'ms',
    needsInstrumentation: true,
  }),
  countedMetric({
    name: 'packetToAckMs',
    title: 'time from a packet to its acknowledgement',
    meaning:
      'Mean over the server’s data packets, from when one passes the server’s interface to the first packet that acknowledges it.',
    source: 'Zhang et al. 2024, §5.2',
    unit: 'ms',
    needsInstrumentation: true,
  }),
];
