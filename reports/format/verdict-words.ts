import { audienceNetwork } from '../../src/core/model/audience-network.ts';
import type { BudgetVerdict } from '../../src/core/model/budget.ts';
import type { BlocksNeeded } from '../../src/core/model/blocks-needed.ts';
import { blocksNeededSentence } from '../../src/core/model/blocks-needed.ts';
import { chosenPercentDigits } from '../../src/core/model/rounding.ts';
import type { Heterogeneity, Verdict } from '../../src/core/model/summary.ts';
import { formatNumber, equalsP, formatRatioPercent, formatShare, formatSigned, isNumber } from './numbers.ts';

type Interval = readonly [number, number] | null;

/** What the words need of a comparison; the page's own compact form has it as well. */
export interface Judged {
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly blocks: number;
  readonly ratio: number | null;
  readonly ratioInterval: Interval;
  readonly difference: number | null;
  readonly differenceInterval: Interval;
  /** Level of both intervals; absent or null: 0.95. */
  readonly intervalLevel?: number | null | undefined;
  readonly margin: number;
  readonly pValue: number | null;
  readonly adjustedPValue: number | null;
  readonly verdict: Verdict;
  readonly reason?: string | null | undefined;
  /** 0 and absent: no estimate. */
  readonly blocksNeeded?: BlocksNeeded | 0 | undefined;
  /** Absent or null: none. */
  readonly smallestDetectable?: number | null | undefined;
  readonly heterogeneity?: Heterogeneity | null | undefined;
  readonly network?: string | undefined;
}

/** Signs that tell verdicts apart without colour. */
export const verdictSigns: Readonly<Record<Verdict, string>> = {
  better: '▲',
  worse: '▼',
  equivalent: '≈',
  mixed: '◆',
  inconclusive: '?',
};

/** What became of a budget, as a reader sees it. */
export const budgetTitles: Readonly<Record<BudgetVerdict, string>> = {
  kept: 'kept',
  exceeded: 'exceeded',
  undecided: 'not decided',
};

/** Verdicts as people say them; JSON and CSV have the words of the statistics. */
export const verdictTitles: Readonly<Record<Verdict, string>> = {
  better: 'better',
  worse: 'worse',
  equivalent: 'no difference',
  mixed: 'depends',
  inconclusive: 'not decided',
};

/** In the order of interest. */
export const verdictOrder: readonly Verdict[] = ['worse', 'mixed', 'better', 'equivalent', 'inconclusive'];

/** How a comparison is expressed: as a ratio, as a difference, or not at all. */
export function formOf(comparison: Judged): 'ratio' | 'difference' | 'none' {
  if (isNumber(comparison.ratio)) return 'ratio';
  return isNumber(comparison.difference) ? 'difference' : 'none';
}

function withUnit(text: string, unit: string): string {
  return unit === '' || unit === '1' ? text : `${text} ${unit}`;
}

/** The effect as a signed number: `−7.0 %` or `+120 ms`. */
export function effectText(comparison: Judged): string {
  switch (formOf(comparison)) {
    case 'ratio':
      return formatRatioPercent(comparison.ratio);
    case 'difference':
      return withUnit(formatSigned(comparison.difference), comparison.unit);
    case 'none':
      return 'no estimate';
  }
}

function finiteInterval(interval: Interval): Interval {
  return interval && isNumber(interval[0]) && isNumber(interval[1]) ? interval : null;
}

/** The interval in which `effectText` is expressed, or null where there is none. */
export function intervalOf(comparison: Judged): Interval {
  const form = formOf(comparison);
  if (form === 'none') return null;
  return finiteInterval(form === 'ratio' ? comparison.ratioInterval : comparison.differenceInterval);
}

function levelPercent({ intervalLevel }: Pick<Judged, 'intervalLevel'>): string {
  return chosenPercentDigits((isNumber(intervalLevel) ? intervalLevel : 0.95) * 100);
}

/** Level of the intervals as it is written: `95 %`, `99.8 %`. */
export function levelText(comparison: Pick<Judged, 'intervalLevel'>): string {
  return `${levelPercent(comparison)} %`;
}

/** The level that all intervals of a table share, in per cent; undefined where they differ. */
export function commonLevelPercent(
  comparisons: readonly Pick<Judged, 'intervalLevel'>[],
): string | undefined {
  const [first = levelPercent({}), ...others] = new Set(comparisons.map(levelPercent));
  return others.length === 0 ? first : undefined;
}

/** `95 % interval`, or `interval` where a table has several levels. */
export function intervalTitle(comparisons: readonly Pick<Judged, 'intervalLevel'>[]): string {
  const percent = commonLevelPercent(comparisons);
  return percent === undefined ? 'interval' : `${percent} % interval`;
}

/** The interval: `−11.0 % to −4.0 %`, or the words for its absence. */
export function intervalText(comparison: Judged): string {
  const interval = intervalOf(comparison);
  if (interval === null) return 'no interval';
  const [low, high] = interval;
  return formOf(comparison) === 'ratio'
    ? `${formatRatioPercent(low)} to ${formatRatioPercent(high)}`
    : withUnit(`${formatSigned(low)} to ${formatSigned(high)}`, comparison.unit);
}

/** The practical margin: `±3.0 %` or `±100 ms`. */
export function marginText(comparison: Judged): string {
  return formOf(comparison) === 'difference'
    ? `±${withUnit(formatNumber(comparison.margin), comparison.unit)}`
    : `±${chosenPercentDigits(comparison.margin * 100)} %`;
}

/** The p value that decides: adjusted where there is one. */
export function decidingP(comparison: Judged): number | null {
  return comparison.adjustedPValue ?? comparison.pValue;
}

