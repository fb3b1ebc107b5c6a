import { urlWorkload } from '../../../sites/index.ts';
import type { Arm, PlannedTrial } from '../../model/plan.ts';
import type { Workload } from '../../model/workload.ts';

/** The workload of a run whose arms load addresses of their own: staging against production, before and after. */
export const addressOfEachArm = 'url-by-arm';

/** Id of the workload that a trial really loads. */
export function contentOf({ workload, factors }: Pick<PlannedTrial, 'workload' | 'factors'>): string {
  return workload === addressOfEachArm && factors.url !== undefined ? urlWorkload(factors.url).id : workload;
}

/** The addresses that arms set, each once. */
export function addressesOfArms(arms: readonly Arm[]): string[] {
  return [...new Set(arms.flatMap(({ factors }) => factors.url ?? []))];
}

/** Stands in plan and records for whatever address an arm sets; the addresses themselves are prepared and loaded. */
export function workloadByArm(addresses: readonly string[]): Workload {
  const [first] = addresses.map((url) => urlWorkload(url));
  if (first === undefined) throw new Error('no arm sets an address');
  return { ...first, id: addressOfEachArm, title: 'the address of each arm' };
}
