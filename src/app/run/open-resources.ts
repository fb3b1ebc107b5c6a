import os from 'node:os';
import { join } from 'node:path';
import type { ClientIdentity } from '../../../harness/clients/client.ts';
import type { FarHost } from '../../../harness/hosts/far-host.ts';
import { farOrigin } from '../../../harness/hosts/sent-content.ts';
import { networkProviders } from '../../../harness/network/registry.ts';
import { Testbeds, type TestbedsOptions } from '../../../harness/testbed/testbed.ts';
import { choosePinning, pinningContext, unpinned } from '../../../harness/testbed/pinning.ts';
import { selectProbes, selectWarmUpProbes } from '../../../harness/probes/selection.ts';
import { Runner, type RunnerOptions } from '../../../harness/trial/runner.ts';
import { proxyProviders } from '../../../harness/proxies/registry.ts';
import { remoteServer } from '../../../harness/servers/remote-server.ts';
import { serverProviders } from '../../../harness/servers/registry.ts';
import { openCertificateStore, type CertificateStore } from '../../../harness/tools/certificates.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { keepTo } from '../../core/system/processes/cpu-affinity.ts';
import { openRunScope } from '../../core/system/processes/run-scope.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { appPlaces, buildNames, othersLive, type AppHost } from '../../core/model/app-under-test.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { chunkDelayIn } from '../../core/model/fault.ts';
import type { OtherMachineFacts } from '../../core/model/environment.ts';
import type { Har } from '../../core/model/har.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PrepareContext, PreparedWorkload, Workload } from '../../core/model/workload.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { accessToApp } from './access-to-app.ts';
import { accessBeforeJourney, printMeasuredSteps, type AccessOfTrial } from './access-before-journey.ts';
import { accessOfRun, type AccessRequest } from './access-of-run.ts';
import { closeCpuShares, openCpuShares } from '../preflight/open-cpu-shares.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { networkUnderFault } from './injected-faults.ts';
import { requirePictureQuality } from './picture-quality.ts';
import { playersNamed, prepareWorkloads } from './prepare-run.ts';
import type { Clients } from '../preflight/clients.ts';
import type { AppContext } from '../app-context.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import { notServedReason } from '../preflight/server-scope.ts';
import { liveAccessOf } from '../plan/live-access.ts';
import { rootsByHost } from './roots-by-host.ts';
import {
  anyLost,
  isOfMoment,
  noiseOfOtherMachines,
  openOtherMachines,
  requireAllConnected,
  type OtherMachines,
} from './other-machines.ts';
import { startServersUnderTest, type ServersUnderTest } from './servers-under-test.ts';
import { warmUpPrefix } from '../plan/warm-ups.ts';

/** What trials are run with. */
export interface ResourceOptions {
  readonly directory: RunDirectory;
  readonly workloads: readonly Workload[];
  readonly clients: Clients;
  readonly setup: SetupContext;
  /** Default: 8443 or the next free one. */
  readonly port?: number | undefined;
  /** Default: no. */
  readonly headed?: boolean | undefined;
}

/** Of a run, for what the page of its script showed when that failed before what is measured. */
const beforeMeasuredFolder = 'before-measured';

/** QUIC servers here run New Reno, so TCP should run the same kind where a network lets it be set. */
const tcpAlgorithmLikeQuic = 'reno';

/** What all trials of a run share. */
export interface RunResources {
  readonly runner: Pick<Runner, 'run' | 'open'>;
  /** The run's own: what turns out not to start becomes an error in it. */
  readonly clients: Map<string, ClientIdentity | H2h3Error>;
  readonly testbeds: Testbeds;
  /** Live pages among them learn which of their hosts answer over HTTP/3. */
  readonly prepared: Map<string, PreparedWorkload>;
  /** What live pages loaded before their trials, by content. */
  readonly scouted: Map<string, Har>;
  /** Folder in which a discarded trial leaves its files. */
  readonly trialDirOf: (trialId: string) => string;
  readonly close: () => Promise<void>;
  readonly pinning: ReturnType<typeof choosePinning>;
  /** The machines on which servers and clients run, where those are others. */
  readonly otherMachine: OtherMachineFacts;
  /** What makes its figures noisy. */
  readonly disturbancesThere: readonly string[];
  /** By which clients reach other machines behind a network; no server has the port while it is measured. Absent: all are here. */
  readonly linkBehind?: OtherMachines['linkBehind'];
}

/** Nothing where no arm names a player. */
async function playersOf({ trials }: Plan, setup: SetupContext): Promise<Pick<PrepareContext, 'players'>> {
  const players = await playersNamed(trials, setup);
  return players.length === 0 ? {} : { players };
}

