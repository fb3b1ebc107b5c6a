import type { PlannedTrial } from '../../core/model/plan.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { expectedTrialTimes } from '../plan/scale-times.ts';
import { hostOfRun } from './host-of-run.ts';
import type { OpenedRun } from './open-run.ts';
import type { RunConditions } from './run-conditions.ts';
import { settlingOf, type Settling } from './run-trial-with-retries.ts';
import type { SharedRun } from './shared-run.ts';

/** What is still to be measured of a run, and under what conditions. */
export interface PendingRun extends Pick<OpenedRun, 'clients' | 'ffmpeg'> {
  readonly directory: RunDirectory;
  /** Trials that have no record yet, in the plan's order. */
  readonly pending: readonly PlannedTrial[];
  /** Trials that have a record already. */
  readonly doneCount: number;
  /** When the measuring host began with it. */
  readonly startedAt: string;
  readonly headed: boolean;
  /** Stop beginning new blocks after this time, ms; what is left is journalled `not-run`. */
  readonly budgetMs: number | undefined;
  /** Stop before a block in which an arm would come to have loaded more than so many bytes; what is left is journalled `not-run`. */
  readonly maxArmBytes: number | undefined;
  /** What records call this machine. */
  readonly host: string;
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  /** Waits until the machine is free, before a trial is run again. */
  readonly settle: Settling;
  /** Where several hosts share the run: who says what is to run here. */
  readonly shared: SharedRun | undefined;
}

export interface PendingRunOptions extends Pick<
  RunConditions,
  'budgetMs' | 'maxArmBytes' | 'headed' | 'host'
> {
  /** Where several hosts share the run: who says what is to run here. Default: the whole plan of the directory. */
  readonly shared?: SharedRun | undefined;
}

/** @throws H2h3Error `usage` or `bad-input` for a name of this host that it cannot have */
export async function pendingRun(
  { directory, workloads, clients, ffmpeg }: OpenedRun,
  { budgetMs, maxArmBytes, headed = false, host, shared }: PendingRunOptions,
): Promise<PendingRun> {
  const { plan } = directory;
  const done = new Set(directory.journal().records.map((record) => record.trialId));
  return {
    directory,
    clients,
    ffmpeg,
    pending: plan.trials.filter((trial) => !done.has(trial.trialId)),
    doneCount: done.size,
    startedAt: new Date().toISOString(),
    headed,
    budgetMs,
    maxArmBytes,
    host: hostOfRun(plan, directory.environment(), host),
    expectedTrialMs: await expectedTrialTimes({ plan, workloads }),
    // A quick start asks for an answer soon, and is judged accordingly.
    settle: settlingOf(plan.quickStart !== true),
    shared,
  };
}
