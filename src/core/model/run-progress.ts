import type { TrialStatus } from './record.ts';

/** One arm of one condition so far. */
export interface ArmProgress {
  readonly arm: string;
  readonly planned: number;
  readonly ok: number;
  /** Ended, but not ok. */
  readonly lost: number;
  /** Median of the primary metric over the valid trials so far; null without any. */
  readonly median: number | null;
}

/** Things by the names that people know. */
export interface ConditionProgress {
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly server: string;
  /** Name and unit of the primary metric of its kind. */
  readonly metric: string;
  readonly unit: string;
  readonly arms: readonly ArmProgress[];
}

export interface EndedTrial {
  readonly trialId: string;
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly arm: string;
  /** `block 3`, or `recorded block 1`. */
  readonly block: string;
  readonly status: TrialStatus;
  readonly reason: string | null;
  readonly value: number | null;
  readonly unit: string;
  readonly endedAt: string;
}

/** One machine of a run that several share. */
export interface HostProgress {
  readonly host: string;
  readonly leasesDone: number;
  /** Leases of which some trials have a record, and others may still get one. */
  readonly leasesUnderWay: number;
  readonly leasesLost: number;
  readonly ok: number;
  /** Ended, but not ok. */
  readonly lost: number;
  /** When its newest trial ended. */
  readonly lastAt: string;
  /** Of each condition and arm the median so far of the primary metric over its own valid trials. */
  readonly medians: readonly {
    readonly what: string;
    readonly arm: string;
    readonly median: number;
    readonly unit: string;
  }[];
}

/** A lease that its worker did not bring to its end. */
export interface LostLease {
  readonly leaseId: string;
  /** Null for one that no worker had begun. */
  readonly host: string | null;
  readonly reason: string;
}

/** How machines that share a run get on. */
export interface SharingProgress {
  /** Leases of the blocks that were asked for, and spare ones that stand in. */
  readonly needed: number;
  readonly done: number;
  readonly underWay: number;
  readonly spareLeft: number;
  readonly hosts: readonly HostProgress[];
  readonly lostLeases: readonly LostLease[];
}

/** How far a run is. It holds no verdict and no interval: judging before the end raises false alarms. */
export interface RunProgress {
  readonly name: string;
  readonly command: string;
  /** `stopped`: trials are left, but nothing measures; `ended`: every trial has a record. */
  readonly state: 'running' | 'stopped' | 'ended';
  readonly planned: number;
  readonly counts: Readonly<Record<TrialStatus, number>>;
  readonly startedAt: string | null;
  /** From what the trials so far took, pauses included; null while nothing is known or nothing runs. */
  readonly remainingMs: number | null;
  readonly conditions: readonly ConditionProgress[];
  /** Absent in a run of one machine. */
  readonly sharing?: SharingProgress;
  /** Newest first. */
  readonly lastTrials: readonly EndedTrial[];
  /** Whether a report of all that is recorded has been written. */
  readonly hasReport: boolean;
}
