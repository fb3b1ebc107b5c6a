import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { csvField, csvText } from './csv-text.ts';

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
  /** `uninstrumented`, or `instrumented` of trials that were recorded. */
  'instrumentation',
] as const;

/** Blocks of one arm that are listed already, of all comparisons in which it stands. */
type Listed = Map<string, Set<number>>;

/** Lines of what is not listed yet; what lines share is written once. */
function* observations(run: string, comparison: Comparison, listed: Listed): Generator<string> {
  const { workload, workloadKind, client, network, server, metric, unit, higherIsBetter } = comparison;
  const { baseline, candidate, values } = comparison;
  const shared = [run, workload, workloadKind, client, network, server, metric, unit, higherIsBetter];
  const head = shared.map(csvField).join(',');
  const arms = [baseline.arm, candidate.arm].map((arm, side) => {
    const key = JSON.stringify([workload, workloadKind, client, network, server, metric, arm]);
    const blocks = listed.get(key) ?? new Set();
    listed.set(key, blocks);
    return { side, name: csvField(arm), blocks };
  });
  for (const row of values) {
    for (const { side, name, blocks } of arms) {
      const [block] = row;
      if (blocks.has(block)) continue;
      blocks.add(block);
      yield `${head},${block},${name},${csvField(row[side + 1])},${comparison.instrumentation}\r\n`;
    }
  }
}

/**
 * Tidy data, one row an observation: one metric of one arm in one block. Loads into pandas, R and DuckDB as it is.
 * An arm that stands in several comparisons is listed once. In parts, because a large run has more of it than memory should hold
 * at once.
 */
export function* csvParts(summary: Summary): Generator<string> {
  checkSummary(summary);
  const listed: Listed = new Map();
  yield csvText([observationColumns]);
  for (const comparison of summary.comparisons)
    yield [...observations(summary.run.name, comparison, listed)].join('');
}
