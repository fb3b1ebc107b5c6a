import { rmSync } from 'node:fs';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { type TrialOutcome, type Turn } from '../../../harness/trial/runner.ts';
import { H2h3Error } from '../../model/errors.ts';
import { metricDefinition } from '../../model/metric-catalogue.ts';
import { reasonToStop } from '../../analyse/comparison/take-looks.ts';
import { budgetReason } from '../../model/record.ts';
import type { Environment } from '../../model/environment.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { PreparedWorkload } from '../../model/workload.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import { openBench, type Bench, type BenchOptions } from './open-bench.ts';
import { compareWithItself } from './aa-of-host.ts';
import { checkSameEnvironment } from './same-environment.ts';
import { hostOfRun } from './host-of-run.ts';
import { gatherEnvironment } from './environment-of-run.ts';
import { finishTrial, notRun } from './finish-trial.ts';
import { faultWarnings, withFault } from './injected-faults.ts';
import { type Clients } from './prepare-run.ts';
import type { AppContext } from '../app-context.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import { expectedTrialTimes } from '../plan/scale-times.ts';
import { requireBudget } from './require-budget.ts';
import { RunProgress } from './run-progress.ts';
import { insecureWarnings, scoutLivePages } from './scout-live-pages.ts';
import { SetUpFaults } from './set-up-faults.ts';
import { warmUpMs, warmUpPrefix, warmUpsOf } from './warm-ups.ts';

export interface ExecuteOptions extends BenchOptions {
  readonly ffmpeg: string | null;
  /** What a reader must know of how the run came about. */
  readonly warnings: readonly string[];
  /** Stop beginning new blocks after this time, ms; what is left is journalled `not-run`. */
  readonly budgetMs: number | undefined;
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** Where several hosts share the run: who says what is to run here. Default: the whole plan of the directory. */
  readonly shared?: SharedRun | undefined;
}

/** A run of which this host gets one lease after the other. */
export interface SharedRun {
  /** The environment with which this host has joined before; null for one that is new. */
  joinedBefore(): Promise<Environment | null>;
  /** Tells the run of this host. @throws H2h3Error `bad-input` for one that may not take part */
  join(environment: Environment): Promise<void>;
  /** Null when there is nothing left. */
  next(): Promise<SharedLease | null>;
}

export interface SharedLease {
  readonly trials: readonly PlannedTrial[];
  /** Called with each record, when its files are written. */
  keep(record: TrialRecord): Promise<void>;
  /** Called when the lease is over; with what was thrown, when it was not run to its end. */
  end(fault?: unknown): void;
}

async function warmUp(
  bench: Bench,
  plan: Plan,
  context: AppContext,
  versions: Map<string, string>,
): Promise<string[]> {
  const warnings: string[] = [];
  const faults = new SetUpFaults();
  const trials = warmUpsOf(plan.trials).map((trial) => ({
    ...trial,
    trialId: `${warmUpPrefix}${trial.trialId}`,
  }));
  for (const [index, trial] of trials.entries()) {
    context.progress.show(
      `warm-up ${index + 1}/${trials.length}: ${trial.workload} ${trial.client} ${trial.arm}`,
    );
    const turn = (one: PlannedTrial): Turn => ({ trial: one, mostMs: warmUpMs });
    const outcome = await bench.runner.run(turn(trial), trials.slice(index + 1, index + 3).map(turn));
    if (outcome.kind === 'measured' && outcome.raw.browser)
      versions.set(trial.client, outcome.raw.browser.version);
    faults.note(trial, outcome);
    const fault = outcome.kind === 'measured' ? outcome.raw.error : { code: '', message: outcome.reason };
    if (fault !== undefined && fault.code !== 'deadline')
      warnings.push(`the discarded warm-up of ${trial.client} ${trial.arm} failed: ${fault.message}`);
  }
  faults.throwIfNothingWorks();
  for (const [client, fault] of faults.clientsThatDoNotStart()) {
    bench.clients.set(client, fault);
    warnings.push(`${client} does not start, so its trials are unsupported: ${fault.message}`);
  }
  return warnings;
}

