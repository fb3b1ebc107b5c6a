import { deriveTrial } from '../../analyse/derive/derive-trial.ts';
import { metricDifferences } from '../../analyse/derive/metric-differences.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { readEvidence } from '../../store/evidence.ts';
import type { RunDirectory } from '../../store/run-directory.ts';

export interface Recomputation {
  readonly checked: number;
  /** What differs, a line each: trial, metric, journalled and derived value. */
  readonly differences: readonly string[];
}

/** Derives every trial again from its artifacts. Trials that left none are passed over. */
export async function recomputeRun(
  directory: RunDirectory,
  show: (line: string) => void,
): Promise<Recomputation> {
  const differences: string[] = [];
  let checked = 0;
  const { records } = directory.journal();
  for (const [index, record] of records.entries()) {
    show(`recomputing ${index + 1}/${records.length}`);
    if (record.artifacts['raw'] === undefined) continue;
    checked++;
    differences.push(...(await differencesOf(directory.trialDir(record.trialId), record)));
  }
  return { checked, differences };
}

async function differencesOf(trialDir: string, record: TrialRecord): Promise<string[]> {
  try {
    const derived = await deriveTrial(readEvidence(trialDir));
    const status =
      derived.status === record.status ? [] : [`status: journal ${record.status}, derived ${derived.status}`];
    return [...status, ...metricDifferences(record.metrics, derived.metrics)].map(
      (line) => `${record.trialId}: ${line}`,
    );
  } catch (thrown) {
    return [`${record.trialId}: its artifacts cannot be read: ${messageOf(thrown)}`];
  }
}
