import { blindMargins } from '../../analyse/gate/margin-check.ts';
import type { Environment } from '../../model/environment.ts';
import { H2h3Error } from '../../model/errors.ts';
import { machineClassOf } from '../../model/machine-class.ts';
import type { Plan } from '../../model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';

export interface MarginLimits {
  readonly resultsDir: string;
  readonly strict: boolean;
  /** Judge all the same; what is refused stands in the warnings. */
  readonly force: boolean;
}

/**
 * What the calibration of this class of machine says about the margins of a plan.
 *
 * @throws H2h3Error `usage` with the figures when a strict gate asks for less than the machine can see
 */
export function marginWarnings(plan: Plan, machine: Environment['machine'], limits: MarginLimits): string[] {
  const machineClass = machineClassOf(machine);
  const calibration = loadCalibration(limits.resultsDir, machineClass);
  if (calibration === null)
    return [
      `this class of machine (${machineClass}) is not calibrated: what it can tell apart is not known (npx h2h3 calibrate)`,
    ];
  const blind = blindMargins(plan, calibration).map(({ sentence }) => sentence);
  if (blind.length === 0 || !limits.strict || limits.force) return blind;
  throw new H2h3Error('usage', `this gate would end undecided\n  ${blind.join('\n  ')}`, {
    next: 'Ask for a wider margin (--margin, --margins), calm the machine and calibrate again, leave --strict out, or say --force.',
  });
}