function clientDescriptions(
  clients: Clients,
  versions: ReadonlyMap<string, string>,
  headed: boolean,
): ClientIdentity[] {
  return [...clients.entries()].flatMap(([name, client]) =>
    client instanceof H2h3Error
      ? []
      : [{ ...client, id: name, version: versions.get(name) ?? client.version, headed }],
  );
}

/**
 * Runs every trial of the plan that has no record yet, in the plan's order, journalling each as it ends.
 *
 * @throws H2h3Error `interrupted` when asked to stop; what was done is kept.
 */
export async function executeRun(options: ExecuteOptions, context: AppContext): Promise<void> {
  const { directory } = options;
  const { plan } = directory;
  const release = lockRunDirectory(directory.path, process.pid);
  try {
    const done = new Set(directory.journal().records.map((record) => record.trialId));
    const pending = plan.trials.filter((trial) => !done.has(trial.trialId));
    if (pending.length === 0 && options.shared === undefined) return;
    const { workloads, budgetMs } = options;
    const expectedTrialMs = await expectedTrialTimes({ plan, workloads });
    requireBudget(pending, expectedTrialMs, budgetMs);
    const earlier = directory.environment();
    const host = hostOfRun(plan, earlier, options.host);
    const bench = await openBench(plan, options, context);
    try {
      const versions = new Map<string, string>();
      const startedAt = new Date().toISOString();
      await scoutLivePages(bench, plan, context);
      const warnings = await warmUp(bench, plan, context, versions);
      const refusal = bench.testbeds.refusal();
      if (refusal) throw refusal;
      const hosted = { ...options, host, expectedTrialMs };
      const aa = await aaOf(bench, earlier, hosted, context);
      const gathered = await gatherEnvironment({
        projectDir: context.projectDir,
        ...{ startedAt, host },
        clients: clientDescriptions(options.clients, versions, options.headed),
        testbeds: bench.testbeds.all(),
        pinning: bench.pinning,
        remotes: [...bench.prepared.values()].flatMap(({ live }) => live?.remote ?? []),
        ffmpeg: options.ffmpeg,
        warnings: [...options.warnings, ...insecureWarnings(plan), ...faultWarnings(plan), ...warnings],
      });
      const environment = { ...gathered, ...aa };
      if (earlier) checkSameEnvironment(earlier, environment);
      else directory.writeEnvironment(environment);
      if (options.shared === undefined) await runPending(bench, pending, done.size, hosted, context);
      else {
        await options.shared.join(environment);
        await runLeases(bench, options.shared, hosted, context);
      }
    } finally {
      await bench.close();
    }
  } finally {
    release();
  }
}

interface HostedOptions extends ExecuteOptions {
  readonly host: string;
  readonly expectedTrialMs: (trial: PlannedTrial) => number;
  /** Called with each record that was measured. */
  readonly keep?: SharedLease['keep'];
}

/** As `compareWithItself`, once for each host that shares a run: where it comes again, what it found first stands. */
async function aaOf(
  bench: Bench,
  earlier: Environment | null,
  options: HostedOptions,
  context: AppContext,
): Promise<Pick<Environment, 'aa'>> {
  const { directory, shared, expectedTrialMs } = options;
  if (shared === undefined && directory.plan.shard === undefined) return {};
  const before = earlier ?? (await shared?.joinedBefore()) ?? null;
  if (before !== null) return before.aa === undefined ? {} : { aa: before.aa };
  const aa = await compareWithItself(
    directory.plan,
    expectedTrialMs,
    context.progress,
    async (trial, coming) => {
      const turns = coming.map((one) => ({ trial: one }));
      const record = await finish(bench, trial, await bench.runner.run({ trial }, turns), directory);
      rmSync(directory.trialDir(trial.trialId), { recursive: true, force: true });
      return record;
    },
  );
  return aa === null ? {} : { aa };
}

