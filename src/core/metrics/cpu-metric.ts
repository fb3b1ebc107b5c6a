import type { CpuInput } from './metric-inputs.ts';
import type { Metric } from './metric.ts';

/** A metric of the client's CPU time by the operating system's accounting: of every kind of workload, and less of it is better. */
export function cpuMetric({
  formula,
  ...told
}: Pick<Metric, 'name' | 'title' | 'meaning' | 'source' | 'unit'> & {
  readonly formula: (input: CpuInput) => number | null;
}): Metric {
  return {
    ...told,
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download', 'upload', 'messages'],
    onDeadline: 'missing',
    formulas: { cpu: formula },
  };
}
