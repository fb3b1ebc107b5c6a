import { namesFrom } from '../../core/model/names.ts';
import { textAt, type PublishedFigure } from '../../core/model/published.ts';
import type { Experiment, ExperimentResult } from '../../core/model/studies.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import { machinePartsOf } from '../../core/model/before-codes.ts';
import { withCampaigns } from './campaigns.ts';
import { judgingRule } from './claim-digest.ts';
import { publishedResults, type PlannedScale } from './published-results.ts';
import { studyFigure } from './study-figures.ts';
import { measuredRun } from './study-run.ts';

/** The kept runs of an experiment. */
export interface RunsOfExperiment {
  /** That count, of one scale, the oldest first: each is a campaign, and the page shows the last. */
  readonly campaigns: readonly (StudyRun & { readonly path?: string })[];
  /** That do not count, each with the reason. */
  readonly leftOut?: readonly { readonly run: StudyRun; readonly why: string }[];
}

/**
 * What was published of an experiment, and what runs of it found; without a run all of it is not measured.
 *
 * @param scales see `publishedResults`
 */
export function experimentResult(
  experiment: Experiment,
  published: readonly PublishedFigure[],
  { campaigns, leftOut = [] }: RunsOfExperiment,
  scales: readonly PlannedScale[] = [],
): ExperimentResult {
  const run = campaigns.at(-1);
  const { figures, differs, title, ...told } = experiment;
  const scale = run?.scale ?? (run === undefined ? 'quick' : null);
  const here = textAt(differs, scale);
  const results = publishedResults(published, run === undefined ? nothing : measuredRun(run), scales);
  const facts = ({ startedAt, revision, trialsOk, trialsDone }: StudyRun) => ({
    startedAt,
    revision,
    trialsOk,
    trialsDone,
  });
  return {
    ...told,
    title: textAt(title, scale) ?? textAt(title, 'paper') ?? experiment.preset,
    ...(here !== undefined && { differs: here }),
    ...(run !== undefined && { run: runFacts(run) }),
    campaigns: [...campaigns.map(facts), ...leftOut.map(({ run: other, why }) => ({ ...facts(other), why }))],
    results: withCampaigns(results, published, campaigns),
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
    product: (id) => id,
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
  const { lostByArm, exploratory, timed, disturbances, blocks, clients, rawRates, setUp, rule = 1 } = run;
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
    machineParts: machinePartsOf(run),
    ...(rule < judgingRule && { olderRule: true as const }),
    ...(setUp !== undefined && { setUp }),
    ...(rawRates !== undefined && {
      rawRates,
      networks: Object.fromEntries(rawRates.map(({ network }) => [network, names.network(network)])),
    }),
  };
}
