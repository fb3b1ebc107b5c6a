import { rateDifferenceInterval } from '../../src/analyse/statistics/poisson-rates.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';

/** What the preset promises: a run of it takes no longer. */
export const promisedMs = 15 * 60_000;

type Judged = Pick<Summary, 'comparisons' | 'firstScreen' | 'run'>;

const primaryOf = ({ comparisons }: Judged): readonly Comparison[] =>
  comparisons.filter(({ primary }) => primary);

/** Such as `qoeVmaf: −8.2 (−11.0 to −5.1), worse, 6 blocks`. */
export function figuresOf({ metric, difference, differenceInterval, verdict, blocks }: Comparison): string {
  const interval = (differenceInterval ?? []).map((end) => end.toFixed(1)).join(' to ');
  return `${metric}: ${difference?.toFixed(1)} (${interval}), ${verdict}, ${blocks} blocks`;
}

/** What is wrong with a run in which chunks of the candidate were held back; empty where it found them in time. */
export function faultsOfPlanted(summary: Judged): string[] {
  const primary = primaryOf(summary);
  const { spanMs } = summary.run;
  return [
    ...(primary.length === 1 ? [] : [`${primary.length} primary comparisons`]),
    ...primary.filter(({ verdict }) => verdict !== 'worse').map(figuresOf),
    ...(spanMs !== null && spanMs <= promisedMs
      ? []
      : [`it took ${((spanMs ?? NaN) / 60_000).toFixed(1)} min`]),
  ];
}

/** Whether what was watched bounds the difference of both rates within the margin: two one-sided tests at 5 %. */
function isBounded({ rareEvents }: Comparison): boolean {
  if (rareEvents === undefined) return true;
  const { baseline, candidate, margin } = rareEvents;
  const interval = rateDifferenceInterval([{ baseline, candidate }], 0.9);
  return interval !== null && interval[0] > -margin && interval[1] < margin;
}

/** What is wrong with a run of an arm against itself; empty where it raised no alarm, and called no more equal than it watched. */
export function faultsOfItself(summary: Judged): string[] {
  const primary = primaryOf(summary);
  const { headline } = summary.firstScreen;
  return [
    ...(primary.length === 1 ? [] : [`${primary.length} primary comparisons`]),
    ...primary
      .filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'equivalent')
      .map((comparison) => `false alarm, ${figuresOf(comparison)}`),
    ...summary.comparisons
      .filter((comparison) => comparison.verdict === 'equivalent' && !isBounded(comparison))
      .map((comparison) => `called the same without the bound, ${figuresOf(comparison)}`),
    ...(/^self-check: no false alarm/i.test(headline) || primary.length === 0
      ? []
      : [`its headline: ${headline}`]),
  ];
}