/** Which test a p is of: of no difference at all, or, adjusted, of an effect beyond the margin. */
export function pName({ adjustedPValue }: Pick<Judged, 'adjustedPValue'>): string {
  return adjustedPValue === null ? 'p of no difference' : 'p beyond the margin';
}

function direction(comparison: Judged): string {
  const value = formOf(comparison) === 'ratio' ? (comparison.ratio ?? 1) - 1 : (comparison.difference ?? 0);
  return value < 0 ? 'lower' : 'higher';
}

function magnitude(comparison: Judged): string {
  return effectText(comparison).replace(/^[+\u2212]/, '');
}

function evidence(comparison: Judged): string {
  const p = decidingP(comparison);
  const parts = [
    intervalOf(comparison) === null
      ? 'no interval'
      : `${levelText(comparison)} interval ${intervalText(comparison)}`,
    `n = ${comparison.blocks} ${comparison.blocks === 1 ? 'block' : 'blocks'}`,
  ];
  if (isNumber(p)) parts.push(equalsP(p, pName(comparison)));
  return parts.join(', ');
}

/** Ends of the margin around no change, on the scale of `intervalOf`. */
function marginOf(comparison: Judged): readonly [number, number] {
  const { margin } = comparison;
  return formOf(comparison) === 'ratio' ? [1 / (1 + margin), 1 + margin] : [-margin, margin];
}

/** Equivalence is two one-sided tests, a narrower interval within the margin; said where the interval shown reaches out. */
function decidingWords(comparison: Judged): string {
  const interval = intervalOf(comparison);
  const [least, most] = marginOf(comparison);
  if (interval === null || (interval[0] >= least && interval[1] <= most)) return '';
  return ' Two one-sided tests decide this, not the interval.';
}

/** The workloads at both ends of a pool: `a −13 %, b +15 %`. */
function extremesText({ heterogeneity }: Judged): string {
  if (!heterogeneity) return 'some are better, some are worse';
  const { range, lowest, highest } = heterogeneity;
  return `${lowest} ${formatRatioPercent(range[0])}, ${highest} ${formatRatioPercent(range[1])}`;
}

/** What a pool hides: how far its sites lie apart, which are at the ends, and how many are decided on either side. */
export function sitesText({ heterogeneity, network }: Judged): string {
  if (!heterogeneity) return '';
  const { range, lowest, highest, sites, pValue } = heterogeneity;
  const count = (side: 'better' | 'worse'): number => sites.filter(({ decided }) => decided === side).length;
  const apart = isNumber(pValue) ? `. Do they differ? ${equalsP(pValue)}` : '';
  const decided = [
    ...(count('better') > 0 ? [`${count('better')} better`] : []),
    ...(count('worse') > 0 ? [`${count('worse')} worse`] : []),
  ];
  const words = decided.length === 0 ? 'none decided alone' : `${decided.join(' and ')} when judged alone`;
  const nouns = network === audienceNetwork ? 'parts of the audience' : 'sites';
  return `${sites.length} ${nouns}, from ${formatRatioPercent(range[0])} (${lowest}) to ${formatRatioPercent(range[1])} (${highest}): ${words}${apart}`;
}

/** The smallest change that a run like this one finds with 80 % power. */
function findableText(comparison: Judged): string {
  const { smallestDetectable: smallest, unit, blocks } = comparison;
  if (!isNumber(smallest)) return '';
  const times = smallest < 1 ? `of ${formatShare(smallest)}` : `to ${formatNumber(1 + smallest)} times`;
  const change = formOf(comparison) === 'ratio' ? times : `of ${formatNumber(smallest)} ${unit}`.trim();
  return ` ${blocks} blocks usually detect a change ${change} or more.`;
}

/** One sentence: what the comparison says, how much, and how sure it is. */
export function takeaway(comparison: Judged, candidate: string): string {
  if (formOf(comparison) === 'none') {
    return `No result: ${comparison.reason ?? `${comparison.blocks} blocks have a value in both arms`}.`;
  }
  switch (comparison.verdict) {
    case 'better':
    case 'worse':
      return `${candidate} is ${comparison.verdict}: ${magnitude(comparison)} ${direction(comparison)} (${evidence(comparison)}).`;
    case 'equivalent':
      return `No difference that matters: ${effectText(comparison)}, inside the margin of ${marginText(comparison)} (${evidence(comparison)}).${decidingWords(comparison)}${findableText(comparison)}`;
    case 'mixed':
      return `The workloads disagree: ${extremesText(comparison)}. The mean over all, ${effectText(comparison)} (${evidence(comparison)}), is true of none.`;
    case 'inconclusive': {
      const why = !comparison.reason ? '' : `. Reason: ${comparison.reason}`;
      const { blocksNeeded } = comparison;
      const more =
        blocksNeeded === undefined || blocksNeeded === 0
          ? ''
          : ` ${blocksNeededSentence(blocksNeeded, comparison.blocks)}`;
      return `Not decided: ${effectText(comparison)} (${evidence(comparison)})${why}.${more}${findableText(comparison)}`;
    }
  }
}

/** How far an effect is good (+) or bad (−) for the candidate, in practical margins; null for a ratio that is not positive. */
export function advantageInMargins(comparison: Judged, value: number): number | null {
  const good = comparison.higherIsBetter ? 1 : -1;
  const margin = isNumber(comparison.margin) && comparison.margin > 0 ? comparison.margin : 0.03;
  if (formOf(comparison) === 'difference') return (good * value) / margin;
  return value > 0 ? (good * Math.log(value)) / Math.log1p(margin) : null;
}
