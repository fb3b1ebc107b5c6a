import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { loopback } from '../../../harness/network/loopback.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { requireLighthouse } from '../../../harness/probes/lighthouse.ts';
import { ensureFfmpeg } from '../../../harness/tools/ffmpeg.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { PlanQueue, Shard } from '../../model/shard.ts';
import type { Workload } from '../../model/workload.ts';
import type { PlanFile } from '../../plan/plan-file.ts';
import { presets } from '../../plan/presets/registry.ts';
import { openToGoOn } from '../../store/go-on.ts';
import { createRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { requireCpuShares } from './cpu-shares.ts';
import { requireDecidable } from './decidable-plan.ts';
import { requireHonouredFactors } from '../plan/honoured-factors.ts';
import { requireJudgeableProbes } from '../plan/judged-probes.ts';
import { requireLiveAbilities } from '../plan/live-abilities.ts';
import { requirePossibleTrials } from '../plan/possible-trials.ts';
import { rateWarnings } from '../plan/rate-warnings.ts';
import { requireServers } from './require-servers.ts';
import { requireKnownNames } from '../plan/known-names.ts';
import { requireNoSecretAddresses, requireNoWrittenSecrets } from '../plan/written-secrets.ts';
import { planFromRequest, workloadsOfPlan } from '../plan/plan-request.ts';
import { resolveClients, type Clients } from './prepare-run.ts';
import { requireSpokenProtocols } from './servers-under-test.ts';
import { requirePartable, shardOfPlan, shardWarnings } from './shard-of-plan.ts';
import type { AppContext } from '../app-context.ts';

/** A run directory with all that `executeRun` needs of it. */
export interface OpenedRun {
  readonly directory: RunDirectory;
  readonly workloads: readonly Workload[];
  readonly clients: Clients;
  /** What a reader must know of how the run came about. */
  readonly warnings: readonly string[];
}

export interface NewRunRequest {
  /** Preset or plan file, as named. */
  readonly source: string | undefined;
  readonly read: PlanFile;
  /** Whether the user chose the network: it is then never replaced by loopback. */
  readonly namesNetwork: boolean;
  readonly out: string | undefined;
  /** The part of the plan that is to run here. Default: all of it. */
  readonly shard?: Shard | undefined;
  /** How workers are to share it. Default: it runs here. */
  readonly queue?: PlanQueue | undefined;
  /** Workloads of own videos that `read` may name. */
  readonly own?: readonly Workload[];
}

function nameOfRun({ name, shard }: Plan, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return `${time}-${name}${shard === undefined ? '' : `-${shard.index}-of-${shard.count}`}`;
}

/** A run that was begun before, with its workloads and clients found again. @throws H2h3Error */
export async function openResumedRun(
  path: string,
  setup: SetupContext,
  own: readonly Workload[],
  context: AppContext,
): Promise<OpenedRun> {
  const directory = openToGoOn(path);
  const { plan } = directory;
  const clients = await resolveClients([...new Set(plan.trials.map((trial) => trial.client))], setup);
  const workloads = workloadsOfPlan(plan, own);
  const warnings = await requireServers(plan.trials, setup);
  warnings.forEach((line) => context.progress.say(`warning: ${line}`));
  return { directory, workloads, clients, warnings };
}

/**
 * Checks a request against what this machine has and makes its run directory.
 *
 * @throws H2h3Error `usage` or `unsupported`, before anything is made
 */
export async function openNewRun(
  request: NewRunRequest,
  setup: SetupContext,
  context: AppContext,
): Promise<OpenedRun> {
  const { source, own } = request;
  const read = withSpareBlocks(request);
  const { plan: draft } = planFromRequest(read, context.command, own);
  const named = [...new Set(draft.trials.map((trial) => trial.client))];
  requireNoSecretAddresses(draft);
  await requireNoWrittenSecrets(draft.live);
  requireDecidable(draft);
  partOf(draft, request);
  if (draft.probes.includes('lighthouse')) requireLighthouse();
  await requireKnownNames(draft, setup);
  const isPreset = presets.some(({ id }) => id === source) && !request.namesNetwork;
  const fallback = await requireNetworks(draft, setup, isPreset);
  if (fallback !== null) context.progress.say(`warning: ${fallback}`);
  const lacking = await requireServers(draft.trials, setup);
  lacking.forEach((line) => context.progress.say(`warning: ${line}`));
  const resolved = fallback === null ? read : { ...read, networks: [loopback.id] };
  const clients = await resolveClients(named, setup);
  requireLiveAbilities(draft, clients);
  requireSpokenProtocols(draft);
  // `best` has become the name of what was found.
  const { plan: whole, workloads } = planFromRequest(
    named.includes('best') ? await withBestNamed(resolved, setup) : resolved,
    context.command,
    own,
  );
  const plan = partOf(whole, request);
  requireJudgeableProbes(plan);
  requireHonouredFactors(plan, clients, setup);
  await requireCpuShares(plan.trials, setup);
  const impossible = await requirePossibleTrials(plan, clients, () => clientsHere(setup));
  impossible.forEach((line) => context.progress.say(`warning: ${line}`));
  const fast = rateWarnings(plan, availableParallelism());
  fast.forEach((line) => context.progress.say(`warning: ${line}`));
  const path = request.out ?? join('results', nameOfRun(plan, new Date()));
  const warnings = [
    ...(fallback === null ? [] : [fallback]),
    ...lacking,
    ...impossible,
    ...fast,
    ...shardWarnings(plan),
  ];
  return { directory: createRunDirectory(path, plan), workloads, clients, warnings };
}

function withSpareBlocks({ read, queue }: NewRunRequest): PlanFile {
  return queue === undefined ? read : { ...read, repetitions: read.repetitions + queue.spareBlocks };
}

/** The plan with what of it is to run here, or who is to run it. @throws H2h3Error `usage` where it cannot be parted */
function partOf(plan: Plan, { shard, queue }: NewRunRequest): Plan {
  if (queue === undefined) return shard === undefined ? plan : shardOfPlan(plan, shard);
  requirePartable(plan);
  return { ...plan, repetitions: plan.repetitions - queue.spareBlocks, queue };
}

async function clientsHere(setup: SetupContext): Promise<ClientIdentity[]> {
  return (await listClients(setup)).flatMap(({ found }) => found ?? []);
}

async function withBestNamed(file: PlanFile, setup: SetupContext): Promise<PlanFile> {
  const [best = 'best'] = (await resolveClients(['best'], setup)).keys();
  return { ...file, clients: file.clients.map((name) => (name === 'best' ? best : name)) };
}

/**
 * Finds out before anything is made whether every network can be had. A preset whose network the user did not name may
 * run over loopback instead: the returned sentence then says why.
 */
async function requireNetworks(
  plan: Plan,
  setup: SetupContext,
  mayFallBack: boolean,
): Promise<string | null> {
  const used = new Set(plan.trials.flatMap(({ network }) => network.split('/')));
  const setsOffloads = plan.trials.some(({ factors }) => factors.offloads !== undefined);
  for (const provider of networkProviders(setup, plan.customNetworks).filter(({ id }) => used.has(id))) {
    try {
      await provider.require?.(setsOffloads);
    } catch (thrown) {
      if (!mayFallBack || !(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
      return `${provider.id} cannot be had here (${thrown.message}); this run goes over loopback, where nothing is shaped and a ladder may be saturated`;
    }
  }
  return null;
}

/** Only video needs ffmpeg; its version is part of the environment then. */
export async function ffmpegVersion(
  workloads: readonly Workload[],
  setup: SetupContext,
): Promise<string | null> {
  if (!workloads.some(({ kind }) => kind === 'video')) return null;
  return (await ensureFfmpeg(setup)).version;
}
