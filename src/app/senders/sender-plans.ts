import { senderPath, disturbingFactors, type Disturbance } from '../../analyse/senders/sender-path.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';

/** The runs by which senders are measured: the first two always, the others where all is asked for. */
export type SenderRun = 'disturbed' | 'lossy' | 'shared' | 'reordered';

interface RunOfSenders {
  readonly title: string;
  /** Losses stretch a file, so the one under loss is shorter. */
  readonly workload: string;
  readonly disturbances: readonly Disturbance[];
}

const { lossPercent, reorderPercent } = senderPath;

const runs: Readonly<Record<SenderRun, RunOfSenders>> = {
  disturbed: {
    title: 'Senders in a burst of loss, and without a link for a time',
    workload: 'download-8mb',
    disturbances: ['burst', 'outage'],
  },
  lossy: { title: `Senders at ${lossPercent} % loss`, workload: 'download-2mb', disturbances: ['loss'] },
  shared: { title: 'Senders next to others', workload: 'download-8mb', disturbances: ['cubic', 'bbr'] },
  reordered: {
    title: `Senders with ${reorderPercent} % reordered`,
    workload: 'download-8mb',
    disturbances: ['reordering'],
  },
};

/** The runs of a measurement, in their order. */
export function senderRuns({ all }: Pick<SenderRequest, 'all'>): readonly SenderRun[] {
  return all ? ['disturbed', 'lossy', 'shared', 'reordered'] : ['disturbed', 'lossy'];
}

const networkId = 'sender-path';

const sourceOfPath = 'chosen so that one bandwidth-delay product waits in the queue';

export interface SenderRequest {
  /** As the factor names them, such as `nginx@1.30`. */
  readonly servers: readonly string[];
  readonly client: string;
  readonly repeats: number;
  /** Whether shares next to other senders and reordering are measured too. */
  readonly all: boolean;
}

/** The plan of one of the runs: every server over both protocols in each block. */
export function senderPlan(run: SenderRun, { servers, client, repeats }: SenderRequest): PlanFileInput {
  const { title, workload, disturbances } = runs[run];
  const { rateMbps, roundTripMs, queueBytes } = senderPath;
  const direction = { rateMbps, queueBytes, delayMs: roundTripMs / 2 };
  return {
    name: `senders-${run}`,
    title,
    workloads: [workload],
    clients: [client],
    networks: [networkId],
    customNetworks: {
      [networkId]: {
        title: `${rateMbps} Mbit/s, ${roundTripMs} ms`,
        source: sourceOfPath,
        up: direction,
        down: { ...direction, ...(run === 'lossy' ? { lossPercent } : {}) },
      },
    },
    arms: servers.flatMap((server) =>
      disturbances.flatMap((disturbance) =>
        (['h2', 'h3'] as const).map((protocol) => ({
          protocol,
          server,
          ...disturbingFactors[disturbance],
        })),
      ),
    ),
    repetitions: repeats,
    recordedBlocks: 0,
    // Nothing of it is a comparison that decides: the fingerprint is.
    exploratory: true,
    allowCongestionMismatch: true,
  };
}
