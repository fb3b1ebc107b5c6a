import { sentenceCase } from '../../src/core/model/sentence-case.ts';
import type { Comparison, Summary, Verdict } from '../../src/core/model/summary.ts';
import { armTitle, comparedArms } from './labels.ts';
import type { Labels } from './labels.ts';
import { mediansText } from './median-words.ts';
import { metricWords } from './metric-words.ts';
import { isNumber } from './numbers.ts';
import type { Judged } from './verdict-words.ts';
import {
  effectText,
  formOf,
  intervalOf,
  intervalText,
  verdictSigns,
  verdictTitles,
} from './verdict-words.ts';

/** One line of the picture, from the baseline at no change to the candidate; all places in percent of the baseline. */
export interface DumbbellRow {
  readonly name: string;
  /** Whether the axis must reach as far as it does. */
  readonly leads: boolean;
  /** Whether more of it is better: better is on the left. */
  readonly higherIsBetter: boolean;
  /** Medians, as `831 ms → 1.03 s`, or the baseline's alone, as `from 831 ms`; empty where one is not known. */
  readonly medians: string;
  /** The change as a signed number. */
  readonly effect: string;
  readonly verdict: Verdict;
  /** Null where the change cannot be told in percent: the baseline is zero. */
  readonly estimate: number | null;
  readonly interval: readonly [number, number] | null;
  /** Inside of it a difference does not matter. */
  readonly margin: readonly [number, number] | null;
  /** The whole of it in words. */
  readonly words: string;
}

export interface Dumbbell {
  readonly rows: readonly DumbbellRow[];
  /** The metric of the rows that do not name theirs; empty where all do. */
  readonly metric: string;
  readonly baseline: string;
  readonly candidate: string;
}

interface RowFacts {
  readonly name: string;
  readonly medians: string;
  /** Of the baseline, in the metric's unit. */
  readonly median: number | null;
  readonly leads: boolean;
}

/** A value of `intervalOf` in percent of the baseline. */
function percentOf(judged: Judged, value: number, median: number | null): number | null {
  if (formOf(judged) === 'ratio') return (value - 1) * 100;
  if (value === 0) return 0;
  return isNumber(median) && median > 0 ? (value / median) * 100 : null;
}

/** A row of the picture for anything that has an effect and a verdict. */
export function dumbbellRow(judged: Judged, { name, medians, median, leads }: RowFacts): DumbbellRow {
  const { margin, verdict } = judged;
  const form = formOf(judged);
  const value = form === 'ratio' ? judged.ratio : judged.difference;
  const pairOf = (ends: readonly [number, number]): readonly [number, number] | null => {
    const [low, high] = ends.map((end) => percentOf(judged, end, median));
    return isNumber(low) && isNumber(high) ? [low, high] : null;
  };
  const interval = intervalOf(judged);
  const effect = effectText(judged);
  return {
    name,
    leads,
    higherIsBetter: judged.higherIsBetter,
    medians,
    effect: `${verdictSigns[verdict]} ${effect}`,
    verdict,
    estimate: isNumber(value) ? percentOf(judged, value, median) : null,
    interval: interval === null ? null : pairOf(interval),
    margin: pairOf(form === 'ratio' ? [1 / (1 + margin), 1 + margin] : [-margin, margin]),
    words: `${name}: ${effect} (${intervalText(judged)}), ${verdictTitles[verdict]}`,
  };
}

function rowOf(comparison: Comparison, name: string): DumbbellRow {
  const { baseline, primary } = comparison;
  const medians = mediansText(comparison);
  return dumbbellRow(comparison, { name, medians, median: baseline.median, leads: primary });
}

const sameMetric = (a: Comparison, b: Comparison): boolean =>
  a.metric === b.metric && a.workloadKind === b.workloadKind;
const several = <T>(items: readonly T[]): boolean => new Set(items).size > 1;

/** What tells a row apart from the others of the picture. */
function nameOf(comparison: Comparison, rows: readonly Comparison[], labels: Labels): string {
  const { workload, workloadKind, metric, client, network, server, candidate } = comparison;
  const alike = rows.filter((row) => sameMetric(row, comparison));
  const differs = (of: (comparison: Comparison) => string): boolean => several(alike.map(of));
  const parts = [
    differs((other) => `${other.baseline.arm} ${other.candidate.arm}`) ? armTitle(candidate.arm) : '',
    differs((other) => other.workload) ? labels.workload(workload, workloadKind) : '',
    comparison === rows[0] || sameMetric(comparison, rows[0] ?? comparison)
      ? ''
      : sentenceCase(metricWords(metric).title),
    differs((other) => other.client) ? labels.client(client) : '',
    differs((other) => other.network) ? labels.shortNetwork(network) : '',
    differs((other) => other.server) ? labels.server(server) : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || sentenceCase(metricWords(metric).title);
}

/** What the picture of a run shows: the comparisons that its first screen names. */
export function dumbbellOf(summary: Summary, labels: Labels): Dumbbell {
  const shown = summary.firstScreen.picture.flatMap((place) => summary.comparisons[place] ?? []);
  return dumbbellOfComparisons(shown, summary, labels);
}

/** The picture of these comparisons of a run. */
export function dumbbellOfComparisons(
  shown: readonly Comparison[],
  summary: Summary,
  labels: Labels,
): Dumbbell {
  const [first] = shown;
  const isOnePair = !several(
    shown.map((comparison) => `${comparison.baseline.arm}\n${comparison.candidate.arm}`),
  );
  const arms =
    first !== undefined && isOnePair
      ? { baseline: armTitle(first.baseline.arm), candidate: armTitle(first.candidate.arm) }
      : comparedArms(summary);
  const alike = shown.filter((comparison) => first !== undefined && sameMetric(comparison, first));
  return {
    rows: shown.map((comparison) => rowOf(comparison, nameOf(comparison, shown, labels))),
    metric: alike.length > 1 ? metricWords(first?.metric ?? '').title : '',
    ...arms,
  };
}
