import type { StudyRun } from '../../core/model/study-run.ts';

/** A run of a study, and where it lies; a kept one has no folder. */
export type FoundRun = StudyRun & { readonly path?: string };

export const isWhole = ({ trialsDone, trialsPlanned }: StudyRun): boolean => trialsDone === trialsPlanned;

/** A machine that takes more than this share of the trials away is no quiet one, whatever it said before the run. */
const maxLost = 0.05;
export const isQuiet = ({ trialsOk, trialsDone }: StudyRun): boolean =>
  trialsDone - trialsOk <= maxLost * trialsDone;

/** The runs of one experiment: campaigns that count, the one that is shown last, and those that do not count. */
export interface Campaigns {
  readonly campaigns: readonly FoundRun[];
  readonly leftOut: readonly { readonly run: FoundRun; readonly why: string }[];
}

/** Why a run is no campaign of the one that is shown; undefined where it is one. */
function reasonToLeaveOut(run: FoundRun, shown: FoundRun): string | undefined {
  if (run.scale !== shown.scale) return `${run.scale ?? 'no'} scale`;
  const missing = run.trialsPlanned - run.trialsDone;
  if (missing > 0) return `ended before ${missing} of ${run.trialsPlanned} trials`;
  return isQuiet(run) ? undefined : `lost ${run.trialsDone - run.trialsOk} of ${run.trialsDone} trials`;
}

const inTime = (a: FoundRun, b: FoundRun): number => (a.startedAt ?? '').localeCompare(b.startedAt ?? '');

/** By preset. What a run found has no say in whether it counts. */
export function campaignsOf(runs: readonly FoundRun[]): Map<string, Campaigns> {
  // A run that is kept and still lies in its folder is one run: the later of the list has the folder.
  const once = [
    ...new Map(runs.map((run) => [`${run.preset} ${run.startedAt} ${run.revision}`, run])).values(),
  ];
  return new Map(
    [...Map.groupBy(once, ({ preset }) => preset)].map(([preset, those]) => [preset, sorted(those)]),
  );
}

function sorted(runs: readonly FoundRun[]): Campaigns {
  // One that ended early, or lost many trials, is shown only where no better one is.
  const byQuality = runs.toSorted(
    (a, b) =>
      Number(isWhole(a)) - Number(isWhole(b)) || Number(isQuiet(a)) - Number(isQuiet(b)) || inTime(a, b),
  );
  const shown = byQuality.at(-1);
  if (shown === undefined) return { campaigns: [], leftOut: [] };
  const others = byQuality
    .slice(0, -1)
    .toSorted(inTime)
    .map((run) => ({ run, why: reasonToLeaveOut(run, shown) }));
  return {
    campaigns: [...others.flatMap(({ run, why }) => (why === undefined ? [run] : [])), shown],
    leftOut: others.flatMap(({ run, why }) => (why === undefined ? [] : [{ run, why }])),
  };
}
