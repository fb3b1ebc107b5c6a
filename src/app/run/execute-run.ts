import { rmSync } from 'node:fs';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { digestFact } from '../../system/program-digest.ts';
import { unmeasuredOf } from '../../analyse/comparison/watching.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Environment } from '../../model/environment.ts';
import { machineClassOf } from '../../model/machine-class.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import type { AppContext } from '../app-context.ts';
import { expectedTrialTimes } from '../plan/scale-times.ts';
import type { Obstacle } from '../preflight/check.ts';
import type { WarmUp } from '../preflight/facts.ts';
import { judgePlan, throwRefusals, type Judged } from '../preflight/preflight.ts';
import { brokenClients } from '../preflight/warmed-up.ts';
import { appRunWarnings } from './app-warnings.ts';
import { compareWithItself } from './aa-of-host.ts';
import { gatherEnvironment } from './environment-of-run.ts';
import { hostOfRun } from './host-of-run.ts';
import { faultWarnings } from './injected-faults.ts';
import { openResources, type RunResources, type ResourceOptions } from './open-resources.ts';
import { recordTrial, runTrials, type TrialsOptions } from './run-trials.ts';
import { checkSameEnvironment } from './same-environment.ts';
import { insecureWarnings, scoutLivePages } from './scout-live-pages.ts';
import { runLeases, type SharedRun } from './shared-run.ts';
import { spokenProtocols } from './spoken-protocols.ts';
import { keptFailures, warmUp } from './warm-up.ts';

export interface ExecuteOptions extends ResourceOptions {
  readonly ffmpeg: string | null;
  /** What a reader must know of how the run came about. */
  readonly warnings: readonly string[];
  /** What keeps some of its trials from being measured, as far as it was known before anything was started. */
  readonly obstacles: readonly Obstacle[];
  /** Stop beginning new blocks after this time, ms; what is left is journalled `not-run`. */
  readonly budgetMs: number | undefined;
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** Where several hosts share the run: who says what is to run here. Default: the whole plan of the directory. */
  readonly shared?: SharedRun | undefined;
}

/** What is to be done, and with what. */
interface Work extends TrialsOptions {
  readonly options: ExecuteOptions;
  readonly pending: readonly PlannedTrial[];
}

/**
 * Runs every trial of the plan that has no record yet, in the plan's order, journalling each as it ends.
 *
 * @throws H2h3Error `interrupted` when asked to stop; what was done is kept.
 */
export async function executeRun(options: ExecuteOptions, context: AppContext): Promise<void> {
  const release = lockRunDirectory(options.directory.path, process.pid);
  try {
    const work = await workLeft(options);
    if (work.pending.length > 0 || options.shared !== undefined) await doWork(work, context);
  } finally {
    release();
  }
}

async function workLeft(options: ExecuteOptions): Promise<Work> {
  const { directory, workloads, budgetMs, host } = options;
  const { plan } = directory;
  const done = new Set(directory.journal().records.map((record) => record.trialId));
  return {
    options,
    directory,
    budgetMs,
    pending: plan.trials.filter((trial) => !done.has(trial.trialId)),
    doneCount: done.size,
    host: hostOfRun(plan, directory.environment(), host),
    expectedTrialMs: await expectedTrialTimes({ plan, workloads }),
  };
}

async function doWork(work: Work, context: AppContext): Promise<void> {
  const { options, pending, directory } = work;
  const resources = await openResources(directory.plan, options, context);
  try {
    const environment = await readyEnvironment(resources, work, context);
    const { shared } = options;
    if (shared === undefined) await runTrials(resources, pending, work, context);
    else {
      await shared.join(environment);
      await runLeases(resources, shared, { ...work, doneCount: 0 }, context);
    }
  } finally {
    await resources.close();
  }
}

/**
 * Tries what was started, and writes down what the run measures with.
 *
 * @throws H2h3Error where no trial could be measured, or the run began with something else
 */
