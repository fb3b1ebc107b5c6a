import type { Summary } from '../../src/core/model/summary.ts';
import type { Tail, TailQuantile } from '../../src/core/model/tails.ts';
import { checkSummary } from '../check-summary.ts';
import { type CsvColumn, csvTable } from './csv-text.ts';

interface Row {
  readonly tail: Tail;
  readonly arm: 'baseline' | 'candidate';
  readonly quantile: TailQuantile;
}

const columns: readonly CsvColumn<Row>[] = [
  ['workload', ({ tail }) => tail.workload],
  ['workload_kind', ({ tail }) => tail.workloadKind],
  ['client', ({ tail }) => tail.client],
  ['network', ({ tail }) => tail.network],
  ['server', ({ tail }) => tail.server],
  ['metric', ({ tail }) => tail.metric],
  ['unit', ({ tail }) => tail.unit],
  ['baseline_arm', ({ tail }) => tail.baseline.arm],
  ['arm', ({ tail, arm }) => tail[arm].arm],
  ['loads', ({ tail, arm }) => tail[arm].n],
  ['quantile', ({ quantile }) => quantile.quantile],
  ['value', ({ quantile }) => quantile.value],
  ['value_95_low', ({ quantile }) => quantile.interval?.[0]],
  ['value_95_high', ({ quantile }) => quantile.interval?.[1]],
  ['spread_ratio', ({ tail, arm }) => (arm === 'candidate' ? tail.spread?.ratio : null)],
  ['spread_p', ({ tail, arm }) => (arm === 'candidate' ? tail.spread?.pValue : null)],
  ['spread_adjusted_p', ({ tail, arm }) => (arm === 'candidate' ? tail.spread?.adjustedPValue : null)],
];

/** One row a condition, an arm and a quantile; undefined of a run that compares nothing. */
export function renderTailsCsv(summary: Summary): string | undefined {
  checkSummary(summary);
  if (summary.tails === undefined) return undefined;
  const arms = ['baseline', 'candidate'] as const;
  return csvTable(
    columns,
    summary.tails.flatMap((tail) =>
      arms.flatMap((arm) => tail[arm].quantiles.map((quantile): Row => ({ tail, arm, quantile }))),
    ),
  );
}
