import type { Diagnosis } from '../../src/core/model/diagnosis.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { armTitle } from './labels.ts';
import type { Labels } from './labels.ts';
import { metricWords } from './metric-words.ts';

/** The arms of an explained difference by name. */
export function armsOf({ baselineArm, candidateArm }: Diagnosis): {
  readonly before: string;
  readonly after: string;
} {
  return { before: armTitle(baselineArm), after: armTitle(candidateArm) };
}

/** Metric, workload, place and arms of an explained difference. */
export function diagnosisTitle(diagnosis: Diagnosis, { workloads }: Summary, labels: Labels): string {
  const { workload, metric, client, network } = diagnosis;
  const { before, after } = armsOf(diagnosis);
  const kind = workloads.find(({ id }) => id === workload)?.kind ?? 'page';
  const place = [labels.workload(workload, kind), labels.client(client), labels.network(network)];
  return `${metricWords(metric).title}, ${place.filter(Boolean).join(', ')}, ${after} against ${before}`;
}
