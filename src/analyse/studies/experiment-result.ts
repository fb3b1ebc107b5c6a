import { namesFrom } from '../../core/model/names.ts';
import { textAt, type PublishedFigure } from '../../core/model/published.ts';
import type { Experiment, ExperimentResult } from '../../core/model/studies.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import { publishedResults, type PlannedScale } from './published-results.ts';
import { studyFigure } from './study-figures.ts';
import { measuredRun } from './study-run.ts';

/** What was published of an experiment, and what a run of it found; without a run all of it is not measured. @param scales see `publishedResults` */
export function experimentResult(
  experiment: Experiment,
  published: readonly PublishedFigure[],
  run: (StudyRun & { readonly path?: string }) | undefined,
  scales: readonly PlannedScale[] = [],
): ExperimentResult {
  const { figures, differs, ...told } = experiment;
  const scale = run?.scale ?? (run === undefined ? 'quick' : null);
  const here = textAt(differs, scale);
  return {
    ...told,
    ...(here !== undefined && { differs: here }),
    ...(run !== undefined && { run: runFacts(run) }),
    results: publishedResults(published, run === undefined ? nothing : measuredRun(run), scales),
    figures: figures.map((figure) => studyFigure(figure, run)),
  };
}

/** A run without trials. */
const nothing: ReturnType<typeof measuredRun> = {
  cells: [],
  arms: [],
  names: {
    workload: (id) => id,
    client: (id) => id,
    network: (id) => id,
    shortNetwork: (id) => id,
    server: (id) => id,
  },
  boundOf: () => undefined,
  scale: 'quick',
  blocks: 0,
  blockMs: null,
  machine: 'not measured',
};

function runFacts(run: StudyRun & { readonly path?: string }): NonNullable<ExperimentResult['run']> {
  const { path, scale, revision, startedAt, trialsOk, trialsPlanned, trialsDone } = run;
  const { lostByArm, exploratory, timed, disturbances, blocks, clients, rawRates } = run;
  const names = namesFrom(run.names);
  return {
    ...(path !== undefined && { path }),
    scale,
    revision,
    startedAt,
    trialsOk,
    trialsPlanned,
    trialsDone,
    ...(lostByArm !== undefined && { lostByArm }),
    exploratory,
    timed,
    disturbances,
    blocks,
    clients,
    ...(rawRates !== undefined && {
      rawRates,
      networks: Object.fromEntries(rawRates.map(({ network }) => [network, names.network(network)])),
    }),
  };
}
