import type { Comparison } from '../../src/model/summary.ts';

/** One comparison as the page's script needs it: titles instead of ids. */
export interface PageComparison {
  readonly id: string;
  readonly workload: string;
  readonly kind: string;
  readonly metric: string;
  readonly metricName: string;
  readonly condition: string;
  readonly primary: boolean;
  readonly pooled: boolean;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly baseline: Comparison['baseline'];
  readonly candidate: Comparison['candidate'];
  readonly blocks: number;
  readonly ratio: number | null;
  readonly ratioInterval: readonly [number, number] | null;
  readonly difference: number | null;
  readonly differenceInterval: readonly [number, number] | null;
  readonly margin: number;
  readonly pValue: number | null;
  readonly adjustedPValue: number | null;
  readonly cliffsDelta: number | null;
  readonly verdict: Comparison['verdict'];
  readonly reason: string | null;
  readonly blocksNeeded: number | null;
  readonly warnings: readonly string[];
  /** `[blockIndex, baseline, candidate]`, six significant digits. */
  readonly values: readonly (readonly [number, number | null, number | null])[];
}

/** Field names of `PageComparison` in the order in which a packed row holds them. */
export const packedFields = [
  'id',
  'workload',
  'kind',
  'metric',
  'metricName',
  'condition',
  'primary',
  'pooled',
  'unit',
  'higherIsBetter',
  'baseline',
  'candidate',
  'blocks',
  'ratio',
  'ratioInterval',
  'difference',
  'differenceInterval',
  'margin',
  'pValue',
  'adjustedPValue',
  'cliffsDelta',
  'verdict',
  'reason',
  'blocksNeeded',
  'warnings',
  'values',
] as const satisfies readonly (keyof PageComparison)[];

/** One DASH session; times in ms after the player's load call. */
export interface PageSession {
  readonly arm: string;
  readonly trialId: string;
  readonly startupDelayMs: number | null;
  /** `[requestStartMs, lastByteMs, bitrateKbps, throughputMbps]` per chunk. */
  readonly chunks: readonly (readonly [number, number, number, number])[];
  /** `[tMs, levelSeconds]`. */
  readonly buffer: readonly (readonly [number, number])[];
  readonly stalls: readonly (readonly [number, number])[];
}

export interface PageSessionBlock {
  readonly blockIndex: number;
  readonly sessions: readonly PageSession[];
}

/** The sessions of one condition; the block that is most like the middle of all comes first. */
export interface PageSessionGroup {
  readonly title: string;
  readonly blocks: readonly PageSessionBlock[];
  /** Blocks left out to keep the page small. */
  readonly leftOut: number;
}

/** What the page's script reads out of the JSON in the page. */
export interface PageData {
  readonly runName: string;
  readonly baseline: { readonly label: string; readonly title: string };
  readonly candidate: { readonly label: string; readonly title: string };
  /** One row per comparison, fields as in `packedFields`. */
  readonly comparisons: readonly (readonly unknown[])[];
  readonly sessionGroups: readonly PageSessionGroup[];
}