function finish(
  bench: Bench,
  trial: PlannedTrial,
  outcome: TrialOutcome,
  directory: RunDirectory,
): Promise<TrialRecord> {
  return finishTrial(trial, outcome, {
    runDir: directory.path,
    trialDir: directory.trialDir(trial.trialId),
    protocol: trial.factors.protocol ?? 'auto',
    workload: preparedOf(bench, trial),
  });
}

async function runLeases(
  bench: Bench,
  shared: SharedRun,
  options: HostedOptions,
  context: AppContext,
): Promise<void> {
  for (let lease = await shared.next(); lease !== null; lease = await shared.next()) {
    const keep = (record: TrialRecord): Promise<void> => lease.keep(record);
    try {
      await runPending(bench, lease.trials, 0, { ...options, keep }, context);
    } catch (thrown) {
      lease.end(thrown);
      throw thrown;
    }
    lease.end();
  }
}

async function runPending(
  bench: Bench,
  pending: readonly PlannedTrial[],
  doneCount: number,
  options: HostedOptions,
  context: AppContext,
): Promise<void> {
  const { directory, budgetMs, host, expectedTrialMs } = options;
  const { plan } = directory;
  const progress = new RunProgress({
    progress: context.progress,
    total: plan.trials.length,
    done: doneCount,
    mayEndEarly: (plan.looks ?? []).length > 0,
    expectedTrialMs,
    primaryOf: (workload) => primaryOf(plan, workload),
  });
  const begun = performance.now();
  let block = -1;
  for (const [index, trial] of pending.entries()) {
    const rest = pending.slice(index);
    if (trial.blockIndex !== block && budgetMs !== undefined) {
      const blockMs = progress.remainingMs(rest.filter((other) => other.blockIndex === trial.blockIndex));
      if (performance.now() - begun + blockMs > budgetMs) {
        context.progress.say(`the budget is used up: ${rest.length} trials are not run`);
        rest.forEach((left) => directory.append(notRun(left, budgetReason, host)));
        return;
      }
    }
    // Trials run block by block, so every earlier block is done.
    const decided = trial.blockIndex === block ? null : lookAfter(trial.blockIndex, directory, context);
    if (decided !== null) {
      rest.forEach((left) => directory.append(notRun(left, decided, host)));
      return;
    }
    block = trial.blockIndex;
    progress.begin(trial, rest);
    const trialBegun = performance.now();
    const coming = pending.slice(index + 1, index + 3).map((one) => ({ trial: one }));
    const outcome = await bench.runner.run({ trial }, coming);
    const finished = await finish(bench, trial, outcome, directory);
    const record = { ...withFault(finished), host };
    directory.append(record);
    await options.keep?.(record);
    progress.end(trial, record, performance.now() - trialBegun, rest.slice(1));
  }
}

/** A sequential run is judged after the blocks of its looks: the reason to end it, or null. */
function lookAfter(blocks: number, directory: RunDirectory, context: AppContext): string | null {
  const { plan } = directory;
  if (plan.looks?.includes(blocks) !== true) return null;
  const reason = reasonToStop(plan, directory.journal().records, blocks);
  context.progress.say(reason ?? `look after ${blocks} blocks: not decided yet`);
  return reason;
}

function preparedOf(bench: Bench, trial: PlannedTrial): PreparedWorkload {
  const prepared = bench.prepared.get(contentOf(trial));
  if (!prepared) throw new H2h3Error('internal', `workload ${trial.workload} was not prepared`);
  return prepared;
}

function primaryOf(plan: Plan, workload: string): { metric: string; unit: string } | undefined {
  const kind = plan.workloads.find(({ id }) => id === workload)?.kind;
  const metric = kind && plan.primary[kind];
  return metric === undefined ? undefined : { metric, unit: metricDefinition(metric)?.unit ?? '' };
}
