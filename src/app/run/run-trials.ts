import type { TrialOutcome } from '../../../harness/trial/runner.ts';
import { reasonToStop } from '../../analyse/comparison/take-looks.ts';
import { H2h3Error } from '../../model/errors.ts';
import { metricDefinition } from '../../metrics/registry.ts';
import type { ExpectedLoad } from '../../model/expected-load.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { budgetReason, type TrialRecord } from '../../model/record.ts';
import type { PreparedWorkload } from '../../model/workload.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import { plural } from '../words.ts';
import { blockSentences } from './block-sentences.ts';
import { ExpectedLoads } from './expected-loads.ts';
import { finishTrial, notRun } from './finish-trial.ts';
import { withFault } from './injected-faults.ts';
import type { RunResources } from './open-resources.ts';
import { RunProgress } from './run-progress.ts';
import { untroubledTrial } from './untroubled-trial.ts';

/** What trials are run for, and how long that may take. */
export interface TrialsOptions {
  readonly directory: RunDirectory;
  /** Stop beginning new blocks after this time, ms; what is left is journalled `not-run`. */
  readonly budgetMs: number | undefined;
  /** What records call this machine. */
  readonly host: string;
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  /** Trials of this run that have a record already. */
  readonly doneCount: number;
  /** Called with each record that was measured, when its files are written. */
  readonly keep?: ((record: TrialRecord) => Promise<void>) | undefined;
}

/** Runs trials in their order and journals each as it ends, until all are done, the time is over or a look decides. */
export async function runTrials(
  resources: RunResources,
  pending: readonly PlannedTrial[],
  options: TrialsOptions,
  context: AppContext,
): Promise<void> {
  const { directory, host } = options;
  const begunMs = performance.now();
  const progress = progressOf(options, begunMs, context);
  const expectedLoads = new ExpectedLoads(directory, resources.scouted);
  let looked = 0;
  for (const trials of Map.groupBy(pending, ({ blockIndex }) => blockIndex).values()) {
    const rest = pending.slice(pending.indexOf(trials[0] as PlannedTrial));
    const blockMs = progress.remainingMs(trials);
    // Trials run block by block, so every bare block before the next one is done.
    const blocksDone = rest.find(({ watch }) => watch === 'bare')?.blockIndex ?? directory.plan.repetitions;
    const ended =
      (blocksDone > looked ? lookAfter(blocksDone, directory, context) : null) ??
      endOfBudget(rest, performance.now() - begunMs + blockMs, options, context);
    looked = Math.max(looked, blocksDone);
    if (ended !== null) {
      rest.forEach((left) => directory.append(notRun(left, ended, host)));
      return;
    }
    for (const index of trials.keys())
      await runFirst(resources, rest.slice(index), progress, {
        ...options,
        expectedLoads,
        signal: context.signal,
      });
    const [{ blockIndex, watch }] = trials as [PlannedTrial];
    if (watch !== 'bare') continue;
    for (const sentence of blockSentences(directory.plan, directory.journal().records, blockIndex))
      context.progress.say(sentence);
  }
}

/** Measures the first of these trials, again where the machine disturbed it, and journals it. */
async function runFirst(
  resources: RunResources,
  rest: readonly PlannedTrial[],
  progress: RunProgress,
  {
    directory,
    host,
    keep,
    expectedLoads,
    signal,
  }: TrialsOptions & { readonly expectedLoads: ExpectedLoads; readonly signal: AbortSignal },
): Promise<void> {
  const [trial, ...later] = rest;
  if (trial === undefined) return;
  progress.begin(trial, rest);
  const begunMs = performance.now();
  const coming = later.slice(0, 2).map((next) => ({ trial: next }));
  const expected = expectedLoads.of(trial);
  const measured = await untroubledTrial(
    async () => {
      const outcome = await resources.runner.run({ trial }, coming);
      return recordTrial(resources, { trial, outcome, expected }, directory);
    },
    { say: (record) => progress.again(trial, record), signal },
  );
  const record = { ...withFault(measured), host };
  directory.append(record);
  expectedLoads.took(trial, record);
  await keep?.(record);
  progress.end(trial, record, performance.now() - begunMs, later);
}

/** The record of a trial that was run, with its evidence stored. */
export function recordTrial(
  resources: RunResources,
  {
    trial,
    outcome,
    expected,
  }: {
    readonly trial: PlannedTrial;
    readonly outcome: TrialOutcome;
    readonly expected?: ExpectedLoad | undefined;
  },
  directory: RunDirectory,
): Promise<TrialRecord> {
  return finishTrial(trial, outcome, {
    runDir: directory.path,
    trialDir: directory.trialDir(trial.trialId),
    protocol: trial.factors.protocol ?? 'auto',
    workload: preparedOf(resources, trial),
    expected,
  });
}

function preparedOf(resources: RunResources, trial: PlannedTrial): PreparedWorkload {
  const prepared = resources.prepared.get(contentOf(trial));
  if (!prepared) throw new H2h3Error('internal', `workload ${trial.workload} was not prepared`);
  return prepared;
}

/** The reason to leave out the rest where the next block would end after the budget, or null. */
function endOfBudget(
  rest: readonly PlannedTrial[],
  endMs: number,
  { budgetMs }: TrialsOptions,
  { progress }: AppContext,
): string | null {
  if (budgetMs === undefined || endMs <= budgetMs) return null;
  progress.say(`the budget is used up: ${plural(rest.length, 'trial')} not run`);
  return budgetReason;
}

/** A sequential run is judged after the blocks of its looks: the reason to end it, or null. */
function lookAfter(blocks: number, directory: RunDirectory, context: AppContext): string | null {
  const { plan } = directory;
  if (plan.looks?.includes(blocks) !== true) return null;
  const reason = reasonToStop(plan, directory.journal().records, blocks);
  context.progress.say(reason ?? `look after ${blocks} blocks: not decided yet`);
  return reason;
}

function progressOf(
  { directory: { plan }, doneCount, expectedTrialMs, budgetMs = Infinity }: TrialsOptions,
  begunMs: number,
  { progress }: AppContext,
): RunProgress {
  return new RunProgress({
    progress,
    total: plan.trials.length,
    done: doneCount,
    mayEndEarly: (plan.looks ?? []).length > 0,
    budgetEndMs: begunMs + budgetMs,
    expectedTrialMs,
    primaryOf: (workload) => primaryOf(plan, workload),
  });
}

function primaryOf(plan: Plan, workload: string): { metric: string; unit: string } | undefined {
  const kind = plan.workloads.find(({ id }) => id === workload)?.kind;
  const metric = kind && plan.primary[kind];
  return metric === undefined ? undefined : { metric, unit: metricDefinition(metric)?.unit ?? '' };
}
