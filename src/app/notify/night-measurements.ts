import type { Notification } from '../../core/model/notification.ts';
import { notifiedOutcomeSchema } from '../../core/model/notification.ts';
import { verdictSchema, type Comparison, type Summary } from '../../core/model/summary.ts';

/** What is measured of a night, as OpenTelemetry names things: each is a gauge, and Prometheus has `_` for `.`. */
export const nightGauges = [
  {
    name: 'h2h3.metric.median',
    description:
      'median of a metric over the valid trials of an arm, in the unit that the attribute unit names',
    attributes: ['workload', 'client', 'network', 'server', 'metric', 'unit', 'arm'],
  },
  {
    name: 'h2h3.comparison.ratio',
    description: 'candidate by baseline; bound is estimate, low or high (95 % interval)',
    attributes: ['workload', 'client', 'network', 'server', 'metric', 'baseline', 'candidate', 'bound'],
  },
  {
    name: 'h2h3.comparison.verdict',
    description: '1 for the verdict of a primary comparison, 0 for the others',
    attributes: ['workload', 'client', 'network', 'server', 'metric', 'baseline', 'candidate', 'verdict'],
  },
  {
    name: 'h2h3.gate.outcome',
    description: '1 for the outcome of the night, 0 for the others',
    attributes: ['outcome'],
  },
  { name: 'h2h3.gate.exit_code', description: 'exit code of the night', attributes: [] },
  { name: 'h2h3.trials', description: 'trials of the night by how they ended', attributes: ['status'] },
] as const;

type GaugeName = (typeof nightGauges)[number]['name'];

/** One value of one gauge. */
export interface Measurement {
  readonly name: GaugeName;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Everything that a night tells a collector. Of one that came to no end: the outcome alone. */
export function measurementsOf(
  { outcome, exitCode }: Pick<Notification, 'outcome' | 'exitCode'>,
  summary: Pick<Summary, 'comparisons' | 'trials'> | null,
): Measurement[] {
  return [
    ...notifiedOutcomeSchema.options.map((known): Measurement => ({
      name: 'h2h3.gate.outcome',
      value: outcome === known ? 1 : 0,
      attributes: { outcome: known },
    })),
    { name: 'h2h3.gate.exit_code', value: exitCode, attributes: {} },
    ...Object.entries(summary?.trials ?? {}).map(([status, value]): Measurement => ({
      name: 'h2h3.trials',
      value,
      attributes: { status },
    })),
    ...mediansOf(summary?.comparisons ?? []),
    ...(summary?.comparisons ?? []).filter(({ primary }) => primary).flatMap(comparisonMeasurements),
  ];
}

/** An arm stands in several comparisons, perhaps of fewer blocks: its median over most trials is told, once. */
function mediansOf(comparisons: readonly Comparison[]): Measurement[] {
  const told = new Map<string, Measurement & { readonly n: number }>();
  for (const { workload, client, network, server, metric, unit, baseline, candidate } of comparisons)
    for (const { arm, median, n } of [baseline, candidate]) {
      const attributes = { workload, client, network, server, metric, unit, arm };
      const key = JSON.stringify(attributes);
      if (median === null || n <= (told.get(key)?.n ?? 0)) continue;
      told.set(key, { name: 'h2h3.metric.median', value: median, attributes, n });
    }
  return [...told.values()];
}

function comparisonMeasurements(comparison: Comparison): Measurement[] {
  const { workload, client, network, server, metric, ratio, verdict } = comparison;
  const { baseline, candidate } = comparison;
  const of = { workload, client, network, server, metric, baseline: baseline.arm, candidate: candidate.arm };
  const [low, high] = comparison.ratioInterval95 ?? [null, null];
  const bounds = Object.entries({ estimate: ratio, low, high });
  return [
    ...bounds.flatMap(([bound, value]): Measurement[] =>
      value === null ? [] : [{ name: 'h2h3.comparison.ratio', value, attributes: { ...of, bound } }],
    ),
    ...verdictSchema.options.map((known): Measurement => ({
      name: 'h2h3.comparison.verdict',
      value: verdict === known ? 1 : 0,
      attributes: { ...of, verdict: known },
    })),
  ];
}
