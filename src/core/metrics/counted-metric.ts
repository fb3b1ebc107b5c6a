import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

/** A metric that a probe counts under the metric's own name: of every kind of workload, and less of it is better. */
export function countedMetric(
  told: Pick<Metric, 'name' | 'title' | 'isPlural' | 'meaning' | 'source' | 'unit' | 'needsEvidence'>,
): Metric {
  return {
    ...told,
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download', 'upload', 'messages'],
    onDeadline: 'missing',
    formulas: { counters: (counters) => finiteOrNull(counters[told.name]) ?? undefined },
  };
}
