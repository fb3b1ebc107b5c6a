import type { Diagnosis } from '../../src/model/diagnosis.ts';
import type { Summary } from '../../src/model/summary.ts';
import { armTitle } from './labels.ts';
import type { Labels } from './labels.ts';
import { metricWords } from './metric-words.ts';

/** The arms of an explained difference by name; older summaries do not say them. */
export function armsOf({ baselineArm, candidateArm }: Diagnosis): {
  readonly before: string;
  readonly after: string;
} {
  return {
    before: baselineArm === undefined ? 'baseline' : armTitle(baselineArm),
    after: candidateArm === undefined ? 'candidate' : armTitle(candidateArm),
  };
}

/** Metric, workload, place and arms of an explained difference. */
export function diagnosisTitle(diagnosis: Diagnosis, { workloads }: Summary, labels: Labels): string {
  const { workload, metric, client, network, candidateArm } = diagnosis;
  const { before, after } = armsOf(diagnosis);
  const kind = workloads.find(({ id }) => id === workload)?.kind ?? 'page';
  const place = [
    labels.workload(workload, kind),
    client === undefined ? '' : labels.client(client),
    network === undefined ? '' : labels.network(network),
    candidateArm === undefined ? '' : `${after} against ${before}`,
  ].filter(Boolean);
  return `${metricWords(metric).title}, ${place.join(', ')}`;
}
