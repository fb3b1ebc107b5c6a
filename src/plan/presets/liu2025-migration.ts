import { idealNetwork, liu2025, liuNetworkName, worstNetwork } from './liu2025.ts';
import type { Preset } from './preset.ts';

/** The address is lost when 2 of 5 MB have come. The baseline asks for the rest, as wget with range requests. */
const resumed = 'h2+handover=2mb';
const restarted = 'h2+handover=2mb-restart';
const moved = 'h3+handover=2mb';
const common = {
  arms: [resumed, restarted, moved],
  compare: [
    [resumed, moved],
    [restarted, moved],
  ] satisfies [string, string][],
  clients: ['quic-go'],
  workloads: ['download-5mb'],
  primary: { download: 'totalWithConnectMs' },
  published: [
    {
      ...liu2025,
      experiment: 'address lost after 2 of 5 MB, 50 ms and 4 % loss each way',
      metric: 'totalWithConnectMs',
      networks: [worstNetwork],
      figure: 'wget over HTTP/2 with range requests 56.7 s, quiche over HTTP/3 6.6 s (−88.36 %)',
      expects: 'better' as const,
      source: 'section 4.3, figure 6',
    },
    {
      ...liu2025,
      experiment: 'address lost after 2 of 5 MB, in all scenarios',
      metric: 'totalWithConnectMs',
      figure: 'HTTP/3 takes less time throughout',
      expects: 'better' as const,
      source: 'section 4.3, figure 6',
    },
  ],
};
/** The study's own clients, beside quic-go over both protocols. */
const asPublished = {
  arms: [
    ...common.arms,
    ...['wget2:h2+handover=2mb', 'wget2:h2+handover=2mb-restart', 'curl:h2+handover=2mb-restart'],
    'quiche:h3+handover=2mb',
  ],
  compare: [
    ...common.compare,
    ['wget2:h2+handover=2mb', 'quiche:h3+handover=2mb'],
    ['wget2:h2+handover=2mb-restart', 'quiche:h3+handover=2mb'],
    ['curl:h2+handover=2mb-restart', 'quiche:h3+handover=2mb'],
  ] satisfies [string, string][],
};
const grid = [0, 25, 50].flatMap((delayMs) =>
  [0, 2, 4].map((lossPercent) => liuNetworkName(delayMs, lossPercent)),
);
/** The study's nginx does not answer quic-go at another address; Caddy has New Reno too. */
const reno = { servers: ['caddy'] };
const scales = {
  // Envoy has BBR on both sides: what New Reno takes at this loss is half an hour, and hides the move.
  quick: { ...common, servers: ['envoy'], networks: [worstNetwork], repetitions: 9 },
  standard: {
    ...common,
    ...asPublished,
    ...reno,
    networks: [idealNetwork, liuNetworkName(25, 2), worstNetwork],
    repetitions: 10,
  },
  paper: { ...common, ...asPublished, ...reno, networks: grid, repetitions: 20 },
};

/** Figure 6. */
export const liuMigrationPreset: Preset = {
  id: 'liu2025-migration',
  title: 'The address is lost after 2 of 5 MB: HTTP/3 moves, HTTP/2 connects again (Liu et al. 2025)',
  plan: scales.quick,
  scales,
};
