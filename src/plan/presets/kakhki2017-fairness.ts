import { kakhki2017 } from './kakhki2017.ts';
import type { Preset } from './preset.ts';

/** TCP and QUIC in the same place, beside so many TCP connections each. */
function beside(counts: readonly number[]): { arms: string[]; compare: [string, string][] } {
  const pairs = counts.map((count): [string, string] => [`h2+rivals=${count}`, `h3+rivals=${count}`]);
  return { arms: pairs.flat(), compare: pairs };
}
const common = {
  ...beside([1, 2, 4]),
  clients: ['quic-go'],
  networks: ['kakhki-5mbit'],
  // Congestion windows over time, of QUIC and of TCP.
  probes: ['qlog', 'transport'],
  primary: { download: 'fairShare' },
  published: [
    {
      ...kakhki2017,
      experiment: 'share of 5 Mbit/s of one QUIC connection beside 1, 2, 4 TCP connections',
      metric: 'fairShare',
      figure:
        'QUIC 2.71 Mbit/s against 1.62; 2.8 against 0.7 and 0.96; 2.75 against 0.45, 0.36, 0.41, 0.45: more than its share (1.25, 1.88, 3.1 times an equal one)',
      expects: 'better' as const,
      source: 'section 5.1',
    },
    {
      ...kakhki2017,
      experiment: 'fairness between all of them (Jain), from the same figures',
      metric: 'fairnessIndex',
      figure: '0.94, 0.72 and 0.47 with QUIC',
      expects: 'worse' as const,
      source: 'section 5.1',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-2mb'], repetitions: 9 },
  standard: { ...common, workloads: ['download-5mb'], repetitions: 10 },
  paper: { ...common, workloads: ['download-20mb'], repetitions: 10 },
};

/** Section 5.1. What each connection had received, ten times a second, is in the session of each trial. */
export const kakhkiFairnessPreset: Preset = {
  id: 'kakhki2017-fairness',
  title: 'One connection beside 1, 2, 4 of TCP over 5 Mbit/s: QUIC against TCP (Kakhki et al. 2017)',
  plan: scales.quick,
  scales,
};
