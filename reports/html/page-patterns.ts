import type { Verdict } from '../../src/core/model/summary.ts';

/** A point of a grid, as a heat map shows it. */
export interface PageHeatCell {
  readonly column: number;
  readonly row: number;
  /** By how much the candidate is better (above 0) or worse; null where it is not known. */
  readonly betterPercent: number | null;
  /** A cell that is not stays blank. */
  readonly significant: boolean;
  /** Effect and interval in words, and the blocks behind them. */
  readonly effect: string;
  readonly interval: string;
  readonly n: number;
}

/** One metric of one client and server over all points of a grid. */
export interface PageHeatMap {
  readonly metric: string;
  readonly place: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly columnTitle: string;
  readonly columns: readonly string[];
  readonly rowTitle: string;
  readonly rows: readonly string[];
  readonly cells: readonly PageHeatCell[];
  /** Anchor-like name for saved files. */
  readonly fileName: string;
}

/** Lower quartile, median, upper quartile and the number of values. */
export type PageSpread = readonly [low: number | null, median: number | null, high: number | null, n: number];

export interface PageSweepPoint {
  /** On the axis of its sweep. */
  readonly at: number;
  readonly baseline: PageSpread;
  readonly candidate: PageSpread;
  readonly effect: string;
  readonly interval: string;
  readonly n: number;
  readonly verdict: Verdict;
}

export interface PageSweepLine {
  readonly metric: string;
  readonly unit: string;
  /** Where the arms part, in one sentence. */
  readonly words: string;
  readonly points: readonly PageSweepPoint[];
}

/** What a sweep is drawn against. */
export interface PageSweepAxis {
  readonly title: string;
  readonly unit: string;
  /** One point of it, such as `rate`. */
  readonly noun: string;
  /** Where arms are expected to be alike: the sentence below goes from there to the other end. */
  readonly from: 'lowest' | 'highest';
}

/** A metric over conditions that differ by one quantity alone, and what it cost. */
export interface PageSweep {
  readonly title: string;
  readonly axis: PageSweepAxis;
  readonly baseline: string;
  readonly candidate: string;
  /** Throughput or load time first, then CPU use where it was measured. */
  readonly lines: readonly PageSweepLine[];
  readonly fileName: string;
}

/** Shares of media time by step of one ladder. */
export interface PageLadderSteps {
  /** Ascending. */
  readonly stepsMbps: readonly number[];
  readonly bars: readonly {
    readonly arm: string;
    /** What tells conditions of the run apart; may be empty. */
    readonly place: string;
    readonly sessions: number;
    /** In the order of the steps, 0 to 1. */
    readonly shares: readonly number[];
  }[];
  readonly fileName: string;
}

/** Encoded bitrates of chunks by place (network and chunk length) and arm. */
export interface PageChunkBitrates {
  readonly title: string;
  readonly places: readonly string[];
  readonly arms: readonly { readonly arm: string; readonly title: string }[];
  readonly boxes: readonly {
    readonly place: string;
    readonly arm: string;
    readonly chunks: number;
    readonly meanMbps: number;
    /** Minimum, quartiles and maximum. */
    readonly quantilesMbps: readonly number[];
  }[];
  readonly fileName: string;
}

/** One page of the corpus. */
export interface PageCorpusPoint {
  readonly title: string;
  readonly objects: number;
  readonly bytes: number;
  readonly hosts: number | null;
  /** Whether the figures come from trials of this run, not from what was known beforehand. */
  readonly measured: boolean;
}

/** How long the messages of one condition took. */
export interface PageMessageGroup {
  readonly title: string;
  readonly arms: readonly {
    readonly arm: string;
    readonly title: string;
    readonly trials: number;
    readonly sent: number;
    readonly lost: number;
    /** Those that waited behind another. */
    readonly behind: number;
    /** Of those that came, from the least to the most in equal shares. */
    readonly quantilesMs: readonly number[];
    /** Of one trial, ms after the first was due, ms until the echo (null: lost), whether it waited behind another. */
    readonly samples: readonly (readonly [number, number | null, boolean])[];
    /** The block of these. */
    readonly block: string;
  }[];
  readonly fileName: string;
}

export interface PageFrameGroup {
  readonly title: string;
  readonly arms: readonly {
    readonly arm: string;
    readonly title: string;
    readonly shown: number;
    readonly lost: number;
    /** Latency of those that were seen, from the least to the most in equal shares. */
    readonly quantilesMs: readonly number[];
    /** Of one session, ms after the player's load call, and latency in ms. */
    readonly samples: readonly (readonly [number, number])[];
    /** Its stalls, ms after the load call. */
    readonly stalls: readonly (readonly [number, number])[];
    /** The block of these. */
    readonly block: string;
  }[];
  readonly fileName: string;
}

/** Plots over several workloads or networks; each list is empty where the run has nothing for it. */
export interface PagePatterns {
  readonly heatMaps: readonly PageHeatMap[];
  readonly sweeps: readonly PageSweep[];
  readonly ladderSteps: readonly PageLadderSteps[];
  readonly chunkBitrates: readonly PageChunkBitrates[];
  readonly corpus: readonly PageCorpusPoint[];
  readonly messages: readonly PageMessageGroup[];
  readonly frames: readonly PageFrameGroup[];
}
