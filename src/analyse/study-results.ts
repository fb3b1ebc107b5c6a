import type { Agreement, Experiment, ExperimentResult } from '../model/studies.ts';
import type { Summary } from '../model/summary.ts';

type PublishedResult = NonNullable<Summary['published']>[number];

/** A run of an experiment, and where it lies. */
export interface ExperimentRun {
  readonly path: string;
  /** Trials of its whole plan. */
  readonly trialsPlanned: number;
  readonly summary: Summary;
}

/** What was published of an experiment beside what a run of it found. */
export function experimentResult(experiment: Experiment, run: ExperimentRun | undefined): ExperimentResult {
  if (run === undefined) return { ...experiment, figures: [] };
  const { published = [], trials, comparisons, environment } = run.summary;
  return {
    ...experiment,
    run: {
      path: run.path,
      startedAt: run.summary.run.startedAt,
      trialsOk: trials.ok,
      trialsPlanned: run.trialsPlanned,
      trialsDone: Object.values(trials).reduce((sum, count) => sum + count, 0),
      exploratory: run.summary.run.exploratory,
      disturbances: disturbancesOf(run.summary),
      blocks: Math.max(0, ...comparisons.map(({ blocks }) => blocks)),
      clients: environment?.clients.map(({ name, version }) => `${name} ${version}`) ?? [],
    },
    figures: published.map((figure) => ({ ...figure, agreement: judge(figure.expects, figure.ours) })),
  };
}

/** Of the warnings that a run gives of its machine (`src/system/noise-checks.ts`). */
const noisePrefix = 'noise (';

/** A busy machine, in the words of the warning that the run itself gave of it. */
function disturbancesOf({ environment }: Summary): string[] {
  return environment?.warnings.filter((warning) => warning.startsWith(noisePrefix)) ?? [];
}

type Ours = Pick<PublishedResult['ours'][number], 'verdict'> & {
  readonly side?: 'better' | 'worse' | undefined;
};

/**
 * Whether the verdicts have the published direction. Undecided comparisons count for neither, unless all that is sure of
 * any is a direction without a size, and it is the published one; equivalence where a difference was published counts
 * against it.
 */
export function judge(expects: PublishedResult['expects'], ours: readonly Ours[]): Agreement {
  if (ours.length === 0) return 'not measured';
  if (expects === undefined) return 'no direction';
  const decided = ours.flatMap(({ verdict }) =>
    verdict === undefined || verdict === 'inconclusive' ? [] : [verdict],
  );
  if (decided.length === 0) {
    const sides = ours.flatMap(({ side }) => side ?? []);
    return sides.length > 0 && sides.every((side) => side === expects) ? 'same, small' : 'undecided';
  }
  const same = decided.filter((verdict) => verdict === expects).length;
  if (same === decided.length) return 'same';
  return same === 0 && !decided.includes('mixed') ? 'other' : 'partly';
}
