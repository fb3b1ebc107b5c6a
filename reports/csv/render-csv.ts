import type { Comparison, Summary } from '../../src/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { csvText } from './csv-text.ts';
import type { CsvField } from './csv-text.ts';

/** Columns of the observations, in their order. */
export const observationColumns = [
  /** Name of the run. */
  'run',
  /** Workload id, or `pooled` for the mean over workloads. */
  'workload',
  /** `page`, `video` or `download`. */
  'workload_kind',
  'client',
  'network',
  'server',
  /** Metric name; the name ends in its unit. */
  'metric',
  'unit',
  'higher_is_better',
  /** From 0; the two arms of one block were measured together. */
  'block_index',
  'arm',
  /** Empty where the arm has no value in this block. */
  'value',
] as const;

function observations(run: string, comparison: Comparison): { key: string; row: CsvField[] }[] {
  const { workload, workloadKind, client, network, server, metric, unit, higherIsBetter } = comparison;
  const { baseline, candidate, values } = comparison;
  const shared = [run, workload, workloadKind, client, network, server, metric, unit, higherIsBetter];
  return values.flatMap(([block, baselineValue, candidateValue]) =>
    [
      { arm: baseline.arm, value: baselineValue },
      { arm: candidate.arm, value: candidateValue },
    ].map(({ arm, value }) => ({
      key: JSON.stringify([workload, workloadKind, client, network, server, metric, block, arm]),
      row: [...shared, block, arm, value],
    })),
  );
}

/**
 * Tidy data, one row an observation: one metric of one arm in one block. Loads into pandas, R and DuckDB as it is.
 * An arm that stands in several comparisons is listed once.
 */
export function renderCsv(summary: Summary): string {
  checkSummary(summary);
  const rows = new Map<string, CsvField[]>();
  for (const comparison of summary.comparisons) {
    for (const { key, row } of observations(summary.run.name, comparison)) {
      if (!rows.has(key)) rows.set(key, row);
    }
  }
  return csvText([observationColumns, ...rows.values()]);
}