async function readyEnvironment(
  resources: RunResources,
  work: Work,
  context: AppContext,
): Promise<Environment> {
  const { options, directory, host } = work;
  const { plan } = directory;
  const earlier = directory.environment();
  const startedAt = new Date().toISOString();
  const looked = await lookAtLivePages(resources, options, context);
  const { warmUps, warnings } = await warmClients(resources, directory, looked.obstacles, context);
  const aa = await aaOf(resources, earlier, work, context);
  const gathered = await gatherEnvironment({
    projectDir: context.projectDir,
    startedAt,
    host,
    clients: await clientDescriptions(options, warmUps),
    testbeds: resources.testbeds.all(),
    pinning: resources.pinning,
    remotes: [...resources.prepared.values()].flatMap(({ live }) => live?.remote ?? []),
    ffmpeg: options.ffmpeg,
    warnings: [
      ...options.warnings,
      ...insecureWarnings(plan),
      ...appRunWarnings(plan),
      ...faultWarnings(plan),
      ...looked.warnings,
      ...warnings,
    ],
  });
  const known = { ...gathered, ...aa, ...watchingOnThisMachine(gathered) };
  const unmeasured = unmeasuredOf(plan, known);
  unmeasured.forEach((line) => context.progress.say(`warning: ${line}`));
  const environment = { ...known, warnings: [...known.warnings, ...unmeasured] };
  if (earlier) checkSameEnvironment(earlier, environment);
  else directory.writeEnvironment(environment);
  return environment;
}

/** What `calibrate --watching` measured on machines of this class, kept with the run so that it suffices for itself. */
function watchingOnThisMachine({ machine }: Environment): Pick<Environment, 'watching'> {
  const { watching = [] } = loadCalibration('results', machineClassOf(machine)) ?? {};
  return watching.length === 0 ? {} : { watching };
}

/** Live addresses are asked what they speak, and loaded once as a browser does by itself. @throws H2h3Error where nothing can be compared there */
async function lookAtLivePages(
  resources: RunResources,
  { directory: { plan }, obstacles }: ExecuteOptions,
  context: AppContext,
): Promise<Judged> {
  const spoken = await spokenProtocols(plan, resources.prepared);
  const judged = await judgePlan(plan, { spoken }, { fresh: ['spoken'], before: obstacles });
  throwRefusals(judged);
  await scoutLivePages(resources, plan, context);
  return judged;
}

/** Every client and path is used once before it counts. @throws H2h3Error where nothing comes of that */
async function warmClients(
  resources: RunResources,
  directory: RunDirectory,
  before: readonly Obstacle[],
  context: AppContext,
): Promise<{ readonly warmUps: readonly WarmUp[]; readonly warnings: readonly string[] }> {
  const { plan } = directory;
  const warmUps = keptFailures(await warmUp(resources, plan, context), resources, directory);
  const refusal = resources.testbeds.refusal();
  if (refusal) throw refusal;
  const judged = await judgePlan(plan, { warmUps }, { fresh: ['warmUps'], before });
  throwRefusals(judged);
  for (const [client, fault] of brokenClients(warmUps)) resources.clients.set(client, fault);
  return { warmUps, warnings: judged.warnings };
}

/** What each client is, with the digest of its program as it is when the run begins. */
async function clientDescriptions(
  { clients, headed }: ExecuteOptions,
  warmUps: readonly WarmUp[],
): Promise<ClientIdentity[]> {
  const versions = new Map(
    warmUps.flatMap(({ trial, version }) => (version === null ? [] : [[trial.client, version]])),
  );
  const usable = [...clients.entries()].flatMap(([name, client]) =>
    client instanceof H2h3Error ? [] : [[name, client] as const],
  );
  return Promise.all(
    usable.map(async ([name, client]) => ({
      ...client,
      ...(await digestFact(client.executablePath)),
      id: name,
      version: versions.get(name) ?? client.version,
      headed,
    })),
  );
}

/** As `compareWithItself`, once for each host that shares a run: where it comes again, what it found first stands. */
async function aaOf(
  resources: RunResources,
  earlier: Environment | null,
  { options: { shared }, directory, expectedTrialMs }: Work,
  context: AppContext,
): Promise<Pick<Environment, 'aa'>> {
  if (shared === undefined && directory.plan.shard === undefined) return {};
  const before = earlier ?? (await shared?.joinedBefore()) ?? null;
  if (before !== null) return before.aa === undefined ? {} : { aa: before.aa };
  const aa = await compareWithItself(
    directory.plan,
    expectedTrialMs,
    context.progress,
    async (trial, coming) => {
      const turns = coming.map((trial) => ({ trial }));
      const outcome = await resources.runner.run({ trial }, turns);
      const record = await recordTrial(resources, { trial, outcome }, directory);
      rmSync(directory.trialDir(trial.trialId), { recursive: true, force: true });
      return record;
    },
  );
  return aa === null ? {} : { aa };
}
