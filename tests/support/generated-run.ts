import type { ChunkMetric, TrialMetrics } from '../../src/core/model/metrics.ts';
import type { Arm, Plan, PlannedTrial } from '../../src/core/model/plan.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { SeededRandom } from '../../src/core/model/seeded-random.ts';
import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import { byArm } from '../../src/core/model/factor.ts';
import { parseArms } from '../../src/plan/arms.ts';

export interface GeneratedRunOptions {
  readonly seed?: number;
  /** Workload ids by kind; default two pages. */
  readonly workloads?: readonly { readonly id: string; readonly kind: WorkloadKind }[];
  readonly arms?: readonly Arm[];
  readonly networks?: readonly string[];
  readonly blocks?: number;
  /** Factor on times (and divisor of rates) by arm label; 1 where absent. */
  readonly slowdown?: Readonly<Record<string, number>>;
  /** `all`: every block is recorded as well. Default: none is. */
  readonly recordedBlocks?: 'all';
  /** Factor on times of recorded trials by arm label; 1 where absent. */
  readonly instrumentationOverhead?: Readonly<Record<string, number>>;
  /** Standard deviation of the logarithm of each value. Default 0.02. */
  readonly noise?: number;
  readonly plan?: Partial<Plan>;
  /** Changes a generated record, or drops it (undefined: the trial left none). */
  readonly alter?: (record: TrialRecord) => TrialRecord | undefined;
}

export interface GeneratedRun {
  readonly plan: Plan;
  readonly records: TrialRecord[];
}

export const armsH2H3: readonly Arm[] = parseArms(['h2', 'h3']);

export const armsAA: readonly Arm[] = parseArms(['h2', 'h2']);

const defaultWorkloads = [
  { id: 'page-a', kind: 'page' },
  { id: 'page-b', kind: 'page' },
] as const;

const chunkCount = 8;

/** Standard normal by Box and Muller. */
export function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A plan and the records of a run of it, drawn from a seed: log-normal times and rates, some counts. */
export function generateRun(options: GeneratedRunOptions = {}): GeneratedRun {
  const plan = generatePlan(options);
  const alter = options.alter ?? ((record: TrialRecord): TrialRecord => record);
  const records = plan.trials.flatMap(
    (trial, index) => alter(generateRecord(trial, index, plan, options)) ?? [],
  );
  return { plan, records };
}

function generatePlan(options: GeneratedRunOptions): Plan {
  const {
    workloads = defaultWorkloads,
    arms = armsH2H3,
    networks = ['host'],
    blocks = 8,
    seed = 1,
  } = options;
  const client = arms.some(({ factors }) => factors.client !== undefined) ? byArm : 'chromium';
  const conditions = workloads.flatMap((workload) =>
    networks.map((network) => ({
      conditionId: `${workload.id}-${network}`,
      workload: workload.id,
      client,
      network,
      server: 'caddy',
    })),
  );
  const random = seededRandom(seed);
  const instrumentations =
    options.recordedBlocks === 'all'
      ? (['uninstrumented', 'instrumented'] as const)
      : (['uninstrumented'] as const);
  const trials = Array.from({ length: blocks }, (_, blockIndex) =>
    conditions.flatMap((condition) =>
      random
        .shuffle(arms.flatMap((arm) => instrumentations.map((instrumentation) => ({ arm, instrumentation }))))
        .map(({ arm, instrumentation }): PlannedTrial => ({
          ...condition,
          trialId: `${instrumentation === 'uninstrumented' ? 'b' : 'e'}${blockIndex}-${condition.conditionId}-${arm.slug}`,
          client: arm.factors.client ?? client,
          blockIndex,
          arm: arm.label,
          factors: { client, network: condition.network, server: 'caddy', ...arm.factors },
          blockSeed: deriveSeed(seed, condition.conditionId, blockIndex),
          instrumentation,
        })),
    ),
  ).flat();
  return {
    schemaVersion: 1,
    name: 'generated',
    seed,
    command: 'h2h3 run generated',
    arms: [...arms],
    repetitions: blocks,
    recordedBlocks: options.recordedBlocks ?? 0,
    exploratory: false,
    primary: { page: 'pltMs', video: 'meanChunkThroughputMbps', download: 'throughputMbps' },
    pooled: { page: true },
    margins: {},
    probes: [],
    urls: [],
    workloads: workloads.map(({ id, kind }) => ({ id, kind, title: id })),
    conditions,
    trials,
    ...options.plan,
  };
}

