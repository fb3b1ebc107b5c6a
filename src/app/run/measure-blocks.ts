import type { TrialOutcome } from '../../../harness/trial/measurement.ts';
import { reasonToStop } from '../../analyse/comparison/interim-analyses.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { ExpectedLoad } from '../../core/model/expected-load.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
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
import { runTrialWithRetries, type Settling } from './run-trial-with-retries.ts';
import { trafficReached } from './traffic-limit.ts';

/** What trials are run for, and how long that may take. */
export interface BlocksOptions {
  readonly directory: RunDirectory;
  /** Stop beginning new blocks after this time, ms; what is left is journalled `not-run`. */
  readonly budgetMs: number | undefined;
  /** Stop before a block in which an arm would come to have loaded more than so many bytes; what is left is journalled `not-run`. */
  readonly maxArmBytes: number | undefined;
  /** What records call this machine. */
  readonly host: string;
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  /** Waits until the machine is free, before a trial is run again. */
  readonly settle: Settling;
  /** Trials of this run that have a record already. */
  readonly doneCount: number;
  /** Called with each record that was measured, when its files are written. */
  readonly keep?: ((record: TrialRecord) => Promise<void>) | undefined;
}

/**
 * Measures trials block by block and journals each as it ends, until all are done, the time is over or an interim analysis decides.
 * Between blocks it says what the last one showed. Each trial is run again where the machine disturbed it.
 */
export async function measureBlocks(
  resources: RunResources,
  pending: readonly PlannedTrial[],
  options: BlocksOptions,
  context: AppContext,
): Promise<void> {
  const { directory, host, keep, settle } = options;
  const begunMs = performance.now();
  const progress = progressOf(options, begunMs, context);
  const expectedLoads = new ExpectedLoads(directory, resources.scouted);
  const reasonToEnd = endsOf(options, { begunMs, progress, scouted: resources.scouted }, context);
  let rest = pending;
  for (const trials of Map.groupBy(pending, ({ blockIndex }) => blockIndex).values()) {
    const ended = reasonToEnd(trials, rest);
    if (ended !== null) {
      rest.forEach((left) => directory.append(notRun(left, ended, host)));
      return;
    }
    for (const trial of trials) {
      progress.begin(trial, rest);
      const trialBegunMs = performance.now();
      const expected = expectedLoads.of(trial);
      rest = rest.slice(1);
      const coming = rest.slice(0, 2).map((next) => ({ trial: next }));
      const measured = await runTrialWithRetries(
        async () => {
          const outcome = await resources.runner.run({ trial }, coming);
          return recordTrial(resources, { trial, outcome, expected }, directory);
        },
        { say: (record) => progress.again(trial, record), signal: context.signal, settle },
      );
      const record = { ...withFault(measured), host };
      directory.append(record);
      expectedLoads.took(trial, record);
      await keep?.(record);
      progress.end(trial, record, performance.now() - trialBegunMs, rest);
    }
    printBlockResult(trials, directory, context);
  }
}

function printBlockResult(
  [trial]: readonly PlannedTrial[],
  directory: RunDirectory,
  { progress }: AppContext,
): void {
  if (trial === undefined || trial.instrumentation !== 'uninstrumented') return;
  for (const sentence of blockSentences(directory.plan, directory.journal().records, trial.blockIndex))
    progress.say(sentence);
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

/** Asked before each block: why it and the rest are left out, or null. */
type ReasonToEnd = (block: readonly PlannedTrial[], rest: readonly PlannedTrial[]) => Reason | null;

/**
 * A run ends where an interim analysis decides everything, and before a block that would end after its budget or load more than an arm
 * may.
 */
function endsOf(
  { directory, budgetMs = Infinity, maxArmBytes = Infinity }: BlocksOptions,
  {
    begunMs,
    progress,
    scouted,
  }: { readonly begunMs: number; readonly progress: RunProgress } & Pick<RunResources, 'scouted'>,
  context: AppContext,
): ReasonToEnd {
  let analysedBlocks = 0;
  return (block, rest) => {
    // Trials run block by block, so every timed block before the next one is done.
    const blocksDone =
      rest.find(({ instrumentation }) => instrumentation === 'uninstrumented')?.blockIndex ??
      directory.plan.repetitions;
    const isNew = blocksDone > analysedBlocks;
    analysedBlocks = Math.max(analysedBlocks, blocksDone);
    const decided = isNew ? interimDecision(blocksDone, directory, context) : null;
    if (decided !== null) return decided;
    const reached =
      maxArmBytes === Infinity
        ? null
        : trafficReached({ records: directory.journal().records, block, scouted }, maxArmBytes);
    if (reached !== null) {
      context.progress.say(`${reached.text}: ${plural(rest.length, 'trial')} not run`);
      return reached;
    }
    if (performance.now() - begunMs + progress.remainingMs(block) <= budgetMs) return null;
    context.progress.say(`the budget is used up: ${plural(rest.length, 'trial')} not run`);
    return reasonOf('budget');
  };
}

/** Why a sequential run ends after so many blocks; null where it goes on, or none of its interim analyses is due. */
function interimDecision(blocks: number, directory: RunDirectory, context: AppContext): Reason | null {
  const { plan } = directory;
  if (plan.interims?.includes(blocks) !== true) return null;
  const reason = reasonToStop(plan, directory.journal().records, blocks);
  context.progress.say(reason?.text ?? `interim analysis after ${blocks} blocks: not decided yet`);
  return reason;
}

function progressOf(
  { directory: { plan }, doneCount, expectedTrialMs, budgetMs = Infinity }: BlocksOptions,
  begunMs: number,
  { progress }: AppContext,
): RunProgress {
  return new RunProgress({
    progress,
    total: plan.trials.length,
    done: doneCount,
    mayEndEarly: (plan.interims ?? []).length > 0,
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
