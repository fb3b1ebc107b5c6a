import { summarise } from '../../src/analyse/summary/summarise.ts';
import type { Environment } from '../../src/core/model/environment.ts';
import { networkSpecSchema } from '../../src/core/model/network-spec.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { environmentFixture } from './environment-fixture.ts';
import { generateRun } from './generated-run.ts';
import { summaryFixture } from './summary-fixture.ts';

const rates = [5, 10, 50, 100];
const losses = [0, 1];
const loads = [
  { workload: 'get-10kb-x1', sizeBytes: 10_000, count: 1 },
  { workload: 'get-10kb-x100', sizeBytes: 10_000, count: 100 },
  { workload: 'get-1mb-x1', sizeBytes: 1_000_000, count: 1 },
];

/** The path of one point: a rate and a loss, 18 ms each way. */
function networkOf(rateMbps: number, lossPercent: number): Environment['networks'][number] {
  const id = `${rateMbps}mbit-${lossPercent}pct`;
  const direction = { rateMbps, queueBytes: 30_000, lossPercent, delayMs: 18 };
  return {
    id,
    backend: 'emulator',
    description: id,
    impaired: true,
    privilege: 'root',
    offloads: null,
    checks: [],
    spec: networkSpecSchema.parse({ id, title: id, source: 'fixture', up: direction, down: direction }),
  };
}

/** The summary of a grid of rates, losses and sizes, in which HTTP/3 is better where packets are lost. */
export function patternFixture(published?: Plan['published']): Summary {
  const networks = rates.flatMap((rate) => losses.map((loss) => networkOf(rate, loss)));
  const run = generateRun({
    seed: 7,
    workloads: loads.map(({ workload }) => ({ id: workload, kind: 'download' })),
    networks: networks.map(({ id }) => id),
    blocks: 8,
    noise: 0.03,
    plan: {
      exploratory: true,
      ...(published && { published }),
      grid: {
        networks: networks.map(({ id, spec }) => ({
          network: id,
          rateMbps: spec?.down.rateMbps ?? 0,
          rttMs: 36,
          lossPercent: spec?.down.lossPercent ?? 0,
        })),
        workloads: loads,
      },
    },
    alter: (record) => {
      const lossy = record.network.endsWith('-1pct');
      const rate = Number.parseInt(record.network, 10);
      const factor = record.arm !== 'h3' ? 1 : lossy ? 1.25 : rate >= 50 ? 0.9 : 1;
      const metrics = { ...record.metrics };
      metrics['throughputMbps'] = (Number(metrics['throughputMbps']) / 2000) * rate * factor;
      metrics['networkServiceCpuPercent'] = Math.min(99, (record.arm === 'h3' ? 0.8 : 0.4) * rate + 5);
      return { ...record, metrics };
    },
  });
  const environment = { ...environmentFixture(['chromium'], []), networks };
  return summarise(run.plan, run.records, environment, []);
}

const ladderKbps = [20_000, 40_000, 80_000];

/** `summaryFixture` with pages of known size, and bitrates and ladder steps of its video over two networks. */
export function qualityFixture(): Summary {
  const summary = summaryFixture({ pages: 6 });
  const places = ['none', '5g-driving'].flatMap((network) =>
    ['h2', 'h3'].map((arm) => ({ client: 'chromium', network, server: 'caddy', arm })),
  );
  return {
    ...summary,
    corpus: summary.workloads
      .filter(({ kind }) => kind === 'page')
      .map(({ id, title }, index) => ({
        workload: id,
        title,
        objectCount: 10 * 2 ** index,
        wireBytes: 90_000 * 3 ** index,
        hostCount: 1 + index,
        measured: index > 0,
      })),
    ladderSteps: places.map((place) => ({
      workload: 'video-1',
      ...place,
      sessions: 8,
      steps: ladderKbps.map((bitrateKbps, index) => ({
        bitrateKbps,
        timeShare: place.arm === 'h2' ? ([0.1, 0.2, 0.7][index] ?? 0) : ([0.5, 0.3, 0.2][index] ?? 0),
      })),
    })),
    chunkBitrates: places.flatMap((place) =>
      [1, 4].map((chunkSeconds) => ({
        workload: `video-padded-${chunkSeconds}s-bba`,
        ...place,
        chunkSeconds,
        chunks: 60,
        meanKbps: place.arm === 'h2' ? 66_000 : 40_000,
        quantilesKbps: [20_000, 40_000, 60_000, 80_000, 80_000] as [number, number, number, number, number],
      })),
    ),
  };
}
