import { blocksNeededSentence } from '../../core/model/blocks-needed.ts';
import { isPluralTitle, metricDefinition } from '../../core/metrics/registry.ts';
import { hasReason } from '../../core/model/reasons.ts';
import { chosenPercentDigits } from '../../core/model/rounding.ts';
import { mediansAgree } from '../../core/model/medians.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { rangeOfSites } from './mean-range.ts';
import { rareEventClause } from './rare-events.ts';
import { beOf, counted, directionWords, haveOf, percent, pText, quantity } from '../figures/figures.ts';

export interface SentenceNames {
  readonly baseline: string;
  readonly candidate: string;
  /** Where: workload, client and so on, as far as the run has several; may be empty. */
  readonly place: string;
  readonly title: string;
  /** What a reader calls a workload. */
  readonly workload: (id: string) => string;
}

/** What lies nearer to no change than this is written as 0.0 %. */
const smallestShown = 5e-4;

/** One comparison in a sentence that claims no more than its verdict. */
export function comparisonSentence(comparison: Comparison, names: SentenceNames): string {
  const where = names.place === '' ? '' : `${names.place}: `;
  const { baseline, candidate, title } = names;
  const evidence = evidenceText(comparison, comparison.intervalLevel ?? 0.95);
  const seen =
    comparison.rareEvents === undefined ? '' : ` ${rareEventClause(comparison.rareEvents, names)}.`;
  switch (comparison.verdict) {
    case 'better':
    case 'worse':
      return `${where}${candidate} is ${comparison.verdict} than ${baseline}: ${title} ${beOf([title])} ${effectText(comparison)}${mediansText(comparison)}${rangeText(comparison, names)} (${evidence}).${seen}`;
    case 'equivalent':
      return `${where}${candidate} and ${baseline} are equivalent: ${title} ${isPluralTitle(title) ? 'differ' : 'differs'} by less than the margin of ${marginText(comparison)} (estimate ${effectText(comparison)}${rangeText(comparison, names)}, ${evidence}).${decisiveInterval(comparison)}${seen}${findableText(comparison)}`;
    case 'mixed':
      return `${where}the workloads disagree between ${candidate} and ${baseline}: ${title} ${beOf([title])} ${extremesText(comparison, names)}. The mean, ${effectText(comparison)} (${evidence}), hides that.`;
    case 'inconclusive':
      return `${where}not decided between ${candidate} and ${baseline}: ${undecidedText(comparison, title, evidence)}${seen}`;
  }
}

/**
 * Medians say what the effect means in the metric's unit, where they say the same change. A pool of workloads has none worth
 * telling, and next to a block that one arm lost they could point another way than the blocks that both have.
 */
function mediansText(comparison: Comparison): string {
  const { workload, baseline, candidate, unit, blocks } = comparison;
  if (!mediansAgree(comparison)) return '';
  if (workload === pooledWorkload || baseline.median === null || candidate.median === null) return '';
  if (baseline.n !== blocks || candidate.n !== blocks) return '';
  return `, median ${quantity(candidate.median, unit)} against ${quantity(baseline.median, unit)}`;
}

/** Over what a mean is one: ` on average, from 47 % shorter (A) to 4 % longer (B)`; empty where its workloads agree. */
function rangeText(comparison: Comparison, { workload }: SentenceNames): string {
  const [more, less] = wordsOf(comparison);
  const range = rangeOfSites([comparison], { more, less, behind: workload });
  return range === '' ? '' : ` on average, ${range}`;
}

/** Equivalence is two one-sided tests, a narrower interval within the margin; said where the interval shown reaches out. */
function decisiveInterval({ ratio, ratioInterval, differenceInterval, margin }: Comparison): string {
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  const [least, most] = ratio !== null ? [1 / (1 + margin), 1 + margin] : [-margin, margin];
  if (interval === null || (interval[0] >= least && interval[1] <= most)) return '';
  return ' Two one-sided tests decide this, not the interval.';
}

/** `13 % shorter on a, 15 % longer on b`, and how many are decided on either side. */
function extremesText(comparison: Comparison, names: SentenceNames): string {
  const { heterogeneity } = comparison;
  if (heterogeneity === undefined) return 'better on some and worse on others';
  const { range, lowest, highest, sites } = heterogeneity;
  const count = (side: 'better' | 'worse'): number => sites.filter(({ decided }) => decided === side).length;
  const ends = `${relative(comparison, range[0])} on ${names.workload(lowest)} and ${relative(comparison, range[1])} on ${names.workload(highest)}`;
  return `${ends} (of ${sites.length} workloads ${count('better')} decided better, ${count('worse')} worse)`;
}

