import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import type { SeededRandom } from '../../src/core/model/seeded-random.ts';
import type { ChunkMetric } from '../../src/core/model/metrics.ts';
import type { Comparison, Summary, Verdict } from '../../src/core/model/summary.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import { firstScreenOf } from '../../src/analyse/answers/first-screen.ts';
import { parseArms } from '../../src/plan/arms.ts';
import { environmentFixture } from './environment-fixture.ts';

/** What a made-up summary should hold. It has the shape of a real one; its figures are drawn at random. */
export interface SummaryFixtureOptions {
  readonly seed?: number;
  readonly pages?: number;
  readonly videos?: number;
  readonly downloads?: number;
  readonly blocks?: number;
  readonly clients?: readonly string[];
  readonly networks?: readonly string[];
  /** Troubles to list. */
  readonly troubles?: number;
  /** Metrics per page workload (at most eleven). */
  readonly pageMetrics?: number;
}

interface MetricShape {
  readonly name: string;
  readonly unit: string;
  readonly typical: number;
  readonly higherIsBetter: boolean;
  readonly margin: number;
  readonly form: 'ratio' | 'difference';
}

function shape(
  name: string,
  unit: string,
  typical: number,
  margin = 0.03,
  higherIsBetter = false,
): MetricShape {
  return { name, unit, typical, margin, higherIsBetter, form: margin > 0.2 ? 'difference' : 'ratio' };
}

const pageMetrics: readonly MetricShape[] = [
  shape('pltMs', 'ms', 820),
  shape('cdtMs', 'ms', 700),
  shape('ttfbMs', 'ms', 31, 0.05),
  shape('connectMs', 'ms', 9, 0.05),
  shape('fcpMs', 'ms', 310),
  shape('lcpMs', 'ms', 540),
  shape('speedIndexMs', 'ms', 480),
  shape('tbtMs', 'ms', 60, 20),
  shape('visualComplete85Ms', 'ms', 450, 0.05),
  shape('visualComplete99Ms', 'ms', 700, 0.05),
  shape('networkingCpuSeconds', 's', 0.34, 0.05),
];
const metricsByKind: Readonly<Record<WorkloadKind, readonly MetricShape[]>> = {
  page: pageMetrics,
  journey: [shape('journeyMs', 'ms', 3000, 0.03)],
  video: [
    shape('meanChunkThroughputMbps', 'Mbit/s', 610, 0.03, true),
    shape('averageChunkBitrateKbps', 'kbit/s', 160_000, 0.02, true),
    shape('startupDelayMs', 'ms', 420, 0.05),
    shape('stallTotalMs', 'ms', 80, 100),
    shape('networkingCpuSeconds', 's', 7.1, 0.05),
  ],
  download: [shape('throughputMbps', 'Mbit/s', 1900, 0.03, true), shape('timeToFirstByteMs', 'ms', 12, 0.05)],
  upload: [shape('uploadMs', 'ms', 4100, 0.03), shape('uploadMbps', 'Mbit/s', 19, 0.03, true)],
  messages: [shape('messageP99Ms', 'ms', 110, 0.05), shape('messageP50Ms', 'ms', 52, 0.05)],
};

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? 0;
  return low + ((sorted[Math.ceil(position)] ?? low) - low) * (position % 1);
}

function armOf(arm: string, values: readonly number[]): Comparison['baseline'] {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    arm,
    n: sorted.length,
    median: quantile(sorted, 0.5),
    quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)],
    minimum: sorted[0] ?? null,
    maximum: sorted.at(-1) ?? null,
  };
}

function verdictFor(metric: MetricShape, effect: number, low: number, high: number): Verdict {
  const reach = metric.form === 'ratio' ? Math.log1p(metric.margin) : metric.margin;
  if (low > reach || high < -reach) return effect > 0 === metric.higherIsBetter ? 'better' : 'worse';
  return low > -reach && high < reach ? 'equivalent' : 'inconclusive';
}

interface Cell {
  readonly workload: string;
  readonly kind: WorkloadKind;
  readonly client: string;
  readonly network: string;
  readonly primary: boolean;
}

