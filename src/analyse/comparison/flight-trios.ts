import { differOnlyIn } from '../../core/factors/registry.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { ArmPair } from './arm-pairs.ts';

/** HTTP/2 as it is, HTTP/3, which may begin with a window of its own, and HTTP/2 that begins with as much. */
export interface FlightTrio {
  readonly baseline: Arm;
  readonly candidate: Arm;
  readonly equal: Arm;
}

/** The arms of which the third tells how much of the difference between the others is the larger first flight. */
export function flightTrios(arms: readonly Arm[]): FlightTrio[] {
  return arms
    .filter(({ factors }) => factors['initialwindow'] !== undefined)
    .flatMap((equal) => {
      const baseline = arms.find(
        ({ factors }) =>
          factors['initialwindow'] === undefined && differOnlyIn('initialwindow', factors, equal.factors),
      );
      if (baseline === undefined) return [];
      const candidate = arms.find(({ factors }) =>
        [baseline, equal].some((arm) => differOnlyIn('protocol', factors, arm.factors)),
      );
      return candidate === undefined ? [] : [{ baseline, candidate, equal }];
    });
}

/** The pairs that answer what users get: without those that only tell how much of it the first flight is. */
export function withoutFlightControls(pairs: readonly ArmPair[], arms: readonly Arm[]): readonly ArmPair[] {
  const controls = new Set(flightTrios(arms).map(({ equal }) => equal.label));
  const asked = pairs.filter(
    ({ baseline, candidate }) => !controls.has(baseline.label) && !controls.has(candidate.label),
  );
  return asked.length === 0 ? pairs : asked;
}
