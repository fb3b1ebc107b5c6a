/** Stretches of a request in the order in which they come. */
export const requestStretches = ['queued', 'connection', 'waiting', 'receiving'] as const;
export type RequestStretch = (typeof requestStretches)[number];

/** One request that both arms made, over the blocks in which both have it. Times in ms after navigation start. */
export interface RequestChange {
  readonly address: string;
  readonly host: string;
  /** Blocks in which both arms made it. */
  readonly blocks: number;
  /** Medians. */
  readonly baseline: { readonly startMs: number; readonly endMs: number };
  readonly candidate: { readonly startMs: number; readonly endMs: number };
  /** Hodges–Lehmann estimate of the candidate's time from start to last byte less the baseline's. */
  readonly durationDifferenceMs: number;
  /** 95 %; null below six blocks. */
  readonly durationInterval: readonly [number, number] | null;
  /** The same of the moment of the last byte. */
  readonly endDifferenceMs: number;
  readonly endInterval: readonly [number, number] | null;
  /** Where most of the difference in duration lies. */
  readonly mainStretch: RequestStretch;
}

/** What changed between two arms inside one page. */
export interface PageChanges {
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly server: string;
  readonly baselineArm: string;
  readonly candidateArm: string;
  /** Blocks that were read in both arms. */
  readonly blocks: number;
  /** Requests that both arms made in at least half of the blocks, and those that only one arm made. */
  readonly matched: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  /** Those that changed most: surest first, then by how far. */
  readonly requests: readonly RequestChange[];
}
