/** What a rule may know when the next chunk is about to be requested. */
export interface AbrInput {
  /** Ascending. */
  readonly bitratesKbps: readonly number[];
  /** Track of the chunk requested last; null before the first. */
  readonly previousIndex: number | null;
  /** Media ahead of the playhead (s). */
  readonly bufferSeconds: number;
  /** What the player's buffer may hold (s): a chunk is requested when there is room for it. */
  readonly bufferTargetSeconds: number;
  readonly chunkSeconds: number;
  /** Throughput of the chunks finished so far, oldest first: bytes × 8 ÷ (last byte − request start). */
  readonly chunkThroughputsKbps: readonly number[];
}

export interface AbrChoice {
  /** Index into `bitratesKbps`. */
  readonly index: number;
  /** The numbers behind the choice, for the session's record. */
  readonly why: string;
}

/** Names of dash.js 5's own rules below `streaming.abr.rules`. */
export type DashRuleName =
  'throughputRule' | 'bolaRule' | 'insufficientBufferRule' | 'switchHistoryRule' | 'l2ARule' | 'loLPRule';

interface AbrRuleName {
  readonly id: string;
  readonly title: string;
  /** Where the rule was published. */
  readonly source: string;
}

/** A rule of our own: a pure function, so the same code runs in the page and in the tests. */
export interface OwnAbrRule extends AbrRuleName {
  readonly kind: 'ours';
  readonly decide: (input: AbrInput) => AbrChoice;
  /** Of a rule that plays one track alone: its rank from below, which a ladder must have. */
  readonly fixedRank?: number;
}

/** A rule that dash.js ships. */
export interface DashAbrRule extends AbrRuleName {
  readonly kind: 'dashjs';
  readonly activeRules: readonly DashRuleName[];
}

/** The rule that a player has by default, whichever player it is. */
export interface PlayerAbrRule extends AbrRuleName {
  readonly kind: 'player';
}

export type AbrRule = OwnAbrRule | DashAbrRule | PlayerAbrRule;
