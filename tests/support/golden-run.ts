import type { Environment } from '../../src/core/model/environment.ts';
import type { TrialMetrics } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { environmentFixture } from './environment-fixture.ts';
import type { GeneratedRun } from './generated-run.ts';
import { generateRun } from './generated-run.ts';

/** Trials of the golden run that did not end well: trial id to what became of it. */
const mishaps: Readonly<Record<string, Partial<TrialRecord>>> = {
  'b1-page-a-host-h3': {
    status: 'invalid',
    reason: 'https://assets.page-a.test/style.css came over h2, expected h3',
    reasonCode: 'wrong-protocol',
    metrics: {},
  },
  'b3-page-b-host-h3': {
    status: 'failed',
    reason: 'deadline',
    reasonCode: 'deadline',
    metrics: { deadlineMs: 30_000, bytesSoFar: 1_250_000 },
  },
  'b4-video-host-h2': {
    status: 'failed',
    reason: 'the browser ended: signal SIGSEGV',
    reasonCode: 'trial-error',
    metrics: {},
  },
  'b6-video-host-h3': {
    status: 'failed',
    reason: 'deadline',
    reasonCode: 'deadline',
    metrics: { deadlineMs: 60_000, bytesSoFar: 150_000_000 },
  },
};

/** Of the second page: enough for the pool, whose other metrics would repeat what these show. */
const metricsOfSecondPage = new Set(['pltMs', 'objectCount', 'networkServiceCpuPercent']);
/** Enough for a start, a switch and a course. */
const keptChunks = 3;
const significantDigits = 6;

/** What makes the run large and shows nothing more is left out: the stored files are read by people. */
function slimmed({ workload, metrics }: TrialRecord): TrialMetrics {
  const kept = Object.entries(metrics).filter(
    ([name]) => workload !== 'page-b' || metricsOfSecondPage.has(name),
  );
  const short = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value)
      ? Number(value.toPrecision(significantDigits))
      : value;
  const slim = kept.map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'ladderKbps' ? value.slice(0, keptChunks) : value,
  ]);
  return JSON.parse(JSON.stringify(Object.fromEntries(slim), short)) as TrialMetrics;
}

/** Two pages and a video, two arms, eight blocks, HTTP/3 slower, a few mishaps and one trial that never ran. */
export function makeGoldenRun(): GeneratedRun & { readonly environment: Environment } {
  const run = generateRun({
    seed: 2026,
    workloads: [
      { id: 'page-a', kind: 'page' },
      { id: 'page-b', kind: 'page' },
      { id: 'video', kind: 'video' },
    ],
    slowdown: { h3: 1.1 },
    noise: 0.015,
    alter: (record) => {
      if (record.trialId === 'b7-video-host-h3') return undefined;
      const warnings =
        record.arm === 'h3' && record.blockIndex === 5 ? ['12 packets were dropped by the kernel'] : [];
      return { ...record, metrics: slimmed(record), warnings, ...mishaps[record.trialId] };
    },
  });
  return { ...run, environment: environmentFixture(['chromium'], ['host']) };
}
