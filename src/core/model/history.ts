import type { NameTable } from './name-table.ts';
import type { ComparisonForm } from './metrics.ts';

/** How a run or a night ended. Only `complete` ones make trends and may become baselines. */
export type RunState = 'complete' | 'half' | 'crashed' | 'failed' | 'empty';

/** One value of one trial as the history keeps it. */
export interface Observation {
  readonly block: number;
  readonly arm: string;
  /** `candidate` is the newest version of the run's browser, where it has several. */
  readonly role: 'baseline' | 'candidate' | 'only';
  /** With what the arm sets besides, such as `h2+ipv6=broken`. */
  readonly protocol: string;
  readonly client: string;
  readonly family: string;
  readonly version: string;
  readonly build: string;
  readonly workload: string;
  readonly kind: string;
  readonly network: string;
  readonly server: string;
  readonly metric: string;
  readonly value: number;
}

/** A run directory as the history takes it in. */
export interface HistoryRun {
  /** The same for the same run, wherever it lies. */
  readonly runId: string;
  /** Changes when the journal does. */
  readonly digest: string;
  readonly folder: string;
  readonly name: string;
  /** `2026-11-21`, UTC date of its start. */
  readonly night: string;
  readonly startedAt: string;
  readonly machineClass: string;
  readonly state: RunState;
  /** Why it is not complete; empty for complete ones. */
  readonly reason: string;
  readonly blocksPlanned: number;
  readonly blocksDone: number;
  readonly trialsOk: number;
  readonly trialsLost: number;
  readonly gateOutcome: string | null;
  readonly command: string;
  readonly gitRevision: string | null;
  readonly observations: readonly Observation[];
}

/** What `nightly` left of one night in `nights.jsonl`. */
export interface NightEvent {
  readonly night: string;
  readonly event: 'begin' | 'end';
  readonly at: string;
  readonly folder: string | null;
  readonly exitCode: number | null;
  readonly note: string;
}

export interface Night {
  readonly night: string;
  /** `missed`: nothing ran between the first and the last night. */
  readonly state: RunState | 'missed' | 'running';
  readonly note: string;
  readonly folder: string | null;
}

export interface TrendPoint {
  readonly night: string;
  readonly version: string;
  readonly n: number;
  readonly median: number;
  /** 95 % interval of the median, by order statistics; null below six values. */
  readonly interval: readonly [number, number] | null;
}

/** A night from which on the level of a series is another one. */
export interface ChangePoint {
  readonly night: string;
  readonly version: string;
  readonly before: number;
  readonly after: number;
  readonly pValue: number;
}

/** What a build of an app has in place of a version. */
export const versionOfBuild = (build: string): string => `${build} build`;

/** What the values of a paired series are. */
export interface PairedWith {
  /** Version of the baseline that ran in the same blocks. */
  readonly baseline: string;
  /** `ratio`: candidate ÷ baseline of each block; `difference`: candidate − baseline, in the metric's unit. */
  readonly form: ComparisonForm;
}

/**
 * Fewest nights with which a lasting step in the middle of a series is found in at least 80 % of series, by its size in
 * standard deviations between nights, without autocorrelation; simulated by `npm run verify:statistics`.
 */
export const nightsToFind: readonly { readonly step: number; readonly nights: number }[] = [
  { step: 5, nights: 19 },
  { step: 3, nights: 29 },
];

/** With fewer nights no change is looked for. */
export const minNights = Math.min(...nightsToFind.map(({ nights }) => nights));

/** What never mixes in a series over nights. */
export interface SeriesIdentity {
  readonly machineClass: string;
  readonly family: string;
  readonly build: string;
  readonly protocol: string;
  /** Absent of histories that do not say it. */
  readonly kind?: string;
  readonly workload: string;
  readonly metric: string;
  readonly network: string;
  readonly server: string;
}

/** One metric of one workload over nights. */
export interface TrendSeries extends SeriesIdentity {
  /** Where the values are those of the candidate against the baseline of the same blocks. */
  readonly pairedWith?: PairedWith;
  /** By night: the candidate (or only) browser of each. */
  readonly nights: readonly TrendPoint[];
  /** By version, over all nights. */
  readonly versions: readonly TrendPoint[];
  /** Changes of the level: of a paired series, else among the nights that are in no paired series. */
  readonly changes: readonly ChangePoint[];
}

/** HTTP/3 against HTTP/2 of one metric of one workload, block by block within each run. */
export interface ProtocolGap {
  readonly machineClass: string;
  readonly family: string;
  readonly build: string;
  readonly workload: string;
  readonly kind?: string;
  readonly metric: string;
  readonly network: string;
  readonly server: string;
  /** `ratio`: HTTP/3 ÷ HTTP/2; `difference`: HTTP/3 − HTTP/2, in the metric's unit. */
  readonly form: ComparisonForm;
  readonly nights: readonly TrendPoint[];
  readonly versions: readonly TrendPoint[];
}

export interface Trend {
  readonly generatedAt: string;
  readonly nights: readonly Night[];
  /** The most important metrics first. */
  readonly series: readonly TrendSeries[];
  readonly gaps: readonly ProtocolGap[];
  readonly names: NameTable;
}