function comparisonOf(cell: Cell, metric: MetricShape, blocks: number, random: SeededRandom): Comparison {
  const noise = (): number => (random.next() + random.next() + random.next() - 1.5) / 1.5;
  const trueEffect = noise() * (metric.form === 'ratio' ? 0.18 : metric.typical);
  const level = metric.typical * (0.5 + random.next());
  const rows = Array.from({ length: blocks }, (_, block): [number, number, number] => {
    const base = level * (1 + noise() * 0.12);
    const effect = trueEffect + noise() * (metric.form === 'ratio' ? 0.06 : metric.typical * 0.4);
    return [
      block,
      Math.max(0, base),
      Math.max(0, metric.form === 'ratio' ? base * Math.exp(effect) : base + effect),
    ];
  });
  const effects = rows
    .map(([, a, b]) => (metric.form === 'ratio' ? Math.log(b / a) : b - a))
    .sort((a, b) => a - b);
  const centre = quantile(effects, 0.5);
  const low = quantile(effects, 0.12);
  const high = quantile(effects, 0.88);
  const verdict = verdictFor(metric, centre, low, high);
  const pValue =
    verdict === 'inconclusive'
      ? 0.2 + random.next() * 0.5
      : Math.max(2 ** (1 - blocks), random.next() * 0.03);
  const ratio = metric.form === 'ratio';
  return {
    workload: cell.workload,
    workloadKind: cell.kind,
    client: cell.client,
    network: cell.network,
    server: 'caddy',
    metric: metric.name,
    unit: metric.unit,
    instrumentation: 'uninstrumented',
    higherIsBetter: metric.higherIsBetter,
    primary: cell.primary && metric === metricsByKind[cell.kind][0],
    family: cell.primary ? `${cell.kind}-primary` : `${cell.kind}-secondary`,
    exploratory: !cell.primary,
    baseline: armOf(
      'h2',
      rows.map(([, a]) => a),
    ),
    candidate: armOf(
      'h3',
      rows.map(([, , b]) => b),
    ),
    blocks,
    ratio: ratio ? Math.exp(centre) : null,
    ratioInterval: ratio && blocks >= 6 ? [Math.exp(low), Math.exp(high)] : null,
    difference: ratio ? null : centre,
    differenceInterval: ratio || blocks < 6 ? null : [low, high],
    ratioInterval95: ratio && blocks >= 6 ? [Math.exp(low), Math.exp(high)] : null,
    differenceInterval95: ratio || blocks < 6 ? null : [low, high],
    margin: metric.margin,
    pValue,
    adjustedPValue: Math.min(1, pValue * 1.5),
    pBeyondMargin: pValue,
    pEquivalent: 1 - pValue,
    adjustedPEquivalent: 1 - pValue,
    test: 'signed-rank',
    cliffsDelta: Math.max(-1, Math.min(1, trueEffect * 5)),
    verdict,
    ...(verdict === 'inconclusive'
      ? {
          reason: 'the interval crosses the margin',
          blocksNeeded: [blocks * 2, blocks * 4] as [number, number],
        }
      : {}),
    warnings: [],
    values: rows,
  };
}

function chunksOf(random: SeededRandom, rateMbps: number): ChunkMetric[] {
  let clockMs = 40;
  return Array.from({ length: 15 }, (_, index) => {
    const track = Math.min(5, Math.floor(index / 2 + random.next() * 1.2));
    const bitrateKbps = [20_000, 40_000, 80_000, 120_000, 160_000, 200_000][track] ?? 200_000;
    const bytes = (bitrateKbps * 1000) / 8;
    const throughputMbps = rateMbps * (0.8 + random.next() * 0.4);
    const requestStartMs = clockMs;
    const lastByteMs = requestStartMs + (bytes * 8) / throughputMbps / 1000;
    clockMs = Math.max(lastByteMs + 10, index > 5 ? index * 900 : 0);
    return {
      index,
      representation: `v${track}`,
      bitrateKbps,
      durationMs: 1000,
      bytes,
      requestStartMs,
      firstByteMs: requestStartMs + 5,
      lastByteMs,
      throughputMbps,
      protocol: 'h3',
      bufferLevelSeconds: Math.min(6, index * 0.8),
    };
  });
}

function sessionsOf(cell: Cell, blocks: number, random: SeededRandom): Summary['sessions'] {
  return Array.from({ length: blocks }, (_, blockIndex) =>
    ['h2', 'h3'].map((arm): Summary['sessions'][number] => ({
      trialId: `${cell.workload}-${cell.client}-${cell.network}-${blockIndex}-${arm}`,
      blockIndex,
      arm,
      workload: cell.workload,
      client: cell.client,
      network: cell.network,
      startupDelayMs: 300 + random.next() * 200,
      chunks: chunksOf(random, arm === 'h2' ? 640 : 560),
      bufferLevelSeconds: Array.from({ length: 64 }, (__, i): [number, number] => [
        i * 250,
        Math.max(0, Math.min(6, i * 0.2) - (i > 50 ? (i - 50) * 0.45 : 0) + random.next() * 0.3),
      ]),
      stalls: arm === 'h3' && blockIndex % 3 === 0 ? [[7200, 7450]] : [],
    })),
  ).flat();
}

const kindTitles: Readonly<Record<WorkloadKind, string>> = {
  page: 'Page',
  journey: 'Journey',
  video: 'Video',
  download: 'Download',
  upload: 'Upload',
  messages: 'Messages',
};