/** What is loaded, what opens it, and the servers that the user's command lines start for it. */
async function openContent(plan: Plan, options: ResourceOptions, context: AppContext) {
  const { setup, workloads } = options;
  const port = await choosePort(options.port);
  const shown = [...plan.urls, ...(plan.app?.addresses ?? [])];
  const given = liveAccessOf(plan.live ?? {}, context.environment, shown);
  const scope = await openRunScope((sentence) => context.progress.say(sentence));
  const ownCpus = choosePinning(pinningContext(os.availableParallelism()));
  try {
    const place = { scope, cpus: ownCpus.serverCpus, access: given };
    const underTest = await startServersUnderTest(plan, place, context);
    const hostsOf = hostsOfApp(plan, underTest);
    const atServer = <Access extends typeof given>(access: Access, build: string | undefined): Access =>
      accessToApp(access, { hosts: hostsOf(build), port });
    const builds = underTest.builds.map((build) => ({ ...build, access: atServer(given, build.name) }));
    const prepared = new Map(
      await prepareWorkloads(workloads, port, setup, {
        ...(given === undefined ? {} : { access: atServer(given, undefined) }),
        builds,
        ...(await playersOf(plan, setup)),
        holdsChunks: plan.arms.some(({ factors }) => chunkDelayIn(factors.fault) !== undefined),
      }),
    );
    requirePictureQuality(plan, prepared);
    const roots = rootsByHost([...prepared.values()]);
    // What cannot be sent is said before anything is.
    if (plan.hosts?.server !== undefined) roots.forEach(farOrigin);
    const { headed = false } = options;
    const others = await openOtherMachines(plan, { ...scope, port, setup, headed }, context);
    const failureDir = join(options.directory.path, beforeMeasuredFolder);
    const request = { ...options, headed, plan, prepared, scope, given, failureDir };
    const opens = await accessOfTrials(request, context);
    const accessOf: AccessOfTrial = async (trial) => atServer(await opens(trial), trial.factors.app);
    // Where nothing of this machine serves, the browser has every CPU.
    const nothingServes = roots.length === 0 && plan.live?.server === undefined;
    const pinning = others?.pinning ?? (nothingServes ? unpinned : ownCpus);
    return { port, scope, underTest, prepared, roots, accessOf, pinning, others };
  } catch (thrown) {
    // A run that cannot begin leaves nothing of itself; the reaper ends what was started for it.
    await scope.reaper.finish();
    throw thrown;
  }
}

/** The hosts of the plan's app, or of one of its builds; none of a plan without one. */
function hostsOfApp(
  { app }: Plan,
  { builds }: ServersUnderTest,
): (build: string | undefined) => readonly AppHost[] {
  return (build) => {
    if (app === undefined) return [];
    if (app.builds === undefined) return appPlaces(app.addresses).hosts;
    const running = builds.find(({ name }) => name === build);
    return running === undefined ? [] : appPlaces([running.origin], running.name).hosts;
  };
}

/** Starts what all trials share; servers and networks start when first needed. */
export async function openResources(
  plan: Plan,
  options: ResourceOptions,
  context: AppContext,
): Promise<RunResources> {
  const { setup, directory } = options;
  const content = await openContent(plan, options, context);
  const { port, scope, underTest, prepared, roots, accessOf, pinning, others } = content;
  const farHosts = others?.hosts ?? [];
  const { runId, tempDir, environment, reaper } = scope;
  const certificates = await openCertificateStore({ cache: setup.cache });
  const cpuShares = await openCpuShares(plan.trials, runId, setup);
  const logged = plan.probes.includes('qlog') ? { qlogDir: join(tempDir, 'qlog') } : {};
  const testbeds = new Testbeds({
    ...partsOf(plan, setup, others),
    passes: (cause) => isOfMoment(farHosts, cause),
    roots,
    port,
    certificates,
    tempDir,
    runId,
    pinning,
    tcpCongestionControl: tcpAlgorithmLikeQuic,
    reachesOutside: plan.app?.thirdParties === othersLive,
    joinsMarked: !isAnyFirefox(options.clients),
    checkDepth: plan.quickStart === true ? 'quick' : 'full',
    allowCongestionMismatch: plan.allowCongestionMismatch === true || !mixesTransports(plan),
    environment,
  });
  const clients = new Map(options.clients);
  const trialDirOf = (trialId: string): string => join(tempDir, trialId);
  const measured = new Runner({
    workloads: prepared,
    contentOf,
    refusalOf: notServedReason,
    clients,
    testbeds,
    networkOf: (trial) => networkUnderFault(plan, trial),
    trustOf: await trustOfTrials(plan, certificates),
    accessOf,
    pinning,
    ...(others?.clientMachine === undefined ? {} : { clientMachine: others.clientMachine }),
    cpuShares,
    tempDir,
    trialDir: (trialId) =>
      trialId.startsWith(warmUpPrefix) ? trialDirOf(trialId) : directory.trialDir(trialId),
    clearTrialDir: (trialId) => {
      if (!trialId.startsWith(warmUpPrefix)) directory.trialDir(trialId, { fresh: true });
    },
    probesOf: ({ trialId, instrumentation }, kind) =>
      (trialId.startsWith(warmUpPrefix) ? selectWarmUpProbes : selectProbes)(
        kind,
        plan.probes,
        instrumentation,
      ),
    headed: options.headed ?? false,
    ...logged,
    environment,
    signal: context.signal,
  });
  // What the browser has its CPUs for is measured: nothing of ours is on them.
  const spread = keepTo(pinning.serverCpus, [process.pid, ...reaper.pids()]);
  const close = async (): Promise<void> => {
    spread();
    await measured.close();
    await testbeds.stop();
    await Promise.all(farHosts.map((host) => host.close()));
    await underTest.stop();
    await closeCpuShares(cpuShares);
    await reaper.finish();
  };
  const runner = whileAlive(measured, underTest, farHosts);
  const shared = { runner, clients, testbeds, prepared, scouted: new Map(), trialDirOf, close, pinning };
  if (others === undefined) return { ...shared, otherMachine: {}, disturbancesThere: [] };
  return {
    ...shared,
    otherMachine: await others.facts(),
    disturbancesThere: await noiseOfOtherMachines(farHosts, context),
    linkBehind: others.linkBehind,
  };
}

