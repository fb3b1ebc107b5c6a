import { H2h3Error } from '../core/model/errors.ts';
import { differingFactors, factorOf, type FactorName } from '../core/factors/registry.ts';
import type { NetworkSpec } from '../core/model/network-spec.ts';
import type { ArmProtocol } from '../core/model/protocol.ts';
import type { Arm, Condition, Plan, PlannedTrial } from '../core/model/plan.ts';
import { deriveSeed, seededRandom } from '../core/model/seeded-random.ts';
import { parseArms } from './arms.ts';
import { faultyNetworks } from './faults.ts';

/** With what every arm of a plan is there a second time, but for arms over whose protocol it means nothing. */
export interface CrossedFactor {
  /** Names the plan and its trials. */
  readonly id: string;
  readonly factor: FactorName;
  readonly value: string;
  /** Arms over these alone have it. Absent: all over whose protocol it means something. */
  readonly protocols?: readonly ArmProtocol[] | undefined;
}

export interface CrossOptions {
  /** Only these conditions; their arms must not differ in what is crossed. */
  readonly conditions: readonly Condition[];
  /** Blocks, at most those of the plan. */
  readonly repetitions: number;
  /** Every network that has figures, besides those of the plan itself. */
  readonly networkSpecs: readonly NetworkSpec[];
}

/**
 * The timed trials of a plan with every arm twice: as it was, and with one factor set or, where all arms have it alike, set
 * otherwise, both in each block and in random order. An arm to which the factor means nothing is there once, and compared
 * with both. Its times are judged for nothing else.
 *
 * @throws H2h3Error `usage` where arms set the factor and not all alike, or as it would be set; or the network cannot have it
 */
export function crossPlan(plan: Plan, crossed: CrossedFactor, options: CrossOptions): Plan {
  const { conditions, repetitions, networkSpecs } = options;
  const arms = [...plan.arms, ...withFactor(plan.arms, crossed)];
  const ids = new Set(conditions.map(({ conditionId }) => conditionId));
  const kept = plan.trials.filter(
    ({ conditionId, blockIndex, instrumentation }) =>
      instrumentation === 'uninstrumented' && ids.has(conditionId) && blockIndex < repetitions,
  );
  const workloads = new Set(conditions.map(({ workload }) => workload));
  const networks = new Set(kept.map(({ network }) => network));
  const faulty = faultyNetworks(arms, [...networks], [...(plan.customNetworks ?? []), ...networkSpecs]);
  const once: Plan = { ...plan };
  delete once.interims;
  delete once.ends;
  // Some of its conditions alone say nothing of a whole audience.
  delete once.audience;
  return {
    ...once,
    name: `${plan.name}-${crossed.id}`,
    exploratory: true,
    repetitions,
    recordedBlocks: 0,
    arms,
    compare: pairsOf(plan).flatMap(([baseline, candidate]): [string, string][] => [
      [labelAt(arms, baseline), labelAt(arms, candidate)],
      [alteredLabel(arms, baseline, crossed), alteredLabel(arms, candidate, crossed)],
    ]),
    ...(faulty.networks.length > 0
      ? { customNetworks: unique([...(plan.customNetworks ?? []), ...faulty.networks]) }
      : {}),
    ...(faulty.standIns.length > 0 ? { standIns: [...faulty.standIns] } : {}),
    workloads: plan.workloads.filter(({ id }) => workloads.has(id)),
    conditions: [...conditions],
    trials: crossedTrials(kept, arms, crossed, plan.seed),
  };
}

function labelAt(arms: readonly Arm[], index: number): string {
  return arms[index]?.label ?? '';
}

function alteredLabel(arms: readonly Arm[], index: number, crossed: CrossedFactor): string {
  const arm = arms[index];
  return arm === undefined ? '' : alteredArm(arms, arm, crossed).label;
}

/** The arm as it is with the factor; itself where the factor means nothing to it. */
export function alteredArm(
  arms: readonly Arm[],
  arm: Arm,
  { factor, value }: Pick<CrossedFactor, 'factor' | 'value'>,
): Arm {
  const wanted = { ...arm.factors, [factor]: value };
  return arms.find(({ factors }) => differingFactors(factors, wanted).length === 0) ?? arm;
}

/** A path that an arm's fault had made already is there once. */
function unique(networks: readonly NetworkSpec[]): NetworkSpec[] {
  return [...new Map(networks.map((network) => [network.id, network])).values()];
}

/** Pairs of arms of the plan, by their places: those that it names, else the first against each other. */
function pairsOf({ arms, compare }: Plan): [number, number][] {
  const indexOfArm = (label: string): number => arms.findIndex((arm) => arm.label === label);
  if (compare !== undefined) return compare.map(([a, b]) => [indexOfArm(a), indexOfArm(b)]);
  return arms.slice(1).map((_, index) => [0, index + 1]);
}

function withFactor(arms: readonly Arm[], crossed: CrossedFactor): Arm[] {
  const { factor, value } = crossed;
  const [first] = arms;
  const isAlike = arms.every(({ factors }) => factors[factor] === first?.factors[factor]);
  const taken = arms.find(({ factors }) =>
    isAlike ? factors[factor] === value : factors[factor] !== undefined,
  );
  if (taken !== undefined)
    throw new H2h3Error(
      'usage',
      `arm "${taken.label}" sets the ${factorOf(factor).title} already${isAlike ? '' : ', and not every arm does so alike'}`,
    );
  const all = parseArms([
    ...arms.map(({ factors }) => factors),
    ...arms.flatMap(({ factors }) => (canHave(crossed, factors) ? { ...factors, [factor]: value } : [])),
  ]);
  return all.slice(arms.length);
}

function canHave(
  { factor, protocols = factorOf(factor).boundTo?.protocols }: CrossedFactor,
  { protocol }: Arm['factors'],
): boolean {
  return protocols?.includes(protocol) !== false;
}

function crossedTrials(
  trials: readonly PlannedTrial[],
  arms: readonly Arm[],
  crossed: CrossedFactor,
  seed: number,
): PlannedTrial[] {
  const { factor, value } = crossed;
  const groups = Map.groupBy(trials, ({ conditionId, blockIndex }) => `${conditionId} ${blockIndex}`);
  return [...groups].flatMap(([key, group]) => {
    const random = seededRandom(deriveSeed(seed, 'crossed', key));
    const altered = group.flatMap((trial) => {
      const before = arms.find(({ label }) => label === trial.arm);
      const arm = before === undefined ? undefined : alteredArm(arms, before, crossed);
      if (arm === undefined || arm === before) return [];
      return [
        {
          ...trial,
          trialId: `${trial.trialId.slice(0, 160)}-${arm.slug}`,
          arm: arm.label,
          factors: { ...trial.factors, [factor]: value },
        },
      ];
    });
    return random.shuffle([...group, ...altered]);
  });
}
