import fCdf from '@stdlib/stats-base-dists-f-cdf';
import { adjustPValues } from './adjust-p-values.ts';
import type { Interval } from './hodges-lehmann.ts';
import { locationTests, testMargin } from './location-test.ts';
import { momentsOf, studentLimit } from './student-t.ts';
import type { TwoWayFit } from './two-way-fit.ts';

export interface SiteJudgement {
  /** Mean of its own cells, which its test is about. */
  readonly effect: number;
  readonly cells: number;
  /** Two-sided, of an effect within the margin, Holm over the sites; null below two cells. */
  readonly adjustedPBeyondMargin: number | null;
  /** 1: above the margin for certain, −1: below it. */
  readonly decided: 1 | -1 | null;
  /** On which side of no difference it rather is, by its own blocks alone; null where they may as well be noise. */
  readonly leans: 1 | -1 | null;
}

export interface SiteHeterogeneity {
  /** F test of equal site effects; null without degrees of freedom. */
  readonly pValue: number | null;
  /** Standard deviation between the true effects of the sites; null where it cannot be estimated. */
  readonly siteSd: number | null;
  readonly sites: readonly SiteJudgement[];
  /** 95 % interval of the mean over sites like these; null below three sites. */
  readonly sitesLikeThese: Interval | null;
}

const minSites = 3;
/** Two-sided, of a single site: so that more blocks are measured, not for a verdict. */
const leaningAlpha = 0.1;

/**
 * How far the sites of a pool agree: F test of the site effects against the residuals of the two-way fit; the variance
 * between sites by the method of moments from the same mean squares; each site against the margin; and the interval of
 * the mean over random sites.
 *
 * @param margin on the scale of the effects
 * @param alpha level at which a site is decided, Holm over the sites
 */
export function siteHeterogeneity(fit: TwoWayFit, margin: number, alpha: number): SiteHeterogeneity {
  const { siteEffects, siteCells, residuals, residualDegreesOfFreedom: rest } = fit;
  const count = siteEffects.length;
  const residualSquares = residuals.reduce((sum, { value }) => sum + value ** 2, 0);
  const residualVariance = rest === 0 ? null : residualSquares / rest;
  const total = siteCells.reduce((sum, cells) => sum + cells, 0);
  const between = Math.max(0, blocksOnlySquares(fit) - residualSquares) / Math.max(1, count - 1);
  // Cells a site, for unequal numbers (Searle, Casella & McCulloch, Variance Components, 1992, §3.6).
  const typicalCells =
    (total - siteCells.reduce((sum, cells) => sum + cells ** 2, 0) / total) / Math.max(1, count - 1);
  const testable = count > 1 && residualVariance !== null;
  const siteVariance = testable ? Math.max(0, (between - residualVariance) / typicalCells) : null;
  return {
    pValue: testable ? fTail(between, residualVariance, count - 1, rest) : null,
    siteSd: siteVariance === null ? null : Math.sqrt(siteVariance),
    sites: judgeSites(fit, margin, alpha),
    sitesLikeThese:
      residualVariance === null || siteVariance === null
        ? null
        : randomSiteInterval(fit, residualVariance, siteVariance),
  };
}

/** Sum of squares that blocks alone leave: what the sites explain besides them is the difference to the whole fit. */
function blocksOnlySquares({ residuals, siteEffects }: TwoWayFit): number {
  const byBlock = Map.groupBy(residuals, ({ block }) => block);
  return [...byBlock.values()].reduce((sum, cells) => {
    const values = cells.map(({ site, value }) => value + (siteEffects[site] as number));
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    return sum + values.reduce((total, value) => total + (value - mean) ** 2, 0);
  }, 0);
}

/** Upper tail of the F distribution at a quotient of mean squares, one of which may be zero. */
export function fTail(between: number, within: number, first: number, second: number): number {
  if (within === 0) return between === 0 ? 1 : 0;
  return 1 - fCdf(between / within, first, second);
}

/** Variance of the blocks' common effects: what is left of the variance of block values when the residuals' part is taken off. */
function blockVariance({ blocks, residuals, siteEffects }: TwoWayFit): number {
  if (blocks.length < 2) return 0;
  const sites = siteEffects.length;
  const { variance } = momentsOf(blocks.map(({ value }) => value));
  const rest = (blocks.length - 1) * Math.max(1, sites - 1);
  const within = residuals.reduce((sum, { value }) => sum + value ** 2, 0) / rest;
  return Math.max(0, variance - within / sites);
}

/**
 * Each site's effect against the margin by a t test of its own cells. What blocks do to all sites alike is among them; what other
 * sites do is not, so that a noisy site hides nothing of a quiet one.
 */
function judgeSites(fit: TwoWayFit, margin: number, alpha: number): SiteJudgement[] {
  const own = cellsBySite(fit);
  const tests = own.map((values) => testMargin(locationTests.t, values, margin));
  const adjusted = adjustPValues(
    tests.map((test) => test?.pBeyondMargin ?? null),
    'holm',
  );
  return own.map((values, s) => {
    const adjustedPBeyondMargin = adjusted[s] ?? null;
    const decided = adjustedPBeyondMargin !== null && adjustedPBeyondMargin < alpha;
    return {
      effect: momentsOf(values).mean,
      cells: values.length,
      adjustedPBeyondMargin,
      decided: decided ? (tests[s]?.side ?? null) : null,
      leans: leaningOf(values),
    };
  });
}

function leaningOf(values: readonly number[]): 1 | -1 | null {
  const test = testMargin(locationTests.t, values, 0);
  return test !== null && test.pValue < leaningAlpha ? test.side : null;
}

/** The cells of each site as they were before the fit, which weighs all sites alike. */
function cellsBySite({ siteEffects, blocks, residuals }: TwoWayFit): number[][] {
  const overall = siteEffects.reduce((sum, effect) => sum + effect, 0) / siteEffects.length;
  const blockEffects = new Map(blocks.map(({ block, value }) => [block, value - overall]));
  const own = siteEffects.map((): number[] => []);
  for (const { site, block, value } of residuals)
    own[site]?.push((siteEffects[site] as number) + (blockEffects.get(block) ?? 0) + value);
  return own;
}

/**
 * Mean over random sites with the variance of Hartung & Knapp (Statistics in Medicine 20, 2001; Sidik & Jonkman 2002), to
 * which the error that the blocks bring to all sites alike is added; Student's t with one degree of freedom less than sites.
 */
function randomSiteInterval(fit: TwoWayFit, residualVariance: number, siteVariance: number): Interval | null {
  const { siteEffects, siteCells, blocks } = fit;
  const count = siteEffects.length;
  if (count < minSites) return null;
  const variances = siteCells.map((cells) => residualVariance / cells + siteVariance);
  const weights = variances.map((variance) => (variance === 0 ? 1 : 1 / variance));
  const weight = weights.reduce((sum, weight) => sum + weight, 0);
  const centre = siteEffects.reduce((sum, effect, s) => sum + effect * (weights[s] as number), 0) / weight;
  const spread =
    siteEffects.reduce((sum, effect, s) => sum + (weights[s] as number) * (effect - centre) ** 2, 0) /
    ((count - 1) * weight);
  const reach = studentLimit(0.95, count - 1) * Math.sqrt(spread + blockVariance(fit) / blocks.length);
  return [centre - reach, centre + reach];
}