function undecidedText(comparison: Comparison, title: string, evidence: string): string {
  const { reason, blocks, blocksNeeded } = comparison;
  const because = reason === undefined || hasReason(comparison, 'no-pairs') ? '' : ` Reason: ${reason}.`;
  if (blocks === 0) return `${title} ${haveOf([title])} no block with a value in both arms.${because}`;
  const next = blocksNeeded === undefined ? '' : ` ${blocksNeededSentence(blocksNeeded, blocks)}`;
  return `${title} ${beOf([title])} estimated ${effectText(comparison)} (${evidence}).${because}${next}${findableText(comparison)}`;
}

/** What a run like this one would hardly have missed. */
function findableText({ smallestDetectable: smallest, ratio, unit, blocks }: Comparison): string {
  if (smallest === undefined || smallest === null) return '';
  const times = smallest < 1 ? `of ${percent(smallest)}` : `to ${quantity(1 + smallest, 'times')}`;
  const change = ratio !== null ? times : `of ${quantity(smallest, unit)}`;
  return ` ${counted(blocks, 'block')} usually detect a change ${change} or more.`;
}

/** `7.1 % longer`, `no different`, `120 ms shorter`: the candidate's, by the point estimate. */
function effectText(comparison: Comparison): string {
  const { ratio, difference } = comparison;
  if (ratio !== null && Number.isFinite(ratio)) return relative(comparison, ratio);
  return difference === null || !Number.isFinite(difference) ? 'unknown' : absolute(comparison, difference);
}

function wordsOf({ metric, unit }: Comparison): readonly [more: string, less: string] {
  return directionWords(metricDefinition(metric)?.title ?? metric, unit);
}

function relative(comparison: Comparison, ratio: number): string {
  const [more, less] = wordsOf(comparison);
  if (Math.abs(ratio - 1) < smallestShown) return 'no different';
  return `${percent(ratio - 1)} ${ratio > 1 ? more : less}`;
}

function absolute(comparison: Comparison, difference: number): string {
  const [more, less] = wordsOf(comparison);
  if (difference === 0) return 'no different';
  return `${quantity(difference, comparison.unit)} ${difference > 0 ? more : less}`;
}

function marginText({ ratio, margin, unit }: Comparison): string {
  return ratio !== null ? `${chosenPercentDigits(margin * 100)} %` : quantity(margin, unit);
}

/** Interval, adjusted p and blocks. */
function evidenceText(comparison: Comparison, level: number): string {
  const { adjustedPValue, blocks } = comparison;
  const parts = [intervalText(comparison, level)];
  if (adjustedPValue !== null) parts.push(`adjusted ${pText(adjustedPValue)}`);
  parts.push(counted(blocks, 'block'));
  return parts.join(', ');
}

/** `95 % interval 4.0 % to 11 % longer`, or `no interval`. */
export function intervalText(comparison: Comparison, level: number): string {
  const { ratio, ratioInterval, differenceInterval } = comparison;
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  if (interval === null || !interval.every(Number.isFinite)) return 'no interval';
  const ends = interval.map((end) =>
    ratio !== null ? relativePart(end) : absolutePart(end, comparison.unit),
  );
  return `${chosenPercentDigits(level * 100)} % interval ${endsText(ends, wordsOf(comparison))}`;
}

/** `4.0 % to 11 % longer`, the smaller end first; `2.1 % shorter to 1.8 % longer` where zero lies between. */
function endsText(ends: readonly Part[], [more, less]: readonly [string, string]): string {
  const sides = new Set(ends.map(({ side }) => side).filter((side) => side !== 0));
  const [only] = sides;
  if (sides.size < 2) {
    const texts = ends.toSorted((a, b) => a.size - b.size).map(({ text }) => text);
    return [texts.join(' to '), only === undefined ? '' : only > 0 ? more : less].filter(Boolean).join(' ');
  }
  return ends.map(({ text, side }) => `${text} ${side > 0 ? more : less}`).join(' to ');
}

/** One end of an interval: how far from no change, on which side, and in words without the side. */
interface Part {
  readonly size: number;
  readonly side: -1 | 0 | 1;
  readonly text: string;
}

function relativePart(ratio: number): Part {
  const change = ratio - 1;
  const shown = Math.abs(change) >= smallestShown;
  return { size: Math.abs(change), side: shown ? sideOf(change) : 0, text: percent(shown ? change : 0) };
}

function absolutePart(difference: number, unit: string): Part {
  return { size: Math.abs(difference), side: sideOf(difference), text: quantity(difference, unit) };
}

function sideOf(change: number): Part['side'] {
  return change > 0 ? 1 : change < 0 ? -1 : 0;
}