function workloadsOf(kind: WorkloadKind, count: number): Summary['workloads'] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${kind}-${i + 1}`,
    kind,
    title: `${kindTitles[kind]} ${['Atlas', 'Birch', 'Cobalt', 'Delta', 'Ember', 'Fjord'][i % 6] ?? ''} ${i + 1}`,
  }));
}

function troublesOf(count: number, workload: string, client: string, network: string): Summary['troubles'] {
  return Array.from({ length: count }, (_, i) => ({
    trialId: `trouble-${i}`,
    blockIndex: i,
    arm: i % 2 === 0 ? 'h3' : 'h2',
    workload,
    client,
    network,
    server: 'caddy',
    status: i % 3 === 2 ? ('failed' as const) : ('invalid' as const),
    reason: i % 3 === 2 ? 'deadline' : `https://media.test/chunk-${i}.m4s came over h2 instead of h3`,
  }));
}

/** A summary of made-up but plausible figures; the same options give the same summary. */
export function summaryFixture(options: SummaryFixtureOptions = {}): Summary {
  const { seed = 1, pages = 6, videos = 1, downloads = 1, blocks = 8, troubles = 3 } = options;
  const clients = options.clients ?? ['chromium'];
  const networks = options.networks ?? ['none'];
  const workloads = [
    ...workloadsOf('page', pages),
    ...workloadsOf('video', videos),
    ...workloadsOf('download', downloads),
  ];
  const comparisons: Comparison[] = [];
  const sessions: Summary['sessions'] = [];
  for (const client of clients) {
    for (const network of networks) {
      const cells: Cell[] = workloads.map(({ id, kind }) => ({
        workload: id,
        kind,
        client,
        network,
        primary: kind !== 'page',
      }));
      if (pages > 0) cells.unshift({ workload: 'pooled', kind: 'page', client, network, primary: true });
      for (const cell of cells) {
        const metrics =
          cell.kind === 'page' ? pageMetrics.slice(0, options.pageMetrics ?? 11) : metricsByKind[cell.kind];
        const random = seededRandom(deriveSeed(seed, cell.workload, client, network));
        for (const metric of metrics) comparisons.push(comparisonOf(cell, metric, blocks, random));
        if (cell.kind === 'video') sessions.push(...sessionsOf(cell, blocks, random));
      }
    }
  }
  const trials = {
    ok: workloads.length * clients.length * networks.length * blocks * 2 - troubles,
    invalid: Math.ceil((troubles * 2) / 3),
    failed: Math.floor(troubles / 3),
    unsupported: 0,
    notRun: 0,
  };
  const environment = environmentFixture(clients, networks);
  const warnings = [
    'unshaped path: HTTP/2 runs cubic and HTTP/3 runs New Reno. Without loss this seldom matters',
  ];
  return {
    schemaVersion: 1,
    run: {
      name: 'fixture',
      command: `h2h3 run web --repetitions ${blocks} --seed ${seed}`,
      seed,
      repetitions: blocks,
      arms: ['h2', 'h3'],
      baselineArm: 'h2',
      candidateArm: 'h3',
      startedAt: '2026-01-05T08:30:00.000Z',
      spanMs: 221_000,
      complete: true,
      exploratory: false,
    },
    environment,
    firstScreen: firstScreenOf({
      plan: {
        arms: parseArms(['h2', 'h3']),
        trials: [],
        exploratory: false,
        repetitions: blocks,
        workloads,
      },
      comparisons,
      environment,
      trials,
      blocksDone: blocks,
      missing: 0,
      armsLost: [],
      warnings,
      banners: [],
    }),
    headline: [
      'On an unshaped path, pages in Chromium 156 load 4.1 % (2.0–6.3 %) slower over HTTP/3 than over HTTP/2.',
      'Video chunks arrive 7.0 % (4.0–11.0 %) slower over HTTP/3. Bulk downloads are not decided.',
    ],
    caveats: [],
    answers: [],
    overview: [],
    workloads,
    trials,
    instrumentationOverhead: {
      timedBlocks: blocks,
      recordedBlocks: 2,
      cost: [
        { arm: 'h2', ratio: 1.21 },
        { arm: 'h3', ratio: 1.45 },
      ],
      sentence: `Times come from ${blocks} blocks without recording. 2 blocks were recorded as well. Recording changed load times: HTTP/2 +21 %, HTTP/3 +45 %.`,
    },
    comparisons,
    differenceInDifferences: [],
    calibration: null,
    troubles: troublesOf(
      troubles,
      workloads[0]?.id ?? 'page-1',
      clients[0] ?? 'chromium',
      networks[0] ?? 'none',
    ),
    sessions,
    warnings,
  };
}
