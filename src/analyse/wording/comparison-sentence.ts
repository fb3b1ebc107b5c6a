import { metricDefinition } from '../../model/metric-catalogue.ts';
import type { Comparison } from '../../model/summary.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { inconclusiveReasons } from '../comparison/verdict.ts';
import { counted, percent, pText, quantity } from './figures.ts';

export interface SentenceNames {
  readonly baseline: string;
  readonly candidate: string;
  /** Where: workload, client and so on, as far as the run has several; may be empty. */
  readonly place: string;
  readonly title: string;
  /** Level of the comparison's interval: 0.95. */
  readonly level: number;
}

const timeUnits: ReadonlySet<string> = new Set(['ms', 's']);

/** One comparison in a sentence that claims no more than its verdict. */
export function comparisonSentence(comparison: Comparison, names: SentenceNames): string {
  const where = names.place === '' ? '' : `${names.place}: `;
  const { baseline, candidate, title } = names;
  const evidence = evidenceText(comparison, names.level);
  switch (comparison.verdict) {
    case 'better':
    case 'worse':
      return `${where}${candidate} is ${comparison.verdict} than ${baseline}: ${title} is ${effectText(comparison)}${mediansText(comparison)} (${evidence}).`;
    case 'equivalent':
      return `${where}${candidate} and ${baseline} are equivalent: ${title} differs by less than the margin of ${marginText(comparison)} (estimate ${effectText(comparison)}; ${evidence}).`;
    case 'inconclusive':
      return `${where}undecided between ${candidate} and ${baseline}: ${undecidedText(comparison, title, evidence)}`;
  }
}

/** Medians say what the effect means in the metric's unit; a pool of workloads has none worth telling. */
function mediansText({ workload, baseline, candidate, unit }: Comparison): string {
  if (workload === pooledWorkload || baseline.median === null || candidate.median === null) return '';
  return `, median ${quantity(candidate.median, unit)} against ${quantity(baseline.median, unit)}`;
}

function undecidedText(comparison: Comparison, title: string, evidence: string): string {
  const { reason, blocks, blocksNeeded } = comparison;
  if (reason === inconclusiveReasons.noPairs) return `${title} has no block with a value in both arms.`;
  const because = reason === undefined ? '' : ` Reason: ${reason}.`;
  const next =
    blocksNeeded === undefined
      ? ''
      : ` About ${blocksNeeded} blocks would decide it if estimate and noise stay as they are after ${blocks}.`;
  return `${title} is estimated ${effectText(comparison)} (${evidence}).${because}${next}`;
}

/** `7.1 % longer`, `no different`, `120 ms shorter`: the candidate's, by the point estimate. */
function effectText(comparison: Comparison): string {
  const { ratio, difference } = comparison;
  if (ratio !== null) return relative(comparison, ratio);
  return difference === null ? 'unknown' : absolute(comparison, difference);
}

function directionWords(comparison: Comparison): readonly [more: string, less: string] {
  const definition = metricDefinition(comparison.metric);
  return timeUnits.has(comparison.unit) || definition?.unit === 'ms'
    ? ['longer', 'shorter']
    : ['higher', 'lower'];
}

function relative(comparison: Comparison, ratio: number): string {
  const [more, less] = directionWords(comparison);
  if (Math.abs(ratio - 1) < 5e-4) return '0.0 % different';
  return `${percent(ratio - 1)} ${ratio > 1 ? more : less}`;
}

function absolute(comparison: Comparison, difference: number): string {
  const [more, less] = directionWords(comparison);
  if (difference === 0) return 'no different';
  return `${quantity(difference, comparison.unit)} ${difference > 0 ? more : less}`;
}

function marginText({ ratio, margin, unit }: Comparison): string {
  return ratio !== null ? `${Number((margin * 100).toPrecision(3))} %` : quantity(margin, unit);
}

/** Interval, adjusted p and blocks. */
function evidenceText(comparison: Comparison, level: number): string {
  const { adjustedPValue, blocks } = comparison;
  const parts = [intervalText(comparison, level)];
  if (adjustedPValue !== null) parts.push(`adjusted ${pText(adjustedPValue)}`);
  parts.push(counted(blocks, 'block'));
  return parts.join(', ');
}

function intervalText(comparison: Comparison, level: number): string {
  const { ratio, ratioInterval, differenceInterval } = comparison;
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  if (interval === null) return 'no interval';
  const text = (value: number): string =>
    ratio !== null ? relative(comparison, value) : absolute(comparison, value);
  return `${Number((level * 100).toPrecision(3))} % interval ${text(interval[0])} to ${text(interval[1])}`;
}
