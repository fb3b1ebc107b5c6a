import { buildTrialTable } from '../../analyse/comparison/trial-table.ts';
import type { PlannedScale } from '../../analyse/studies/published-results.ts';
import { studyCells } from '../../analyse/studies/study-cells.ts';
import type { Experiment } from '../../core/model/studies.ts';
import { scaleNames, type ScaleName } from '../../plan/plan-file.ts';
import { formatDuration } from '../duration.ts';
import { planFromRequest, readPlanRequest } from '../plan/plan-request.ts';
import { expectedTrialTimes, timeOfTrials } from '../plan/scale-times.ts';

/** Which browser `best` is depends on the machine; all that it can be are of one family. */
const best = 'best';
const anyBest = 'chromium';

/** To expand three scales of all experiments takes seconds, and they do not change. */
const expanded = new Map<string, Promise<PlannedScale[]>>();

/** What each scale of an experiment would compare, and how long that takes, the smallest first; none where it cannot be run here. */
export function plannedScales({ preset, needs }: Experiment): Promise<PlannedScale[]> {
  if (needs !== undefined) return Promise.resolve([]);
  const known = expanded.get(preset) ?? Promise.all(scaleNames.map((scale) => plannedScale(preset, scale)));
  expanded.set(preset, known);
  return known;
}

async function plannedScale(preset: string, scale: ScaleName): Promise<PlannedScale> {
  const work = planFromRequest(readPlanRequest(preset, { scale }), '');
  const timeOf = await expectedTrialTimes(work);
  const cells = studyCells(buildTrialTable(work.plan, []), work.plan.arms);
  return {
    scale,
    arms: work.plan.arms.map(({ label }) => label),
    cells: cells.map((cell) => (cell.client === best ? { ...cell, client: anyBest } : cell)),
    timeOver: (networks) => {
      const trials = work.plan.trials.filter(({ network }) => networks.includes(network));
      return formatDuration(timeOfTrials({ ...work.plan, trials }, timeOf));
    },
  };
}
