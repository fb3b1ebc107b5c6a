import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { reasonOf, reasonTexts, writtenReason } from '../../core/model/reasons.ts';
import { disturbedByMachine, wasDisturbed } from '../../core/model/record.ts';
import { medianAboveP, medianBelowP } from '../statistics/sign-test.ts';
import { counted } from '../figures/figures.ts';
import { armPairs } from './arm-pairs.ts';

/** Below this p two arms were not disturbed alike. */
const unlikeP = 0.05;

export interface CountedTries {
  readonly records: readonly TrialRecord[];
  /** Which arms were not disturbed alike, and what that means. */
  readonly warnings: readonly string[];
}

/**
 * A trial that the machine disturbed is run again, which is fair as long as it says nothing of the arm. Where two compared arms
 * had to be run again unlike often (two-sided exact test, p < 0.05), their load may be the cause: trials that were run again
 * are then lost, as they would be without a second try.
 */
export function dropUnbalancedRetries(plan: Plan, records: readonly TrialRecord[]): CountedTries {
  const again = records.filter(wasDisturbed);
  if (again.length === 0) return { records, warnings: [] };
  const countOf = (arm: string): number => again.filter((record) => record.arm === arm).length;
  const unlike = armPairs(plan).flatMap(({ baseline, candidate }) => {
    const a = countOf(baseline.label);
    const b = countOf(candidate.label);
    const p = twoSidedP(a, b);
    return p < unlikeP ? [{ arms: [baseline.label, candidate.label], a, b, p }] : [];
  });
  const armsLost = new Set(unlike.flatMap(({ arms }) => arms));
  return {
    records: records.map((record) => (armsLost.has(record.arm) ? lostAtFirst(record) : record)),
    warnings: unlike.map(
      ({ arms: [baseline = '', candidate = ''], a, b, p }) =>
        `the machine disturbed ${counted(a, 'trial')} of ${baseline} and ${b} of ${candidate}, which is not alike (p = ${p.toFixed(3)}). An arm may load the machine itself, so these count as lost`,
    ),
  };
}

/** Exact p of so many disturbed trials on each side, or less alike, where each had an equal chance to lie on either. */
function twoSidedP(baseline: number, candidate: number): number {
  const signs = [...Array<number>(baseline).fill(-1), ...Array<number>(candidate).fill(1)];
  const smaller = Math.min(medianBelowP(signs, 0) ?? 1, medianAboveP(signs, 0) ?? 1);
  return Math.min(1, 2 * smaller);
}

/** With a reason of its own, so that the arm bears it and not the machine. */
function lostAtFirst(record: TrialRecord): TrialRecord {
  const [first] = record.earlierTries ?? (disturbedByMachine(record) ? [record] : []);
  if (first === undefined) return record;
  const reason = reasonOf('unlike-delays', `${reasonTexts['unlike-delays']}: ${first.reason ?? ''}`);
  return { ...record, status: 'invalid', ...writtenReason(reason), metrics: {}, steps: undefined };
}
