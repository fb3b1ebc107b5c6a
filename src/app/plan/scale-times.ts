import type { Workload } from '../../model/workload.ts';
import { scaleNames, type ScaleName } from '../../plan/presets/preset.ts';
import { presets } from '../../plan/presets/registry.ts';
import { formatDuration } from '../duration.ts';
import { contentOf } from './arm-addresses.ts';
import { planFromRequest, readPlanRequest, type PlannedWork } from './plan-request.ts';

/** Time that the trials of a plan take on an unshaped path, by the estimates of their workloads (ms). */
export function expectedMs({ plan, workloads }: PlannedWork): number {
  const expected = new Map(workloads.map(({ id, expectedTrialMs }: Workload) => [id, expectedTrialMs]));
  return plan.trials.reduce((sum, trial) => sum + (expected.get(contentOf(trial)) ?? 0), 0);
}

/** A line for each scale of a study's preset: conditions, trials, time. Empty for everything else. */
export function scaleTimes(source: string | undefined): string[] {
  const preset = presets.find(({ id }) => id === source);
  if (preset?.scales === undefined) return [];
  return scaleNames.map((scale) => lineOf(preset.id, scale));
}

function lineOf(id: string, scale: ScaleName): string {
  const work = planFromRequest(readPlanRequest(id, { scale }), '');
  const { conditions, repetitions, trials } = work.plan;
  return `--scale ${scale}: ${conditions.length} conditions, ${repetitions} blocks, ${trials.length} trials, about ${formatDuration(expectedMs(work))} on an unshaped path, longer where it stalls`;
}
