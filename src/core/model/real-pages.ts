/** A figure of real pages as published: shares of pages, and the value that they are below. */
export type Quantiles = readonly (readonly [share: number, value: number])[];

export interface RealPages {
  /** Who published it, and where. */
  readonly source: string;
  readonly quantiles: Quantiles;
}

/** Home pages of the Web as desktop browsers load them. */
export const realPages = {
  objectCount: {
    source: 'HTTP Archive, 2025, desktop',
    quantiles: [
      [0.1, 27],
      [0.25, 46],
      [0.5, 77],
      [0.75, 122],
      [0.9, 185],
    ],
  },
  wireBytes: {
    source: 'HTTP Archive, 2025, desktop',
    quantiles: [
      [0.1, 607_000],
      [0.25, 1_275_000],
      [0.5, 2_412_000],
      [0.75, 4_570_000],
      [0.9, 9_179_000],
    ],
  },
  /** Of third parties alone. */
  hostCount: {
    source: 'HTTP Archive, 2025, desktop: domains of third parties',
    quantiles: [[0.5, 16]],
  },
  tbtMs: {
    source: 'HTTP Archive, Web Almanac 2025, chapter Performance, desktop',
    quantiles: [
      [0.1, 0],
      [0.25, 3],
      [0.5, 92],
      [0.75, 336],
      [0.9, 802],
    ],
  },
} as const satisfies Readonly<Record<string, RealPages>>;
