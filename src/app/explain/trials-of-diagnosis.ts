import type { Diagnosis } from '../../core/model/diagnosis.ts';
import { fitsCondition } from '../../core/model/factor.ts';
import type { TrialRecord } from '../../core/model/record.ts';

const isOf = (place: string | undefined, name: string): boolean =>
  place === undefined || fitsCondition(place, name);

/** The valid evidence trials of one arm of a diagnosis, in their order. */
export function trialsOf(
  { workload, client, network, server }: Diagnosis,
  arm: string | undefined,
  records: readonly TrialRecord[],
): TrialRecord[] {
  return records.filter(
    (record) =>
      record.status === 'ok' &&
      record.watch === 'evidence' &&
      record.arm === arm &&
      record.workload === workload &&
      isOf(client, record.client) &&
      isOf(network, record.network) &&
      isOf(server, record.server),
  );
}