const isAnyFirefox = (clients: Clients): boolean =>
  clients.values().some((client) => !(client instanceof H2h3Error) && client.family === 'firefox');

/** What clients are told of the certificates that an arm's factors ask for. */
async function trustOfTrials(
  { trials }: Plan,
  certificates: CertificateStore,
): Promise<RunnerOptions['trustOf']> {
  const { spkiHash } = certificates;
  const ofRsa = trials.some(({ factors }) => factors.keytype === 'rsa')
    ? await certificates.spkiHashOf('rsa')
    : spkiHash;
  const authority = trials.some(({ factors }) => factors.coalescing !== undefined)
    ? await certificates.authority()
    : undefined;
  return ({ factors: { keytype, coalescing } }) => ({
    spkiHash: keytype === 'rsa' ? ofRsa : spkiHash,
    ...(coalescing === undefined || authority === undefined ? {} : { authority }),
  });
}

/** What testbeds of the plan are made of: networks, and servers and proxies that the plan names, versions of them among them. */
function partsOf(
  { trials, customNetworks }: Plan,
  setup: SetupContext,
  others: OtherMachines | undefined,
): Pick<TestbedsOptions, 'networks' | 'servers' | 'proxies' | 'proxyWay' | 'startResolver'> {
  const byId = <Part extends { readonly id: string }>(parts: readonly Part[]): ReadonlyMap<string, Part> =>
    new Map(parts.map((part) => [part.id, part]));
  const networks = networkProviders(setup, customNetworks);
  const servers = serverProviders(setup, [...new Set(trials.map(({ server }) => server))]);
  const proxyNames = new Set(trials.flatMap(({ factors }) => valuesOf(factors).proxy ?? []));
  const proxies = proxyProviders(setup, [...proxyNames]);
  return {
    networks: byId(others?.networks(networks) ?? networks),
    servers: byId([...(others?.servers('server', servers) ?? servers), remoteServer]),
    proxies: byId(others?.servers('proxy', proxies) ?? proxies),
    ...(others?.proxyWay === undefined ? {} : { proxyWay: others.proxyWay(networks) }),
    ...(others?.startResolver === undefined ? {} : { startResolver: others.startResolver }),
  };
}

/** What opens the live page of each trial once everybody has logged in who should. */
async function accessOfTrials(request: AccessRequest, context: AppContext): Promise<AccessOfTrial> {
  const { plan } = request;
  printMeasuredSteps(request, context);
  if (plan.app?.builds === undefined) return accessOfPages(request, context);
  const opens = new Map<string, AccessOfTrial>();
  for (const build of buildNames) {
    const trials = plan.trials.filter(({ factors }) => factors.app === build);
    const own = new Set(trials.map(contentOf));
    const prepared = new Map([...request.prepared].filter(([content]) => own.has(content)));
    opens.set(build, await accessOfPages({ ...request, plan: { ...plan, trials }, prepared }, context));
  }
  return (trial) => opens.get(trial.factors.app ?? '')?.(trial) ?? Promise.resolve(request.given);
}

async function accessOfPages(request: AccessRequest, context: AppContext): Promise<AccessOfTrial> {
  return accessBeforeJourney({ ...request, given: await accessOfRun(request, context) }, context);
}

/** What a dead server left unanswered says nothing of it: such a trial is not kept, and is run when the run goes on. */
function whileAlive(
  runner: Runner,
  underTest: ServersUnderTest,
  farHosts: readonly FarHost[],
): RunResources['runner'] {
  return {
    open: async (trial) => {
      try {
        await runner.open(trial);
      } catch (thrown) {
        if (anyLost(farHosts) === undefined) throw thrown;
        // Its facts are the run's, so they must not be those of a moment without a connection.
        await requireAllConnected(farHosts);
        await runner.open(trial);
      }
    },
    run: async (turn, coming) => {
      await requireAllConnected(farHosts);
      const outcome = await runner.run(turn, coming);
      await underTest.requireAlive();
      // A trial that lost it failed by that; one without a way on is run when the run goes on.
      await requireAllConnected(farHosts);
      return outcome;
    },
  };
}

/** Whether arms over TCP are compared with arms that may use QUIC. */
function mixesTransports({ arms }: Plan): boolean {
  const overTcp = arms.filter(({ factors: { protocol } }) => protocol === 'h1' || protocol === 'h2');
  return overTcp.length > 0 && overTcp.length < arms.length;
}
