import type { Preset } from './preset.ts';
import { zhang2024 } from './zhang2024.ts';

/** Bodies of k processes, and as k streams of one connection beside it. */
const pairs: [string, string][] = [
  ['h2+processes=each', 'h3+processes=each'],
  ['h2', 'h3'],
];

/** The same bytes as one body and as k parts at once. */
const parts = (megabytes: number): string[] =>
  [1, 2, 5, 10].map((k) => `download-${megabytes / k}mb${k === 1 ? '' : `-x${k}`}`);
/**
 * Caddy, with Reno over both: parallel streams of one connection from HAProxy to curl stood still, silent on both sides, in
 * 3 of 7 loads at 1 Gbit/s where packets were lost to a full receive buffer, and Envoy does not answer curl.
 */
const common = {
  servers: ['caddy'],
  clients: ['curl'],
  networks: ['ethernet-1g'],
  arms: pairs.flat(),
  compare: pairs,
  primary: { download: 'totalRequestTimeMs' },
  published: [
    {
      ...zhang2024,
      experiment:
        '1 GB in k = 1, 2, 5, 10 parts, each by a process of its own (beside it, as parallel requests of one)',
      metric: 'totalRequestTimeMs',
      figure: 'a larger k helps, QUIC most',
      source: 'section 6, figure 12',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: parts(100), repetitions: 11 },
  standard: { ...common, workloads: parts(500), repetitions: 12 },
  paper: { ...common, workloads: parts(1000), repetitions: 20 },
};

/** Figure 12. */
export const zhangParallelPreset: Preset = {
  id: 'zhang2024-parallel',
  title: 'A body in 1, 2, 5, 10 parallel parts at 1 Gbit/s (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
