/** What stands for a connection of which a file says no more than its name. */
export interface ConnectionFigures {
  readonly rttMs: number;
  readonly downMbps: number;
  readonly upMbps?: number;
}

const figures = (rttMs: number, downMbps: number, upMbps?: number): ConnectionFigures => ({
  rttMs,
  downMbps,
  ...(upMbps === undefined ? {} : { upMbps }),
});

/**
 * WebPageTest’s connections, by its names (`connectivity.ini` of its server), and those of k6, Puppeteer and the developer tools of
 * Chromium. These delay each request by 3.75, 5 or 2.75 times the round trip that they stand for, and give 80 or 90 % of its rate:
 * here is that round trip, with the rate as it is given.
 */
export const connectionFigures: Readonly<Record<string, ConnectionFigures>> = {
  dial: figures(120, 0.049, 0.03),
  '2g': figures(800, 0.28, 0.256),
  edge: figures(840, 0.24, 0.2),
  '3gslow': figures(400, 0.4, 0.4),
  '3g': figures(300, 1.6, 0.768),
  '3gfast': figures(150, 1.6, 0.768),
  '4g': figures(170, 9, 9),
  lte: figures(70, 12, 12),
  dsl: figures(50, 1.5, 0.384),
  cable: figures(28, 5, 1),
  fios: figures(4, 20, 5),
  'slow 3g': figures(400, 0.4, 0.4),
  'fast 3g': figures(150, 1.44, 0.675),
  'slow 4g': figures(150, 1.44, 0.675),
  'fast 4g': figures(60, 8.1, 1.35),
};

/**
 * The effective types of the Network Information API. It bounds the slow ones: round trips at least and rates at most, which
 * are taken here. `4g` has no bounds: WebPageTest’s LTE is assumed.
 */
export const effectiveTypes: Readonly<Record<string, ConnectionFigures>> = {
  'slow-2g': figures(2000, 0.05),
  '2g': figures(1400, 0.07),
  '3g': figures(270, 0.7),
  '4g': figures(70, 12),
};

/**
 * The three bins of round trips of the Chrome UX Report: below 75 ms, to 275 ms, above. It has no rates. Round trips within
 * a bin and the rates are assumed.
 */
export const roundTripBins = [
  { words: 'below 75 ms', bigQuery: 'low_rtt', ...figures(40, 20) },
  { words: '75 to 275 ms', bigQuery: 'medium_rtt', ...figures(150, 9) },
  { words: 'above 275 ms', bigQuery: 'high_rtt', ...figures(400, 1.6) },
] as const;

/** Columns of the BigQuery tables of the Chrome UX Report (`materialized`, until February 2025) with the share of each effective type. */
export const effectiveTypeDensities = [
  { bigQuery: '_4GDensity', effectiveType: '4g' },
  { bigQuery: '_3GDensity', effectiveType: '3g' },
  { bigQuery: '_2GDensity', effectiveType: '2g' },
  { bigQuery: 'slow2GDensity', effectiveType: 'slow-2g' },
] as const;

/** Columns of the same tables with the share of each form factor. */
export const formFactorDensities = [
  { bigQuery: 'phoneDensity', formFactor: 'phone' },
  { bigQuery: 'tabletDensity', formFactor: 'tablet' },
  { bigQuery: 'desktopDensity', formFactor: 'desktop' },
] as const;
