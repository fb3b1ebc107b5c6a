import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** The network that a trial really goes over: its own, or the one that stands in for it under its fault. */
export function networkUnderFault({ standIns = [] }: Plan, { network, factors }: PlannedTrial): string {
  const found = standIns.find((standIn) => standIn.network === network && standIn.fault === factors.fault);
  return found?.standIn ?? network;
}

/** What every reader of the run must be told. */
export function faultWarnings({ arms }: Plan): string[] {
  return arms.flatMap(({ label, factors }) =>
    factors.fault === undefined ? [] : [`fault injected on purpose into ${label}: ${factors.fault}`],
  );
}

/** The record, saying so when its trial met a fault. */
export function withFault(record: TrialRecord): TrialRecord {
  const { fault } = record.factors;
  if (fault === undefined || record.status === 'not-run') return record;
  return { ...record, warnings: [...record.warnings, `fault injected: ${fault}`] };
}