function generateRecord(
  trial: PlannedTrial,
  index: number,
  plan: Plan,
  options: GeneratedRunOptions,
): TrialRecord {
  const kind = plan.workloads.find((workload) => workload.id === trial.workload)?.kind ?? 'page';
  const random = seededRandom(deriveSeed(plan.seed, trial.trialId));
  const instrumentationOverhead =
    trial.instrumentation === 'instrumented' ? (options.instrumentationOverhead?.[trial.arm] ?? 1) : 1;
  const slowdown = instrumentationOverhead * (options.slowdown?.[trial.arm] ?? 1);
  const noise = options.noise ?? 0.02;
  const time = (typical: number): number => typical * slowdown * Math.exp(noise * gaussian(random));
  const { trialId, blockIndex, arm, workload, client, network, server, factors, instrumentation } = trial;
  return {
    schemaVersion: 1,
    factors,
    trialId,
    blockIndex,
    arm,
    workload,
    client,
    network,
    server,
    instrumentation,
    status: 'ok',
    startedAt: new Date(Date.UTC(2026, 0, 1) + index * 2000).toISOString(),
    durationMs: 1500,
    postProcessMs: 100,
    metrics: generators[kind](time, random),
    artifacts: { har: `trials/${trialId}/page.har.gz` },
    warnings: [],
  };
}

type Time = (typical: number) => number;

const generators: Readonly<Record<WorkloadKind, (time: Time, random: SeededRandom) => TrialMetrics>> = {
  page: (time, random) => ({
    pltMs: time(800),
    cdtMs: time(700),
    ttfbMs: time(30),
    connectMs: time(9),
    fcpMs: time(310),
    lcpMs: time(540),
    cls: random.next() < 0.7 ? 0 : 0.004,
    tbtMs: Math.max(0, time(60) - 58),
    speedIndexMs: time(480),
    objectCount: 42,
    networkServiceCpuPercent: time(34),
    networkingCpuSeconds: time(0.21),
  }),
  journey: (time) => ({ journeyMs: time(3000) }),
  download: (time) => ({
    throughputMbps: 1e6 / time(500),
    timeToFirstByteMs: time(12),
    totalRequestTimeMs: time(4200),
    cpuSecondsPerGigabyte: time(3.1),
  }),
  upload: (time) => ({
    uploadMs: time(4100),
    uploadMbps: 8e4 / time(4100),
    uploadStallCount: 0,
    uploadStallMs: 0,
    uploadsMade: 1,
  }),
  messages: (time) => ({
    messageP50Ms: time(52),
    messageP90Ms: time(90),
    messageP99Ms: time(120),
    messageMeanMs: time(60),
    lostMessages: 0,
    messagesSent: 600,
  }),
  video: (time, random) => {
    const metrics: TrialMetrics = {
      meanChunkThroughputMbps: 1e5 / time(160),
      averageChunkBitrateKbps: 150_000,
      startupDelayMs: time(420),
      stallCount: random.next() < 0.8 ? 0 : 1,
      stallTotalMs: 0,
      playedSeconds: 60,
      switchCount: 1,
      qoeScore: 1e5 / time(1000),
      qoeRebufferPenaltyMbps: 200,
    };
    metrics.ladderKbps = [20, 40, 80, 120, 160, 200].map((megabits) => megabits * 1000);
    Object.assign(metrics, timeline(time));
    return metrics;
  },
};

interface Timeline {
  chunks: ChunkMetric[];
  bufferLevelSeconds: [number, number][];
  stalls: [number, number][];
}

function timeline(time: Time): Timeline {
  const chunks = Array.from({ length: chunkCount }, (_, index): ChunkMetric => {
    const bitrateKbps = index < 2 ? 20_000 : 200_000;
    const requestStartMs = index * 500;
    const lastByteMs = requestStartMs + time(200);
    const bytes = (bitrateKbps * 1000) / 8;
    return {
      index,
      representation: `v${bitrateKbps}`,
      bitrateKbps,
      durationMs: 1000,
      bytes,
      requestStartMs,
      firstByteMs: requestStartMs + time(20),
      lastByteMs,
      throughputMbps: (bytes * 8) / (lastByteMs - requestStartMs) / 1000,
      protocol: 'h2',
      bufferLevelSeconds: index,
    };
  });
  return {
    chunks,
    bufferLevelSeconds: chunks.map(({ index }): [number, number] => [index * 250, index]),
    stalls: [],
  };
}
