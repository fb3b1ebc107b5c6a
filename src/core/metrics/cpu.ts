import type { CpuInput } from './metric-inputs.ts';
import type { Metric } from './metric.ts';

/** What all costs have in common: less of them is better, and they are compared by their ratio. */
const cost = { form: 'ratio', margin: 0.05, higherIsBetter: false, onDeadline: 'missing' } as const;
const everyKind = ['page', 'journey', 'video', 'download', 'upload', 'messages'] as const;
/** Those that carry so many bytes that a share of a gigabyte can be told. */
const carryingKinds = ['page', 'journey', 'video', 'download', 'upload'] as const;

/** A metric of the client's CPU time by the operating system's accounting: of every kind of workload, and less of it is better. */
function cpuMetric({
  formula,
  ...told
}: Pick<Metric, 'name' | 'title' | 'meaning' | 'source' | 'unit'> & {
  readonly formula: (input: CpuInput) => number | null;
}): Metric {
  return {
    ...told,
    ...cost,
    kinds: everyKind,
    formulas: { cpu: formula },
  };
}

const bytesPerGigabyte = 1e9;

/** What the work costs the CPUs of client and server. */
export const cpuMetrics: readonly Metric[] = [
  cpuMetric({
    name: 'cpuSeconds',
    title: 'CPU time of the browser',
    meaning: 'CPU time of all processes of the browser during the trial.',
    unit: 's',
    formula: ({ allSeconds }) => allSeconds,
  }),
  cpuMetric({
    name: 'browserCpuPercent',
    title: 'CPU use of the browser',
    meaning: 'CPU time of all processes of the browser, over wall time.',
    unit: '%',
    formula: ({ allSeconds, wallMs }) => percentOfWall(allSeconds, wallMs),
  }),
  cpuMetric({
    name: 'networkingCpuSeconds',
    title: 'CPU time of the networking process',
    meaning: 'CPU time of the browser process that does the networking, during the trial.',
    unit: 's',
    formula: ({ networkingSeconds }) => networkingSeconds,
  }),
  cpuMetric({
    name: 'networkServiceCpuPercent',
    title: 'CPU use of the networking process',
    meaning: 'CPU time of the browser process that does the networking, over wall time.',
    source: 'Zhang et al. 2024, Fig. 5, Table 2',
    unit: '%',
    formula: ({ networkingSeconds, wallMs }) =>
      networkingSeconds === null ? null : percentOfWall(networkingSeconds, wallMs),
  }),
  {
    name: 'cpuSecondsPerGigabyte',
    title: 'CPU time per gigabyte',
    meaning: 'CPU seconds of the whole browser for each gigabyte received; of uploads, sent.',
    unit: 's/GB',
    ...cost,
    kinds: carryingKinds,
    formulas: {
      cpu: ({ allSeconds, carriedBytes }) =>
        carriedBytes > 0 ? allSeconds / (carriedBytes / bytesPerGigabyte) : null,
    },
  },
  {
    name: 'serverCpuSeconds',
    title: 'CPU time of the server',
    meaning:
      'CPU time of the server that the client speaks with, or of the first proxy, with all that it started, during the trial.',
    unit: 's',
    ...cost,
    kinds: everyKind,
    formulas: { serverCpu: ({ seconds }) => (seconds > 0 ? seconds : undefined) },
  },
  {
    name: 'serverCpuSecondsPerGigabyte',
    title: 'CPU time of the server per gigabyte',
    meaning: 'CPU seconds of the same server for each gigabyte that it sent; of uploads, got.',
    unit: 's/GB',
    ...cost,
    kinds: carryingKinds,
    formulas: {
      serverCpu: ({ seconds, carriedBytes }) =>
        carriedBytes > 0 && seconds > 0 ? seconds / (carriedBytes / bytesPerGigabyte) : undefined,
    },
  },
];

/** CPU seconds ÷ wall seconds × 100: of one core, so that more than 100 is possible; null without wall time. */
function percentOfWall(cpuSeconds: number, wallMs: number): number | null {
  return wallMs > 0 ? (cpuSeconds / (wallMs / 1000)) * 100 : null;
}
