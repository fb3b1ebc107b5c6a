import { deviceNamed, journeyOfPage, onDevice, repeatView, shownAsJourneys } from '../../../sites/index.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { View, Workload } from '../../core/model/workload.ts';

/** Every page on the device; what is no page as it is. */
export function shownOn(workloads: readonly Workload[], device: string | undefined): readonly Workload[] {
  if (device === undefined) return workloads;
  const shown = deviceNamed(device);
  return workloads.map((workload) => (workload.kind === 'page' ? onDevice(workload, shown) : workload));
}

/** Every page in each of the views; one that was chosen by the name of a view stays in that. */
export function inViews(workloads: readonly Workload[], views: readonly View[] | undefined): Workload[] {
  const all = workloads.flatMap((workload) => {
    if (workload.kind !== 'page' || workload.view !== undefined || views === undefined) return [workload];
    return views.map((view) => (view === 'repeat' ? repeatView(workload) : workload));
  });
  return [...new Map(all.map((workload) => [workload.id, workload])).values()];
}

/**
 * A journey of the script, if there is one, from every page.
 *
 * @param withPages whether the pages are loaded as well, without the script
 * @throws H2h3Error `usage` for what is no page
 */
export function drivenBy(
  workloads: readonly Workload[],
  script: Plan['script'],
  withPages: boolean,
): readonly Workload[] {
  if (script === undefined) return workloads;
  const journeys = workloads.map((workload) => journeyOfPage(workload, script.file));
  return withPages ? [...workloads.map(shownAsJourneys), ...journeys] : journeys;
}
