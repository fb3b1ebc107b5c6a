import type { Lease } from '../../core/model/lease.ts';
import { hasReason, reasonOf, reasonTexts, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** Of trials that were not run because their lease was lost. */
export function lostLease(why: string): Reason {
  return reasonOf('lease-lost', `${reasonTexts['lease-lost']}: ${why}`, { why });
}

/** What of a plan with spare blocks has to be run. */
export interface NeededLeases {
  readonly needed: readonly Lease[];
  /** Spare leases that stand in for none. */
  readonly idle: readonly Lease[];
}

/** Ids of the leases that were lost, as far as records tell. */
export function lostLeases(leases: readonly Lease[], records: ReadonlyMap<string, TrialRecord>): Set<string> {
  const lost = leases.filter(({ trials }) =>
    trials.some(({ trialId }) => hasReason(records.get(trialId) ?? {}, 'lease-lost')),
  );
  return new Set(lost.map(({ leaseId }) => leaseId));
}

/**
 * Of all leases of a plan every one of its first `repetitions` blocks and of its recorded blocks, and for each timed one that
 * is lost the first spare one of the same conditions that stands in for none yet. Follows from plan and records alone, so the coordinator may change at any moment.
 */
export function neededLeases(
  leases: readonly Lease[],
  repetitions: number,
  records: ReadonlyMap<string, TrialRecord>,
): NeededLeases {
  const lost = lostLeases(leases, records);
  const needed: Lease[] = [];
  const idle: Lease[] = [];
  for (const ofGroup of Map.groupBy(leases, ({ group }) => group).values()) {
    const timed = ofGroup.filter(hasUninstrumentedTrials);
    const recorded = ofGroup.filter((lease) => !hasUninstrumentedTrials(lease));
    needed.push(...recorded);
    const chosen = timed.filter(({ blockIndex }) => blockIndex < repetitions);
    const regular = chosen.length;
    for (const spare of timed.slice(regular)) {
      const missing = chosen.filter(({ leaseId }) => lost.has(leaseId)).length - (chosen.length - regular);
      (missing > 0 ? chosen : idle).push(spare);
    }
    needed.push(...chosen);
  }
  return { needed, idle };
}

function hasUninstrumentedTrials({ trials }: Lease): boolean {
  return trials.some(({ instrumentation }) => instrumentation === 'uninstrumented');
}
