import { armPairs, type ArmPair } from '../../analyse/comparison/arm-pairs.ts';
import { buildTrialTable, usableValue, type ConditionTrials } from '../../analyse/comparison/trial-table.ts';
import { withoutRisk } from '../../analyse/comparison/video-at-risk.ts';
import { unriskedSentence } from '../../analyse/answers/untested.ts';
import { armName } from '../../core/factors/arm-name.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { valueDigits } from '../../core/model/rounding.ts';

/** With more comparisons the lines of a block would hide what each trial says of itself. */
const maxComparisons = 3;

/**
 * What a block showed of each primary comparison, and in how many blocks so far the candidate was on the same side:
 * `block 2: h2 71.2, h3 68.1 points (qoeVmaf); h3 lower in 2 of 2 blocks`. The first block also where nothing was at risk, since more like
 * it could hardly differ. Empty where a plan compares more than three.
 * @param records of this block and of all before it
 */
export function blockSentences(plan: Plan, records: readonly TrialRecord[], blockIndex: number): string[] {
  const pairs = armPairs(plan).filter(({ primary }) => primary);
  if (pairs.length * plan.conditions.length > maxComparisons) return [];
  // Steps of a journey are no primary comparisons.
  const conditions = buildTrialTable(plan, records).conditions.filter(({ step }) => step === undefined);
  return conditions.flatMap((trials) => {
    const { condition, kind, recordsByArm } = trials;
    const metric = metricDefinition(plan.primary[kind] ?? '');
    if (metric === undefined) return [];
    const valueOf = (arm: string, block: number): number | undefined =>
      usableValue(recordsByArm.get(arm)?.get(block), metric);
    const where = conditions.length > 1 ? `, ${condition.workload} over ${condition.network}` : '';
    const told = pairs.flatMap(({ baseline, candidate }) => {
      const differenceIn = (block: number): number =>
        (valueOf(candidate.label, block) ?? NaN) - (valueOf(baseline.label, block) ?? NaN);
      const difference = differenceIn(blockIndex);
      if (Number.isNaN(difference)) return [];
      const known = Array.from({ length: blockIndex + 1 }, (_, block) => differenceIn(block)).filter(
        (one) => !Number.isNaN(one),
      );
      const alike = known.filter((one) => Math.sign(one) === Math.sign(difference)).length;
      const side = difference === 0 ? 'alike' : difference > 0 ? 'higher' : 'lower';
      const [before, after] = [baseline, candidate].map(
        ({ label }) => `${label} ${valueDigits(valueOf(label, blockIndex) ?? NaN, 3)}`,
      );
      const values = `${before}, ${after} ${metric.unit}`.trimEnd();
      return `block ${blockIndex + 1}${where}: ${values} (${metric.name}); ${candidate.label} ${side} in ${alike} of ${known.length} blocks`;
    });
    return blockIndex === 0 ? [...told, ...unriskedSentences(trials, pairs, where)] : told;
  });
}

/** One for each baseline that neither stalled nor changed its track once it had settled. */
function unriskedSentences(trials: ConditionTrials, pairs: readonly ArmPair[], where: string): string[] {
  const baselines = new Set(pairs.map(({ baseline }) => baseline));
  return [...baselines]
    .filter(({ label }) => withoutRisk(trials, label) !== null)
    .map((baseline) => `block 1${where}: ${unriskedSentence(armName(baseline))}`);
}
