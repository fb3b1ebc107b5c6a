import type { Arm, Plan } from '../model/plan.ts';
import { factorNames } from './registry.ts';

/**
 * The arms with the condition's values of what some of them set and others leave open: what a reader must know to
 * tell them apart.
 */
export function armsAsRun({ arms, trials }: Pick<Plan, 'arms' | 'trials'>): Arm[] {
  const set = factorNames.filter((name) => arms.some(({ factors }) => factors[name] !== undefined));
  return arms.map((arm) => {
    const whole = trials.find((trial) => trial.arm === arm.label)?.factors ?? arm.factors;
    const known = set.flatMap((name) => (whole[name] === undefined ? [] : [[name, whole[name]] as const]));
    return { ...arm, factors: { ...Object.fromEntries(known), ...arm.factors } };
  });
}
