import { urlWorkload } from '../../../sites/index.ts';
import { contentOfBuild } from '../../core/model/app-under-test.ts';
import { journeyFrom, pageOfJourney } from '../../core/model/journey-name.ts';
import { repeatMark } from '../../core/factors/arm-text.ts';
import type { Arm, PlannedTrial } from '../../core/model/plan.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Workload } from '../../core/model/workload.ts';
import { parseArms, type ArmInput } from '../../plan/arms.ts';
import type { PlanFile } from '../../plan/plan-file.ts';

/** The workload of a run whose arms load addresses of their own: staging against production, before and after. */
export const addressOfEachArm = 'url-by-arm';

/** Id of the workload that a trial really loads: of a journey from the address of its arm, the journey from there. */
export function contentOf({ workload, factors }: Pick<PlannedTrial, 'workload' | 'factors'>): string {
  if (factors.app !== undefined) return contentOfBuild(workload, factors.app);
  const begun = pageOfJourney(workload);
  if ((begun ?? workload) !== addressOfEachArm || factors.url === undefined) return workload;
  const { id } = urlWorkload(factors.url);
  return begun === undefined ? id : journeyFrom(id);
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

/** Where some arms set an address, the others load the one that the plan names. @throws H2h3Error `usage` without one */
export function withAddresses(file: PlanFile): PlanFile {
  const arms = parseArms(file.arms);
  if (addressesOfArms(arms).length === 0) return file;
  const [address] = file.urls;
  const open = arms.filter(({ factors }) => factors.url === undefined);
  if (open.length > 0 && (address === undefined || file.urls.length > 1))
    throw new H2h3Error('usage', `arm "${open[0]?.label}" has no address, and another sets one`, {
      next: 'Give every arm its +url=…, or name the address of the others with one --url.',
    });
  const withAddress = (arm: Arm, input: ArmInput): ArmInput =>
    arm.factors.url === undefined
      ? { ...arm.factors, url: address, label: arm.label.replace(repeatMark, '') }
      : input;
  return {
    ...file,
    arms: file.arms.flatMap((input, index) => {
      const arm = arms[index];
      return arm === undefined ? [] : [withAddress(arm, input)];
    }),
  };
}
