import type { Diagnosis, InterventionResult } from '../../core/model/diagnosis.ts';
import { differingFactors } from '../../core/factors/registry.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { buildTrialTable, type ConditionTrials } from '../comparison/trial-table.ts';
import { meanOfKnown } from '../../core/metrics/evidence/numbers.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { isDecided } from './attribute.ts';
import { diagnosedConditions, dividedTimeMs } from './diagnose.ts';
import { goneShare } from './gone-share.ts';
import type { Intervention } from './interventions.ts';

/** Student's interval needs two; of fewer than these it is too wide to say anything. */
const minBlocks = 4;

/** An experiment that was carried out: every arm as it was, and with the factor of the intervention. */
export interface CarriedOut {
  readonly intervention: Intervention;
  /** Of `crossPlan`: its later arms are the first ones with one more factor, or set otherwise. */
  readonly plan: Plan;
  readonly records: readonly TrialRecord[];
}

/**
 * The diagnosis with what experiments say of its parts. A part counts as confirmed where an intervention that acts upon it
 * moved the difference to the side that was expected, beyond chance (95 % interval of the paired blocks), and at least
 * half as far as the part's share of the difference in these very blocks: on another day the whole may be half as long.
 */
export function withInterventions(
  diagnosis: readonly Diagnosis[],
  experiments: readonly CarriedOut[],
  level: number,
): Diagnosis[] {
  return diagnosis.map((entry) => {
    const measured = experiments.flatMap((experiment) => {
      const change = changeOf(entry, experiment, level);
      return change === null ? [] : [{ experiment, change }];
    });
    const parts = entry.parts.map((part) => {
      const results = measured.flatMap(({ experiment: { intervention }, change }) =>
        intervention.stages.includes(part.stage ?? '')
          ? [judged(part.ms / entry.differenceMs, intervention, change)]
          : [],
      );
      if (results.length === 0) return part;
      return { ...part, confirmed: results.some(({ confirms }) => confirms), interventions: results };
    });
    return { ...entry, parts };
  });
}

interface Change extends Omit<InterventionResult, 'id' | 'title' | 'expectedMs' | 'confirms'> {
  /** Whether there was a difference in these blocks that could follow anything. */
  readonly isThere: boolean;
}

/** @param share of the part in the difference that is explained */
function judged(
  share: number,
  { id, title, expectedShare }: Intervention,
  { isThere, ...change }: Change,
): InterventionResult {
  const { changeMs, differenceMs } = change;
  const expectedMs = share * differenceMs * expectedShare;
  const isEnough = changeMs * Math.sign(expectedMs) >= Math.abs(expectedMs) / 2;
  return { id, title, ...change, expectedMs, confirms: isThere && isDecided(change.interval) && isEnough };
}

/** How the difference changed, block by block; only blocks in which every arm of every condition has a valid trial. */
function changeOf(
  diagnosis: Diagnosis,
  { plan, records, intervention }: CarriedOut,
  level: number,
): Change | null {
  const arms = crossedArms(plan, diagnosis, intervention.factor);
  const conditions = diagnosedConditions(buildTrialTable(plan, records), diagnosis);
  const [first] = conditions;
  if (arms === null || first === undefined) return null;
  const blocks = first.blocks.flatMap((block) => {
    const means = arms.flatMap((arm) => meanOf(conditions, arm, block) ?? []);
    const [baseline = 0, candidate = 0, alteredBaseline = 0, alteredCandidate = 0] = means;
    if (means.length < arms.length) return [];
    return [{ before: candidate - baseline, after: alteredCandidate - alteredBaseline }];
  });
  if (blocks.length < minBlocks) return null;
  const change = meanInterval(
    blocks.map(({ before, after }) => after - before),
    level,
  );
  const before = meanInterval(
    blocks.map((block) => block.before),
    level,
  );
  const after = meanInterval(
    blocks.map((block) => block.after),
    level,
  );
  const interval = change?.interval ?? null;
  if (change === null || interval === null || before === null || after === null) return null;
  const gone = intervention.expectedShare === -1 ? goneShare(blocks, level) : {};
  const value = [arms[2], arms[3]].flatMap(({ factors }) => factors[intervention.factor] ?? [])[0] ?? '';
  return {
    setting: `${intervention.factor}=${value}`,
    blocks: blocks.length,
    differenceMs: before.mean,
    alteredDifferenceMs: after.mean,
    changeMs: change.mean,
    interval: [...interval],
    isThere: isDecided(before.interval),
    ...gone,
  };
}

/** Baseline and candidate as they were, then both with the factor; an arm to which it means nothing is there twice. */
function crossedArms(
  { arms }: Plan,
  { baselineArm, candidateArm }: Diagnosis,
  factor: Intervention['factor'],
): [Arm, Arm, Arm, Arm] | null {
  const baseline = arms.find(({ label }) => label === baselineArm);
  const candidate = arms.find(({ label }) => label === candidateArm);
  if (baseline === undefined || candidate === undefined) return null;
  const [altered, other] = [baseline, candidate].map((arm) =>
    arms.find((one) => isAltered(one, arm, factor)),
  );
  if (altered === undefined && other === undefined) return null;
  return [baseline, candidate, altered ?? baseline, other ?? candidate];
}

/** Whether an arm is another but for this factor alone. */
function isAltered({ factors }: Arm, arm: Arm, factor: Intervention['factor']): boolean {
  const differing = differingFactors(factors, arm.factors);
  return differing.length === 1 && differing[0] === factor;
}

function meanOf(conditions: readonly ConditionTrials[], { label }: Arm, block: number): number | null {
  return meanOfKnown(
    conditions.map(({ kind, recordsByArm }) => dividedTimeMs(kind, recordsByArm.get(label)?.get(block))),
  );
}
