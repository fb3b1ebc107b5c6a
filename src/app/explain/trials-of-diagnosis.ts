import type { Diagnosis } from '../../core/model/diagnosis.ts';
import { isOfCondition } from '../../core/model/factor.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** The valid recorded trials of one arm of a diagnosis, in their order. */
export function trialsOf(
  diagnosis: Diagnosis,
  arm: string | undefined,
  records: readonly TrialRecord[],
): TrialRecord[] {
  return records.filter(
    (record) =>
      record.status === 'ok' &&
      record.instrumentation === 'instrumented' &&
      record.arm === arm &&
      isOfCondition(diagnosis, record),
  );
}
