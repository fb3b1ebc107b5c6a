import {
  measuredSchema,
  type Agreement,
  type AgreementKind,
  type AgreementRow,
} from '../../core/model/agreement.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import { matchComparisons } from './match-comparisons.ts';
import { runDifferences } from './run-differences.ts';

type Interval = readonly [number, number] | null;

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high;

/** Estimate and interval as the metric is compared: by ratio where it has one, else by difference. */
function sizeOf(comparison: Comparison): { readonly value: number; readonly interval: Interval } | null {
  const { ratio, ratioInterval, difference, differenceInterval } = comparison;
  if (ratio !== null) return { value: ratio, interval: ratioInterval };
  return difference === null ? null : { value: difference, interval: differenceInterval };
}

/** Whether each estimate lies in the interval of the other; null where one has none. */
function sizesAgree(original: Comparison, again: Comparison): boolean | null {
  const first = sizeOf(original);
  const second = sizeOf(again);
  if (first === null || second === null || first.interval === null || second.interval === null) return null;
  return isWithin(first.value, second.interval) && isWithin(second.value, first.interval);
}

/** @param agreeInSize whether each estimate lies in the interval of the other; null where one has none */
export function agreementOf(
  original: Comparison['verdict'],
  again: Comparison['verdict'],
  agreeInSize: boolean | null,
): AgreementKind {
  if (original === 'inconclusive' || again === 'inconclusive') return 'not decided';
  if (original !== again) return 'differs';
  // Two equivalences agree whatever their estimates are within the margin.
  return agreeInSize === true || original === 'equivalent' ? 'agrees' : 'agrees in direction';
}

function rowOf(original: Comparison, again: Comparison): AgreementRow {
  const { workload, client, network, server, metric, primary, baseline, candidate } = original;
  const agreeInSize = sizesAgree(original, again);
  return {
    workload,
    client,
    network,
    server,
    metric,
    primary,
    arms: [baseline.arm, candidate.arm],
    original: measuredSchema.parse(original),
    again: measuredSchema.parse(again),
    sizesAgree: agreeInSize,
    agreement: agreementOf(original.verdict, again.verdict, agreeInSize),
  };
}

/** The same plan measured twice, comparison by comparison; primary ones first, in the order of the first run. */
export function agreementOfRuns(original: Summary, again: Summary): Agreement {
  const { matched, onlyA, onlyB } = matchComparisons(original, again);
  const rows = matched.map(({ a, b }) => rowOf(a, b));
  return {
    schemaVersion: 1,
    differences: runDifferences(original, again),
    trials: { original: original.trials, again: again.trials },
    rows: [...rows.filter(({ primary }) => primary), ...rows.filter(({ primary }) => !primary)],
    unmatched: onlyA + onlyB,
  };
}
