import type { ArmFault, Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';

/** The fault put upon an arm on purpose, if any. */
export function faultOf({ faults }: Plan, arm: string): ArmFault | undefined {
  return faults?.find((fault) => fault.arm === arm);
}

/** What every reader of the run must be told. */
export function faultWarnings({ faults = [] }: Plan): string[] {
  return faults.map(({ arm, fault }) => `fault injected on purpose into ${arm}: ${fault}`);
}

/** The record, saying so when its trial met a fault. */
export function withFault(record: TrialRecord, plan: Plan): TrialRecord {
  const met = faultOf(plan, record.arm);
  if (met === undefined || record.status === 'not-run') return record;
  return { ...record, warnings: [...record.warnings, `fault injected: ${met.fault}`] };
}
